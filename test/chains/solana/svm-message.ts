import { ed25519 } from '@noble/curves/ed25519.js';
import { base58 } from '@scure/base';
import type { Instruction } from './svm-instructions.ts';

export interface Keypair {
  address: string;
  secret: Uint8Array;
}

export function keypair(seed: Uint8Array): Keypair {
  return { address: base58.encode(ed25519.getPublicKey(seed)), secret: seed };
}

export interface SignedMessage {
  keys: { pubkey: string; signer: boolean; writable: boolean }[];
  instructions: { program: string; accounts: string[]; data: Uint8Array }[];
  messageBytes: Uint8Array;
  /** By signer, in the order of the keys. */
  signatures: Record<string, Uint8Array>;
}

/** A legacy message of these instructions, paid by the first signer and signed by all of them. */
export function signedMessage(instructions: Instruction[], signers: Keypair[], blockhash: string): SignedMessage {
  const payer = signers[0]!.address;
  const flags = new Map<string, { signer: boolean; writable: boolean }>([[payer, { signer: true, writable: true }]]);
  for (const { program, accounts } of instructions) {
    for (const [address, wanted] of [...accounts, [program, ''] as const]) {
      const had = flags.get(address);
      flags.set(address, {
        signer: had?.signer || wanted.includes('s'),
        writable: had?.writable || wanted.includes('w'),
      });
    }
  }
  const rank = (key: { signer: boolean; writable: boolean }) => (key.signer ? 0 : 2) + (key.writable ? 0 : 1);
  const keys = [...flags].map(([pubkey, flag]) => ({ pubkey, ...flag })).sort((a, b) => rank(a) - rank(b));
  const place = new Map(keys.map(({ pubkey }, n) => [pubkey, n]));
  const count = (wanted: number) => keys.filter((key) => rank(key) === wanted).length;

  const bytes = Buffer.concat([
    Buffer.of(count(0) + count(1), count(1), count(3), keys.length),
    ...keys.map(({ pubkey }) => base58.decode(pubkey)),
    base58.decode(blockhash),
    Buffer.of(instructions.length),
    ...instructions.flatMap(({ program, accounts, data }) => [
      Buffer.of(place.get(program)!, accounts.length, ...accounts.map(([address]) => place.get(address)!), data.length),
      data,
    ]),
  ]);
  // Every length above is written as one byte, which the format allows below 128.
  if (keys.length > 127 || instructions.some(({ data }) => data.length > 127))
    throw new RangeError('message too large');

  const messageBytes = Uint8Array.from(bytes);
  const secrets = new Map(signers.map(({ address, secret }) => [address, secret]));
  const signatures = Object.fromEntries(
    keys.filter(({ signer }) => signer).map(({ pubkey }) => [pubkey, ed25519.sign(messageBytes, secrets.get(pubkey)!)]),
  );
  return {
    keys,
    instructions: instructions.map(({ program, accounts, data }) => ({
      program,
      accounts: accounts.map(([address]) => address),
      data,
    })),
    messageBytes,
    signatures,
  };
}
