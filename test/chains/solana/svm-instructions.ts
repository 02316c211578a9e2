import { base58 } from '@scure/base';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  associatedTokenAccount,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../src/chains/solana/address.ts';

/** An instruction before it is put into a message: account flags are `w` writable, `s` signer. */
export interface Instruction {
  program: string;
  accounts: [address: string, flags: '' | 'w' | 's' | 'ws'][];
  data: Uint8Array;
}

export const MINT_SIZE = 82;
/** Mint padded to an account's size, one byte of kind, and the transfer-fee extension with its header of four bytes. */
export const FEE_MINT_SIZE = 165 + 1 + 4 + 108;

const u8 = (value: number) => Buffer.of(value);
const u16 = (value: number) => {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
};
const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const u64 = (value: bigint) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
};
const key = (address: string) => base58.decode(address);
const none = u8(0);
const some = (address: string) => Buffer.concat([u8(1), key(address)]);

function instruction(program: string, accounts: Instruction['accounts'], ...data: Uint8Array[]): Instruction {
  return { program, accounts, data: Buffer.concat(data) };
}

export const system = {
  createAccount: (from: string, to: string, lamports: bigint, space: number, owner: string) =>
    instruction(
      SYSTEM_PROGRAM,
      [
        [from, 'ws'],
        [to, 'ws'],
      ],
      u32(0),
      u64(lamports),
      u64(BigInt(space)),
      key(owner),
    ),
  transfer: (from: string, to: string, lamports: bigint) =>
    instruction(
      SYSTEM_PROGRAM,
      [
        [from, 'ws'],
        [to, 'w'],
      ],
      u32(2),
      u64(lamports),
    ),
};

/** The usual token account of an owner, made by the associated token program; `idempotent` accepts an existing one. */
export function createAssociated(payer: string, owner: string, mint: string, program: string, idempotent = false) {
  return instruction(
    ASSOCIATED_TOKEN_PROGRAM,
    [
      [payer, 'ws'],
      [associatedTokenAccount(owner, mint, program), 'w'],
      [owner, ''],
      [mint, ''],
      [SYSTEM_PROGRAM, ''],
      [program, ''],
    ],
    u8(idempotent ? 1 : 0),
  );
}

/** Instructions that both token programs understand. */
export function tokenInstructions(program: string) {
  return {
    initializeMint2: (mint: string, decimals: number, authority: string) =>
      instruction(program, [[mint, 'w']], u8(20), u8(decimals), key(authority), none),
    initializeAccount3: (account: string, mint: string, owner: string) =>
      instruction(
        program,
        [
          [account, 'w'],
          [mint, ''],
        ],
        u8(18),
        key(owner),
      ),
    mintTo: (mint: string, account: string, authority: string, amount: bigint) =>
      instruction(
        program,
        [
          [mint, 'w'],
          [account, 'w'],
          [authority, 's'],
        ],
        u8(7),
        u64(amount),
      ),
    burn: (account: string, mint: string, owner: string, amount: bigint) =>
      instruction(
        program,
        [
          [account, 'w'],
          [mint, 'w'],
          [owner, 's'],
        ],
        u8(8),
        u64(amount),
      ),
    transfer: (source: string, destination: string, owner: string, amount: bigint) =>
      instruction(
        program,
        [
          [source, 'w'],
          [destination, 'w'],
          [owner, 's'],
        ],
        u8(3),
        u64(amount),
      ),
    transferChecked: (
      source: string,
      mint: string,
      destination: string,
      owner: string,
      amount: bigint,
      decimals: number,
    ) =>
      instruction(
        program,
        [
          [source, 'w'],
          [mint, ''],
          [destination, 'w'],
          [owner, 's'],
        ],
        u8(12),
        u64(amount),
        u8(decimals),
      ),
    setAccountOwner: (account: string, owner: string, newOwner: string) =>
      instruction(
        program,
        [
          [account, 'w'],
          [owner, 's'],
        ],
        u8(6),
        u8(2),
        some(newOwner),
      ),
    closeAccount: (account: string, destination: string, owner: string) =>
      instruction(
        program,
        [
          [account, 'w'],
          [destination, 'w'],
          [owner, 's'],
        ],
        u8(9),
      ),
    syncNative: (account: string) => instruction(program, [[account, 'w']], u8(17)),
  };
}

export const token = tokenInstructions(TOKEN_PROGRAM);

/** Token-2022 with the extension that withholds a fee of each transfer. */
export const token2022 = {
  ...tokenInstructions(TOKEN_2022_PROGRAM),
  initializeTransferFee: (mint: string, authority: string, basisPoints: number, most: bigint) =>
    instruction(
      TOKEN_2022_PROGRAM,
      [[mint, 'w']],
      u8(26),
      u8(0),
      some(authority),
      some(authority),
      u16(basisPoints),
      u64(most),
    ),
  transferCheckedWithFee: (
    source: string,
    mint: string,
    destination: string,
    owner: string,
    amount: bigint,
    decimals: number,
    fee: bigint,
  ) =>
    instruction(
      TOKEN_2022_PROGRAM,
      [
        [source, 'w'],
        [mint, ''],
        [destination, 'w'],
        [owner, 's'],
      ],
      u8(26),
      u8(1),
      u64(amount),
      u8(decimals),
      u64(fee),
    ),
};
