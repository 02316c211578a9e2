import { rounded } from '../../domain/amount.ts';
import { DAY_MS, HOUR_MS } from '../../domain/time.ts';
import { amountsOf } from '../exposure/share-of-flow.ts';
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
      return [
        {
          severity: high ? 'HIGH' : 'MEDIUM',
          variant: forwarded > 0 ? 'forwarded' : 'kept',
          ...(isRecurring(window.weeks)
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

/** True where so many senders pay in week after week, as the customers of a business do. */
function isRecurring(weeks: ReadonlySet<number>): boolean {
  const { recurring_weeks, recurring_days } = RULES.fan_in;
  const lasts = (Math.max(...weeks) - Math.min(...weeks)) * 7 >= recurring_days;
  return weeks.size >= recurring_weeks && lasts;
}
