import { movementsOf } from '../../ledger/payments.ts';
import { RULES } from '../../rules.ts';
import { type Detector, rounded } from '../detector.ts';

/** Single payments that are large in themselves and among the largest of the subject. */
export const largeTransfer: Detector = {
  id: 'large_transfer',
  family: 'behaviour',
  exemptService: true,
  detect({ payments }) {
    const rule = RULES.large_transfer;
    if (payments.length === 0) return [];
    const sizes = Float64Array.from(payments, (payment) => payment.usd).sort();
    const percentile = sizes[Math.ceil(rule.percentile * sizes.length) - 1]!;
    const large = payments.filter((payment) => payment.usd >= Math.max(rule.low_usd, percentile));
    const largest = sizes.at(-1)!;
    if (large.length === 0) return [];
    return [
      {
        severity: largest >= rule.high_usd ? 'HIGH' : largest >= rule.medium_usd ? 'MEDIUM' : 'LOW',
        thresholds: rule,
        measured: { transfers: large.length, largest_usd: rounded(largest), percentile_usd: rounded(percentile) },
        movements: movementsOf(large),
      },
    ];
  },
};
