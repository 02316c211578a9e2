import { rounded } from '../../domain/amount.ts';
import type { Label } from '../../domain/label.ts';
import { SCAM_CATEGORIES } from '../../domain/scam.ts';
import { transferName } from '../../domain/transfers/transfer.ts';
import { atMost } from '../detection.ts';
import { EXPOSURE, RULES } from '../rules.ts';
import type { Detector } from '../views/detector.ts';
import { exposureSubject, isSharedTaking } from './exposed-movements.ts';
import { gradeExposure } from './grade-exposure.ts';
import { amountsOf, exposedShare } from './share-of-flow.ts';

/** Paid by victims in the transactions in which they lost money to a listed taker; inferred, so graded like crime, HIGH at most. */
export const accomplice: Detector = {
  id: 'accomplice',
  family: 'illicit_exposure',
  indicator: 'parties',
  exemptService: true,
  detect(ledger) {
    if (!ledger.accomplice) return [];
    const { taken, takers, victims } = ledger.accomplice;
    const movements = ledger.movements.filter((movement) => isSharedTaking(ledger, movement));
    const [first, last] = [movements[0], movements.at(-1)];
    if (!first || !last) return [];
    const flow = exposedShare(ledger, movements, 'in');
    const graded = gradeExposure(flow, { kind: 'illicit', direction: 'in', subject: exposureSubject(ledger) });
    return [
      {
        severity: atMost(graded, 'HIGH'),
        thresholds: { ...RULES.accomplice, ...EXPOSURE.illicit.in },
        measured: {
          usd: rounded(flow.usd),
          amounts: amountsOf(movements),
          share: flow.share,
          transfers: movements.length,
          victims,
          entities: [...new Set(takers.map((address) => nameOf(ledger.labelsOf(address)) ?? address))].sort(),
        },
        movements,
        elsewhere: {
          evidence: [...new Set([...movements.map(({ transfer }) => transferName(transfer)), ...taken])],
          counterparties: [...new Set([...takers, ...movements.map(({ counterparty }) => counterparty)])],
          ways: [],
          span: { from: first.at, to: last.at },
        },
      },
    ];
  },
};

function nameOf(labels: readonly Label[]): string | null {
  const label = labels.find(({ category }) => SCAM_CATEGORIES.includes(category));
  return label ? (label.entity ?? label.label) : null;
}
