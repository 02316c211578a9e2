import type { Label } from '../../src/domain/label.ts';
import type { LabelStore } from '../../src/labels/label-store.ts';

/** A label that says nothing in particular but what it is given. */
export function labelOf(given: Partial<Label> = {}): Label {
  return {
    chain: 'ethereum',
    address: '0x1',
    category: 'other',
    label: 'x',
    source: 's',
    confidence: 50,
    entity: null,
    validFrom: null,
    validTo: null,
    maliciousContract: false,
    ...given,
  };
}

/** Stores labels beside those that are there. */
export async function putLabels(store: Pick<LabelStore, 'put' | 'beginLoad'>, labels: readonly Label[]): Promise<void> {
  await store.put(labels, { stamp: await store.beginLoad(), list: false });
}
