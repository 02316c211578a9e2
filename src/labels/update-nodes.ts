import type { Context } from '../context.ts';
import { EVM_CHAINS, isEvmChain } from '../domain/chain.ts';
import { labelsHeldOn } from '../domain/label.ts';
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
    // An adverse label on one EVM chain holds on the others too.
    chainsOf(labelChain).flatMap((chain) =>
      (isEvmChain(chain) ? EVM_CHAINS : [chain]).map((on) => addressKey(on, address)),
    ),
  );
  // Of a list, the graph mostly holds few.
  const held = (await heldKeys(graph, [...new Set(keys)])).map((key) => ({ key, ...parseAddressKey(key) }));
  if (held.length === 0) return;
  const known = await labels.findOnAllChains([...new Set(held.map(({ address }) => address))]);
  const nodes = held.map(({ key, chain, address }): [string, NodeLabel] => {
    return [key, nodeLabelOf(labelsHeldOn(chain, known.get(address) ?? [], at), at)];
  });
  await applyLabels(graph, new Map(nodes));
}
