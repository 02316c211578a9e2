import { base58 } from '@scure/base';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../src/chains/solana/address.ts';

type Parsed = { type: string; info: Record<string, unknown> };

const MINT_SIZE = 82;
const ACCOUNT_SIZE = 165;
/** Behind the longer of the two layouts, one byte of Token-2022 distinguishes a mint from an account. */
const KIND_MINT = 1;

export const isTokenProgram = (program: string) => program === TOKEN_PROGRAM || program === TOKEN_2022_PROGRAM;
const keyAt = (data: Buffer, at: number) => base58.encode(data.subarray(at, at + 32));

/** As a node shows one instruction in jsonParsed, from its bytes alone. */
export function parsedInstruction(programId: string, accounts: string[], bytes: Uint8Array) {
  const data = Buffer.from(bytes);
  const known = isTokenProgram(programId)
    ? { program: 'spl-token', parsed: tokenInstruction(accounts, data) }
    : programId === SYSTEM_PROGRAM
      ? { program: 'system', parsed: systemInstruction(accounts, data) }
      : programId === ASSOCIATED_TOKEN_PROGRAM
        ? { program: 'spl-associated-token-account', parsed: associatedInstruction(accounts, data) }
        : null;
  if (known?.parsed) return { ...known, programId };
  return { programId, accounts, data: base58.encode(data) };
}

function systemInstruction(accounts: string[], data: Buffer): Parsed | null {
  const [first, second] = accounts;
  switch (data.readUInt32LE(0)) {
    case 0: {
      const [lamports, space] = [data.readBigUInt64LE(4), Number(data.readBigUInt64LE(12))];
      return {
        type: 'createAccount',
        info: { source: first, newAccount: second, lamports, space, owner: keyAt(data, 20) },
      };
    }
    case 1:
      return { type: 'assign', info: { account: first, owner: keyAt(data, 4) } };
    case 2:
      return { type: 'transfer', info: { source: first, destination: second, lamports: data.readBigUInt64LE(4) } };
    case 8:
      return { type: 'allocate', info: { account: first, space: Number(data.readBigUInt64LE(4)) } };
    default:
      return null;
  }
}

function associatedInstruction(accounts: string[], data: Buffer): Parsed {
  const [source, account, wallet, mint, systemProgram, tokenProgram] = accounts;
  const type = data[0] === 1 ? 'createIdempotent' : 'create';
  return { type, info: { source, account, wallet, mint, systemProgram, tokenProgram } };
}

function tokenInstruction(accounts: string[], data: Buffer): Parsed | null {
  const [a, b, c, d] = accounts;
  const amount = () => data.readBigUInt64LE(1).toString();
  switch (data[0]) {
    case 3:
      return { type: 'transfer', info: { source: a, destination: b, authority: c, amount: amount() } };
    case 6: {
      const authorityType = ['mintTokens', 'freezeAccount', 'accountOwner', 'closeAccount'][data[1]!];
      const newAuthority = data[2] === 1 ? keyAt(data, 3) : null;
      return { type: 'setAuthority', info: { account: a, authority: b, authorityType, newAuthority } };
    }
    case 7:
      return { type: 'mintTo', info: { mint: a, account: b, mintAuthority: c, amount: amount() } };
    case 8:
      return { type: 'burn', info: { account: a, mint: b, authority: c, amount: amount() } };
    case 9:
      return { type: 'closeAccount', info: { account: a, destination: b, owner: c } };
    case 12: {
      const tokenAmount = uiAmount(data.readBigUInt64LE(1), data[9]!);
      return { type: 'transferChecked', info: { source: a, mint: b, destination: c, authority: d, tokenAmount } };
    }
    case 17:
      return { type: 'syncNative', info: { account: a } };
    case 18:
      return { type: 'initializeAccount3', info: { account: a, mint: b, owner: keyAt(data, 1) } };
    case 20:
      return { type: 'initializeMint2', info: { mint: a, decimals: data[1], mintAuthority: keyAt(data, 2) } };
    case 21:
      return { type: 'getAccountDataSize', info: { mint: a } };
    case 22:
      return { type: 'initializeImmutableOwner', info: { account: a } };
    case 26:
      return transferFeeInstruction(accounts, data);
    default:
      return null;
  }
}

function transferFeeInstruction([a, b, c, d]: string[], data: Buffer): Parsed | null {
  if (data[1] === 0) return { type: 'initializeTransferFeeConfig', info: { mint: a } };
  if (data[1] !== 1) return null;
  const decimals = data[10]!;
  const tokenAmount = uiAmount(data.readBigUInt64LE(2), decimals);
  const feeAmount = uiAmount(data.readBigUInt64LE(11), decimals);
  const info = { source: a, mint: b, destination: c, authority: d, tokenAmount, feeAmount };
  return { type: 'transferCheckedWithFee', info };
}

export interface TokenAccount {
  mint: string;
  owner: string;
  amount: bigint;
}

/** What a token program keeps in an account; null for a mint, or bytes that are not a token account. */
export function tokenAccount(program: string, bytes: Uint8Array): TokenAccount | null {
  const data = Buffer.from(bytes);
  if (!isTokenProgram(program) || data.length < ACCOUNT_SIZE || data[108] === 0) return null;
  if (data.length > ACCOUNT_SIZE && data[ACCOUNT_SIZE] === KIND_MINT) return null;
  return { mint: keyAt(data, 0), owner: keyAt(data, 32), amount: data.readBigUInt64LE(64) };
}

/** Supply and decimals of a mint; null for anything else. */
export function mintState(program: string, bytes: Uint8Array): { supply: bigint; decimals: number } | null {
  const data = Buffer.from(bytes);
  if (!isTokenProgram(program)) return null;
  if (data.length !== MINT_SIZE && data[ACCOUNT_SIZE] !== KIND_MINT) return null;
  return { supply: data.readBigUInt64LE(36), decimals: data[44]! };
}

export function uiAmount(amount: bigint, decimals: number) {
  const digits = amount.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const uiAmountString = decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}`.replace(/\.?0+$/, '');
  return { amount: amount.toString(), decimals, uiAmount: Number(uiAmountString), uiAmountString };
}
