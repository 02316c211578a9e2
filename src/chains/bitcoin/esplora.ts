import { z } from 'zod';
import { canonicalAddress } from '../../domain/address/address.ts';
import { isDataScript, scriptAddress } from '../../domain/address/script-address.ts';
import type { UtxoParty, UtxoTransaction } from '../../domain/transfers/utxo.ts';
import { SourceError } from '../../errors.ts';
import { askSource, type Endpoint, type SourceReply } from '../http.ts';
import type { RequestOptions } from '../port.ts';
import { checked, checkedEach, txHashShape, units, whole, wholeUpTo } from '../reply.ts';

/** Transactions of one full page of a history. */
export const PAGE_SIZE = 25;
/** Servers may be set to longer pages. */
const PAGE_ITEMS_MAX = 1_000;

export interface EsploraAddress {
  /** Satoshi, confirmed. */
  balance: bigint;
  confirmedTxs: number;
  unconfirmedTxs: number;
}

export interface EsploraTransaction {
  /** Null while unconfirmed. */
  confirmed: UtxoTransaction | null;
  txHash: string;
  coinbase: boolean;
  inputs: UtxoParty[];
  outputs: UtxoParty[];
  /** Texts in outputs that carry data and no value. */
  memos: string[];
  /** Input addresses whose revealed script asks for several keys. */
  multisig: string[];
  /** Public key that each input address reveals, in hex, unproven: the address may be of another key. */
  keys: Map<string, string>;
}

const HASH = txHashShape('bitcoin');
const BLOCK_HASH = z.string().regex(/^[0-9a-f]{64}$/);
const GENESIS_S = 1_231_006_505;
const STATS = z.object({ tx_count: whole, funded_txo_sum: units, spent_txo_sum: units });
const ADDRESS = z.object({ address: z.string(), chain_stats: STATS, mempool_stats: STATS });
/** Characters of the checksum of a Bech32 address. */
const CHECKSUM = 6;
const OUTPUT = z
  .object({
    scriptpubkey_address: z.string().max(100).nullish(),
    value: units,
    scriptpubkey: z
      .string()
      .regex(/^(?:[0-9a-f]{2})*$/i)
      .nullish()
      .catch(undefined),
  })
  .transform(({ scriptpubkey_address: stated, value, scriptpubkey }, context) => {
    const named = stated == null ? null : canonicalAddress('bitcoin', stated)?.address;
    const address = named ?? (scriptpubkey ? scriptAddress(scriptpubkey) : null);
    if (stated != null && named === undefined && !hasOldChecksum(stated, address))
      context.addIssue('is not an address');
    const script = scriptpubkey ?? '';
    return { party: { address, value, ...(isDataScript(script) && { data: true as const }) }, memo: memoOf(script) };
  });
/** Servers of before taproot give its addresses the checksum of older ones: the script says which it is. */
function hasOldChecksum(stated: string, paid: string | null): boolean {
  return paid?.startsWith('bc1p') === true && stated.slice(0, -CHECKSUM).toLowerCase() === paid.slice(0, -CHECKSUM);
}

const HEX = z.string().regex(/^(?:[0-9a-f]{2})*$/);
const INPUT = z.object({
  is_coinbase: z.boolean(),
  prevout: OUTPUT.transform(({ party }) => party).nullable(),
  inner_redeemscript_asm: z.string().nullish(),
  inner_witnessscript_asm: z.string().nullish(),
  scriptsig: HEX.nullish().catch(undefined),
  witness: z.array(HEX).nullish().catch(undefined),
});
const STATUS = z.union([
  z.object({
    confirmed: z.literal(true),
    block_height: whole,
    block_hash: BLOCK_HASH,
    block_time: wholeUpTo(0xffffffff).refine((at) => at >= GENESIS_S, 'before the first block'),
  }),
  z.object({ confirmed: z.literal(false) }),
]);
const MERKLE_PROOF = z.object({ block_height: whole, pos: whole });
const OUTSPEND = z
  .union([z.object({ spent: z.literal(true), txid: HASH }), z.object({ spent: z.literal(false) })])
  .transform((output) => (output.spent ? output.txid : null));
const STATED = z.object({ txid: HASH, vin: z.array(INPUT).min(1), vout: z.array(OUTPUT).min(1), status: STATUS });
const TRANSACTION = STATED.transform(toTransaction);

