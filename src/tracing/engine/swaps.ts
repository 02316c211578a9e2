import { groupBy } from '../../domain/group-by.ts';
import { ADVERSE_CATEGORIES, type Category, isDex } from '../../domain/label.ts';
import { isNullAddress } from '../../domain/tracing/asset-id.ts';
import { placeKind } from '../../domain/transfers/transfer-id.ts';
import type { ExactStep, ReplayStep } from './replay-step.ts';

/**
 * The other end of a transfer, as a side of an exchange: a labelled exchange, an unlabelled contract, an unlabelled address
 * of any kind, an issuer of tokens (the zero address), or none.
 */
export type TraderKind = 'trader' | 'contract' | 'any' | 'issuer' | 'none';
export type TraderOf = (key: string) => TraderKind;

/** Listed parties whose wallets trade as others do; what mixers and exchanges pay out is never a trade. */
const TRADING: readonly Category[] = ADVERSE_CATEGORIES.filter(
  (category) => category !== 'mixer' && category !== 'high_risk_exchange',
);

/** The address as a side of an exchange, by its label. */
export function traderKind(
  key: string,
  { category, isContract = false }: { category: Category | null; isContract?: boolean },
): TraderKind {
  if (isNullAddress(key)) return 'issuer';
  if (isDex(category)) return 'trader';
  // Who pays a listed party for what it gives gets no gift: the crime goes on with what it was paid.
  if (category !== null && TRADING.includes(category)) return 'any';
  if (category !== null && category !== 'unknown' && category !== 'other') return 'none';
  if (!isContract) return 'any';
  // A contract with a name, but none of a service: a lending market, a vault.
  return category === 'other' ? 'trader' : 'contract';
}

/** Most times the value of the other side that one side of a swap goes on as: prices differ a little. */
export const VALUE_RATIO_MAX = 1.1;

/** The other end of a step that may be a leg of a swap. */
export function traderOf({ transfer, kind }: ReplayStep, kindOf: TraderOf): TraderKind {
  // What arrives over a bridge or out of another party's swap is not part of an exchange at the address.
  if (transfer === null || transfer.bridge || transfer.paidOut) return 'none';
  return kindOf(kind === 'receipt' ? transfer.from : transfer.to);
}

/**
 * Marks the legs of a swap: assets given, and others got in return. Values bound it where all legs have a price; without
 * one a leg converts only at a labelled exchange, or where a contract took the other side of what was minted or burned.
 */
function markSwap(
  txHash: string,
  legs: { given: readonly ReplayStep[]; got: readonly ReplayStep[] },
  kindOf: TraderOf,
): void {
  const isPriced = [...legs.given, ...legs.got].every(({ transfer }) => transfer?.priced);
  const { got } = legs;
  const kinds = new Set(got.map((step) => traderOf(step, kindOf)));
  const given = isPriced ? legs.given : legs.given.filter((step) => takesUnpriced(traderOf(step, kindOf), kinds));
  if (given.length === 0 || got.length === 0) return;
  const [paid, came] = isPriced ? [usdOf(given), usdOf(got)] : [1, 1];
  const swap = {
    txHash,
    given: [...given],
    got: [...got],
    givenPart: partOf(paid, came),
    gotPart: partOf(came, paid),
    isAccount: false,
  };
  for (const step of [...given, ...got]) step.swap = swap;
}

/** Marks a deposit at an exchange and what it returned later as the legs of a swap: they are worth the same. */
export function markReturned(deposit: ReplayStep, receipt: ReplayStep): void {
  const txHash = receipt.transfer?.txHash ?? '';
  const swap = { txHash, given: [deposit], got: [receipt], givenPart: 1, gotPart: 1, isAccount: true };
  deposit.swap = swap;
  receipt.swap = swap;
}

function takesUnpriced(taker: TraderKind, givers: ReadonlySet<TraderKind>): boolean {
  if (taker === 'trader') return true;
  if (taker === 'contract') return givers.has('issuer');
  return taker === 'issuer' && (givers.has('contract') || givers.has('trader'));
}

function partOf(usd: number, otherUsd: number): number {
  return usd > 0 ? Math.min(1, (VALUE_RATIO_MAX * otherUsd) / usd) : 1;
}

