import { LRUCache } from 'lru-cache';
import type { Records } from '../../records/database/database.ts';
import { readBridgeContracts } from '../../records/tracing/bridge-contracts.ts';
import type { Registry } from './decoding/facts.ts';
import { emitterOf, knownContracts, registryOf } from './registry.ts';

/** Bound on how late a registry that the operator loads is used: a second. */
const CACHE_MS = 1_000;

/** Reads the contracts of bridges: those of the product, and the operator's additions. */
export function openRegistry(records: Records): () => Promise<Registry> {
  const known = knownContracts();
  const cache = new LRUCache<number, Registry>({
    max: 1,
    ttl: CACHE_MS,
    fetchMethod: async () => {
      const added = await readBridgeContracts(records);
      return registryOf([
        ...known,
        ...added.map(({ protocol, chain, role, address, token, peer, family }) =>
          emitterOf([protocol, chain, role, address, token, peer, family]),
        ),
      ]);
    },
  });
  return () => cache.forceFetch(0);
}
