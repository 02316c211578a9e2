import { SourceError } from '../../errors.ts';
import type { RequestOptions } from '../port.ts';
import { inParallel } from '../reply.ts';
import type { FetchedTransaction, SolanaRpc } from './rpc.ts';
import type { SolanaSignature, SolanaTransaction } from './shapes.ts';

/** Each signature costs one further call, so pages are short and `SCAN_PAGE_LIMIT` bounds the work. */
export const SIGNATURES_PER_PAGE = 100;
const LISTS_AT_ONCE = 4;
const TRANSACTIONS_AT_ONCE = 8;

export interface SignatureList {
  signatures: SolanaSignature[];
  truncated: boolean;
}

/**
 * The union of the signatures of several accounts, newest first, down to `fromS` (epoch seconds). A page that brings
 * a signature again would loop for ever and throws SourceError.
 */
export async function readSignatures(
  rpc: SolanaRpc,
  accounts: string[],
  range: { pageLimit: number; fromS?: number },
  options?: RequestOptions,
): Promise<SignatureList> {
  const lists = await inParallel(accounts, LISTS_AT_ONCE, (account) => readList(rpc, account, range, options));
  const union = new Map(lists.flatMap(({ signatures }) => signatures.map((entry) => [entry.signature, entry])));
  const newest = [...union.values()].sort((a, b) => b.slot - a.slot || (a.signature < b.signature ? -1 : 1));
  return { signatures: newest, truncated: lists.some(({ truncated }) => truncated) };
}

async function readList(
  rpc: SolanaRpc,
  account: string,
  { pageLimit, fromS = 0 }: { pageLimit: number; fromS?: number },
  options?: RequestOptions,
): Promise<SignatureList> {
  const read = new Map<string, SolanaSignature>();
  let before: string | undefined;
  for (let pages = 0; pages < pageLimit; pages++) {
    const page = await rpc.signatures(account, SIGNATURES_PER_PAGE, before, options);
    for (const entry of page) {
      if (read.has(entry.signature)) throw new SourceError('solana', 'getSignaturesForAddress: a signature came twice');
      read.set(entry.signature, entry);
    }
    const last = page.at(-1);
    const early = last?.blockTime != null && last.blockTime < fromS;
    if (!last || page.length < SIGNATURES_PER_PAGE || early)
      return { signatures: [...read.values()], truncated: false };
    before = last.signature;
  }
  return { signatures: [...read.values()], truncated: true };
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
  return inParallel(signatures, TRANSACTIONS_AT_ONCE, async ({ signature, blockTime }) => {
    const fetched = await rpc.transaction(signature, 'finalized', options);
    if (fetched !== null && fetched !== 'unavailable' && fetched.transaction.signatures[0] !== signature) {
      throw new SourceError('solana', 'getTransaction: another transaction than asked for');
    }
    return dated(rpc, fetched, blockTime ?? null, options);
  });
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
