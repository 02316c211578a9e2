import type { Context } from '../context.ts';
import { addressKey, parseAddressKey } from '../graph/address-key.ts';
import { applyLabels, heldKeys, type NodeLabel } from '../graph/ingest/apply-labels.ts';
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
  const keys = changed.flatMap(({ chain: labelChain, address }) =>
    chainsOf(labelChain).map((chain) => addressKey(chain, address)),
  );
  // Of a list, the graph mostly holds few.
  const held = (await heldKeys(graph, keys)).map((key) => ({ key, ...parseAddressKey(key) }));
  if (held.length === 0) return;
  const known = await labels.findOnAllChains([...new Set(held.map(({ address }) => address))]);
  const nodes = held.map(({ key, chain, address }): [string, NodeLabel] => {
    const own = (known.get(address) ?? []).filter((label) => chainsOf(label.chain).includes(chain));
    return [key, nodeLabelOf(own, at)];
  });
  await applyLabels(graph, new Map(nodes));
}