function usdOf(steps: readonly ReplayStep[]): number {
  return steps.reduce((sum, { transfer }) => sum + (transfer?.usd ?? 0), 0);
}

/** The share of each leg, 0-1, adding up to 1; null when legs of several assets are not all priced. */
export function swapShares(legs: readonly ReplayStep[]): number[] | null {
  const isOneAsset = new Set(legs.map(({ asset }) => asset)).size === 1;
  if (!isOneAsset && !legs.every(({ transfer }) => transfer?.priced)) return null;
  const sizes = legs.map(({ units, transfer }) => (isOneAsset ? units : (transfer?.usd ?? 0)));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  return total > 0 ? sizes.map((size) => size / total) : null;
}

/**
 * The part of each transfer, 0-1, that its address exchanged inside the transaction, by transfer id: other transfers of the
 * address stand for the same money. None do where a leg has no price.
 */
export function exchangedParts(steps: readonly ReplayStep[]): Map<string, number> {
  const parts = new Map<string, number>();
  for (const step of steps) {
    const { swap, transfer } = step;
    if (transfer === null || swap === null || swap.isAccount) continue;
    const isPriced = [...swap.given, ...swap.got].every((leg) => leg.transfer?.priced);
    if (isPriced) parts.set(transfer.id, convertedPart(step));
  }
  return parts;
}

/**
 * The part of each transfer, 0-1, by which its address only turned an asset over inside the transaction and got it back, by transfer
 * id: an arbitrage over other assets leaves its profit alone. None where a leg of it has no price.
 */
export function loopedParts(steps: readonly ReplayStep[]): Map<string, number> {
  const exchanged = exchangedParts(steps);
  const traded = steps.filter(({ transfer }) => transfer !== null && exchanged.has(transfer.id));
  const parts = new Map<string, number>();
  for (const legs of groupBy(traded, ({ asset, transfer }) => `${transfer?.txHash} ${asset}`).values()) {
    const usd = { receipt: 0, payment: 0 };
    const worth = ({ transfer }: ReplayStep) => (transfer?.usd ?? 0) * (exchanged.get(transfer?.id ?? '') ?? 0);
    for (const leg of legs) usd[leg.kind as 'receipt' | 'payment'] += worth(leg);
    for (const { kind, transfer } of legs) {
      const [own, other] = kind === 'receipt' ? [usd.receipt, usd.payment] : [usd.payment, usd.receipt];
      const part = partOf(own, other) * (exchanged.get(transfer?.id ?? '') ?? 0);
      if (part > 0) parts.set(transfer?.id ?? '', part);
    }
  }
  return parts;
}

/** The part of a step's money that goes on as the other side of its swap; 0 outside swaps. */
export function convertedPart(step: ReplayStep): number {
  if (step.swap === null) return 0;
  const { given, got, givenPart, gotPart } = step.swap;
  if (step.kind === 'receipt') return got.includes(step) ? gotPart : 0;
  return given.includes(step) ? givenPart : 0;
}

// What an address gave and got in one transaction. Where each asset went one way, all of it is one swap. Where an asset came in and
// went out, as in an arbitrage, each swap is found by itself: with one party, or by the order of the legs.

/** Transactions with more legs are batches for many parties. */
const IN_ORDER_MAX = 400;

/** Marks the legs of the swaps that an address made in one transaction, given by asset. */
export function markTrades(txHash: string, byAsset: readonly ExactStep[][], kindOf: TraderOf): void {
  const isBothWays = byAsset.some((legs) => new Set(legs.map(([{ kind }]) => kind)).size > 1);
  if (isBothWays) {
    const steps = byAsset.flat().map(([step]) => step);
    for (const ofParty of groupBy(steps, partyOf).values()) {
      const [given, got] = sidesOf(ofParty);
      if (areWorthTheSame(given, got)) markSwap(txHash, { given, got }, kindOf);
    }
    const throughUnpriced = steps.length <= IN_ORDER_MAX ? byAsset : [];
    for (const legs of throughUnpriced) markThroughUnpriced(txHash, legs, { steps: steps.filter(isOpen), kindOf });
    const rest = steps.filter(isOpen);
    if (rest.length <= IN_ORDER_MAX) markInOrder(txHash, inOrder(rest), kindOf);
  }
  const open = byAsset.map((legs) => legs.filter(([step]) => isOpen(step)));
  const nets = open.map(netOf);
  const side = (kind: ReplayStep['kind']) =>
    open.flatMap((legs, i) => {
      const net = nets[i] as bigint;
      if (kind === 'payment' ? net >= 0n : net <= 0n) return [];
      return legs.map(([step]) => step).filter((step) => step.kind === kind);
    });
  markSwap(txHash, { given: side('payment'), got: side('receipt') }, kindOf);
}

