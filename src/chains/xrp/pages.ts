import { SourceError } from '../../errors.ts';
import { eachInSlices } from '../../fairness/time-slices.ts';
import type { RequestOptions } from '../port.ts';
import type { LedgerRange, XrpRpc } from './rpc.ts';
import type { XrpTransaction } from './transaction.ts';

/** The first ledger that survives on the public network: nobody has an older one. */
export const GENESIS_LEDGER = 32_570;

export interface XrpRead<T> {
  /** Each validated transaction as it was read. */
  items: T[];
  /** More pages were there. */
  truncated: boolean;
  /** The server's own history begins only here; null where it has all or does not say. */
  firstLedger: number | null;
  /** True where the server says that it has all. */
  fromGenesis: boolean;
}

export interface XrpReading<T> extends LedgerRange {
  pageLimit: number;
  /** The part of a transaction that is kept: its metadata takes many times the memory of its transfers. */
  read: (transaction: XrpTransaction) => T;
  /** True once no further page is needed. */
  until?: (page: T[]) => boolean;
}

/**
 * Reads `account_tx`, newest first unless asked otherwise, page after page, until the end, `pageLimit` or `until` says so. A marker that
 * comes again would loop for ever and throws SourceError.
 */
export async function readAccountTransactions<T>(
  rpc: XrpRpc,
  account: string,
  { pageLimit, read, until, ...range }: XrpReading<T>,
  options?: RequestOptions,
): Promise<XrpRead<T>> {
  const items = new Map<string, T>();
  const markers = new Set<string>();
  let firstLedger: number | null = null;
  let fromGenesis = false;
  let next: unknown = null;
  for (let pages = 0; pages < pageLimit; pages++) {
    const page = await rpc.accountTransactions(account, next, range, options);
    if (page.firstLedger !== null && page.firstLedger > GENESIS_LEDGER) firstLedger = page.firstLedger;
    else if (page.firstLedger !== null) fromGenesis = true;
    const ofPage: T[] = [];
    await eachInSlices(page.transactions, (transaction) => {
      const item = read(transaction);
      ofPage.push(item);
      if (transaction.validated) items.set(transaction.hash, item);
    });
    options?.onRows?.(page.transactions.length);
    next = page.next;
    if (next === null || until?.(ofPage)) {
      return { items: [...items.values()], truncated: false, firstLedger, fromGenesis };
    }
    const key = JSON.stringify(next);
    if (markers.has(key)) throw new SourceError('xrp', `account_tx: marker ${key.slice(0, 100)} came twice`);
    markers.add(key);
  }
  return { items: [...items.values()], truncated: true, firstLedger, fromGenesis };
}

/** True for the first funding of the account: nothing of it can be older. */
export function createsAccount({ meta }: XrpTransaction, account: string): boolean {
  return (meta?.AffectedNodes ?? []).some(
    (node) =>
      'CreatedNode' in node &&
      node.CreatedNode.LedgerEntryType === 'AccountRoot' &&
      node.CreatedNode.NewFields?.Account === account,
  );
}

/**
 * The last ledger that closed at or before a moment, by bisection over close times; -1 (the latest) where the moment
 * is not past. Ledgers that the server lacks count as too early.
 */
export async function lastLedgerAt(rpc: XrpRpc, at: number, options?: RequestOptions): Promise<number> {
  const latest = await rpc.ledger('validated', options);
  if (!latest || latest.at <= at) return -1;
  let low = 0;
  let high = latest.index;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const ledger = await rpc.ledger(middle, options);
    if (ledger && ledger.at > at) high = middle;
    else low = middle;
  }
  return low;
}
