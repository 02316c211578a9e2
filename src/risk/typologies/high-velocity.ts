import { rounded } from '../../domain/amount.ts';
import { DAY_MS, HOUR_MS } from '../../domain/time.ts';
import { robustZ } from '../anomaly/robust-z.ts';
import { amountsOf } from '../exposure/share-of-flow.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Movement, Payment } from '../ledger/movements.ts';
import { firstOfTransactions, movementsOf, spanMinutes, totalUsd } from '../ledger/payments.ts';
import { RULES } from '../rules.ts';
import type { Detector, Finding } from '../views/detector.ts';

/** A burst of transactions far above the subject's own habit, or several large payments within a day. */
export const highVelocity: Detector = {
  id: 'high_velocity',
  family: 'behaviour',
  indicator: 'transactions',
  exemptService: true,
  exemptContract: true,
  detect(ledger) {
    return [...burst(ledger), ...largePayments(ledger.payments)];
  },
};

function burst(ledger: Ledger): Finding[] {
  const rule = RULES.high_velocity;
  const firsts = firstOfTransactions(ledger);
  if (firsts.length === 0) return [];
  const day = busiest(firsts, DAY_MS);
  const hour = busiest(firsts, HOUR_MS);
  const z = againstHabit(firsts, day.length);
  if (day.length < rule.day_transactions && hour.length < rule.hour_transactions) return [];
  if (z !== null && z <= rule.robust_z) return [];
  return [
    {
      severity: 'MEDIUM',
      variant: 'burst',
      thresholds: rule,
      measured: {
        transactions_day: day.length,
        transactions_hour: hour.length,
        robust_z: z === null ? null : rounded(z),
      },
      movements: day.length >= rule.day_transactions ? day : hour,
    },
  ];
}

/** Robust z of the busiest day among the active days; null when there are too few to know a habit. */
function againstHabit(firsts: readonly Movement[], busiestDay: number): number | null {
  const perDay = new Map<number, number>();
  for (const { at } of firsts) {
    const day = Math.floor(at / DAY_MS);
    perDay.set(day, (perDay.get(day) ?? 0) + 1);
  }
  if (perDay.size < RULES.high_velocity.baseline_days) return null;
  return robustZ(Math.log1p(busiestDay), [...perDay.values()].map(Math.log1p));
}

function largePayments(payments: readonly Payment[]): Finding[] {
  const rule = RULES.high_velocity;
  const large = payments.filter((payment) => payment.usd >= rule.large_from_usd);
  const sides = (['in', 'out'] as const).map((way) => large.filter(({ direction }) => direction === way));
  // Money that passed through counts on one side.
  const [ins, outs] = sides.map((side) => busiest(side, DAY_MS));
  const within = outs!.length > ins!.length ? outs! : ins!;
  if (within.length < rule.large_transfers) return [];
  return [
    {
      severity: 'MEDIUM',
      variant: 'large_payments',
      thresholds: rule,
      measured: {
        transfers: within.length,
        minutes: spanMinutes(within),
        usd: rounded(totalUsd(within)),
        amounts: amountsOf(movementsOf(within)),
      },
      movements: movementsOf(within),
    },
  ];
}

function busiest<T extends { at: number }>(items: readonly T[], windowMs: number): T[] {
  let [from, to] = [0, 0];
  let start = 0;
  for (let end = 0; end < items.length; end++) {
    while (items[start]!.at < items[end]!.at - windowMs) start++;
    if (end + 1 - start > to - from) [from, to] = [start, end + 1];
  }
  return items.slice(from, to);
}
