import type { DetectionWords } from '../../src/words/en/detections.ts';
import type { PackageWords } from '../../src/words/en/reports/package.ts';

type Indicator = keyof PackageWords['indicatorGroups'];

/** Heading of the FATF's red flags for virtual assets (2020) that a detection belongs to; null for the losses of a victim. */
const INDICATORS: Record<keyof DetectionWords['names'], Indicator | null> = {
  structuring: 'transactions',
  large_transfer: 'transactions',
  high_velocity: 'transactions',
  new_address_large_inflow: 'transactions',
  cex_cash_out: 'transactions',
  high_fee_loss: 'transactions',
  fan_in: 'patterns',
  fan_out: 'patterns',
  rapid_distribution: 'patterns',
  gather_scatter: 'patterns',
  scatter_gather: 'patterns',
  pass_through: 'patterns',
  relay_chain: 'patterns',
  peel_chain: 'patterns',
  cycle: 'patterns',
  wash_trading: 'patterns',
  dormant_reactivation: 'patterns',
  ml_anomaly: 'patterns',
  mixer_exposure: 'anonymity',
  chain_hopping: 'anonymity',
  privacy_asset: 'anonymity',
  sanctions_self: 'parties',
  subject_category: 'parties',
  known_malicious: 'parties',
  sanctions_direct: 'funds',
  sanctions_indirect: 'funds',
  darknet_exposure: 'funds',
  drainer_exposure: 'funds',
  scam_exposure: 'funds',
  theft_exposure: 'funds',
  ransomware_exposure: 'funds',
  terrorism_exposure: 'funds',
  child_abuse_exposure: 'funds',
  high_risk_exchange_exposure: 'funds',
  indirect_exposure: 'funds',
  gambling_exposure: 'funds',
  co_spent_with_listed: 'parties',
  accomplice: 'parties',
  poisoning_loss: null,
  address_poisoning: null,
};

/** Null for the losses of a victim, and for a detector that the rule set no longer has. */
export function indicatorOf(detectorId: string): Indicator | null {
  return (INDICATORS as Partial<Record<string, Indicator | null>>)[detectorId] ?? null;
}
