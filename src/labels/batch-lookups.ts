import { setImmediate as nextTick } from 'node:timers/promises';
import type { Chain } from '../domain/chain.ts';
import type { LabelStore } from './label-store.ts';

type Batch = { addresses: Set<string>; found: ReturnType<LabelStore['find']> };

/**
 * Lookups of the same tick are batched: one read for all addresses of a chain, and one count of changes. A lookup
 * returns what was found for the whole batch.
 */
export function batchLookups(labels: LabelStore): Pick<LabelStore, 'find' | 'countChanges'> {
  const batches = new Map<Chain, Batch>();
  let count: Promise<number> | null = null;

  const openBatch = (chain: Chain): Batch => {
    const addresses = new Set<string>();
    const found = nextTick().then(() => {
      batches.delete(chain);
      return labels.find(chain, [...addresses]);
    });
    const batch = { addresses, found };
    batches.set(chain, batch);
    return batch;
  };

  return {
    find: (chain, addresses) => {
      const batch = batches.get(chain) ?? openBatch(chain);
      for (const address of addresses) batch.addresses.add(address);
      return batch.found;
    },
    countChanges: () => {
      count ??= nextTick().then(() => {
        count = null;
        return labels.countChanges();
      });
      return count;
    },
  };
}
