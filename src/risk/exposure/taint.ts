import { rounded } from '../../domain/amount.ts';
import { isLawfulService } from '../../domain/label.ts';
import { atMost, oneHigher, oneLower, type Severity } from '../detection.ts';
import { type Ledger, perLedger } from '../ledger/ledger.ts';
import { type Movement, usdOf } from '../ledger/movements.ts';
import { circledUsd } from '../ledger/payments.ts';
import { PATTERN_MONEY } from '../rules.ts';
import { illicitMovements, isIllicit, isIllicitFact } from './exposed-movements.ts';
import { losses } from './losses.ts';
import { indirectFacts, shareOfFlow } from './share-of-flow.ts';

/** Parts of the subject's received money that are known to come from crime, and from lawful services; shares 0-1. */
export interface Origins {
  taintedShare: number;
  taintedUsd: number;
  cleanShare: number;
}

/** Direct and indirect, sanctions included. */
export const origins = perLedger((ledger: Ledger): Origins => {
  const tainted = shareOfFlow(ledger, illicitMovements(ledger, 'in'), 'in');
  const clean = shareOfFlow(
    ledger,
    ledger.movements.filter((movement) => movement.direction === 'in' && isFromService(ledger, movement)),
    'in',
  );
  const sums: Origins = { taintedShare: tainted.share, taintedUsd: tainted.usd, cleanShare: clean.share };
  for (const fact of indirectFacts(ledger)) {
    const { direction, category, share, usd } = fact;
    if (direction !== 'received') continue;
    if (isIllicitFact(fact)) {
      sums.taintedShare += share;
      sums.taintedUsd += usd;
    } else if (isLawfulService(category)) sums.cleanShare += share;
  }
  // What went in a ring has no clean end: it is what a pattern is about.
  const withCircles = clean.ofUsd > 0 ? clean.ofUsd / (clean.ofUsd + circledUsd(ledger)) : 1;
  return {
    taintedShare: rounded(Math.min(1, sums.taintedShare)),
    taintedUsd: sums.taintedUsd,
    cleanShare: rounded(Math.min(1, sums.cleanShare) * withCircles),
  };
});

/** The tainted share of money that moved in a pattern: of its own transfers, or of all that the subject received. */
export function taintedShareOf(ledger: Ledger, movements: readonly Movement[]): number {
  const lost = losses(ledger);
  const own = movements.filter((movement) => isIllicit(ledger, movement) && !lost.has(movement));
  const total = usdOf(movements);
  const share = total > 0 ? usdOf(own) / total : 0;
  return Math.max(origins(ledger).taintedShare, rounded(share));
}

/** Of a pattern: worse where its money is tainted, better where nearly all of it came from lawful services, else HIGH at most. */
export function severityByMoney(severity: Severity, money: Pick<Origins, 'taintedShare' | 'cleanShare'>): Severity {
  if (money.taintedShare >= PATTERN_MONEY.tainted_share) return oneHigher(severity);
  return money.cleanShare >= PATTERN_MONEY.clean_share ? oneLower(severity) : atMost(severity, 'HIGH');
}

function isFromService(ledger: Ledger, { counterparty }: Movement): boolean {
  return isLawfulService(ledger.categoryOf(counterparty));
}
