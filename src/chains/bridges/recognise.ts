import type { BridgeMessage } from '../../domain/bridges/message.ts';
import type { BridgeProtocol } from '../../domain/bridges/protocols.ts';
import type { Chain } from '../../domain/chain.ts';
import type { TransactionEvidence } from '../port.ts';
import { paidThrough } from './decoding/aggregator.ts';
import type { Registry, TransactionFacts } from './decoding/facts.ts';
import { across } from './protocols/across.ts';
import { arbitrumNative } from './protocols/arbitrum-native.ts';
import { cctpV1 } from './protocols/cctp-v1.ts';
import { cctpV2 } from './protocols/cctp-v2.ts';
import { celer } from './protocols/celer.ts';
import { debridge } from './protocols/debridge.ts';
import { hop } from './protocols/hop.ts';
import { layerzero } from './protocols/layerzero.ts';
import { optimismNative } from './protocols/optimism-native.ts';
import { polygonNative } from './protocols/polygon-native.ts';
import type { ProtocolReader } from './protocols/port.ts';
import { thorchain } from './protocols/thorchain.ts';
import { wormhole } from './protocols/wormhole.ts';

/** The reader of each protocol. */
export const READERS: Record<BridgeProtocol, ProtocolReader> = {
  cctp_v1: cctpV1,
  cctp_v2: cctpV2,
  across,
  layerzero,
  wormhole,
  celer,
  debridge,
  optimism_native: optimismNative,
  arbitrum_native: arbitrumNative,
  polygon_native: polygonNative,
  hop,
  thorchain,
};

/** Messages of one transaction that are kept: more than a batch of payments through a bridge has. */
const MESSAGES_MAX = 100;

/** The messages of a transaction in the order of their statements; none for one that failed or is not mined. */
export function recognise(chain: Chain, evidence: TransactionEvidence, registry: Registry): BridgeMessage[] {
  const facts = factsOf(chain, evidence, registry);
  if (!facts) return [];
  const messages = Object.values(READERS)
    .flatMap((reader) => reader.recognise(facts))
    .sort((a, b) => a.position - b.position)
    .slice(0, MESSAGES_MAX);
  // Of several messages it is not known which one the payment was for.
  return messages.length === 1 ? messages.map((message) => paidThrough(facts, message)) : messages;
}

/** Null for a transaction that moved nothing for certain. */
export function factsOf(chain: Chain, evidence: TransactionEvidence, registry: Registry): TransactionFacts | null {
  const { txHash, at, status } = evidence.transaction;
  return status === 'success' && at !== null
    ? { chain, hash: txHash, at, evidence, registry, claimed: new Set() }
    : null;
}
