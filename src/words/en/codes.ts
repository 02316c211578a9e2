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
