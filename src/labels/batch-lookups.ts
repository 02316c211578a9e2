import { setImmediate as nextTick } from 'node:timers/promises';
import type { Chain } from '../domain/chain.ts';
import type { LabelStore } from './label-store.ts';

type Find<Found> = (chain: Chain, addresses: readonly string[]) => Promise<Found>;
type Batch<Found> = { addresses: Set<string>; found: Promise<Found> };

/**
 * Lookups of the same tick are batched: one read for all addresses of a chain, and one count of changes. A lookup
 * returns what was found for the whole batch.
 */
export function batchLookups(labels: LabelStore): Pick<LabelStore, 'find' | 'findWithSisters' | 'countChanges'> {
  let count: Promise<number> | null = null;
  return {
    find: batched(labels.find),
    findWithSisters: batched(labels.findWithSisters),
    countChanges: () => {
      count ??= nextTick().then(() => {
        count = null;
        return labels.countChanges();
      });
      return count;
    },
  };
}

function batched<Found>(find: Find<Found>): Find<Found> {
  const batches = new Map<Chain, Batch<Found>>();
  const openBatch = (chain: Chain): Batch<Found> => {
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
