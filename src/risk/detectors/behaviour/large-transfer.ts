import { taintedShareOf } from '../../exposure/taint.ts';
import { largerSide, movementsOf } from '../../ledger/payments.ts';
import { PATTERN_MONEY, RULES } from '../../rules.ts';
import { atMost } from '../../severity.ts';
import { type Detector, rounded } from '../detector.ts';

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
    const large = largerSide(payments.filter((payment) => payment.usd >= Math.max(rule.low_usd, percentile)));
    if (large.length === 0) return [];
    const largest = large.reduce((most, { usd }) => Math.max(most, usd), 0);
    const graded = largest >= rule.high_usd ? 'HIGH' : largest >= rule.medium_usd ? 'MEDIUM' : 'LOW';
    const isTainted = taintedShareOf(ledger, movementsOf(large)) >= PATTERN_MONEY.tainted_share;
    return [
      {
        severity: isTainted ? graded : atMost(graded, 'MEDIUM'),
        thresholds: rule,
        measured: { transfers: large.length, largest_usd: rounded(largest), percentile_usd: rounded(percentile) },
        movements: movementsOf(large),
      },
    ];
  },
};
