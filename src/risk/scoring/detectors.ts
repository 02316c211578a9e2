import { dormantReactivation } from '../detectors/behaviour/dormant-reactivation.ts';
import { highVelocity } from '../detectors/behaviour/high-velocity.ts';
import { largeTransfer } from '../detectors/behaviour/large-transfer.ts';
import { mlAnomaly } from '../detectors/behaviour/ml-anomaly.ts';
import { newAddressLargeInflow } from '../detectors/behaviour/new-address-large-inflow.ts';
import type { Detector } from '../detectors/detector.ts';
import { CATEGORY_EXPOSURES } from '../detectors/exposure/category-exposure.ts';
import { cexCashOut } from '../detectors/exposure/cex-cash-out.ts';
import { chainHopping } from '../detectors/exposure/chain-hopping.ts';
import { gamblingExposure } from '../detectors/exposure/gambling-exposure.ts';
import { indirectExposure, sanctionsIndirect } from '../detectors/exposure/indirect-exposure.ts';
import { sanctionsDirect } from '../detectors/exposure/sanctions-direct.ts';
import { cycle } from '../detectors/flow/cycle.ts';
import { fanIn } from '../detectors/flow/fan-in.ts';
import { fanOut } from '../detectors/flow/fan-out.ts';
import { gatherScatter } from '../detectors/flow/gather-scatter.ts';
import { passThrough } from '../detectors/flow/pass-through.ts';
import { PATTERNS_AROUND } from '../detectors/flow/patterns-around.ts';
import { peelChain } from '../detectors/flow/peel-chain.ts';
import { rapidDistribution } from '../detectors/flow/rapid-distribution.ts';
import { structuring } from '../detectors/flow/structuring.ts';
import { washTrading } from '../detectors/flow/wash-trading.ts';
import { addressPoisoning } from '../detectors/subject/address-poisoning.ts';
import { highFeeLoss } from '../detectors/subject/high-fee-loss.ts';
import { knownMalicious } from '../detectors/subject/known-malicious.ts';
import { poisoningLoss } from '../detectors/subject/poisoning-loss.ts';
import { privacyAsset } from '../detectors/subject/privacy-asset.ts';
import { sanctionsSelf } from '../detectors/subject/sanctions-self.ts';
import { subjectCategory } from '../detectors/subject/subject-category.ts';

/** Every detector, in the order in which equally severe detections are listed. */
export const DETECTORS: readonly Detector[] = [
  sanctionsSelf,
  subjectCategory,
  knownMalicious,
  sanctionsDirect,
  sanctionsIndirect,
  ...CATEGORY_EXPOSURES,
  indirectExposure,
  poisoningLoss,
  addressPoisoning,
  fanIn,
  rapidDistribution,
  fanOut,
  gatherScatter,
  passThrough,
  cycle,
  peelChain,
  ...PATTERNS_AROUND,
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

const FAMILY = new Map(DETECTORS.map(({ id, family }) => [id, family]));

/** The family that a stored detection counts in; null for one of a rule set that had more detectors. */
export function detectorFamily(detectorId: string): Detector['family'] | null {
  return FAMILY.get(detectorId) ?? null;
}
