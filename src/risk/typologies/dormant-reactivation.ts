import { rounded } from '../../domain/amount.ts';
import { DAY_MS } from '../../domain/time.ts';
import { medianOf } from '../anomaly/robust-z.ts';
import { amountsOf } from '../exposure/share-of-flow.ts';
import { between, movementsOf, sent, spanMinutes, totalUsd } from '../ledger/payments.ts';
import { RULES } from '../rules.ts';
import type { Detector } from '../views/detector.ts';

/** A subject that sent nothing for half a year or more sends out much of what it holds. */
export const dormantReactivation: Detector = {
  id: 'dormant_reactivation',
  family: 'behaviour',
  indicator: 'patterns',
  exemptService: true,
  needsFullHistory: true,
  detect(ledger) {
    const rule = RULES.dormant_reactivation;
    const outs = sent(ledger);
    const actions = ledger.movements.filter((movement) => movement.direction === 'out');
    let balance = 0;
    let next = 0;
    for (const [index, action] of actions.entries()) {
      const gapDays = index === 0 ? 0 : (action.at - actions[index - 1]!.at) / DAY_MS;
      if (gapDays < rule.gap_days) continue;
      for (; next < ledger.payments.length && ledger.payments[next]!.at < action.at; next++) {
        const { direction, usd } = ledger.payments[next]!;
        balance = direction === 'in' ? balance + usd : Math.max(0, balance - usd);
      }
      const burst = between(outs, action.at, action.at + rule.outflow_days * DAY_MS);
      const usd = totalUsd(burst);
      const usual = medianOf(outs.filter((payment) => payment.at < action.at).map((payment) => payment.usd));
      const emptied = balance > 0 && rounded(usd / balance) >= rule.balance_share;
      if (usd < rule.outflow_from_usd || !(emptied || (usual > 0 && usd >= rule.median_factor * usual))) continue;
      return [
        {
          severity: gapDays >= rule.high_gap_days ? 'HIGH' : 'MEDIUM',
          thresholds: rule,
          measured: {
            gap_days: rounded(gapDays),
            usd: rounded(usd),
            amounts: amountsOf(movementsOf(burst)),
            minutes: burst.length > 1 ? spanMinutes(burst) : 0,
            balance_usd: rounded(balance),
            median_usd: rounded(usual),
          },
          movements: movementsOf(burst),
        },
      ];
    }
    return [];
  },
};
