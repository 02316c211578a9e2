import { compareAmounts } from '../amount.ts';
import { DAY_MS, HOUR_MS } from '../time.ts';
import { movedValue, type Transfer } from '../transfers/transfer.ts';
import { assetClass, CLOCK_SKEW_MS, timesPart } from './match.ts';
import { type BridgeMessage, isExit } from './message.ts';

const ARRIVES_AT_LEAST = 0.99;
const ARRIVES_AT_MOST = 1.001;
const WITHIN_MS = HOUR_MS;
const EXIT_WITHIN_MS = 14 * DAY_MS;

/** When a likely receipt may have come (epoch ms, closed): all receipts of this time must be known to say that one alone fits. */
export function likelySpan(message: BridgeMessage): { from: number; to: number } {
  return { from: message.at - CLOCK_SKEW_MS, to: message.at + (isExit(message) ? EXIT_WITHIN_MS : WITHIN_MS) };
}

/**
 * The one receipt of the named recipient that fits a message in asset, amount and time; `ambiguous` where several fit.
 * A likelihood, not evidence: for messages whose other side cannot be found by id.
 */
export function likelyMatch(source: BridgeMessage, receipts: readonly Transfer[]): Transfer | 'ambiguous' | null {
  const asset = assetClass(source);
  const { recipient, route } = source;
  if (asset === null || recipient === null || source.side !== 'source') return null;
  const { from, to: until } = likelySpan(source);
  const fitting = receipts.filter(
    (receipt) =>
      receipt.chain === route.to.chain &&
      receipt.to === recipient &&
      receipt.from !== recipient &&
      receipt.tokenId === null &&
      movedValue(receipt) &&
      assetClass(receipt) === asset &&
      receipt.at >= from &&
      receipt.at <= until &&
      compareAmounts(receipt.amount, timesPart(source.amount, ARRIVES_AT_LEAST)) >= 0 &&
      compareAmounts(receipt.amount, timesPart(source.amount, ARRIVES_AT_MOST)) <= 0,
  );
  const distinct = [...new Map(fitting.map((receipt) => [receipt.id, receipt])).values()];
  return distinct.length > 1 ? 'ambiguous' : (distinct[0] ?? null);
}
