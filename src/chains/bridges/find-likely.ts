import { likelyMatch, likelySpan } from '../../domain/bridges/likely-match.ts';
import type { BridgeMessage, LikelySide } from '../../domain/bridges/message.ts';
import { isEvmChain } from '../../domain/chain.ts';
import { assetIdOf, COIN } from '../../domain/tracing/asset-id.ts';
import type { HistoryList } from '../../domain/transfers/history-list.ts';
import type { Transfer } from '../../domain/transfers/transfer.ts';
import type { AddressHistory, ChainSource, RequestOptions } from '../port.ts';
import type { Registry } from './decoding/facts.ts';
import { recognise } from './recognise.ts';

interface LikelyInput {
  /** Of the chain on which the money arrives. */
  source: ChainSource;
  registry: Registry;
  /** The recipient's history from the time of the message on. */
  historyOf: () => Promise<AddressHistory>;
  now: number;
  options?: RequestOptions;
}

/**
 * The one receipt that fits a source in recipient, asset, amount and time. Null where the time is not over, where the history
 * does not cover all of it, and where the receipt's own transaction states another message. One transaction is read.
 */
export async function findLikely(
  message: BridgeMessage,
  { source, registry, historyOf, now, options }: LikelyInput,
): Promise<LikelySide> {
  const span = likelySpan(message);
  if (now < span.to) return null;
  const history = await historyOf();
  const found = likelyMatch(message, history.transfers);
  if (found === null || found === 'ambiguous') return found;
  if (!coversAll(history, source, { ...span, to: Math.min(span.to, now) }, found)) return null;
  const evidence = await source.evidence(found.txHash, options);
  if (!evidence) return null;
  const isStated = recognise(source.chain, evidence, registry).some(({ explains }) => explains.includes(found.id));
  return isStated ? null : arrivalOf(message, found);
}

/** True where every receipt of the asset in the span is in the history: then no second one fits. */
function coversAll(
  { read }: AddressHistory,
  { chain, lists }: ChainSource,
  span: { from: number; to: number },
  receipt: Transfer,
): boolean {
  const isCoin = assetIdOf(receipt) === COIN;
  const needed: HistoryList[] = isCoin ? (isEvmChain(chain) ? ['coin', 'internal', 'tokens'] : ['coin']) : ['tokens'];
  return needed.every(
    (list) =>
      lists.includes(list) &&
      read.some((one) => one.list === list && one.from <= span.from && (one.to === null || one.to >= span.to)),
  );
}

/** A receipt as what the destination of the message would state. */
function arrivalOf({ protocol, route, recipient }: BridgeMessage, receipt: Transfer): BridgeMessage {
  const { chain, txHash, seq, at, asset, token, amount, id } = receipt;
  return {
    protocol,
    side: 'destination',
    chain,
    tx: txHash,
    position: seq ?? 0,
    at,
    id: null,
    route,
    sender: null,
    recipient,
    asset,
    token,
    assetId: assetIdOf(receipt),
    amount,
    agreed: {},
    expiresAt: null,
    explains: [id],
  };
}
