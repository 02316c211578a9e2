import { LRUCache } from 'lru-cache';
import type { BridgeMessage, OtherSide } from '../../domain/bridges/message.ts';
import type { BridgeProtocol } from '../../domain/bridges/protocols.ts';
import type { Chain } from '../../domain/chain.ts';
import type { Records } from '../../records/database/database.ts';
import { readBridgeContracts } from '../../records/tracing/bridge-contracts.ts';
import type { RequestOptions } from '../port.ts';
import type { Registry } from './decoding/facts.ts';
import { type BridgeParts, findOtherSide } from './find-other-side.ts';
import { recognise } from './recognise.ts';
import { emitterOf, knownContracts, registryOf } from './registry.ts';

/** Reads the messages of bridges and asks for their other sides. */
export interface Bridges {
  /** The protocols of all registered contracts, by `<chain>:<address>`. */
  protocols(): Promise<ReadonlyMap<string, BridgeProtocol>>;
  /** Names the set of registered contracts: another one once a contract is added or removed. */
  contracts(): Promise<string>;
  /** The messages of one transaction, both sides, in order; none for a failed or unknown one. One transaction is read. */
  recognise(chain: Chain, txHash: string, options?: RequestOptions): Promise<BridgeMessage[]>;
  /**
   * The other side of a message, checked field by field: one search of logs, or ten transactions of the party's history.
   * SourceError where the other chain's source fails.
   */
  findOtherSide(message: BridgeMessage, options?: RequestOptions): Promise<OtherSide>;
}

/** The bridges over the chain sources. */
export function openBridges(parts: BridgeParts): Bridges {
  return {
    protocols: async () => (await parts.registry()).protocols,
    contracts: async () => (await parts.registry()).name,
    async recognise(chain, txHash, options) {
      const source = await parts.chainSource(chain);
      const evidence = await source?.evidence(txHash, options);
      return evidence ? recognise(chain, evidence, await parts.registry()) : [];
    },
    findOtherSide: (message, options) => findOtherSide(message, parts, options),
  };
}

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
