import { formatUnits } from '../../domain/amount.ts';
import type { BridgeMessage } from '../../domain/bridges/message.ts';
import type { BridgeProtocol } from '../../domain/bridges/protocols.ts';
import type { Chain } from '../../domain/chain.ts';
import { movedValue, type Transfer } from '../../domain/transfers/transfer.ts';
import type { TransactionEvidence } from '../port.ts';
import type { Registry, TransactionFacts } from './decoding/facts.ts';
import { idOf, rawOf } from './decoding/moved.ts';
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

/** The highest fee of an aggregator is one part in this many of what entered the bridge. */
const FEE_PART = 20n;

/**
 * The message of an aggregator's contract as that of the account that paid it: the sender of the transaction, where it
 * gave the same asset, no less than entered the bridge and at most a twentieth more. Other messages stay as they are.
 */
function paidThrough(facts: TransactionFacts, message: BridgeMessage): BridgeMessage {
  const payer = facts.evidence.call?.from ?? null;
  if (payer === null || message.side !== 'source' || message.sender === null || message.sender === payer) {
    return message;
  }
  const own = facts.evidence.transaction.transfers.filter(
    (one) =>
      (one.from === payer || one.to === payer) &&
      one.amountRaw !== null &&
      one.tokenId === null &&
      movedValue(one) &&
      idOf(facts, one.token) === message.assetId,
  );
  const paid = own.filter(({ from }) => from === payer);
  const [first] = paid;
  const entered = facts.evidence.transaction.transfers.find(({ id }) => message.explains.includes(id));
  if (!first || !entered) return message;
  const given = sum(paid) - sum(own.filter(({ to }) => to === payer));
  const raw = rawOf(entered);
  if (given < raw || given > raw + raw / FEE_PART) return message;
  return {
    ...message,
    sender: payer,
    asset: first.asset,
    token: first.token,
    amount: formatUnits(given, first.decimals ?? 0),
    explains: [...new Set([...own.map(({ id }) => id), ...message.explains])],
  };
}

function sum(transfers: readonly Transfer[]): bigint {
  return transfers.reduce((total, one) => total + rawOf(one), 0n);
}
