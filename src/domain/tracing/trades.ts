import { groupBy } from '../group-by.ts';
import { placeKind } from '../transfers/place.ts';
import type { ExactStep, ReplayStep } from './replay-step.ts';
import { markSwap, type TraderOf, usdOf, VALUE_RATIO_MAX } from './swaps.ts';

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
