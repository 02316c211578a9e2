import { isDeepStrictEqual } from 'node:util';
import type { AddressHistory, ChainSource, RequestOptions, StatedBalance } from '../chains/port.ts';
import { HOUR_MS } from '../domain/time.ts';
import { assetIdOf, COIN } from '../domain/tracing/asset-id.ts';
import { explained, type PaidFee } from '../domain/transfers/explained-balance.ts';
import type { Transfer } from '../domain/transfers/transfer.ts';
import type { CachedRead } from '../records/scans/read-cache.ts';
import { CONFLICT, UNCONFIRMED } from './ingest-history.ts';

/** Before the last reading, so far is read again: longer than chains reorganise, and than their lists lag behind. */
const OVERLAP_MS = 2 * HOUR_MS;
const PAGES = 3;
/** Reasons for which a reading may lack what was there before it: nothing is read on from it. */
const UNSURE = new Set([CONFLICT, 'explorer_indexing']);

export interface HistorySince {
  history: AddressHistory;
  /** Epoch ms: what lies before was not asked for again. */
  since: number;
}

/**
 * The history of an address that was read before, read on from a transfer two hours before that reading. What those hours
 * held and no longer hold leaves it. Null where too much has happened since, the source does not list what follows a
 * transfer, or the earlier reading is unsure.
 */
export async function fetchSince(
  source: ChainSource,
  address: string,
  { history: known, readAt }: CachedRead,
  options: RequestOptions,
): Promise<HistorySince | null> {
  if (known.coverage.reasons.some((reason) => UNSURE.has(reason))) return null;
  const anchor = anchorOf(known, readAt - OVERLAP_MS);
  if (!anchor || !reaches(known, source, anchor.at)) return null;
  const { txHash, block, at } = anchor;
  const tokens = [...new Set(known.transfers.flatMap(({ token }) => token ?? []))];
  const from = { direction: 'forward', txHash, block, at } as const;
  const around = { ...from, pages: PAGES, sentBefore: known.sent ?? null, tokens };
  const fresh = await source.historyAround(address, around, options);
  const isSameSource = fresh.coverage.sources.join() === known.coverage.sources.join();
  const holdsAnchor = fresh.transfers.some((transfer) => transfer.txHash === txHash);
  if (!isSameSource || !holdsAnchor || !reaches(fresh, source, at)) return null;
  const history = explained(source.chain, address, joined(known, fresh, anchor));
  // What is new and does not add up is asked for with all that came before.
  if (!isDeepStrictEqual(history.coverage.unexplained, known.coverage.unexplained)) return null;
  return { history, since: at };
}

/** The last transfer up to a moment of which the block is known. */
function anchorOf({ transfers }: AddressHistory, until: number): Transfer | null {
  let last: Transfer | null = null;
  for (const transfer of transfers) {
    const fits = transfer.at <= until && transfer.block !== null && transfer.kind !== 'nft';
    if (fits && (last === null || transfer.at >= last.at)) last = transfer;
  }
  return last;
}

/** True where each list was read from a moment up to the end. */
function reaches({ read }: AddressHistory, { lists }: ChainSource, at: number): boolean {
  return lists.every((list) => read.some((span) => span.list === list && span.from <= at && span.to === null));
}

function joined(known: AddressHistory, fresh: AddressHistory, anchor: Transfer): AddressHistory {
  // Collectibles are listed again only where the address has sent something.
  const isOlder = ({ block, at, kind }: Transfer) =>
    kind === 'nft' || (block === null ? at < anchor.at : block <= anchor.block!);
  const old = known.transfers.filter(isOlder);
  const transfers = [...new Map([...old, ...fresh.transfers].map((transfer) => [transfer.id, transfer])).values()];
  const before = new Set(known.transfers.map(({ txHash }) => txHash));
  const added = new Set(fresh.transfers.flatMap(({ txHash }) => (before.has(txHash) ? [] : [txHash])));
  const reasons = known.coverage.reasons.filter((reason) => reason !== UNCONFIRMED);
  return {
    ...known,
    found: true,
    addressType: fresh.addressType === 'unknown' ? known.addressType : fresh.addressType,
    balance: fresh.balance,
    beside: fresh.beside ?? known.beside,
    sent: fresh.sent,
    transactionCount: Math.max(known.transactionCount + added.size, fresh.transactionCount),
    transfers,
    tags: [...new Map([...known.tags, ...fresh.tags].map((tag) => [tag.address, tag])).values()],
    coverage: { ...known.coverage, reasons: [...new Set([...reasons, ...fresh.coverage.reasons])] },
    balances: balancesNow(known.balances ?? [], fresh.balance, transfers),
    tokenBalances: fresh.tokenBalances,
    frozen: fresh.frozen ?? known.frozen,
    unfrozen: fresh.frozen ? fresh.unfrozen : known.unfrozen,
    otherFees: joinedFees(known, fresh),
  };
}

/** Each transaction's once. */
function joinedFees({ otherFees: before = [] }: AddressHistory, { otherFees: after = [] }: AddressHistory): PaidFee[] {
  return [...new Map([...before, ...after].map((fee) => [fee.txHash, fee])).values()];
}

/** The balance of the coin says nothing of its wrapped form. */
function balancesNow(
  known: readonly StatedBalance[],
  coin: string | null,
  transfers: readonly Transfer[],
): StatedBalance[] {
  const earlier = known.filter(({ at }) => at !== null);
  const isStated = coin !== null && earlier.length < known.length;
  const isWrapped = (transfer: Transfer) => transfer.token !== null && assetIdOf(transfer) === COIN;
  return isStated && !transfers.some(isWrapped) ? [...earlier, { token: null, at: null, amount: coin }] : earlier;
}