/**
 * Pairs what an address paid for a token without a price, all of which it gave away again, with what others then paid it for that:
 * where both are worth the same, the token only stood between them, as shares that are bought at a pool and redeemed at their vault.
 */
function markThroughUnpriced(
  txHash: string,
  legs: readonly ExactStep[],
  { steps, kindOf }: { steps: readonly ReplayStep[]; kindOf: TraderOf },
): void {
  const moved = legs.map(([step]) => step);
  if (moved.some(({ transfer }) => transfer === null || transfer.priced) || netOf(legs) !== 0n) return;
  if (moved.some((step) => traderOf(step, kindOf) === 'none')) return;
  const sellers = new Set(sidesOf(moved)[1].map(partyOf));
  const [paid, came] = sidesOf(steps.filter(({ transfer }) => transfer?.priced));
  const given = paid.filter((step) => sellers.has(partyOf(step)));
  const got = came.filter((step) => !sellers.has(partyOf(step)) && traderOf(step, kindOf) !== 'none');
  if (areWorthTheSame(given, got)) markSwap(txHash, { given, got }, kindOf);
}

/** Returns what the legs of one asset changed. */
export function netOf(legs: readonly ExactStep[]): bigint {
  return legs.reduce((net, [{ kind }, exact]) => (kind === 'receipt' ? net + exact : net - exact), 0n);
}

/** Pairs neighbouring legs of one asset and way with the first earlier ones of the other way, in another asset and worth the same. */
function markInOrder(txHash: string, steps: readonly ReplayStep[], kindOf: TraderOf): void {
  const waiting: ReplayStep[][] = [];
  for (const run of runsOf(steps)) {
    const [first] = run as [ReplayStep];
    const place = waiting.findIndex(
      (other) => other[0]?.kind !== first.kind && other[0]?.asset !== first.asset && areWorthTheSame(other, run),
    );
    if (place === -1) {
      waiting.push(run);
      continue;
    }
    const [given, got] = sidesOf([...(waiting.splice(place, 1)[0] as ReplayStep[]), ...run]);
    markSwap(txHash, { given, got }, kindOf);
  }
}

function runsOf(steps: readonly ReplayStep[]): ReplayStep[][] {
  const runs: ReplayStep[][] = [];
  for (const step of steps) {
    const last = runs.at(-1);
    if (last?.[0]?.kind === step.kind && last[0].asset === step.asset) last.push(step);
    else runs.push([step]);
  }
  return runs;
}

/** The transaction's own value first, logs, and what contracts paid of the coin, which no log places, last. */
function inOrder(steps: readonly ReplayStep[]): ReplayStep[] {
  const rankOf = ({ transfer }: ReplayStep) => {
    const kind = placeKind(transfer?.index ?? null);
    return kind === 'native' ? 0 : kind === 'trace' ? 2 : 1;
  };
  return steps.toSorted((a, b) => rankOf(a) - rankOf(b) || (a.transfer?.seq ?? 0) - (b.transfer?.seq ?? 0));
}

function sidesOf(steps: readonly ReplayStep[]): [given: ReplayStep[], got: ReplayStep[]] {
  return [steps.filter(({ kind }) => kind === 'payment'), steps.filter(({ kind }) => kind === 'receipt')];
}

function partyOf({ kind, transfer }: ReplayStep): string {
  return (kind === 'receipt' ? transfer?.from : transfer?.to) ?? '';
}

function isOpen({ swap }: ReplayStep): boolean {
  return swap === null;
}

function areWorthTheSame(a: readonly ReplayStep[], b: readonly ReplayStep[]): boolean {
  if (![...a, ...b].every(({ transfer }) => transfer?.priced)) return false;
  const [least, most] = [usdOf(a), usdOf(b)].sort((x, y) => x - y) as [number, number];
  return least > 0 && most <= VALUE_RATIO_MAX * least;
}
