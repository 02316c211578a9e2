import type { Detector } from './detector.ts';
import { addressPoisoning } from './detectors/address-poisoning.ts';
import { cexCashOut } from './detectors/cex-cash-out.ts';
import { chainHopping } from './detectors/chain-hopping.ts';
import { cycle } from './detectors/cycle.ts';
import { darknetExposure } from './detectors/darknet-exposure.ts';
import { dormantReactivation } from './detectors/dormant-reactivation.ts';
import { drainerExposure } from './detectors/drainer-exposure.ts';
import { fanIn } from './detectors/fan-in.ts';
import { fanOut } from './detectors/fan-out.ts';
import { gamblingExposure } from './detectors/gambling-exposure.ts';
import { gatherScatter } from './detectors/gather-scatter.ts';
import { highFeeLoss } from './detectors/high-fee-loss.ts';
import { highVelocity } from './detectors/high-velocity.ts';
import { indirectExposure, sanctionsIndirect } from './detectors/indirect-exposure.ts';
import { knownMalicious } from './detectors/known-malicious.ts';
import { largeTransfer } from './detectors/large-transfer.ts';
import { mixerExposure } from './detectors/mixer-exposure.ts';
import { mlAnomaly } from './detectors/ml-anomaly.ts';
import { newAddressLargeInflow } from './detectors/new-address-large-inflow.ts';
import { passThrough } from './detectors/pass-through.ts';
import { peelChain } from './detectors/peel-chain.ts';
import { poisoningLoss } from './detectors/poisoning-loss.ts';
import { privacyAsset } from './detectors/privacy-asset.ts';
import { rapidDistribution } from './detectors/rapid-distribution.ts';
import { sanctionsDirect } from './detectors/sanctions-direct.ts';
import { sanctionsSelf } from './detectors/sanctions-self.ts';
import { scamExposure } from './detectors/scam-exposure.ts';
import { structuring } from './detectors/structuring.ts';
import { subjectCategory } from './detectors/subject-category.ts';
import { washTrading } from './detectors/wash-trading.ts';

/** Every detector, in the order in which equally severe detections are told. */
export const DETECTORS: readonly Detector[] = [
  sanctionsSelf,
  subjectCategory,
  knownMalicious,
  sanctionsDirect,
  sanctionsIndirect,
  darknetExposure,
  drainerExposure,
  scamExposure,
  mixerExposure,
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
export function familyOf(detectorId: string): Detector['family'] | null {
  return FAMILY.get(detectorId) ?? null;
}
