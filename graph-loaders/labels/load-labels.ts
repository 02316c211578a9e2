import { openLabelStore } from '../../src/labels/label-store.ts';
import { updateNodes } from '../../src/labels/update-nodes.ts';
import { inTransaction } from '../../src/records/database/database.ts';
import { batchesOf } from '../reading/batches.ts';
import type { LabelLoader, ListedLabel, Stores, Work } from '../reading/loader.ts';
import { delistScams, listScams } from './scams.ts';

/** Each batch holds the turn and the record store while it is written, and costs a write of the pages it touches. */
const BATCH = { beside: 1_000, alone: 10_000 };

/**
 * Stores a source's labels, then ends what a whole list no longer holds, and brings each change to the graph's
 * nodes and to the scam database. A list that lost more than a tenth keeps its old rows, and the report says so.
 */
export async function loadLabels(
  loader: LabelLoader,
  work: Work,
  stores: Stores,
  options: { replace: boolean; isAlone: boolean; onRows: () => void },
): Promise<void> {
  const { labels, records, now } = stores;
  const stamp = await labels.beginLoad();
  const before = new Map<string, number>();
  const speakFor = async (source: string) => {
    if (!before.has(source)) before.set(source, await labels.countLive(source));
  };
  const size = options.isAlone ? BATCH.alone : BATCH.beside;
  for await (const batch of batchesOf<ListedLabel>(loader.read(work), size)) {
    for (const source of new Set(batch.map((label) => label.source))) await speakFor(source);
    const changed = await inTransaction(records, async (transaction) => {
      const changed = await openLabelStore(transaction, now).put(batch, { stamp, list: loader.isList });
      await listScams(transaction, batch, { stamp, now: now() });
      return changed;
    });
    await updateNodes(stores, changed);
    options.onRows();
    work.signal?.throwIfAborted();
  }
  if (!loader.isList && !options.replace) return;
  for (const source of loader.isList ? (loader.speaksFor?.(work) ?? []) : []) await speakFor(source);
  if (loader.speaksFor?.(work).length === 0 && !options.replace) return;
  for (const [source, count] of before) {
    const { ended, lost, kept } = await labels.endAbsent(source, { stamp, before: count, replace: options.replace });
    if (kept) {
      const share = `${lost} of ${count} labels of ${source} are not in the newer list`;
      work.tally.note(0, `${share}, more than a tenth: the old ones are kept. Load it with --replace to end them.`);
    }
    await updateNodes(stores, ended);
    await delistScams(stores, source, ended, { stamp, kept });
  }
}
