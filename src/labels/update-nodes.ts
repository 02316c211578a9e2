import type { Context } from '../context.ts';
import { applyLabels, type NodeLabel } from '../graph/apply-labels.ts';
import { addressKey } from '../graph/pairs.ts';
import { chainsOf } from './label-store.ts';
import { nodeLabelOf } from './node-labels.ts';
import type { AddressKey } from './put-labels.ts';

/** Brings what the labels of these addresses say now to the nodes that the graph holds. */
export async function updateNodes(
  { labels, graph, now }: Pick<Context, 'labels' | 'graph' | 'now'>,
  changed: readonly AddressKey[],
): Promise<void> {
  if (changed.length === 0) return;
  const at = now();
  const known = await labels.findOnAllChains(changed.map(({ address }) => address));
  const nodes = new Map<string, NodeLabel>();
  for (const { chain, address } of changed) {
    for (const one of chainsOf(chain)) {
      const own = (known.get(address) ?? []).filter((label) => chainsOf(label.chain).includes(one));
      nodes.set(addressKey(one, address), nodeLabelOf(own, at));
    }
  }
  await applyLabels(graph, nodes);
}
