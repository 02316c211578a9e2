import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { z } from 'zod';

/** Facts that a proof leaves open, whatever it shows. */
export const NOT_PROVED = {
  /** The owners of the coins that a Bitcoin transaction spends: the outputs stand in other transactions. */
  sender: 'sender',
  /** Which block in the chain it is, where the header does not say. */
  height: 'height',
  /** Coin that contracts moved inside the call: only running it again shows that. */
  internal_call: 'internal_call',
  /** The tokens that moved, where the header holds no digest of their events. */
  token_events: 'token_events',
  /** Which price or label is right. */
  price: 'price',
  label: 'label',
} as const;

/** Why a transaction cannot be proved, although its source knows it. */
const UNPROVABLE = [
  'unconfirmed',
  'not_stated',
  'not_in_block',
  'other_header_form',
  'other_transaction_form',
  'other_roots',
  'no_node',
] as const;
export type Unprovable = (typeof UNPROVABLE)[number];

/** Why a transaction has no proof. */
export const NOT_PROVABLE = [
  ...UNPROVABLE,
  'no_light_proof',
  'no_source',
  'not_found',
  'source_failed',
  'source_contradicts',
  'time_budget',
  'over_limit',
] as const;
export type NotProvable = (typeof NOT_PROVABLE)[number];

export const hex = z.string().regex(/^(?:[0-9a-f]{2})+$/);

const ProvenTransferSchema = z
  .object({
    from: z.string().nullable().describe('Null where the transaction does not name who pays'),
    to: z.string().describe('Who is paid; of a script without an address `script:` and its digest'),
    amount_raw: z.string().describe('In the smallest unit; of an issued XRP Ledger asset as the ledger writes it'),
    token: z.string().nullable().describe("Null for the chain's own coin"),
  })
  .meta({ id: 'ProvenTransfer' });
/** A movement of value that the transaction's own bytes state. */
export type ProvenTransfer = z.output<typeof ProvenTransferSchema>;

/** Fields of every proof; `kind` and `data` of each kind hold the bytes that show that a block contains the transaction. */
export const proofFields = {
  chain: z.string().describe('Identifier of the chain'),
  tx_hash: z.string().describe('Hash of the transaction'),
  block_hash: z.string().describe('Any public node or explorer confirms it'),
  height: z.int().describe('Height of the block'),
  proves: z.array(ProvenTransferSchema).describe("Movements that the transaction's own bytes state"),
  not_proved: z
    .array(z.enum(Object.keys(NOT_PROVED) as [keyof typeof NOT_PROVED]))
    .describe('What the header of a block cannot show'),
};
export const blockHeader = hex.describe('Header of the block as the chain digests it');

/** Why a proof does not show what it states. */
export type ProofFault =
  | 'malformed'
  | 'other_chain'
  | 'other_transaction'
  | 'other_header'
  | 'not_in_block'
  | 'too_little_work'
  | 'other_height'
  | 'other_transfers';

/** A proof that does not hold. */
export class ProofError extends Error {
  readonly fault: ProofFault;

  constructor(fault: ProofFault) {
    super(`The proof does not hold: ${fault}`);
    this.fault = fault;
  }
}

/** Throws ProofError unless `holds`. */
export function demand(holds: boolean, fault: ProofFault): asserts holds {
  if (!holds) throw new ProofError(fault);
}

/** Reads hex of lower case with or without `0x`. ProofError for everything else. */
export function bytesOf(hex: unknown, length?: number): Uint8Array {
  demand(typeof hex === 'string' && /^(?:0x)?(?:[0-9a-f]{2})*$/.test(hex), 'malformed');
  const bytes = hexToBytes(hex.startsWith('0x') ? hex.slice(2) : hex);
  demand(length === undefined || bytes.length === length, 'malformed');
  return bytes;
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return bytesToHex(a) === bytesToHex(b);
}
