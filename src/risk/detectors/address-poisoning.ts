import { type Detector, rounded } from '../detector.ts';
import { findBaits } from '../poisoning.ts';
import { RULES } from '../rules.ts';

/** Somebody baits the subject with addresses that look like its real counterparties: a warning to the victim. */
export const addressPoisoning: Detector = {
  id: 'address_poisoning',
  family: 'poisoning_contract',
  exemptService: true,
  detect(ledger) {
    const baits = findBaits(ledger);
    const worst = baits.reduce((a, b) => (b.points > a.points ? b : a), baits[0]!);
    if (!worst) return [];
    return [
      {
        severity: 'HIGH',
        thresholds: RULES.address_poisoning,
        measured: {
          baits: baits.length,
          lookalike: worst.lookalike,
          genuine: worst.genuine,
          prefix: worst.prefix,
          suffix: worst.suffix,
          kind: worst.kind,
          points: rounded(worst.points),
        },
        movements: [],
        transfers: baits.map((bait) => bait.transfer),
      },
    ];
  },
};
