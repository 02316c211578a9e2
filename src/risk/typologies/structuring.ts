import { rounded } from '../../domain/amount.ts';
import { groupBy } from '../../domain/group-by.ts';
import { firstAfter, HOUR_MS } from '../../domain/time.ts';
import type { Severity } from '../detection.ts';
import { amountsOf } from '../exposure/share-of-flow.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Payment } from '../ledger/movements.ts';
import { movementsOf, spanMinutes, totalUsd } from '../ledger/payments.ts';
import { RULES } from '../rules.ts';
import type { Detector, Finding } from '../views/detector.ts';

interface Limit {
  name: string;
  /** US dollars on the day; null: unknown. */
  usdAt: (at: number) => number | null;
}

/**
 * Repeated payments to one party just below a known limit, more of them than the subject's other amounts explain.
 * `chance` counts every window and limit that could have been reported, so that one odd week of a busy address is not reported.
 */
export const structuring: Detector = {
  id: 'structuring',
  family: 'behaviour',
  indicator: 'transactions',
  exemptService: true,
  detect(ledger) {
    const partyOf = (payment: Payment) => `${payment.direction} ${beneficiary(ledger, payment)}`;
    const all = countsOf(ledger.payments);
    let pairs: Map<string, Payment[]> | undefined;
    let looks: Record<Payment['direction'], number> | undefined;
    // A limit in a currency without a rate was not looked at.
    const known = limits(ledger).filter(({ usdAt }) => ledger.payments.some(({ at }) => usdAt(at) !== null));
    return known.flatMap((limit) => {
      const banded = ledger.payments.filter((payment) => isJustBelow(payment, limit));
      const hits = countsOf(banded);
      const findings = [...groupBy(banded, partyOf)].flatMap(([party, inBand]) => {
        if (inBand.length < RULES.structuring.transfers) return [];
        const { direction } = inBand[0]!;
        pairs ??= groupBy(ledger.payments, partyOf);
        looks ??= windowsIn(pairs.values());
        for (const { from, end, tries, apart } of runsIn(inBand, pairs.get(party)!, limit)) {
          const run = inBand.slice(from, end + 1);
          // What missed the band in between counts against the finding as a try, and not a second time for it.
          const others = { hits: hits[direction] - apart.hits, of: all[direction] - apart.tries };
          const found = toFinding(limit, { run, tries, others, looks: looks[direction] * known.length });
          if (found.length > 0) return found;
        }
        return [];
      });
      return findings.sort((x, y) => y.movements.length - x.movements.length).slice(0, 1);
    });
  },
};

function countsOf(payments: readonly Payment[]): Record<Payment['direction'], number> {
  const out = payments.filter((payment) => payment.direction === 'out').length;
  return { in: payments.length - out, out };
}

function limits({ usdPerYen }: Ledger): Limit[] {
  const { limits_usd, limits_jpy } = RULES.structuring;
  return [
    ...limits_usd.map((usd): Limit => ({ name: `USD ${usd}`, usdAt: () => Number(usd) })),
    ...limits_jpy.map((yen): Limit => {
      return { name: `JPY ${yen}`, usdAt: (at) => scaled(usdPerYen(at), Number(yen)) };
    }),
  ];
}

function scaled(rate: number | null, amount: number): number | null {
  return rate === null ? null : rate * amount;
}

function isJustBelow({ usd, at }: Payment, { usdAt }: Limit): boolean {
  const limit = usdAt(at);
  return limit !== null && usd >= RULES.structuring.band_share * limit && usd < limit;
}

/** The named owner of the other side where labels name it, so that several addresses of one owner count as one. */
function beneficiary(ledger: Ledger, { owner, movements }: Payment): string {
  return ledger.labelsOf(movements[0]!.counterparty).find((label) => label.entity !== null)?.entity ?? owner;
}

/**
 * Payments of a party in the band, from one to another, and all payments to it in between (`tries`). `apart` is what does not show
 * the usual: the run and, where an open payment cut it, the payments of the window around it.
 */
interface Run {
  from: number;
  end: number;
  tries: number;
  apart: { hits: number; tries: number };
}

