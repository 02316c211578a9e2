import type { GraphContext, LabelsContext } from '../context.ts';
import { addressKey, addressOf, chainOf, parseAddressKey } from '../domain/address/address-key.ts';
import { type Chain, EVM_CHAINS, isEvmChain } from '../domain/chain.ts';
import { groupBy } from '../domain/group-by.ts';
import { isLawfulService, isSure, isValidAt, type Label, labelsHeldOn, surerThanReport } from '../domain/label.ts';
import { addressesOfSameKey } from '../graph/entities/keys.ts';
import { applyLabels, heldKeys, type NodeLabel } from '../graph/ingest/apply-labels.ts';
import { labelsOfKeys, ownersOf } from './key-labels.ts';
import { orderLabels } from './label-order.ts';
import { chainsOf, type LabelStore } from './label-store.ts';
import type { LabelledAddress } from './put-labels.ts';

/**
 * Returns what the address's node says at a moment; nulls where no label is valid then. A lawful service of which no source is sure
 * is a name without a category: tracing goes on through it. An adverse label counts all the same, unless another is sure.
 */
export function nodeLabelOf(labels: readonly Label[], at: number): NodeLabel {
  const valid = orderLabels(labels, at).filter((label) => isValidAt(label, at));
  const first = valid.find((label) => !isLawfulService(label.category) || isSure(label));
  const counts = first && surerThanReport(first, valid);
  const [best] = valid;
  if (!best) return { category: null, label: null, label_source: null, entity_id: null };
  const { label, source, entity } = counts ?? best;
  const node = { category: counts?.category ?? null, label, label_source: source, entity_id: entity };
  return isSure(counts ?? best) ? { ...node, label_sure: true } : node;
}

/** Finds by graph key the labels of addresses that have one, or had one. */
export async function findNodeLabels(
  labels: LabelsOfParties,
  chain: Chain,
  addresses: readonly string[],
  at: number,
): Promise<Map<string, NodeLabel>> {
  const found = await labels.find(chain, addresses);
  return new Map([...found].map(([address, known]) => [addressKey(chain, address), nodeLabelOf(known, at)]));
}

/** Labels of addresses, as one account sees them. */
export interface LabelsOfParties {
  find: LabelStore['find'];
}

/** Serves questions that name the parties of a trace. */
export interface PartyLabelsContext {
  labels: LabelsOfParties;
  /** Epoch milliseconds. */
  now: () => number;
}

/** Finds labels of addresses on any chains, by graph key; empty lists for those without. */
export async function labelsByKey(labels: LabelsOfParties, keys: ReadonlySet<string>): Promise<Map<string, Label[]>> {
  const found = new Map<string, Label[]>();
  for (const [chain, ofChain] of groupBy(keys, chainOf)) {
    const known = await labels.find(chain, ofChain.map(addressOf));
    for (const key of ofChain) found.set(key, known.get(addressOf(key)) ?? []);
  }
  return found;
}

/**
 * Brings what the labels of these addresses say now to the nodes that the graph holds, those of the same key too; returns how
 * many of the nodes `named` gives, which may be more addresses than changed.
 */
export async function updateNodes(
  { labels, graph, now }: GraphContext & LabelsContext,
  changed: readonly LabelledAddress[],
  named: readonly LabelledAddress[] = changed,
): Promise<number> {
  if (named.length === 0) return 0;
  const ctx = { labels, graph, now };
  const at = now();
  const ofNamed = new Set(named.flatMap(keysOf));
  const beside = [...(await addressesOfSameKey(graph, ownersOf(changed))).values()].flat().flatMap(keysOf);
  // Of a list, the graph mostly holds few.
  const hits = await heldKeys(graph, [...new Set([...ofNamed, ...beside])]);
  const altered = new Set([...changed.flatMap(keysOf), ...beside]);
  const held = hits.filter((key) => altered.has(key)).map((key) => ({ key, ...parseAddressKey(key) }));
  const namedHits = hits.filter((key) => ofNamed.has(key)).length;
  if (held.length === 0) return namedHits;
  const known = await labels.findOnAllChains([...new Set(held.map(({ address }) => address))]);
  const ownOf = (chain: Chain, address: string) => labelsHeldOn(chain, known.get(address) ?? [], at);
  const nodes: [string, NodeLabel][] = [];
  for (const [chain, owners] of groupBy(held, (one) => one.chain)) {
    const ofKeys = await labelsOfKeys(ctx, owners, { ownOf: (address) => ownOf(chain, address) });
    for (const { key, address } of owners) nodes.push([key, nodeLabelOf(ofKeys.get(key) ?? ownOf(chain, address), at)]);
  }
  await applyLabels(graph, new Map(nodes));
  return namedHits;
}

/** An adverse label on one EVM chain holds on the others too. */
export function keysOf({ chain: labelChain, address }: LabelledAddress): string[] {
  return chainsOf(labelChain).flatMap((chain) =>
    (isEvmChain(chain) ? EVM_CHAINS : [chain]).map((on) => addressKey(on, address)),
  );
}
