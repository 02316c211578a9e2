import { formatUnits, fractionDigits, parseUnits } from '../amount.ts';
import { isCoinJoin } from '../coinjoin/transaction.ts';
import { compare } from '../compare.ts';
import { groupBy } from '../group-by.ts';

/** A transfer as far as a round trip is seen by it. */
interface Moved {
  id: string;
  from: string;
  to: string;
  txHash: string;
  seq: number | null;
  amount: string;
  /** Null where it has no price. */
  usd: number | null;
}

/**
 * Returns what is left (null: nothing) of each transfer of one address that goes to and fro with one party inside a transaction, in
 * one asset: the difference alone was paid, as the fee of a loan. It comes out of the last ones, so that both parties see it alike.
 * A CoinJoin gives back other coins than it took.
 */
export function withoutRoundTrips<T extends Moved>(
  { received, sent }: Record<'received' | 'sent', readonly T[]>,
  assetOf: (transfer: T) => string,
): Map<T, T | null> {
  const left = new Map<T, T | null>();
  const hashes = new Set(received.map(({ txHash }) => txHash));
  const paid = sent.filter(({ txHash, to }) => hashes.has(txHash) && !isCoinJoin(to));
  if (paid.length === 0) return left;
  const given = groupBy(paid, (one) => `${one.txHash} ${one.to} ${assetOf(one)}`);
  const both = new Set(paid.map(({ txHash }) => txHash));
  const came = received.filter(({ txHash }) => both.has(txHash));
  for (const [key, back] of groupBy(came, (one) => `${one.txHash} ${one.from} ${assetOf(one)}`)) {
    const out = given.get(key);
    if (out === undefined) continue;
    const decimals = [...back, ...out].reduce((most, { amount }) => Math.max(most, fractionDigits(amount)), 0);
    const unitsOf = (part: readonly T[]) => part.reduce((sum, one) => sum + parseUnits(one.amount, decimals), 0n);
    const [cameBack, went] = [unitsOf(back), unitsOf(out)];
    for (const [part, most] of [
      [back, went],
      [out, cameBack],
    ] as const) {
      cancel(part, most, { decimals, left });
    }
  }
  return left;
}

/** A transfer below this part of the largest one of its transaction and asset cannot hide it. */
const LARGE_SHARE = 0.001;

/** Returns the transfers of a transaction without those that are small beside its largest. */
export function large<T extends Pick<Moved, 'amount'>>(together: readonly T[]): T[] {
  const most = together.reduce((largest, { amount }) => Math.max(largest, Number(amount)), 0);
  return together.filter(({ amount }) => Number(amount) >= LARGE_SHARE * most);
}

/** Transactions with more arcs in one asset are batches for many parties. */
export const ARCS_MAX = 400;

/**
 * Returns what is left (null: nothing) of the transfers of whole transactions without what went round in them, in one asset: over
 * any number of parties it comes back to where it was, so that no balance changes. Between two parties first, then in a fixed order.
 */
export function withoutRounds<T extends Moved>(
  transfers: readonly T[],
  assetOf: (transfer: T) => string,
): Map<T, T | null> {
  const left = new Map<T, T | null>();
  const moved = transfers.filter(({ from, to }) => from !== to && !isCoinJoin(from) && !isCoinJoin(to));
  for (const together of groupBy(moved, (one) => `${one.txHash} ${assetOf(one)}`).values()) {
    const every = groupBy(together, ({ from, to }) => `${from} ${to}`);
    const byArc = every.size > ARCS_MAX ? groupBy(large(together), ({ from, to }) => `${from} ${to}`) : every;
    if (byArc.size > ARCS_MAX) continue;
    const decimals = together.reduce((most, { amount }) => Math.max(most, fractionDigits(amount)), 0);
    const arcs = [...byArc.values()].map((part): Arc => {
      const [{ from, to }] = part as [T];
      return { from, to, units: part.reduce((sum, { amount }) => sum + parseUnits(amount, decimals), 0n), gone: 0n };
    });
    arcs.sort((a, b) => compare(a.from, b.from) || compare(a.to, b.to));
    for (const arc of arcs) {
      const back = arcs.find(({ from, to }) => from === arc.to && to === arc.from);
      if (back) takeRound([arc, back]);
    }
    for (let round = roundIn(arcs); round.length > 0; round = roundIn(arcs)) takeRound(round);
    for (const { from, to, gone } of arcs) {
      if (gone > 0n) cancel(byArc.get(`${from} ${to}`) as T[], gone, { decimals, left });
    }
  }
  return left;
}

/** All that one party paid another in a transaction, and how much of it went round. */
interface Arc {
  from: string;
  to: string;
  units: bigint;
  gone: bigint;
}

function takeRound(round: readonly Arc[]): void {
  const [{ units: least }] = round.toSorted((a, b) => (a.units < b.units ? -1 : 1)) as [Arc];
  for (const arc of round) {
    arc.units -= least;
    arc.gone += least;
  }
}

/** The arcs of a way that ends where it began; empty without any. */
function roundIn(arcs: readonly Arc[]): Arc[] {
  const onward = groupBy(
    arcs.filter(({ units }) => units > 0n),
    ({ from }) => from,
  );
  const done = new Set<string>();
  for (const start of onward.keys()) {
    const way: Arc[] = [];
    const nextOf = new Map<string, number>();
    let here: string | undefined = done.has(start) ? undefined : start;
    while (here !== undefined) {
      const place = nextOf.get(here) ?? 0;
      nextOf.set(here, place + 1);
      const arc = onward.get(here)?.[place];
      if (!arc) {
        done.add(here);
        here = way.pop()?.from;
        continue;
      }
      if (done.has(arc.to)) continue;
      way.push(arc);
      const began = way.findIndex(({ from }) => from === arc.to);
      if (began !== -1) return way.slice(began);
      here = arc.to;
    }
  }
  return [];
}

function cancel<T extends Moved>(
  part: T[],
  most: bigint,
  { decimals, left }: { decimals: number; left: Map<T, T | null> },
): void {
  let open = most;
  for (const one of part.sort((a, b) => (a.seq ?? 0) - (b.seq ?? 0) || compare(a.id, b.id))) {
    if (open === 0n) return;
    const units = parseUnits(one.amount, decimals);
    const rest = units > open ? units - open : 0n;
    open -= units - rest;
    const usd = one.usd === null ? null : (one.usd * Number(rest)) / Number(units);
    left.set(one, rest === 0n ? null : { ...one, amount: formatUnits(rest, decimals), usd });
  }
}
