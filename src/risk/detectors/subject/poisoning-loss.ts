import { sumUsd } from '../../ledger/ledger.ts';
import { findBaits } from '../../poisoning/poisoning.ts';
import { RULES } from '../../rules.ts';
import { type Detector, rounded } from '../detector.ts';

/** After a bait the subject paid the look-alike. */
export const poisoningLoss: Detector = {
  id: 'poisoning_loss',
  family: 'poisoning_contract',
  detect(ledger) {
    const baitedAt = new Map<string, number>();
    for (const { lookalike, transfer } of findBaits(ledger)) {
      if (!baitedAt.has(lookalike)) baitedAt.set(lookalike, transfer.at);
    }
    const lost = ledger.movements.filter(
      (m) =>
        m.direction === 'out' &&
        (m.usd ?? 0) >= RULES.address_poisoning.loss_from_usd &&
        m.at > (baitedAt.get(m.counterparty) ?? Number.POSITIVE_INFINITY),
    );
    if (lost.length === 0) return [];
    return [
      {
        severity: 'CRITICAL',
        thresholds: RULES.address_poisoning,
        measured: { transfers: lost.length, usd: rounded(sumUsd(lost, 'out')), lookalike: lost[0]!.counterparty },
        movements: lost,
      },
    ];
  },
};
