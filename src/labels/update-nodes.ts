import type { GraphContext, LabelsContext } from '../context.ts';
import { addressKey, parseAddressKey } from '../domain/address/address-key.ts';
import { EVM_CHAINS, isEvmChain } from '../domain/chain.ts';
import { labelsHeldOn } from '../domain/label.ts';
import { applyLabels, heldKeys, type NodeLabel } from '../graph/ingest/apply-labels.ts';
import { chainsOf } from './label-store.ts';
import { nodeLabelOf } from './node-labels.ts';
import type { AddressKey } from './put-labels.ts';

/**
 * Brings what the labels of these addresses say now to the nodes that the graph holds; returns how many of the nodes
 * `named` gives, which may be more addresses than changed.
 */
export async function updateNodes(
  { labels, graph, now }: GraphContext & LabelsContext,
  changed: readonly AddressKey[],
  named: readonly AddressKey[] = changed,
): Promise<number> {
  if (named.length === 0) return 0;
  const at = now();
  // Of a list, the graph mostly holds few.
  const hits = await heldKeys(graph, [...new Set(named.flatMap(keysOf))]);
  const altered = new Set(changed.flatMap(keysOf));
  const held = hits.filter((key) => altered.has(key)).map((key) => ({ key, ...parseAddressKey(key) }));
  if (held.length === 0) return hits.length;
  const known = await labels.findOnAllChains([...new Set(held.map(({ address }) => address))]);
  const nodes = held.map(({ key, chain, address }): [string, NodeLabel] => {
    return [key, nodeLabelOf(labelsHeldOn(chain, known.get(address) ?? [], at), at)];
  });
  await applyLabels(graph, new Map(nodes));
  return hits.length;
}

/** An adverse label on one EVM chain holds on the others too. */
export function keysOf({ chain: labelChain, address }: AddressKey): string[] {
  return chainsOf(labelChain).flatMap((chain) =>
    (isEvmChain(chain) ? EVM_CHAINS : [chain]).map((on) => addressKey(on, address)),
  );
}
