import { rounded } from '../../domain/amount.ts';
import { DAY_MS, HOUR_MS } from '../../domain/time.ts';
import { amountsOf } from '../exposure/share-of-flow.ts';
import { densestWindow } from '../ledger/payment-windows.ts';
import { between, movementsOf, received, sent, spanMinutes, totalUsd } from '../ledger/payments.ts';
import { RULES } from '../rules.ts';
import type { Detector, Flag, Window } from '../views/detector.ts';
import { valueFigures } from '../views/window.ts';

/** Many receivers in one window; HIGH when the money had come in just before. Receivers who are paid at other times too are regulars. */
function distribution(id: 'fan_out' | 'rapid_distribution', inWindow?: Detector['inWindow']): Detector {
  const rule = RULES[id];
  return {
    id,
    family: 'structural',
    indicator: 'patterns',
    exemptService: true,
    exemptContract: true,
    ...(inWindow && { inWindow }),
    detect(ledger) {
      const payments = sent(ledger);
      const window = densestWindow(
        payments.filter((payment) => payment.usd >= rule.each_from_usd),
        { windowMs: rule.hours * HOUR_MS, parties: rule.receivers, totalFromUsd: rule.total_from_usd },
      );
      if (!window) return [];
      const start = window.payments[0]!.at;
      const end = window.payments.at(-1)!.at;
      const before = between(received(ledger), start - DAY_MS, end);
      const funded = rounded(totalUsd(before) / window.usd);
      const apartMs = rule.recurring_days * DAY_MS;
      const otherTimes = payments.filter(({ at }) => at < start - apartMs || at > end + apartMs);
      const regulars = new Set(otherTimes.map(({ owner }) => owner));
      const receivers = new Set(window.payments.map((payment) => payment.owner));
      const recurring = [...receivers].filter((owner) => regulars.has(owner)).length / receivers.size;
      return [
        {
          severity: funded >= rule.high_funded_share ? 'HIGH' : 'MEDIUM',
          ...(recurring >= rule.recurring_share ? { suppressedBy: 'recurring_recipients' as const } : {}),
          thresholds: rule,
          measured: {
            receivers: window.parties,
            minutes: spanMinutes(window.payments),
            usd: rounded(window.usd),
            amounts: amountsOf(movementsOf(window.payments)),
            funded_share: Math.min(1, funded),
            recurring_share: rounded(recurring),
          },
          movements: movementsOf(window.payments),
        },
      ];
    },
  };
}

/** Many receivers within a day. */
export const fanOut = distribution('fan_out');

/** Many receivers within an hour. */
export const rapidDistribution = distribution('rapid_distribution', rapidDistributionInWindow);

/** Senders to ten receivers within an hour or to twenty within a day, by the detectors of a scan. */
function rapidDistributionInWindow(window: Window): Flag[] {
  const senders = new Set(window.valued.map(({ from }) => from));
  return [...senders].flatMap((address): Flag[] => {
    const [finding] = [rapidDistribution, fanOut].flatMap((detector) => window.findingsOf(address, detector));
    if (!finding) return [];
    const { receivers, minutes, usd } = finding.measured;
    return [
      {
        address,
        pattern: 'rapid_distribution',
        severity: finding.severity,
        measured: { receivers: receivers!, minutes: minutes!, ...valueFigures(window, Number(usd)) },
        transfers: finding.movements.map(({ transfer }) => transfer),
      },
    ];
  });
}
