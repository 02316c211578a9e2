import { rounded } from '../../../domain/amount.ts';
import { amountsOf } from '../../exposure/share-of-flow.ts';
import { taintedShareOf } from '../../exposure/taint.ts';
import { largerSide, movementsOf } from '../../ledger/payments.ts';
import { PATTERN_MONEY, RULES } from '../../rules.ts';
import { atMost } from '../../severity.ts';
import type { Detector } from '../detector.ts';

/** Single payments that are large in themselves and among the largest of the subject. */
export const largeTransfer: Detector = {
  id: 'large_transfer',
  family: 'behaviour',
  exemptService: true,
  detect(ledger) {
    const { payments } = ledger;
    const rule = RULES.large_transfer;
    if (payments.length === 0) return [];
    const sizes = Float64Array.from(payments, (payment) => payment.usd).sort();
    const percentile = sizes[Math.ceil(rule.percentile * sizes.length) - 1]!;
    const fromUsd = Math.max(rule.low_usd, percentile);
    const large = largerSide(payments.filter((payment) => payment.usd >= fromUsd));
    if (large.length === 0) return [];
    const largest = large.reduce((most, payment) => (payment.usd > most.usd ? payment : most));
    const { usd, direction } = largest;
    const graded = usd >= rule.high_usd ? 'HIGH' : usd >= rule.medium_usd ? 'MEDIUM' : 'LOW';
    const { tainted_share } = PATTERN_MONEY;
    const taintedShare = taintedShareOf(ledger, movementsOf(large));
    return [
      {
        severity: taintedShare >= tainted_share ? graded : atMost(graded, 'MEDIUM'),
        thresholds: { ...rule, tainted_share, untainted_at_most: 'MEDIUM' },
        measured: {
          transfers: large.length,
          more: large.length - 1,
          from_usd: rounded(fromUsd),
          direction: direction === 'in' ? 'received' : 'sent',
          usd: rounded(usd),
          amounts: amountsOf(largest.movements),
          largest_usd: rounded(usd),
          percentile_usd: rounded(percentile),
          tainted_share: rounded(taintedShare),
        },
        movements: movementsOf(large),
      },
    ];
  },
};
