import { rounded } from '../../domain/amount.ts';
import { FULL_BASIS } from '../rules.ts';
import type { Detector } from '../views/detector.ts';

/** Money from, or to, further away than is followed, by a way that launderers take: nothing says that it is clean. */
export const beyondReach: Detector = {
  id: 'beyond_reach',
  family: 'indirect_exposure',
  indicator: 'funds',
  exemptService: true,
  detect(ledger) {
    const suspect = ledger.beyond.filter(({ isSuspect }) => isSuspect);
    return suspect.map(({ direction, usd, share, hops, evidence, counterparties, span }) => ({
      severity: 'MEDIUM',
      variant: direction,
      thresholds: FULL_BASIS,
      measured: { usd: rounded(usd), share: rounded(share), hops },
      movements: [],
      elsewhere: { evidence, counterparties, ways: [], span },
    }));
  },
};
