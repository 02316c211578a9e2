import type { BridgeProtocol } from '../../../domain/bridges/protocols.ts';
import type { Chain } from '../../../domain/chain.ts';
import type { EvidenceLog, TransactionEvidence } from '../../port.ts';
import { type EventShape, type EventValues, readEvent } from './event.ts';

/** A contract whose statements count, for one protocol. */
export interface Emitter {
  protocol: BridgeProtocol;
  chain: Chain;
  /** Canonical. */
  address: string;
  /** Role of the contract in its protocol. */
  role: string;
  /** The token that it moves, where it has one; null for the chain's own coin. */
  token?: string | null;
  /** The other chain, where the contract serves one route only. */
  peer?: Chain;
  /** Contracts of one asset on several chains share it. */
  family?: string;
}

export interface Registry {
  /** Equal where the same contracts are registered. */
  name: string;
  /** Protocols by `<chain>:<address>`; the first of several. */
  protocols: ReadonlyMap<string, BridgeProtocol>;
  /** The entries of an address: a contract may serve several protocols or roles. */
  at(chain: Chain, address: string): readonly Emitter[];
  /** The contracts of a protocol on a chain, by role. */
  of(protocol: BridgeProtocol, chain: Chain, role: string): readonly Emitter[];
}

/** One successful transaction whose messages are read. */
export interface TransactionFacts {
  chain: Chain;
  hash: string;
  /** Epoch ms. */
  at: number;
  evidence: TransactionEvidence;
  registry: Registry;
  /** Ids of transfers that a message already explains. */
  claimed: Set<string>;
}

/** An event that a registered contract logged. */
export interface BridgeEvent {
  emitter: Emitter;
  log: EvidenceLog;
  values: EventValues;
}

/** The events of one shape that contracts of the role logged, in order. */
export function bridgeEvents(
  facts: TransactionFacts,
  protocol: BridgeProtocol,
  role: string,
  shape: EventShape,
): BridgeEvent[] {
  return facts.evidence.logs.flatMap((log) => {
    if (log.topics[0] !== shape.topic) return [];
    const emitter = facts.registry
      .at(facts.chain, log.address)
      .find((entry) => entry.protocol === protocol && entry.role === role);
    const values = emitter && readEvent(shape, log);
    return emitter && values ? [{ emitter, log, values }] : [];
  });
}

/** The contract of a role on a chain; null where the chain is not known or none is registered. */
export function contractOf(
  registry: Registry,
  protocol: BridgeProtocol,
  chain: Chain | null,
  role: string,
): string | null {
  return chain === null ? null : (registry.of(protocol, chain, role)[0]?.address ?? null);
}
