import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { z } from 'zod';
import { CHAINS } from '../domain/chain.ts';
import { compare } from '../domain/compare.ts';
import { withoutControls } from '../domain/text/visible.ts';
import { learnSigners } from './evm.ts';
import { NOT_PROVABLE, type ProofFault, type ProvenTransfer } from './proof.ts';
import { SUM_MAX } from './signatures.ts';
import { type AnyProof, faultOf, ProofSchema } from './verify.ts';

const UnprovenSchema = z
  .object({
    chain: z.enum(CHAINS),
    tx_hash: z.string().describe('As the chain writes it: `0x` + 64 hex on EVM chains'),
    reason: z
      .enum(NOT_PROVABLE)
      .describe('`no_light_proof`: the chain commits to nothing that a light reader can check'),
  })
  .meta({ id: 'NotProvable' });
/** A transaction without a proof, and why. */
export type Unproven = z.output<typeof UnprovenSchema>;

/** Proofs as the API answers and as they are kept in a file. */
export const ProofsFileSchema = z
  .object({
    proofs: z.array(ProofSchema).describe('`traceflow verify` and `verify.html` check them without this service'),
    not_provable: z.array(UnprovenSchema).describe('The rest of what was asked for'),
    digest: z
      .string()
      .describe('SHA-256 of the JSON of the rest, its keys sorted: shows damage, also where nothing is proved'),
  })
  .meta({ id: 'Proofs' });

/** Joins proofs and what has none to the content of a file. */
export function proofsFile(proofs: AnyProof[], notProvable: Unproven[]): z.output<typeof ProofsFileSchema> {
  const content = { proofs, not_provable: notProvable };
  return { ...content, digest: digestOf(content) };
}

/** A file of unknown origin: its parts, and whether they are those that it was written with. */
interface GivenProofs {
  proofs: unknown[];
  notProvable: Unproven[];
  intact: boolean;
}

/** Why files that a reader gave cannot be checked; a page says it in its own words. */
export class UnreadableError extends Error {
  readonly reason: 'no_proofs' | 'no_manifest' | 'twice';
  constructor(reason: UnreadableError['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** Reads a file of proofs without believing it. Throws UnreadableError where it is none. */
export function readProofs(bytes: Uint8Array): GivenProofs {
  try {
    const read: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    const { digest, ...content } = Object(read) as Record<string, unknown>;
    const { proofs } = content;
    if (!Array.isArray(proofs)) throw new Error('it has no list "proofs"');
    const listed = ProofsFileSchema.shape.not_provable.safeParse(content.not_provable);
    const intact = listed.success && digest === digestOf(content);
    return { proofs, notProvable: listed.success ? listed.data : [], intact };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : cause;
    throw new UnreadableError('no_proofs', `not a file of proofs: ${why}`, { cause });
  }
}

/** A proof as it is shown: nothing in it steers a terminal or a page. */
export interface CheckedProof {
  chain: string;
  tx_hash: string;
  block_hash: string;
  height: number | null;
  /** Null where the proof holds. */
  fault: ProofFault | null;
  /** Both empty where it does not hold. */
  proves: ProvenTransfer[];
  not_proved: AnyProof['not_proved'];
}

/** Checks proofs of unknown origin, in their order. */
export function checkProofs(given: readonly unknown[]): CheckedProof[] {
  const checked: CheckedProof[] = [];
  for (let at = 0; at < given.length; at += SUM_MAX) {
    const part = given.slice(at, at + SUM_MAX);
    learnSigners(part);
    checked.push(...part.map(checkProof));
  }
  return checked;
}

function checkProof(given: unknown): CheckedProof {
  const stated = Object(given) as Record<string, unknown>;
  const fault = faultOf(given);
  return {
    chain: oneLine(stated.chain),
    tx_hash: oneLine(stated.tx_hash),
    block_hash: oneLine(stated.block_hash),
    height: typeof stated.height === 'number' ? stated.height : null,
    fault,
    proves: fault ? [] : (given as AnyProof).proves,
    not_proved: fault ? [] : (given as AnyProof).not_proved,
  };
}

/** Text of unknown origin that steers neither a terminal nor a page. */
export function oneLine(value: unknown): string {
  return withoutControls(String(value)).replace(/\s+/g, ' ').slice(0, 100);
}

function digestOf(content: unknown): string {
  return bytesToHex(sha256(utf8ToBytes(sorted(content))));
}

/** JSON without spaces, the keys of each object in order. */
function sorted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sorted).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).sort(([a], [b]) => compare(a, b));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${sorted(field)}`).join()}}`;
}
