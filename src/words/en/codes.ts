import type { Category } from '../../domain/label.ts';

export type CategoryWords = Record<Exclude<Category, 'self' | 'whitelist'>, string>;

export const categories: CategoryWords = {
  sanctioned: 'sanctioned',
  darknet: 'darknet market',
  drainer: 'wallet drainer',
  scam: 'scam',
  theft: 'theft',
  ransomware: 'ransomware',
  terrorism: 'terrorism financing',
  child_abuse: 'child abuse material',
  mixer: 'mixer',
  high_risk_exchange: 'high-risk exchange',
  gambling: 'gambling',
  bridge: 'bridge',
  exchange: 'exchange',
  dex: 'dex',
  dex_router: 'dex router',
  service: 'service',
  other: 'other',
  unknown: 'unknown',
};

/** Categories, directions, kinds and features of behaviour as words. */
export const codes = {
  received: 'received',
  sent: 'sent',
  ...categories,
  // Kinds of worthless transfers.
  zero_value: 'no value',
  tiny: 'tiny amounts',
  dust_native: 'dust',
  counterfeit: 'counterfeit token',
  // Features of behaviour.
  log_transactions_per_day: 'transactions per day',
  log_received_usd_per_day: 'amount received per day',
  log_sent_usd_per_day: 'amount sent per day',
  sent_received_ratio: 'ratio of sent to received',
  counterparties_per_transaction: 'counterparties per transaction',
  median_hold_hours: 'holding time',
  passed_share_24h: 'share passed on within a day',
  round_amount_share: 'share of round amounts',
  burstiness: 'bursts of activity',
  one_time_counterparty_share: 'share of one-time counterparties',
  stablecoin_share: 'share of stablecoins',
  hour_entropy: 'spread over the hours of the day',
};

export type CodeWords = typeof codes;

/** The detectors by their names. */
export const detectors = {
  sanctions_self: 'Sanctioned address',
  subject_category: 'Known illicit address',
  known_malicious: 'Known malicious contract',
  sanctions_direct: 'Direct exposure to sanctions',
  sanctions_indirect: 'Indirect exposure to sanctions',
  darknet_exposure: 'Exposure to darknet markets',
  drainer_exposure: 'Exposure to wallet drainers',
  scam_exposure: 'Exposure to scams',
  mixer_exposure: 'Exposure to mixers',
  theft_exposure: 'Exposure to thefts',
  ransomware_exposure: 'Exposure to ransomware',
  terrorism_exposure: 'Exposure to terrorism financing',
  child_abuse_exposure: 'Exposure to child abuse material',
  high_risk_exchange_exposure: 'Exposure to high-risk exchanges',
  co_spent_with_listed: 'Spending together with a listed address',
  accomplice: 'Accomplice of a listed taker (inferred)',
  shared_layer: 'Second collector of a listed taker (inferred)',
  indirect_exposure: 'Indirect illicit exposure',
  beyond_reach: 'Money beyond the reach of the trace',
  poisoning_loss: 'Payment to a look-alike address',
  address_poisoning: 'Address poisoning',
  fan_in: 'Collection from many senders',
  rapid_distribution: 'Rapid distribution',
  fan_out: 'Distribution to many receivers',
  gather_scatter: 'Gathering and scattering',
  pass_through: 'Pass-through',
  cycle: 'Round trips',
  peel_chain: 'Peel chain',
  scatter_gather: 'Scattering and gathering',
  relay_chain: 'Relay chain',
  wash_trading: 'Wash trading',
  structuring: 'Structured amounts',
  large_transfer: 'Large transfer',
  high_velocity: 'Unusually fast activity',
  dormant_reactivation: 'Reactivation after dormancy',
  new_address_large_inflow: 'Large inflow to a new address',
  cex_cash_out: 'Cash-out at exchanges',
  chain_hopping: 'Use of several bridges',
  high_fee_loss: 'Repeated conversion at a loss',
  privacy_asset: 'Conversion into a privacy asset',
  gambling_exposure: 'Exposure to gambling',
  ml_anomaly: 'Unusual behaviour',
};

export type DetectorWords = typeof detectors;
