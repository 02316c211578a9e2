import type { Chain } from '../domain/chain.ts';
import { isValidAt, type Label } from '../domain/label.ts';
import { addressKey } from '../graph/address-key.ts';
import type { NodeLabel } from '../graph/ingest/apply-labels.ts';
import { bestLabel, type LabelStore } from './label-store.ts';

/** What the address's node says at a moment; nulls where no label is valid then. */
export function nodeLabelOf(labels: readonly Label[], at: number): NodeLabel {
  const best = bestLabel(labels, at);
  if (!best || !isValidAt(best, at)) return { category: null, label: null, label_source: null, entity_id: null };
  return { category: best.category, label: best.label, label_source: best.source, entity_id: best.entity };
}

/** By graph key, for each address that has a label now, or had one. */
export async function findNodeLabels(
  labels: LabelStore,
  chain: Chain,
  addresses: readonly string[],
  at: number,
): Promise<Map<string, NodeLabel>> {
  const found = await labels.find(chain, addresses);
  return new Map([...found].map(([address, known]) => [addressKey(chain, address), nodeLabelOf(known, at)]));
}
