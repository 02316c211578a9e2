import { rounded } from '../../domain/amount.ts';
import { groupBy } from '../../domain/group-by.ts';
import { HOUR_MS } from '../../domain/time.ts';
import type { Severity } from '../detection.ts';
import { amountsOf } from '../exposure/share-of-flow.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Payment } from '../ledger/movements.ts';
import { between, movementsOf, spanMinutes, totalUsd } from '../ledger/payments.ts';
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
        const run = longestRun(inBand);
        if (run.payments.length < RULES.structuring.transfers) return [];
        const { direction } = inBand[0]!;
        pairs ??= groupBy(ledger.payments, partyOf);
        looks ??= windowsIn(pairs.values());
        const tried = between(pairs.get(party)!, run.payments[0]!.at, run.payments.at(-1)!.at);
        // Who openly pays larger sums to the same party avoids no limit.
        if (totalUsd(run.payments) < RULES.structuring.window_share * totalUsd(tried)) return [];
        // What missed the band in between counts against the finding as a try, and not a second time for it.
        const others = { hits: hits[direction] - run.payments.length, of: all[direction] - tried.length };
        return toFinding(limit, { run, tries: tried.length, others, looks: looks[direction] * known.length });
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

interface Run {
  payments: Payment[];
  hours: number;
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

/** Most payments of at least one in the slow window; stated as the fast one when they all fit into it. */
function longestRun(payments: readonly Payment[]): Run {
  const { fast_hours, slow_hours } = RULES.structuring;
  let [from, to] = [0, 0];
  let start = 0;
  for (let end = 0; end < payments.length; end++) {
    while (payments[start]!.at < payments[end]!.at - slow_hours * HOUR_MS) start++;
    if (end - start > to - from) [from, to] = [start, end];
  }
  const best = payments.slice(from, to + 1);
  const span = best.at(-1)!.at - best[0]!.at;
  return { payments: best, hours: span <= fast_hours * HOUR_MS ? fast_hours : slow_hours };
}

/**
 * `tries`: payments to the party from the first to the last of the run; `others`: all payments but those; `looks`: windows that
 * could have been reported, for each limit (Bonferroni).
 */
function toFinding(
  limit: Limit,
  { run, tries, others, looks }: { run: Run; tries: number; others: { hits: number; of: number }; looks: number },
): Finding[] {
  const rule = RULES.structuring;
  const expected = (others.hits + rule.prior_share * rule.prior_weight) / (others.of + rule.prior_weight);
  const chance = Math.min(1, looks * chanceOfAtLeast(run.payments.length, tries, expected));
  if (chance >= rule.chance_max) return [];
  const severity: Severity = run.payments.length >= rule.high_transfers ? 'HIGH' : 'MEDIUM';
  return [
    {
      severity,
      variant: run.payments[0]!.direction === 'out' ? 'sent' : 'received',
      thresholds: { ...rule, limits_usd: [...rule.limits_usd], limits_jpy: [...rule.limits_jpy] },
      measured: {
        limit: limit.name,
        transfers: run.payments.length,
        minutes: spanMinutes(run.payments),
        usd: rounded(totalUsd(run.payments)),
        amounts: amountsOf(movementsOf(run.payments)),
        expected_share: rounded(expected),
        chance,
      },
      movements: movementsOf(run.payments),
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
