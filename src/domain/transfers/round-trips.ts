import { formatUnits, fractionDigits, parseUnits } from '../amount.ts';
import { isCoinJoin } from '../coinjoin/pot.ts';
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