/** `GET /address/:a`. Throws SourceError for every other answer than the counts and sums of this address. */
export async function askAddress(
  endpoint: Endpoint,
  address: string,
  options?: RequestOptions,
): Promise<EsploraAddress> {
  const reply = await askSource(endpoint, { path: `/address/${address}`, ...options });
  const { address: echo, chain_stats, mempool_stats } = read(endpoint, ADDRESS, reply);
  const balance = chain_stats.funded_txo_sum - chain_stats.spent_txo_sum;
  if (echo !== address) throw nonsense(endpoint, 'answers for another address');
  if (balance < 0n) throw nonsense(endpoint, 'more spent than funded');
  return { balance, confirmedTxs: chain_stats.tx_count, unconfirmedTxs: mempool_stats.tx_count };
}

/** `GET /address/:a/txs/chain[/:after]`: confirmed transactions, newest first, behind the one given. */
export async function askPage(
  endpoint: Endpoint,
  address: string,
  after: string | null,
  options?: RequestOptions,
): Promise<EsploraTransaction[]> {
  const path = `/address/${address}/txs/chain${after === null ? '' : `/${after}`}`;
  const reply = await askSource(endpoint, { path, ...options });
  const page = await checkedEach(endpoint, TRANSACTION, jsonOf(endpoint, reply), 'the answer', PAGE_ITEMS_MAX);
  for (const tx of page) {
    const touches = [...tx.inputs, ...tx.outputs].some((party) => party.address === address);
    if (!touches) throw nonsense(endpoint, `transaction ${tx.txHash} does not touch the address asked for`);
    checkValues(endpoint, tx);
  }
  return page;
}

/** `GET /tx/:txid`; null for a transaction that the source does not know. */
export async function askTransaction(
  endpoint: Endpoint,
  hash: string,
  options?: RequestOptions,
): Promise<EsploraTransaction | null> {
  const reply = await askSource(endpoint, { path: `/tx/${hash}`, ...options });
  if (reply.status === 404) return null;
  const tx = read(endpoint, TRANSACTION, reply);
  if (tx.txHash !== hash) throw nonsense(endpoint, 'answers with another transaction');
  checkValues(endpoint, tx);
  return tx;
}

/** `GET /tx/:txid/merkle-proof`: the position in the block of a transaction of that block; null where the source has no answer. */
export async function askPosition(
  endpoint: Endpoint,
  hash: string,
  block: number,
  options?: RequestOptions,
): Promise<number | null> {
  const reply = await askSource(endpoint, { path: `/tx/${hash}/merkle-proof`, ...options });
  if (reply.status === 404) return null;
  const { block_height, pos } = read(endpoint, MERKLE_PROOF, reply);
  if (block_height !== block)
    throw nonsense(endpoint, `names block ${block_height} for a transaction of block ${block}`);
  return pos;
}

/** `GET /tx/:txid/outspends`: for each output the hash of the transaction that spends it, or null. */
export async function askOutspends(
  endpoint: Endpoint,
  tx: EsploraTransaction,
  options?: RequestOptions,
): Promise<(string | null)[]> {
  const reply = await askSource(endpoint, { path: `/tx/${tx.txHash}/outspends`, ...options });
  const outspends = read(endpoint, z.array(OUTSPEND), reply);
  if (outspends.length !== tx.outputs.length) throw nonsense(endpoint, 'as many spendings as outputs were expected');
  return outspends;
}

/** A fault of the source, with what it said for the log. */
export function nonsense(endpoint: Endpoint, what: string): SourceError {
  return new SourceError(endpoint.chain, `${endpoint.name}: ${what}`);
}

/** Errors of Esplora are plain text (`Invalid Bitcoin address`, `Too many history entries`). */
function jsonOf(endpoint: Endpoint, { status, excerpt, json }: SourceReply): unknown {
  if (status !== 200) throw nonsense(endpoint, `HTTP ${status}: ${excerpt.slice(0, 200)}`);
  return json;
}

/** Reads an answer in its shape. Throws SourceError for every other one. */
export function read<S extends z.ZodType>(endpoint: Endpoint, schema: S, reply: SourceReply): z.output<S> {
  return checked(endpoint, schema, jsonOf(endpoint, reply), 'the answer');
}

function toTransaction(stated: z.output<typeof STATED>, context: z.RefinementCtx): EsploraTransaction {
  const { txid, vin, vout, status } = stated;
  const coinbase = vin[0]?.is_coinbase === true;
  const inputs = vin.flatMap((input) => {
    return input.prevout ? { ...input.prevout, ...(letsOthersJoin(input) && { open: true }) } : [];
  });
  if (inputs.length !== (coinbase ? 0 : vin.length)) context.addIssue('an input does not say what it spends');
  const multisig = vin.flatMap(({ prevout, inner_redeemscript_asm, inner_witnessscript_asm }) => {
    const script = inner_witnessscript_asm ?? inner_redeemscript_asm ?? '';
    return prevout?.address && /\bOP_CHECK(?:MULTISIG|SIGADD)/.test(script) ? prevout.address : [];
  });
  const outputs = vout.map(({ party }) => party);
  const memos = vout.flatMap(({ memo }) => memo ?? []);
  const keys = new Map<string, string>();
  for (const input of coinbase ? [] : vin) {
    const key = input.prevout?.address ? keyBesideSignature(input) : null;
    if (key !== null) keys.set(input.prevout!.address!, key);
  }
  const parts = { txHash: txid, coinbase, inputs, outputs };
  const confirmed = status.confirmed
    ? { ...parts, block: status.block_height, blockHash: status.block_hash, at: status.block_time * 1_000 }
    : null;
  return { ...parts, memos, confirmed, multisig, keys };
}

