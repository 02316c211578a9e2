import { compareAmounts, formatUnits, parseUnits } from '../amount.ts';
import { NATIVE_COIN } from '../chain.ts';
import { MINUTE_MS } from '../time.ts';
import { verifiedToken } from '../tokens/token.ts';
import type { BridgeMessage, BridgeProtocol, RouteEnd } from './message.ts';

/** Clocks of two chains differ: a delivery may carry a time so much before its sending. */
export const CLOCK_SKEW_MS = 10 * MINUTE_MS;

/**
 * What may arrive of an asset, as a part of what was sent. A pool can pay a little more than it took, as a reward for
 * balancing it; null where the protocol exchanges assets, so that amounts do not compare.
 */
const ARRIVES_AT_MOST: Record<BridgeProtocol, number | null> = {
  cctp_v1: 1,
  cctp_v2: 1,
  across: 1.01,
  layerzero: 1.01,
  wormhole: 1,
  celer: 1.01,
  debridge: null,
  optimism_native: 1,
  arbitrum_native: 1,
  polygon_native: 1,
  hop: 1.01,
  thorchain: null,
};
/** Protocols that may deliver another asset although amounts of one asset compare. */
const CONVERTS: readonly BridgeProtocol[] = ['across'];

/**
 * `id` where the two sides state the same message: equal protocol, id, route, recipient and all that both repeat, in the
 * order of time, and no more arrives than was sent. Else null; amounts alone never match.
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
    createsNothing(source, destination)
  );
}

/** True where the destination comes neither before its source nor after the protocol stopped to deliver it. */
export function isInTime(source: BridgeMessage, destination: BridgeMessage): boolean {
  return (
    destination.at >= source.at - CLOCK_SKEW_MS &&
    (source.expiresAt === null || destination.at <= source.expiresAt + CLOCK_SKEW_MS)
  );
}

/** The asset that a token or coin stands for on every chain; null for a token that is not well known. */
export function assetClass({ chain, token }: Pick<BridgeMessage, 'chain' | 'token'>): string | null {
  return token === null ? NATIVE_COIN[chain].symbol : (verifiedToken(chain, token)?.priceAs ?? null);
}

/** True unless more of one asset arrives than was sent and the protocol allows. */
function createsNothing(source: BridgeMessage, destination: BridgeMessage): boolean {
  const bound = boundOn(source.protocol, assetClass(source), assetClass(destination));
  if (bound !== 'amount') return bound === 'none';
  return compareAmounts(destination.amount, arrivesAtMost(source)) <= 0;
}

/**
 * What bounds a delivery of one asset class for a source of another: `amount` (`arrivesAtMost` of the source), `none` where
 * amounts do not compare, `never` where that asset cannot arrive.
 */
export function boundOn(
  protocol: BridgeProtocol,
  sent: string | null,
  arrived: string | null,
): 'amount' | 'none' | 'never' {
  if (ARRIVES_AT_MOST[protocol] === null) return 'none';
  if (sent === null || arrived === null || sent === arrived) return 'amount';
  return CONVERTS.includes(protocol) ? 'none' : 'never';
}

/** The most that may arrive of what a source sent, where amounts compare: exact decimal string. */
export function arrivesAtMost({ protocol, amount }: Pick<BridgeMessage, 'protocol' | 'amount'>): string {
  return timesPart(amount, ARRIVES_AT_MOST[protocol] ?? 1);
}

/** An amount times a part with at most four decimals. */
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
