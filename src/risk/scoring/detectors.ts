import { rounded } from '../../domain/amount.ts';
import { mlAnomaly } from '../anomaly/anomaly.ts';
import { accomplice } from '../exposure/accomplice.ts';
import { addressPoisoning, poisoningLoss } from '../exposure/address-poisoning.ts';
import { CATEGORY_EXPOSURES, gamblingExposure } from '../exposure/category-exposure.ts';
import { coSpentWithListed } from '../exposure/co-spending.ts';
import { indirectExposure, sanctionsIndirect } from '../exposure/indirect-exposure.ts';
import { knownMalicious, sanctionsSelf, subjectCategory } from '../exposure/own-labels.ts';
import { sanctionsDirect } from '../exposure/sanctions-direct.ts';
import { sharedLayer } from '../exposure/shared-layer.ts';
import { FULL_BASIS } from '../rules.ts';
import { cexCashOut } from '../typologies/cex-cash-out.ts';
import { chainHopping } from '../typologies/chain-hopping.ts';
import { highFeeLoss, privacyAsset } from '../typologies/conversions.ts';
import { cycle } from '../typologies/cycle.ts';
import { fanOut, rapidDistribution } from '../typologies/distribution.ts';
import { dormantReactivation } from '../typologies/dormant-reactivation.ts';
import { fanIn } from '../typologies/fan-in.ts';
import { gatherScatter } from '../typologies/gather-scatter.ts';
import { highVelocity } from '../typologies/high-velocity.ts';
import { largeTransfer } from '../typologies/large-transfer.ts';
import { newAddressLargeInflow } from '../typologies/new-address-large-inflow.ts';
import { passThrough } from '../typologies/pass-through.ts';
import { peelChain } from '../typologies/peel-chain.ts';
import { relayChain } from '../typologies/relay-chain.ts';
import { scatterGather } from '../typologies/scatter-gather.ts';
import { structuring } from '../typologies/structuring.ts';
import { washTrading } from '../typologies/wash-trading.ts';
import type { AroundDetector, Detector, Indicator } from '../views/detector.ts';
import { aroundSubject } from './patterns-around.ts';

/** Money from, or to, further away than is followed, by a way that launderers take: nothing says that it is clean. */
const beyondReach: Detector = {
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

/** Those of several addresses, which a trace looks for around its subject. */
export const AROUND: readonly AroundDetector[] = [
  scatterGather,
  relayChain,
  cycle,
  peelChain,
  gatherScatter,
  passThrough,
];

/** Every detector, in the order in which equally severe detections are listed. */
export const DETECTORS: readonly Detector[] = [
  sanctionsSelf,
  subjectCategory,
  knownMalicious,
  sanctionsDirect,
  sanctionsIndirect,
  ...CATEGORY_EXPOSURES,
  coSpentWithListed,
  accomplice,
  sharedLayer,
  indirectExposure,
  beyondReach,
  poisoningLoss,
  addressPoisoning,
  fanIn,
  rapidDistribution,
  fanOut,
  gatherScatter,
  passThrough,
  cycle,
  peelChain,
  ...AROUND.map(aroundSubject),
  washTrading,
  structuring,
  largeTransfer,
  highVelocity,
  dormantReactivation,
  newAddressLargeInflow,
  cexCashOut,
  chainHopping,
  highFeeLoss,
  privacyAsset,
  gamblingExposure,
  mlAnomaly,
];

const BY_ID = new Map(DETECTORS.map((detector) => [detector.id, detector]));

/** The family that a stored detection counts in; null for one of a rule set that had more detectors. */
export function detectorFamily(detectorId: string): Detector['family'] | null {
  return BY_ID.get(detectorId)?.family ?? null;
}

/** Null for the losses of a victim, and for a detector that the rule set no longer has. */
export function indicatorOf(detectorId: string): Indicator | null {
  return BY_ID.get(detectorId)?.indicator ?? null;
}
