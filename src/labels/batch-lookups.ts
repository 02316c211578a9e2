import { setImmediate as nextTick } from 'node:timers/promises';
import type { Chain } from '../domain/chain.ts';
import type { LabelStore } from './label-store.ts';

type Find = LabelStore['find'];
type Batch = { addresses: Set<string>; found: ReturnType<Find> };

/**
 * Lookups of the same tick are batched: one read for all addresses of a chain, and one count of changes. A lookup
 * returns what was found for the whole batch.
 */
export function batchLookups(labels: LabelStore): Pick<LabelStore, 'find' | 'findOnSisterChains' | 'countChanges'> {
  let count: Promise<number> | null = null;
  return {
    find: batched(labels.find),
    findOnSisterChains: batched(labels.findOnSisterChains),
    countChanges: () => {
      count ??= nextTick().then(() => {
        count = null;
        return labels.countChanges();
      });
      return count;
    },
  };
}

function batched(find: Find): Find {
  const batches = new Map<Chain, Batch>();
  const openBatch = (chain: Chain): Batch => {
    const addresses = new Set<string>();
    const found = nextTick().then(() => {
      batches.delete(chain);
      return find(chain, [...addresses]);
    });
    const batch = { addresses, found };
    batches.set(chain, batch);
    return batch;
  };
  return (chain, addresses) => {
    const batch = batches.get(chain) ?? openBatch(chain);
    for (const address of addresses) batch.addresses.add(address);
    return batch.found;
  };
}
