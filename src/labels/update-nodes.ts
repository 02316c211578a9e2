import type { Context } from '../context.ts';
import { applyLabels, heldKeys, type NodeLabel } from '../graph/apply-labels.ts';
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
  const places = new Map(
    changed.flatMap(({ chain: labelChain, address }) =>
      chainsOf(labelChain).map((chain) => [addressKey(chain, address), { chain, address }] as const),
    ),
  );
  // Of a list, the graph mostly holds few.
  const held = await heldKeys(graph, [...places.keys()]);
  if (held.length === 0) return;
  const known = await labels.findOnAllChains([...new Set(held.map((key) => places.get(key)!.address))]);
  const nodes = held.map((key): [string, NodeLabel] => {
    const { chain, address } = places.get(key)!;
    const own = (known.get(address) ?? []).filter((label) => chainsOf(label.chain).includes(chain));
    return [key, nodeLabelOf(own, at)];
  });
  await applyLabels(graph, new Map(nodes));
}
