import type { Label } from '../src/domain/label.ts';
import { applyLabels, type NodeLabel } from '../src/graph/apply-labels.ts';
import { addressKey } from '../src/graph/pairs.ts';
import { chainsOf } from '../src/labels/label-store.ts';
import { nodeLabelOf } from '../src/labels/node-labels.ts';
import type { AddressKey } from '../src/labels/put-labels.ts';
import { batchesOf } from './batches.ts';
import type { Stores } from './load.ts';
import type { LabelLoader, Work } from './loader.ts';

const BATCH = 1_000;

/**
 * Stores a source's labels, then ends what a whole list no longer holds, and brings each change to the graph's
 * nodes. A list that lost more than a tenth keeps its old rows, and the report says so.
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
  for await (const batch of batchesOf<Label>(loader.read(work), BATCH)) {
    for (const source of new Set(batch.map((label) => label.source))) await speakFor(source);
    await applyChanges(stores, await labels.put(batch, { stamp, list: loader.isList }));
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
    await applyChanges(stores, ended);
  }
}

async function applyChanges({ labels, graph, now }: Stores, changed: AddressKey[]): Promise<void> {
  if (changed.length === 0) return;
  const at = now();
  const known = await labels.findOnAllChains(changed.map(({ address }) => address));
  const nodes = new Map<string, NodeLabel>();
  for (const { chain, address } of changed) {
    for (const one of chainsOf(chain)) {
      const own = known.get(address)!.filter((label) => chainsOf(label.chain).includes(one));
      nodes.set(addressKey(one, address), nodeLabelOf(own, at));
    }
  }
  await applyLabels(graph, nodes);
}