/** Returns what one push behind OP_RETURN says, at most 255 bytes of UTF-8; null for every other script. */
function memoOf(script: string): string | null {
  const push = /^6a(?:4c)?([0-9a-f]{2})((?:[0-9a-f]{2})+)$/i.exec(script);
  if (!push || Number.parseInt(push[1]!, 16) * 2 !== push[2]!.length) return null;
  const text = Buffer.from(push[2]!, 'hex').toString('utf8');
  return text.includes('\uFFFD') ? null : text;
}

function checkValues(endpoint: Endpoint, tx: EsploraTransaction): void {
  const sum = (parties: UtxoParty[]) => parties.reduce((total, party) => total + party.value, 0n);
  if (!tx.coinbase && sum(tx.inputs) < sum(tx.outputs)) {
    throw nonsense(endpoint, `transaction ${tx.txHash} spends more than it has`);
  }
}

/** The scripts that unlock an input, in hex. */
interface Unlocking {
  scriptsig?: string | null;
  witness?: string[] | null;
}

const OP_PUSHDATA1 = 0x4c;
const OP_PUSHDATA2 = 0x4d;
/** In the last byte of a signature: others may add inputs to the transaction, as buyers on marketplaces do. */
const ANYONE_CAN_PAY = 0x80;
const SCHNORR_WITH_TYPE = 65;
/** Begins an item of taproot that no script reads. */
const ANNEX = '50';
/** Shows that the item before it is a script of taproot: its version, the inner key, and the hashes beside its way. */
const CONTROL_BLOCK = /^c[01].{64}(?:.{64})*$/;

/** Returns the public key in an input that pays from the hash of one key; null for other inputs. */
export function keyBesideSignature({ scriptsig, witness }: Unlocking): string | null {
  const items = witness && witness.length > 0 ? witness : pushesOf(scriptsig ?? '');
  const key = items.length === 2 ? items[1]! : '';
  return /^(?:0[23][0-9a-f]{64}|04[0-9a-f]{128})$/.test(key) ? key : null;
}

/**
 * True where a signature of the input does not bind the other inputs: those who own them may be strangers.
 *
 * @internal
 */
export function letsOthersJoin({ scriptsig, witness }: Unlocking): boolean {
  const items = witness ?? [];
  const stack = items.length > 1 && items.at(-1)!.startsWith(ANNEX) ? items.slice(0, -1) : items;
  const isScriptPath = stack.length > 1 && CONTROL_BLOCK.test(stack.at(-1)!);
  // Elsewhere 65 bytes are a public key.
  const isTaproot = isScriptPath || stack.length === 1;
  const signed = isScriptPath ? stack.slice(0, -2) : stack;
  return (
    pushesOf(scriptsig ?? '').some((item) => isDer(item) && isOpen(item)) ||
    signed.some((item) => (isDer(item) || (isTaproot && item.length === 2 * SCHNORR_WITH_TYPE)) && isOpen(item))
  );
}

function isDer(item: string): boolean {
  return item.startsWith('30') && Number.parseInt(item.slice(2, 4), 16) === item.length / 2 - 3;
}

/** True for the types that sign all outputs, none or one, and no other input. */
function isOpen(signature: string): boolean {
  const type = Number.parseInt(signature.slice(-2), 16);
  return type > ANYONE_CAN_PAY && type <= ANYONE_CAN_PAY + 3;
}

/** The data that a script of nothing but pushes puts on the stack; empty for others. */
function pushesOf(script: string): string[] {
  const bytes = Buffer.from(script, 'hex');
  const pushes: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const code = bytes[at]!;
    if (code > OP_PUSHDATA2) return [];
    const sizeBytes = Math.max(0, code - OP_PUSHDATA1 + 1);
    if (at + sizeBytes >= bytes.length) return pushes;
    const size = sizeBytes === 0 ? code : bytes.readUIntLE(at + 1, sizeBytes);
    const start = at + 1 + sizeBytes;
    pushes.push(bytes.subarray(start, start + size).toString('hex'));
    at = start + size;
  }
  return pushes;
}
