import { ed25519 } from '@noble/curves/ed25519.js';
import { base58 } from '@scure/base';
import { z } from 'zod';
import { accountOf, canonicalAddress } from '../domain/address/address.ts';
import { type Chain, caip2, isChain, type LabelChain } from '../domain/chain.ts';
import { compare } from '../domain/compare.ts';
import type { Category } from '../domain/label.ts';
import { InvalidInputError } from '../errors.ts';

/**
 * One label as it is signed, in the fields of the AT Protocol's label object: `src` says of the address `uri` that it is
 * `val`, or with `neg` that it no longer is.
 */
const LabelSchema = z.looseObject({
  ver: z.literal(1),
  src: z.string().max(100),
  /** Account id of CAIP-10; `eip155:all:…` for all EVM chains. */
  uri: z.string().max(200),
  val: z.string().max(40),
  neg: z.boolean().optional(),
  cts: z.iso.datetime(),
  /** End of validity. */
  exp: z.iso.datetime().optional(),
  /** First moment at which it holds. */
  nbf: z.iso.datetime().optional(),
  name: z.string().max(400).optional(),
  confidence: z.int().min(0).max(100).optional(),
});
export type UnsignedLabel = z.infer<typeof LabelSchema>;
const SignedLabelSchema = LabelSchema.extend({ sig: z.string().max(200) });
export type SignedLabel = z.infer<typeof SignedLabelSchema>;

const SignedSetSchema = z.looseObject({
  ver: z.literal(1),
  src: z.string().max(100),
  cts: z.iso.datetime(),
  labels: z.array(SignedLabelSchema),
  /** Over the whole set: none may be taken out. */
  sig: z.string().max(200),
});
export type SignedSet = z.infer<typeof SignedSetSchema>;

const ED25519_PUB = [0xed, 0x01];
/** Stands before what is signed, so that no other signature of the key fits. */
const DOMAIN = 'traceflow label 1\n';
const ON_ALL_EVM = 'eip155:all:';

/** The name of a key: `did:key` of ed25519. */
export function didOf(secret: Uint8Array): string {
  return `did:key:z${base58.encode(Uint8Array.from([...ED25519_PUB, ...ed25519.getPublicKey(secret)]))}`;
}

/** Adds the signature of a key to an object. */
export function signed<T extends object>(secret: Uint8Array, object: T): T & { sig: string } {
  return { ...object, sig: Buffer.from(ed25519.sign(bytesOf(object), secret)).toString('base64url') };
}

/**
 * Reads a set of signed labels. Throws InvalidInputError where it is none, where a signature does not fit, or where a label is of
 * another signer: nothing of it may be used then.
 */
export function readSignedSet(value: unknown, name: string): SignedSet {
  const parsed = SignedSetSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new InvalidInputError(`${name}: not a set of signed labels (${issue?.path.join('.')}: ${issue?.message})`);
  }
  const set = parsed.data;
  const key = keyOf(set.src);
  if (!key) throw new InvalidInputError(`${name}: ${set.src} is not the did:key of an ed25519 key`);
  const refuse = (what: string) => {
    throw new InvalidInputError(
      `${name}: ${what}. The file was changed since it was signed, or is another signer's: nothing of it is used`,
    );
  };
  if (!fits(set, key)) refuse('the signature of the set does not fit');
  for (const [nth, label] of set.labels.entries()) {
    if (label.src !== set.src) refuse(`label ${nth + 1} is of ${label.src}, not of the signer`);
    if (!fits(label, key)) refuse(`the signature of label ${nth + 1} does not fit`);
  }
  return set;
}

/** The chain and the canonical address of a label; null where it names none. */
export function placeOf({ uri }: SignedLabel): { chain: LabelChain; address: string } | null {
  const isOnAll = uri.startsWith(ON_ALL_EVM);
  const account = isOnAll ? { chain: 'ethereum' as const, address: uri.slice(ON_ALL_EVM.length) } : accountOf(uri);
  const address = account && canonicalAddress(account.chain, account.address)?.address;
  return account && address ? { chain: isOnAll ? 'evm' : account.chain, address } : null;
}

/** Names an address as labels do; null for the chains of forks, which have no such name. */
export function uriOf(chain: LabelChain, address: string): string | null {
  if (chain === 'evm') return ON_ALL_EVM + address;
  return isChain(chain) ? `${caip2(chain as Chain)}:${address}` : null;
}

/** True of a category that says what an address is. Trust is for the account alone that gives it. */
export function isShared(category: Category): boolean {
  return category !== 'self' && category !== 'whitelist';
}

function fits({ sig, ...object }: { sig: string }, key: Uint8Array): boolean {
  try {
    return ed25519.verify(Uint8Array.from(Buffer.from(sig, 'base64url')), bytesOf(object), key, { zip215: false });
  } catch {
    return false;
  }
}

function keyOf(did: string): Uint8Array | null {
  try {
    const bytes = base58.decode(/^did:key:z(\w+)$/.exec(did)![1]!);
    const [first, second, ...key] = bytes;
    return first === ED25519_PUB[0] && second === ED25519_PUB[1] && key.length === 32 ? Uint8Array.from(key) : null;
  } catch {
    return null;
  }
}

/** JSON without blanks, the names of each object in order: the same bytes wherever it is written. */
function bytesOf(object: object): Uint8Array {
  return new TextEncoder().encode(DOMAIN + inOrder(object));
}

function inOrder(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inOrder).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  fields.sort(([a], [b]) => compare(a, b));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${inOrder(field)}`).join(',')}}`;
}
