import { compare } from '../../domain/compare.ts';
import { slicesOf } from '../../domain/slices.ts';
import { SourceError } from '../../errors.ts';
import type { RequestOptions } from '../port.ts';
import { inParallel } from '../reply.ts';
import type { FetchedTransaction, SolanaRpc } from './rpc.ts';
import type { SolanaSignature, SolanaTransaction } from './shapes.ts';

/** Each signature costs one further call, so a page of `SCAN_PAGE_LIMIT` stands for few of them. */
export const SIGNATURES_PER_PAGE = 100;
/** The most that the protocol gives at once. */
const SIGNATURES_AT_ONCE = 1_000;
const LISTS_AT_ONCE = 4;
/** Two batches. */
const TRANSACTIONS_AT_ONCE = 40;

export interface SignatureList {
  signatures: SolanaSignature[];
  truncated: boolean;
  /** Where lists were truncated, the oldest entry of each. */
  cuts: SolanaSignature[];
}

export interface SignatureRange {
  pageLimit: number;
  /** Epoch seconds. */
  fromS?: number;
  /** Signatures that are not part of the list themselves. */
  before?: string;
  until?: string;
}

/**
 * The union of the signatures of several accounts, newest first, down to `fromS` or `until`. A page that brings
 * a signature again would loop for ever and throws SourceError.
 */
export async function readSignatures(
  rpc: SolanaRpc,
  accounts: string[],
  range: SignatureRange,
  options?: RequestOptions,
): Promise<SignatureList> {
  const lists = await inParallel(accounts, LISTS_AT_ONCE, (account) => readList(rpc, account, range, options));
  const union = new Map(lists.flatMap(({ signatures }) => signatures.map((entry) => [entry.signature, entry])));
  const newest = [...union.values()].sort((a, b) => b.slot - a.slot || compare(a.signature, b.signature));
  const cuts = lists.flatMap((list) => list.cuts);
  return { signatures: newest, truncated: cuts.length > 0, cuts };
}

async function readList(
  rpc: SolanaRpc,
  account: string,
  { pageLimit, fromS = 0, before: start, until }: SignatureRange,
  options?: RequestOptions,
): Promise<SignatureList> {
  const read = new Map<string, SolanaSignature>();
  let before = start;
  const max = pageLimit * SIGNATURES_PER_PAGE;
  while (read.size < max) {
    const limit = Math.min(SIGNATURES_AT_ONCE, max - read.size);
    const page = await rpc.signatures(account, { limit, before, until }, options);
    for (const entry of page) {
      if (read.has(entry.signature)) throw new SourceError('solana', 'getSignaturesForAddress: a signature came twice');
      read.set(entry.signature, entry);
    }
    const last = page.at(-1);
    const early = last?.blockTime != null && last.blockTime < fromS;
    if (!last || page.length < limit || early) return { signatures: [...read.values()], truncated: false, cuts: [] };
    before = last.signature;
  }
  const signatures = [...read.values()];
  return { signatures, truncated: true, cuts: signatures.slice(-1) };
}

export interface DatedTransaction {
  transaction: SolanaTransaction;
  /** Epoch ms. */
  at: number;
}

/** The transactions behind signatures, in their order; null for those that the node lists but no longer gives. */
export async function fetchTransactions(
  rpc: SolanaRpc,
  signatures: SolanaSignature[],
  options?: RequestOptions,
): Promise<(DatedTransaction | null)[]> {
  const dates: (DatedTransaction | null)[] = [];
  for (const part of slicesOf(signatures, TRANSACTIONS_AT_ONCE)) {
    const asked = part.map(({ signature }) => signature);
    const found = await rpc.transactions(asked, 'finalized', options);
    for (const [place, { signature, blockTime }] of part.entries()) {
      const fetched = found[place]!;
      if (fetched !== null && fetched !== 'unavailable' && fetched.transaction.signatures[0] !== signature) {
        throw new SourceError('solana', 'getTransaction: another transaction than asked for');
      }
      dates.push(await dated(rpc, fetched, blockTime ?? null, options));
    }
    options?.onRows?.(part.length);
  }
  return dates;
}

/** Old blocks may have no time in a transaction; the list or `getBlockTime` may know it. */
export async function dated(
  rpc: SolanaRpc,
  fetched: FetchedTransaction | null,
  listedS: number | null,
  options?: RequestOptions,
): Promise<DatedTransaction | null> {
  if (fetched === null || fetched === 'unavailable') return null;
  const seconds = fetched.blockTime ?? listedS ?? (await rpc.blockTime(fetched.slot, options));
  return seconds === null ? null : { transaction: fetched, at: seconds * 1_000 };
}
