import type { Chain } from '../../src/domain/chain.ts';
import { LOADED_FILE, listsOfChain } from '../../src/domain/tracing/read-intervals.ts';
import type { HistoryList } from '../../src/domain/transfers/history-list.ts';
import type { Transfer } from '../../src/domain/transfers/transfer.ts';
import { markAllRead } from '../../src/graph/ingest/mark-read.ts';
import type { Graph } from '../../src/graph/port.ts';

interface Span {
  from: number;
  to: number;
  addresses: Set<string>;
  lists: Set<HistoryList>;
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
        span = { from: at, to: at, addresses: new Set(), lists: new Set() };
        this.spans.set(chain, span);
      }
      span.from = Math.min(span.from, at);
      span.to = Math.max(span.to, at);
      span.addresses.add(from).add(to);
      span.lists.add(kind === 'internal' ? 'internal' : token === null ? 'coin' : 'tokens');
    }
  }

  /** Makes the addresses count as read over the span; returns how many. */
  async mark(graph: Graph, { fromStart, at }: { fromStart: boolean; at: number }): Promise<number> {
    let count = 0;
    for (const [chain, { from, to, addresses, lists }] of this.spans) {
      const read = this.hasInternal ? listsOfChain(chain) : listsOfChain(chain).filter((list) => lists.has(list));
      const intervals = read.map((list) => ({ list, from: fromStart ? 0 : from, to, source: LOADED_FILE, at }));
      await markAllRead(graph, chain, [...addresses], intervals);
      count += addresses.size;
    }
    return count;
  }
}
