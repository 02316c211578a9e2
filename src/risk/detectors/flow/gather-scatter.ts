import { rounded } from '../../../domain/amount.ts';
import { amountsOf } from '../../exposure/share-of-flow.ts';
import { movementsOf, received, sent, spanMinutes, withService } from '../../ledger/payments.ts';
import { RULES } from '../../rules.ts';
import { gatheredScattered } from '../../shapes/gathered-scattered.ts';
import type { Detector } from '../detector.ts';

/** Several senders pay in, then about the same sum goes out to several others, who are not those always paid. */
export const gatherScatter: Detector = {
  id: 'gather_scatter',
  family: 'structural',
  exemptService: true,
  exemptContract: true,
  detect(ledger) {
    const rule = RULES.gather_scatter;
    const ins = received(ledger).filter((payment) => !withService(ledger, payment));
    const found = gatheredScattered(ins, sent(ledger), rule);
    if (!found) return [];
    return [
      {
        severity: 'HIGH',
        ...(found.recurringShare >= rule.recurring_share ? { suppressedBy: 'recurring_recipients' as const } : {}),
        thresholds: rule,
        measured: {
          senders: found.senders,
          receivers: found.receivers,
          minutes: spanMinutes([...found.gathered, ...found.scattered]),
          usd: rounded(found.gatheredUsd),
          amounts: amountsOf(movementsOf(found.gathered)),
          passed_share: rounded(found.scatteredUsd / found.gatheredUsd),
          overlap_share: found.overlapShare,
          recurring_share: found.recurringShare,
        },
        movements: movementsOf([...found.gathered, ...found.scattered]),
      },
    ];
  },
};