/** Counts the windows in which a party had payments enough to be reported. */
function windowsIn(parties: Iterable<readonly Payment[]>): Record<Payment['direction'], number> {
  const { slow_hours, transfers } = RULES.structuring;
  const windows = { in: 0, out: 0 };
  for (const payments of parties) {
    for (const [i, { at, direction }] of payments.entries()) {
      const last = payments[i + transfers - 1];
      if (last && last.at - at <= slow_hours * HOUR_MS) windows[direction] += 1;
    }
  }
  return windows;
}

/**
 * The runs that may be reported, the longest first: of each number of payments the one with the fewest tries. Who openly pays
 * larger sums to the same party avoids no limit, but may begin to after any payment above it.
 */
function runsIn(inBand: readonly Payment[], toParty: readonly Payment[], limit: Limit): Run[] {
  const { slow_hours, transfers, window_share } = RULES.structuring;
  const [banded, paid] = [sumsOf(inBand), sumsOf(toParty)];
  const open = toParty.filter(({ usd, at }) => usd >= (limit.usdAt(at) ?? Number.POSITIVE_INFINITY));
  const best = new Map<number, Run>();
  let start = 0;
  for (const [end, { at }] of inBand.entries()) {
    while (inBand[start]!.at < at - slow_hours * HOUR_MS) start++;
    const lastOpen = open[firstAfter(open, at) - 1];
    for (const from of new Set([start, Math.max(start, lastOpen ? firstAfter(inBand, lastOpen.at) : 0)])) {
      const length = end + 1 - from;
      if (length < transfers) continue;
      const [first, after] = [firstAfter(toParty, inBand[from]!.at - 1), firstAfter(toParty, at)];
      const tries = after - first;
      if (banded[end + 1]! - banded[from]! < window_share * (paid[after]! - paid[first]!)) continue;
      if (tries >= (best.get(length)?.tries ?? Number.POSITIVE_INFINITY)) continue;
      const around = [at - slow_hours * HOUR_MS, inBand[from]!.at + slow_hours * HOUR_MS] as const;
      const isCut = countBetween(open, ...around) > 0;
      const apart = isCut
        ? { hits: countBetween(inBand, ...around), tries: countBetween(toParty, ...around) }
        : { hits: length, tries };
      best.set(length, { from, end, tries, apart });
    }
  }
  return [...best].sort(([x], [y]) => y - x).map(([, run]) => run);
}

function countBetween(payments: readonly Payment[], from: number, to: number): number {
  return firstAfter(payments, to) - firstAfter(payments, from - 1);
}

/** The sums of the first payments, of none to all. */
function sumsOf(payments: readonly Payment[]): number[] {
  const sums = [0];
  for (const { usd } of payments) sums.push(sums.at(-1)! + usd);
  return sums;
}

/**
 * `tries`: payments to the party from the first to the last of the run; `others`: all payments but those; `looks`: windows that
 * could have been reported, for each limit (Bonferroni).
 */
function toFinding(
  limit: Limit,
  {
    run,
    tries,
    others,
    looks,
  }: { run: readonly Payment[]; tries: number; others: { hits: number; of: number }; looks: number },
): Finding[] {
  const rule = RULES.structuring;
  const expected = (others.hits + rule.prior_share * rule.prior_weight) / (others.of + rule.prior_weight);
  const chance = Math.min(1, looks * chanceOfAtLeast(run.length, tries, expected));
  if (chance >= rule.chance_max) return [];
  const severity: Severity = run.length >= rule.high_transfers ? 'HIGH' : 'MEDIUM';
  return [
    {
      severity,
      variant: run[0]!.direction === 'out' ? 'sent' : 'received',
      thresholds: { ...rule, limits_usd: [...rule.limits_usd], limits_jpy: [...rule.limits_jpy] },
      measured: {
        limit: limit.name,
        transfers: run.length,
        minutes: spanMinutes(run),
        usd: rounded(totalUsd(run)),
        amounts: amountsOf(movementsOf(run)),
        expected_share: rounded(expected),
        chance,
      },
      movements: movementsOf(run),
    },
  ];
}

/** Binomial upper tail: the chance of `hits` or more in `tries` when each is a hit with `share`. */
function chanceOfAtLeast(hits: number, tries: number, share: number): number {
  let term = (1 - share) ** tries;
  if (term === 0) return share * tries >= hits ? 1 : 0;
  let below = 0;
  for (let k = 0; k < hits; k++) {
    below += term;
    term *= ((tries - k) / (k + 1)) * (share / (1 - share));
  }
  return Math.max(0, 1 - below);
}
