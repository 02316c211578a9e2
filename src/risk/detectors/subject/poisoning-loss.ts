import { rounded } from '../../../domain/amount.ts';
import { paidToLookalikes } from '../../exposure/losses.ts';
import { amountsOf } from '../../exposure/share-of-flow.ts';
import { sumDirectionUsd } from '../../ledger/movements.ts';
import { RULES, VICTIM } from '../../rules.ts';
import type { Detector } from '../detector.ts';

/** After a bait the subject paid the look-alike: a loss. */
export const poisoningLoss: Detector = {
  id: 'poisoning_loss',
  family: 'poisoning_contract',
  detect(ledger) {
    const lost = paidToLookalikes(ledger);
    if (lost.length === 0) return [];
    const usd = sumDirectionUsd(lost, 'out');
    return [
      {
        severity: usd < VICTIM.low_below_usd ? 'LOW' : 'MEDIUM',
        role: 'victim',
        thresholds: { ...RULES.address_poisoning, low_below_usd: VICTIM.low_below_usd },
        measured: {
          transfers: lost.length,
          usd: rounded(usd),
          amounts: amountsOf(lost),
          lookalike: lost[0]!.counterparty,
        },
        movements: lost,
      },
    ];
  },
};
