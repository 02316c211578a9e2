import { updateNodes } from '../src/labels/update-nodes.ts';
import { batchesOf } from './batches.ts';
import type { LabelLoader, ListedLabel, Stores, Work } from './loader.ts';
import { delistScams, listScams } from './scams.ts';

const BATCH = 1_000;

/**
 * Stores a source's labels, then ends what a whole list no longer holds, and brings each change to the graph's
 * nodes and to the scam database. A list that lost more than a tenth keeps its old rows, and the report says so.
 */
export async function loadLabels(
  loader: LabelLoader,
  work: Work,
  stores: Stores,
  options: { replace: boolean; onRows: () => void },
): Promise<void> {
  const { labels } = stores;
  const stamp = await labels.beginLoad();
  const before = new Map<string, number>();
  const speakFor = async (source: string) => {
    if (!before.has(source)) before.set(source, await labels.countLive(source));
  };
  for await (const batch of batchesOf<ListedLabel>(loader.read(work), BATCH)) {
    for (const source of new Set(batch.map((label) => label.source))) await speakFor(source);
    await updateNodes(stores, await labels.put(batch, { stamp, list: loader.isList }));
    await listScams(stores, batch, stamp);
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
