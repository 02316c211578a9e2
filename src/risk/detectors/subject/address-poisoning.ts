import { rounded } from '../../../domain/amount.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { sharedEnds } from '../../poisoning/lookalike.ts';
import { findBaits } from '../../poisoning/poisoning.ts';
import { RULES } from '../../rules.ts';
import type { Detector, Finding } from '../detector.ts';

/**
 * Somebody baits the subject with addresses that look like its real counterparties: a warning to the victim. Or the
 * subject itself is such an address.
 */
export const addressPoisoning: Detector = {
  id: 'address_poisoning',
  family: 'poisoning_contract',
  exemptService: true,
  detect: (ledger) => [...asVictim(ledger), ...asBait(ledger)],
};

function asVictim(ledger: Ledger): Finding[] {
  const baits = findBaits(ledger);
  const worst = baits.reduce((a, b) => (b.points > a.points ? b : a), baits[0]!);
  if (!worst) return [];
  return [
    {
      // A warning: who only receives bait did nothing.
      severity: 'LOW',
      role: 'victim',
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
}

function asBait({ mimicry, subject }: Ledger): Finding[] {
  const [first] = mimicry;
  if (!first) return [];
  const { victim, genuine, kind } = first;
  const transfers = mimicry.flatMap(({ baits }) => baits);
  return [
    {
      severity: 'CRITICAL',
      variant: 'bait',
      thresholds: RULES.address_poisoning,
      measured: {
        victims: new Set(mimicry.map((one) => one.victim)).size,
        baits: transfers.length,
        victim,
        genuine,
        ...sharedEnds(subject.chain, subject.address, genuine),
        kind,
      },
      movements: [],
      transfers,
    },
  ];
}
