import type { AddressHistory, ChainSource } from '../../../chains/port.ts';
import type { Context } from '../../../context.ts';
import { parseAddressKey } from '../../../domain/address/address-key.ts';
import type { Chain } from '../../../domain/chain.ts';
import type { Direction } from '../../../domain/tracing/flow-portion.ts';
import { readAtMost, type ScanSlot } from '../../../fairness/scan-slots.ts';
import { poolsStrangers } from '../../engine/contract-account.ts';
import { ingestHistory, isBusyAddress, isContract, knownBalances, labelsOfHistory } from '../ingest-history.ts';
import { asksSources, type ReadingInquiry } from '../inquiry.ts';
import type { NextAddress } from './choose-next.ts';

/** An address that an expansion opened, or could not open. */
export interface ExpandedAddress {
  address: string;
  /** Left out by traces of earlier versions, which stayed on the chain of their subject. */
  chain?: Chain;
  hop: number;
  direction: Direction;
  usd: number;
  /** Transfers that the reading gave; 0 where an earlier one served. */
  transfers: number;
  /** All that the trace needs of it is known: its history before the payment, or after the receipt and what it held then. */
  complete: boolean;
  /** Why it is not opened, or not to its end; null otherwise. */
  reason: string | null;
}

/** Pages of each list that are read around a transfer. */
const PAGES = 3;

/** Reads one address where the trace needs it and brings it into the graph. Throws what its source throws. */
export async function expandAddress(
  ctx: Context & ReadingInquiry & { slot: ScanSlot },
  source: ChainSource,
  next: NextAddress,
): Promise<ExpandedAddress> {
  const { slot, signal } = ctx;
  const inBackground = { ...asksSources(ctx), inBackground: true };
  const { key, hop, direction, usd, around, served, knowsBefore, isReadInPart } = next;
  const { chain, address } = parseAddressKey(key);
  const opened = { address, chain, hop, direction, usd, transfers: 0 };
  if (served) return { ...opened, complete: knowsBefore, reason: knowsBefore ? null : 'partial_history' };
  const readAt = ctx.now();
  const way = direction === 'received' ? 'backward' : 'forward';
  const history = await slot.read((transfersMax) =>
    readAtMost(transfersMax, signal, (bounds) => {
      const options = { ...inBackground, ...bounds };
      if (around === null) return source.history(address, options);
      return source.historyAround(address, { ...around, direction: way, pages: PAGES }, options);
    }),
  );
  const transfers = history.transfers.length;
  const isHub = isBusyAddress(history);
  if (!isHub || hop === 0) await ctx.prices.price(history.transfers, signal);
  const isPool =
    isContract(history.addressType) && (isHub || poolsStrangers(history.transfers.filter(({ to }) => to === address)));
  // Ends of a trace: that they are contracts or hubs is all that the graph needs to know. Only where it holds a part of a
  // pool's history, in which few pay, it needs this part too.
  const end = isPool ? 'contract_not_expanded' : isHub ? 'hub_not_expanded' : null;
  const isAllNeeded = !end || hop === 0 || (isReadInPart && !isHub);
  const kept: AddressHistory = isAllNeeded ? history : { ...history, transfers: [], read: [] };
  const labels = await labelsOfHistory(ctx, chain, address, kept);
  signal.throwIfAborted();
  const lookUp = (txHash: string) => source.transaction(txHash, inBackground);
  const reading = { history: kept, readAt, whole: around === null, lookUp };
  await ingestHistory(ctx, chain, address, reading, labels);
  if (end && hop > 0) return { ...opened, transfers, complete: false, reason: end };
  const reason = whatIsMissing(history, next, source, readAt);
  return { ...opened, transfers, complete: reason === null, reason };
}

/** Null where the reading reached its end and what the address held before is known. */
function whatIsMissing(
  history: AddressHistory,
  { around, direction, knowsBefore }: NextAddress,
  { lists, chain }: ChainSource,
  readAt: number,
): string | null {
  const { read, coverage } = history;
  const cut = coverage.reasons[0] ?? 'page_limit';
  if (around === null) return coverage.complete ? null : cut;
  const fromBeginning = read.filter(({ from }) => from === 0).length === lists.length;
  if (direction === 'received') return fromBeginning ? null : cut;
  if (read.filter(({ to }) => to === null).length < lists.length) return cut;
  const isStated = knownBalances(chain, history, readAt).some(
    ({ asset, at }) => asset === around.assetId && at === around.at,
  );
  return fromBeginning || knowsBefore || isStated ? null : 'partial_history';
}
