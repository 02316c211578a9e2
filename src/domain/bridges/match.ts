import { addAmounts, compareAmounts, formatUnits, parseUnits } from '../amount.ts';
import { NATIVE_COIN } from '../chain.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../time.ts';
import { verifiedToken } from '../tokens/token.ts';
import { movedValue, type Transfer } from '../transfers/transfer.ts';
import { type BridgeMessage, isExit, type RouteEnd } from './message.ts';
import { PROTOCOLS } from './protocols.ts';

/** Milliseconds by which the time of a delivery may lie before its sending: clocks of two chains differ. */
export const CLOCK_SKEW_MS = 10 * MINUTE_MS;

/**
 * `id` where the two sides state the same message: equal protocol, id, route, recipient and all that both repeat, in the
 * order of time, and no more arrives than was sent. Else null; amounts alone never match. Whether the two sides can be believed
 * is asked of `isBorneOut`.
 */
export function match(source: BridgeMessage, destination: BridgeMessage): 'id' | null {
  return statesSame(source, destination) && isInTime(source, destination) ? 'id' : null;
}

/** True where two sides state the same message, whatever their times. */
function statesSame(source: BridgeMessage, destination: BridgeMessage): boolean {
  return (
    source.side === 'source' &&
    destination.side === 'destination' &&
    source.protocol === destination.protocol &&
    source.id !== null &&
    source.id === destination.id &&
    isSameRoute(source, destination) &&
    source.recipient !== null &&
    source.recipient === destination.recipient &&
    repeatsAgree(source.agreed, destination.agreed) &&
    amountsFit(source, destination)
  );
}

/** True where the destination comes neither before its source nor after the protocol stopped to deliver it. */
function isInTime(source: BridgeMessage, destination: BridgeMessage): boolean {
  return (
    destination.at >= source.at - CLOCK_SKEW_MS &&
    (source.expiresAt === null || destination.at <= source.expiresAt + CLOCK_SKEW_MS)
  );
}

/** The asset that a token or coin stands for on every chain; null for a token that is not well known. */
export function assetClass({ chain, token }: Pick<BridgeMessage, 'chain' | 'token'>): string | null {
  return token === null ? NATIVE_COIN[chain].symbol : (verifiedToken(chain, token)?.priceAs ?? null);
}

/** Least part that arrives of what counts as whole: a contract before the bridge may keep the rest of what its customer gave. */
const ARRIVES_WHOLE = 0.95;

/** True unless more of one asset arrives than was sent and the protocol allows, or less where it takes nothing. */
function amountsFit(source: BridgeMessage, destination: BridgeMessage): boolean {
  const { arrivesAtMost, converts, arrivesWhole } = PROTOCOLS[source.protocol];
  if (arrivesAtMost === null) return true;
  const [sent, arrived] = [assetClass(source), assetClass(destination)];
  if (sent !== null && arrived !== null && sent !== arrived) return converts === true;
  if (arrivesWhole && compareAmounts(destination.amount, timesPart(source.amount, ARRIVES_WHOLE)) < 0) return false;
  return compareAmounts(destination.amount, timesPart(source.amount, arrivesAtMost)) <= 0;
}

/** Least part of the larger side that the smaller one is, where anybody can make a statement. */
const VALUES_AGREE_FROM = 0.9;

/** A side with its US dollars; null where it has no price. */
export interface ValuedSide {
  message: BridgeMessage;
  usd: number | null;
}

/**
 * True where the bridge alone can have made both statements, or where transfers back the payout and the values agree: of one
 * known asset its amounts, else US dollars. What has no price agrees with nothing.
 */
export function isBorneOut(source: ValuedSide, destination: ValuedSide): boolean {
  const { statements } = PROTOCOLS[source.message.protocol];
  if (statements.source.made === 'attested' && statements.destination.made === 'attested') return true;
  if (destination.message.explains.length === 0) return false;
  const [asset, amount] = [assetClass(source.message), destination.message.amount];
  if (asset !== null && asset === assetClass(destination.message)) {
    return (
      compareAmounts(amount, timesPart(source.message.amount, VALUES_AGREE_FROM)) >= 0 &&
      compareAmounts(timesPart(amount, VALUES_AGREE_FROM), source.message.amount) <= 0
    );
  }
  const [sent, arrived] = [source.usd ?? 0, destination.usd ?? 0];
  const [smaller, larger] = sent < arrived ? [sent, arrived] : [arrived, sent];
  return smaller > 0 && smaller >= VALUES_AGREE_FROM * larger;
}

/**
 * An amount times a part with at most four decimals.
 *
 * @internal
 */
export function timesPart(amount: string, part: number): string {
  const fraction = amount.includes('.') ? amount.length - amount.indexOf('.') - 1 : 0;
  return formatUnits(parseUnits(amount, fraction) * BigInt(Math.round(part * 10_000)), fraction + 4);
}

function isSameRoute(source: BridgeMessage, destination: BridgeMessage): boolean {
  const { from, to } = destination.route;
  return (
    source.route.from?.chain === source.chain &&
    to.chain === destination.chain &&
    isSameEnd(source.route.to, to) &&
    (from === null || isSameEnd(source.route.from, from))
  );
}

function isSameEnd(a: RouteEnd, b: RouteEnd): boolean {
  return a.chain === b.chain && a.raw === b.raw;
}

function repeatsAgree(a: BridgeMessage['agreed'], b: BridgeMessage['agreed']): boolean {
  return Object.entries(a).every(([name, value]) => !Object.hasOwn(b, name) || b[name] === value);
}

/** Part of the stated amount that must arrive: a router may take or leave the rest. */
const AT_LEAST = 0.95;
const AT_MOST = 1.05;

/**
 * Returns the transfers of a party that a message stands for, in its transaction: the ones that it names. Where a
 * router stands between, it names none of them: then the one of the same asset and about the same amount, or all of
 * that asset together. Other payments of the same transaction are none of them: the trace goes on along them.
 */
export function explainedTransfers<T extends { id: string; assetId: string; amount: string }>(
  { explains, assetId, amount }: Pick<BridgeMessage, 'explains' | 'assetId' | 'amount'>,
  transfers: readonly T[],
): T[] {
  const named = transfers.filter(({ id }) => explains.includes(id));
  if (named.length > 0) return named;
  const fits = (given: string) =>
    compareAmounts(given, timesPart(amount, AT_LEAST)) >= 0 && compareAmounts(given, timesPart(amount, AT_MOST)) <= 0;
  const ofAsset = transfers.filter((one) => one.assetId === assetId);
  const single = ofAsset.find((one) => fits(one.amount));
  if (single) return [single];
  return fits(ofAsset.reduce((sum, one) => addAmounts(sum, one.amount), '0')) ? ofAsset : [];
}

const ARRIVES_AT_LEAST = 0.99;
const ARRIVES_AT_MOST = 1.001;
const WITHIN_MS = HOUR_MS;
const EXIT_WITHIN_MS = 14 * DAY_MS;

/** Returns the span of a likely receipt (epoch ms, closed): all receipts of this time must be known to say that one alone fits. */
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
