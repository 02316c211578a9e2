import type { Chain } from '../domain/chain.ts';
import {
  type Category,
  isValidAt,
  LAWFUL_SERVICE_CATEGORIES,
  type Label,
  SURE_CONFIDENCE,
  surerThanReport,
} from '../domain/label.ts';
import { addressKey } from '../graph/address-key.ts';
import type { NodeLabel } from '../graph/ingest/apply-labels.ts';
import { orderLabels } from './label-order.ts';
import type { LabelStore } from './label-store.ts';

/**
 * What the address's node says at a moment; nulls where no label is valid then. A lawful service of which no source is sure
 * is a name without a category: tracing goes on through it. An adverse label counts all the same, unless another is sure.
 */
export function nodeLabelOf(labels: readonly Label[], at: number): NodeLabel {
  const valid = orderLabels(labels, at).filter((label) => isValidAt(label, at));
  const first = valid.find(({ category, confidence }) => {
    const isService = (LAWFUL_SERVICE_CATEGORIES as readonly Category[]).includes(category);
    return !isService || confidence >= SURE_CONFIDENCE;
  });
  const counts = first && surerThanReport(first, valid);
  const [best] = valid;
  if (!best) return { category: null, label: null, label_source: null, entity_id: null };
  const { label, source, entity } = counts ?? best;
  return { category: counts?.category ?? null, label, label_source: source, entity_id: entity };
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
