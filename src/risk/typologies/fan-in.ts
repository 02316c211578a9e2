import { rounded } from '../../domain/amount.ts';
import { groupBy } from '../../domain/group-by.ts';
import { DAY_MS, HOUR_MS } from '../../domain/time.ts';
import { amountsOf } from '../exposure/share-of-flow.ts';
import type { Payment } from '../ledger/movements.ts';
import { densestWindow } from '../ledger/payment-windows.ts';
import { between, movementsOf, received, sent, spanMinutes, totalUsd, withService } from '../ledger/payments.ts';
import { RULES } from '../rules.ts';
import type { Detector } from '../views/detector.ts';

/** Many unrelated senders pay into the subject, none of them most of it. */
export const fanIn: Detector = {
  id: 'fan_in',
  family: 'structural',
  indicator: 'patterns',
  exemptService: true,
  exemptContract: true,
  detect(ledger) {
    const rule = RULES.fan_in;
    const payments = received(ledger).filter((p) => p.usd >= rule.each_from_usd && !withService(ledger, p));
    const windows = [
      { hours: rule.fast_hours, senders: rule.fast_senders },
      { hours: rule.slow_hours, senders: rule.slow_senders },
    ];
    for (const { hours, senders } of windows) {
      const windowMs = hours * HOUR_MS;
      const limits = { totalFromUsd: rule.total_from_usd, topShareMax: rule.top_sender_share_max };
      const window = densestWindow(payments, { windowMs, parties: senders, ...limits });
      if (!window) continue;
      const start = window.payments[0]!.at;
      const last = window.payments.at(-1)!.at;
      const sentBy = (end: number) => rounded(totalUsd(between(sent(ledger), start, end)) / window.usd);
      const forwarded = sentBy(last + windowMs);
      const isKept = sentBy(last + rule.kept_days * DAY_MS) < rule.kept_share_below;
      const high = window.parties >= rule.high_senders || forwarded >= rule.high_forwarded_share;
      // A business has suppliers and staff; a mule that lasts is given another wallet each time.
      const isBusiness = isRecurring(window.weeks) && (isKept || freshShare(sent(ledger)) < rule.fresh_share);
      return [
        {
          severity: high ? 'HIGH' : 'MEDIUM',
          variant: forwarded > 0 ? 'forwarded' : 'kept',
          ...(isBusiness
            ? { suppressedBy: 'recurring_business' as const }
            : isKept
              ? { suppressedBy: 'kept' as const }
              : {}),
          thresholds: rule,
          measured: {
            senders: window.parties,
            minutes: spanMinutes(window.payments),
            usd: rounded(window.usd),
            amounts: amountsOf(movementsOf(window.payments)),
            top_sender_share: rounded(window.topShare),
            forwarded_share: Math.min(1, forwarded),
          },
          movements: movementsOf(window.payments),
        },
      ];
    }
    return [];
  },
};

/** True where payments come in week after week, as from the customers of a business. */
function isRecurring(weeks: ReadonlySet<number>): boolean {
  const { recurring_weeks, recurring_days } = RULES.fan_in;
  const lasts = (Math.max(...weeks) - Math.min(...weeks)) * 7 >= recurring_days;
  return weeks.size >= recurring_weeks && lasts;
}

/** The part (0-1) of what was paid that went to receivers who were paid within some days alone. */
function freshShare(payments: readonly Payment[]): number {
  const freshMs = RULES.fan_in.fresh_days * DAY_MS;
  const byOwner = [...groupBy(payments, ({ owner }) => owner).values()];
  const fresh = byOwner.filter((paid) => paid.at(-1)!.at - paid[0]!.at <= freshMs);
  return totalUsd(fresh.flat()) / totalUsd(payments);
}
