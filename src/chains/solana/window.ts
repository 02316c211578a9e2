import type { Around, RequestOptions } from '../port.ts';
import type { SolanaRpc } from './rpc.ts';
import type { SolanaSignature } from './shapes.ts';
import {
  type DatedTransaction,
  fetchTransactions,
  readSignatures,
  SIGNATURES_PER_PAGE,
  type SignatureList,
} from './signatures.ts';

/** Later blocks tried as the end of a forward reading, each nearer to the receipt. */
const NEARER_ENDS = 4;
const NEARER_BY = 8;
/** Most slots without a block that are skipped. */
const SLOTS_TRIED = 8;

/** Signatures to fetch, and the span of time (epoch ms) in which none is missing. */
export interface SignatureWindow {
  signatures: SolanaSignature[];
  /** Which end is dropped where there are too many. */
  keep: 'newest' | 'oldest';
  max: number;
  /** NaN where the node names no time. */
  from: number;
  to: number | null;
  truncated: boolean;
}

export interface FetchedWindow {
  fetched: DatedTransaction[];
  reasons: string[];
  from: number;
  to: number | null;
}

/** The signatures of some accounts: all, or those before or after one transfer, which is then among them. */
export async function signaturesAround(
  rpc: SolanaRpc,
  accounts: string[],
  { pageLimit, around }: { pageLimit: number; around?: Around },
  options?: RequestOptions,
): Promise<SignatureWindow> {
  const max = pageLimit * SIGNATURES_PER_PAGE;
  if (!around || accounts.length === 0) {
    const listed = await readSignatures(rpc, accounts, { pageLimit }, options);
    return { ...listed, keep: 'newest', max, from: sinceCuts(listed), to: null };
  }
  const own: SolanaSignature = { signature: around.txHash, slot: around.block ?? 0, blockTime: around.at / 1_000 };
  if (around.direction === 'backward') {
    const listed = await readSignatures(rpc, accounts, { pageLimit, before: around.txHash }, options);
    const from = sinceCuts(listed);
    return { ...listed, signatures: [own, ...listed.signatures], keep: 'newest', max, from, to: around.at };
  }
  const { listed, to } = await listUpTo(rpc, accounts, around, pageLimit, options);
  const from = listed.truncated ? Number.NaN : around.at;
  return { ...listed, signatures: [...listed.signatures, own], keep: 'oldest', max, from, to };
}

/** Lists are read downward only: where too much has happened since, from the end of an earlier block. */
async function listUpTo(
  rpc: SolanaRpc,
  accounts: string[],
  around: Around,
  pageLimit: number,
  options?: RequestOptions,
): Promise<{ listed: SignatureList; to: number | null }> {
  const range = { pageLimit, until: around.txHash };
  let listed = await readSignatures(rpc, accounts, range, options);
  let to: number | null = null;
  for (let tried = 0; listed.truncated && around.block !== null && tried < NEARER_ENDS; tried++) {
    const reached = Math.min(...listed.cuts.map(({ slot }) => slot));
    const end = await blockEndFrom(rpc, around.block + Math.floor((reached - around.block) / NEARER_BY), options);
    if (!end) break;
    to = end.atS * 1_000 - 1;
    listed = await readSignatures(rpc, accounts, { ...range, before: end.signature }, options);
  }
  return { listed, to };
}

async function blockEndFrom(rpc: SolanaRpc, slot: number, options?: RequestOptions) {
  for (let next = slot; next < slot + SLOTS_TRIED; next++) {
    const end = await rpc.blockEnd(next, options);
    if (end) return end;
  }
  return null;
}

/** The transactions of a window; what cannot be had shortens the span. */
export async function fetchWindow(
  rpc: SolanaRpc,
  window: SignatureWindow,
  options?: RequestOptions,
): Promise<FetchedWindow> {
  const { signatures, max, keep } = window;
  const newest = keep === 'newest';
  const kept = newest ? signatures.slice(0, max) : signatures.slice(-max);
  const dropped = newest ? signatures[max] : signatures.at(-max - 1);
  const fetched = await fetchTransactions(rpc, kept, options);
  const missing = kept.filter((_, i) => fetched[i] === null);
  const reasons: string[] = [];
  if (window.truncated || dropped) reasons.push('page_limit');
  if (missing.length > 0) reasons.push('pruned_history');
  let { from, to } = window;
  for (const cut of newest ? [dropped, ...missing].filter((one) => one !== undefined) : missing) {
    from = Math.max(from, after(cut));
  }
  if (!newest && dropped) to = Math.min(to ?? Number.POSITIVE_INFINITY, (dropped.blockTime ?? Number.NaN) * 1_000 - 1);
  return { fetched: fetched.filter((transaction) => transaction !== null), reasons, from, to };
}

/** Begins after the last entry of every list that was cut. */
function sinceCuts({ cuts }: SignatureList): number {
  return Math.max(0, ...cuts.map(after));
}

function after({ blockTime }: SolanaSignature): number {
  return blockTime == null ? Number.NaN : blockTime * 1_000 + 1;
}
