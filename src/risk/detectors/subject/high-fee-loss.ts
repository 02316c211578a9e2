import { rounded } from '../../../domain/amount.ts';
import { amountsOf } from '../../exposure/share-of-flow.ts';
import { conversions } from '../../ledger/conversions.ts';
import { sumDirectionUsd } from '../../ledger/movements.ts';
import { RULES } from '../../rules.ts';
import type { Detector } from '../detector.ts';

/** Assets are repeatedly exchanged at a marked loss. */
export const highFeeLoss: Detector = {
  id: 'high_fee_loss',
  family: 'gambling_privacy',
  exemptService: true,
  exemptContract: true,
  detect(ledger) {
    const rule = RULES.high_fee_loss;
    const losing = conversions(ledger).filter((movements) => {
      if (movements.some((movement) => movement.usd === null)) return false;
      const paid = sumDirectionUsd(movements, 'out');
      const loss = 1 - sumDirectionUsd(movements, 'in') / paid;
      return paid >= rule.each_from_usd && loss >= rule.loss_share && loss <= rule.loss_share_max;
    });
    if (losing.length < rule.conversions) return [];
    const all = losing.flat();
    const usd = sumDirectionUsd(all, 'out');
    const lost = usd - sumDirectionUsd(all, 'in');
    return [
      {
        severity: 'MEDIUM',
        thresholds: rule,
        measured: {
          conversions: losing.length,
          usd: rounded(usd),
          amounts: amountsOf(all.filter(({ direction }) => direction === 'out')),
          lost_usd: rounded(lost),
          loss_share: rounded(lost / usd),
        },
        movements: all,
      },
    ];
  },
};
