import type { Chain } from '../../src/domain/chain.ts';
import type { Transfer } from '../../src/domain/transfers/transfer.ts';
import type { NodeLabel } from '../../src/graph/ingest/apply-labels.ts';
import { ingestTransfers } from '../../src/graph/ingest/ingest.ts';
import { findNodeLabels } from '../../src/labels/node-labels.ts';
import { saveWorthless } from '../../src/records/scans/worthless-transfers.ts';
import { inBatches } from '../reading/batches.ts';
import type { Stores, TransferLoader, Work } from '../reading/loader.ts';
import { WholeHistories } from './whole-histories.ts';

const BATCH = 5_000;

/** The operator's declaration of a file: it holds every transfer of its addresses between its first and its last. */
export interface WholeFile {
  /** Its addresses had no transfer before the file begins. */
  fromStart: boolean;
}

/**
 * Prices what has no price yet and writes it to the graph, some whole transactions at a time; the next are read meanwhile, so that
 * never more than three are in memory. The addresses of a whole file then count as read, if every row was loaded.
 */
export async function loadTransfers(
  loader: TransferLoader,
  work: Work,
  stores: Stores,
  { onRows, whole }: { onRows: () => void; whole?: WholeFile },
): Promise<void> {
  let written: Promise<void> = Promise.resolve();
  const histories = whole && new WholeHistories(loader.hasInternal);
  try {
    for await (const transfers of inBatches<Transfer>(loader.read(work), BATCH, transactionOf)) {
      await stores.prices.price(transfers, work.signal);
      histories?.add(transfers);
      await written;
      work.signal?.throwIfAborted();
      written = write(transfers, stores).then(onRows);
      // Its failure is met where it is awaited.
      written.catch(() => undefined);
    }
  } catch (error) {
    // An aborted file stream throws an error of its own; the caller gets the reason that it gave.
    work.signal?.throwIfAborted();
    throw error;
  } finally {
    await written;
  }
  if (!whole || !histories) return;
  const { tally } = work;
  if (tally.skipped > 0) tally.note(0, 'No address counts as read: the file is not whole without the skipped rows.');
  else tally.wholeAddresses = await histories.mark(stores.graph, { ...whole, at: work.now });
}

/** Names the transaction, whose transfers are judged together. */
function transactionOf({ chain, txHash }: Transfer): string {
  return `${chain} ${txHash}`;
}

async function write(transfers: Transfer[], stores: Stores): Promise<void> {
  await saveWorthless(stores.records, transfers);
  await ingestTransfers(stores.graph, transfers, await labelsOf(transfers, stores));
}

async function labelsOf(transfers: Transfer[], { labels, now }: Stores): Promise<Map<string, NodeLabel>> {
  const byChain = new Map<Chain, Set<string>>();
  for (const { chain, from, to } of transfers) {
    if (!byChain.has(chain)) byChain.set(chain, new Set());
    byChain.get(chain)!.add(from).add(to);
  }
  const found = new Map<string, NodeLabel>();
  for (const [chain, addresses] of byChain) {
    for (const [key, label] of await findNodeLabels(labels, chain, [...addresses], now())) found.set(key, label);
  }
  return found;
}
