import { groupBy } from '../../domain/group-by.ts';
import type { Transfer } from '../../domain/transfers/transfer.ts';
import { SourceError } from '../../errors.ts';
import type { Endpoint } from '../http.ts';
import type { AddressHistory, RequestOptions } from '../port.ts';
import { inParallel } from '../reply.ts';
import { askPosition } from './esplora.ts';

/** Requests for one history; the newest blocks come first. */
const ASKED_MAX = 100;
const PARALLEL = 4;

/**
 * Adds positions in the block where they decide an order: where the address received in one transaction of a block and
 * paid in another. A source that does not give them leaves them unknown.
 */
export async function addPositions(
  endpoint: Endpoint,
  address: string,
  history: AddressHistory,
  request?: RequestOptions,
): Promise<AddressHistory> {
  const blocks = [...groupBy(history.transfers, ({ block }) => block)].sort(([a], [b]) => (b ?? 0) - (a ?? 0));
  const wanted = blocks
    .filter(([block, transfers]) => block !== null && orderMatters(address, transfers))
    .flatMap(([, transfers]) => [...groupBy(transfers, ({ txHash }) => txHash)])
    .slice(0, ASKED_MAX);
  try {
    await inParallel(wanted, PARALLEL, async ([txHash, transfers]) => {
      const position = await askPosition(endpoint, txHash, transfers[0]!.block!, request);
      for (const transfer of transfers) transfer.position = position;
    });
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
  }
  return history;
}

function orderMatters(address: string, transfers: readonly Transfer[]): boolean {
  const received = new Set(transfers.filter(({ to }) => to === address).map(({ txHash }) => txHash));
  return received.size > 0 && transfers.some(({ from, txHash }) => from === address && !received.has(txHash));
}
