import { type Chain, isEvmChain } from '../../src/domain/chain.ts';
import { groupBy } from '../../src/domain/group-by.ts';
import { assetIdOf } from '../../src/domain/tracing/asset-id.ts';
import { LOADED_FILE, listsOfChain } from '../../src/domain/tracing/read-intervals.ts';
import type { HistoryList } from '../../src/domain/transfers/history-list.ts';
import { placeKind } from '../../src/domain/transfers/place.ts';
import { movedValue, type Transfer } from '../../src/domain/transfers/transfer.ts';
import { markAllRead } from '../../src/graph/ingest/mark-read.ts';
import type { Graph } from '../../src/graph/port.ts';

interface Span {
  from: number;
  to: number;
  addresses: Set<string>;
  lists: Set<HistoryList>;
  contracts: Set<string>;
}

/** The addresses of a file that holds every transfer of each between its first and its last one, for each chain. */
export class WholeHistories {
  private readonly spans = new Map<Chain, Span>();
  private readonly hasInternal: boolean;

  constructor(hasInternal: boolean) {
    this.hasInternal = hasInternal;
  }

  add(transfers: readonly Transfer[]): void {
    for (const { chain, at, from, to, token, kind } of transfers) {
      let span = this.spans.get(chain);
      if (!span) {
        span = { from: at, to: at, addresses: new Set(), lists: new Set(), contracts: new Set() };
        this.spans.set(chain, span);
      }
      span.from = Math.min(span.from, at);
      span.to = Math.max(span.to, at);
      span.addresses.add(from).add(to);
      span.lists.add(kind === 'internal' ? 'internal' : token === null ? 'coin' : 'tokens');
    }
    for (const inTransaction of groupBy(transfers, ({ chain, txHash }) => `${chain} ${txHash}`).values()) {
      const span = this.spans.get((inTransaction[0] as Transfer).chain);
      for (const address of contractsIn(inTransaction)) span?.contracts.add(address);
    }
  }

  /** Makes the addresses count as read over the span; returns how many. */
  async mark(graph: Graph, { fromStart, at }: { fromStart: boolean; at: number }): Promise<number> {
    let count = 0;
    for (const [chain, { from, to, addresses, lists, contracts }] of this.spans) {
      const read = this.hasInternal ? listsOfChain(chain) : listsOfChain(chain).filter((list) => lists.has(list));
      const intervals = read.map((list) => ({ list, from: fromStart ? 0 : from, to, source: LOADED_FILE, at }));
      await markAllRead(graph, chain, [...addresses], intervals, contracts);
      count += addresses.size;
    }
    return count;
  }
}

/**
 * Returns the addresses that a transaction shows to be contracts, for a file says of none what it is: tokens, and who paid an asset on to
 * another party than its payer; a wallet acts once, by its signature.
 */
function contractsIn(transfers: readonly Transfer[]): Set<string> {
  const contracts = new Set<string>();
  const [{ chain }] = transfers as [Transfer];
  if (!isEvmChain(chain) && chain !== 'tron') return contracts;
  for (const { token } of transfers) if (token !== null) contracts.add(token);
  const moved = transfers.filter((one) => movedValue(one) && one.tokenId === null && one.from !== one.to);
  for (const ofAsset of groupBy(moved, assetIdOf).values()) {
    const receipts = groupBy(ofAsset, ({ to }) => to);
    for (const paid of ofAsset) {
      const came = paid.txSender === paid.from ? [] : (receipts.get(paid.from) ?? []);
      if (came.some((one) => one.from !== paid.to && isBefore(one, paid))) contracts.add(paid.from);
    }
  }
  return contracts;
}

/** The value of the transaction itself moves before all that it calls; other places compare among their kind. */
function isBefore(one: Transfer, other: Transfer): boolean {
  const [first, second] = [placeKind(one.index), placeKind(other.index)];
  if (first === null || second === null) return false;
  return first === 'native' ? second !== 'native' : first === second && (one.seq ?? 0) < (other.seq ?? 0);
}
