import type { Category } from '../domain/label.ts';
import type { Severity } from './detection.ts';

/**
 * Every number of the rule set. Hardly any of them is prescribed by a public source: they are choices of this
 * project, printed with each detection as its `thresholds`. A change of any number or rule changes the version.
 */
export const RULE_SET_VERSION = '2026.11.3';

export const LEVEL_FROM = { CRITICAL: 85, HIGH: 60, MEDIUM: 30 } as const;

export const STRENGTH: Record<Severity, number> = { CRITICAL: 1, HIGH: 0.75, MEDIUM: 0.45, LOW: 0.2 };

export const FAMILY_WEIGHT = {
  sanctions: 1,
  illicit_exposure: 0.9,
  indirect_exposure: 0.8,
  poisoning_contract: 0.7,
  structural: 0.6,
  behaviour: 0.4,
  cash_out: 0.35,
  gambling_privacy: 0.2,
  anomaly: 0.1,
} as const;
export type Family = keyof typeof FAMILY_WEIGHT;

/** No account may weigh these less than the rule set does. */
export const PROTECTED_FAMILIES: readonly Family[] = ['sanctions', 'indirect_exposure'];

/** The least score of a subject that is itself of the category. */
export const FLOOR: Partial<Record<Category, number>> = {
  sanctioned: 100,
  darknet: 90,
  drainer: 90,
  scam: 85,
  mixer: 75,
};
export const MALICIOUS_CONTRACT_FLOOR = 90;

export const EVIDENCE_MAX = 50;

/** Received value below this says nothing of the receiver's behaviour. */
export const DUST_BELOW_USD = 1;

/** Received value below both marks is taken as unsolicited: nobody chooses what is sent to them. */
const RECEIVED = { dust_below_usd: 100, dust_below_share: 0.01, critical_share: 0.1, critical_from_usd: 1_000 };
const ILLICIT = { sent_from_usd: 1, ...RECEIVED, critical_any_share_from_usd: 10_000 };

export const RULES = {
  sanctions_direct: RECEIVED,
  darknet_exposure: ILLICIT,
  drainer_exposure: ILLICIT,
  scam_exposure: ILLICIT,
  mixer_exposure: ILLICIT,
  gambling_exposure: { low_share: 0.2, medium_share: 0.5, from_usd: 100 },
  indirect_exposure: {
    list_share: 0.001,
    list_from_usd: 10,
    medium_share: 0.02,
    high_share: 0.1,
    critical_share: 0.25,
  },
  fan_in: {
    fast_hours: 24,
    fast_senders: 10,
    slow_hours: 720,
    slow_senders: 20,
    each_from_usd: 1,
    total_from_usd: 5_000,
    top_sender_share_max: 0.3,
    high_senders: 50,
    high_forwarded_share: 0.8,
  },
  fan_out: {
    hours: 24,
    receivers: 20,
    each_from_usd: 1,
    total_from_usd: 5_000,
    high_funded_share: 0.8,
    recurring_share: 0.5,
    recurring_days: 7,
  },
  rapid_distribution: {
    hours: 1,
    receivers: 10,
    each_from_usd: 1,
    total_from_usd: 5_000,
    high_funded_share: 0.8,
    recurring_share: 0.5,
    recurring_days: 7,
  },
  pass_through: {
    fast_hours: 1,
    slow_hours: 24,
    passed_share: 0.9,
    /** A relay holds nothing of its own; the cut it keeps of each receipt may add up. */
    reserve_share_max: 0.1,
    each_from_usd: 1_000,
    episodes: 3,
    single_from_usd: 10_000,
  },
  gather_scatter: {
    fast_hours: 168,
    slow_hours: 720,
    senders: 3,
    receivers: 3,
    passed_share: 0.8,
    passed_share_max: 1.02,
    /** First the gathering, then the scattering: who takes in and pays at the same time keeps a business. */
    overlap_share_max: 0.25,
    total_from_usd: 5_000,
    recurring_share: 0.5,
    recurring_days: 7,
  },
  cycle: { hours: 168, round_trips: 3, returned_share: 0.7, returned_share_max: 1.05, total_from_usd: 1_000 },
  peel_chain: {
    peels: 3,
    medium_peels: 5,
    high_peels: 10,
    high_to_service_share: 0.5,
    peel_share: 0.01,
    peel_share_max: 0.1,
    gap_hours: 72,
    start_from_usd: 1_000,
  },
  wash_trading: { round_trips: 3, nft_returns: 2, net_share_max: 0.01, total_from_usd: 1_000, high_volume_share: 0.5 },
  large_transfer: { low_usd: 10_000, medium_usd: 100_000, high_usd: 1_000_000, percentile: 0.99 },
  structuring: {
    band_share: 0.8,
    fast_hours: 24,
    slow_hours: 168,
    transfers: 3,
    high_transfers: 10,
    chance_max: 0.01,
    prior_share: 0.05,
    prior_weight: 2,
    limits_usd: ['1000', '3000', '10000'],
    limits_jpy: ['100000', '2000000'],
  },
  high_velocity: {
    day_transactions: 50,
    hour_transactions: 20,
    robust_z: 3.5,
    baseline_days: 7,
    large_transfers: 3,
    large_from_usd: 10_000,
  },
  dormant_reactivation: {
    gap_days: 180,
    high_gap_days: 365,
    outflow_days: 7,
    balance_share: 0.5,
    median_factor: 10,
    outflow_from_usd: 1_000,
  },
  new_address_large_inflow: { age_days: 7, first_hours: 24, medium_usd: 10_000, high_usd: 100_000 },
  cex_cash_out: {
    exchange_share: 0.5,
    total_from_usd: 5_000,
    high_tainted_share: 0.1,
    suspicious_from_usd: 100,
    suspicious_hours: 24,
  },
  chain_hopping: {
    hours: 24,
    bridges: 2,
    total_from_usd: 1_000,
    suspicious_from_usd: 100,
    suspicious_hours: 168,
  },
  high_fee_loss: { loss_share: 0.05, loss_share_max: 0.5, each_from_usd: 100, conversions: 3 },
  privacy_asset: { from_usd: 1, symbols: ['DASH', 'FIRO', 'RENZEC', 'SCRT', 'WXMR', 'XMR', 'ZEC'] },
  address_poisoning: {
    match_characters: 4,
    weak_match_characters: 3,
    weak_gap_hours: 24,
    genuine_from_usd: 1,
    genuine_days: 30,
    tiny_below_usd: 0.1,
    tiny_stable_below_usd: 1,
    near_hours: 1,
    batch_events: 4,
    fires_at: 60,
    loss_from_usd: 10,
  },
  ml_anomaly: { low_score: 0.6, medium_score: 0.8, transfers: 10 },
} as const;

/**
 * What only the sweep of a token's transfers looks at. Where a token has no price, the median transfer of the window
 * counts as `unpriced_median_usd`, so that every threshold becomes a multiple of what is usual for the token.
 */
export const SWEEP_RULES = {
  relay_chain: { gap_hours: 24, kept_share: 0.8, from_usd: 1_000, hops: 3, high_hops: 5, critical_hops: 8 },
  unpriced_median_usd: 1_000,
  unpriced_transfers: 10,
} as const;

/** Coins that stand for one US dollar. */
export const STABLECOINS: readonly string[] = [
  'USDT',
  'USDC',
  'DAI',
  'BUSD',
  'TUSD',
  'USDP',
  'FDUSD',
  'PYUSD',
  'USDD',
  'USDe',
  'RLUSD',
  'USDC.e',
  'USDT.e',
  'USDbC',
];

/** The pre-signing check: what a grant may be, what each finding scores, how sure an answer is. */
export const PRESIGN = {
  /** An allowance with the highest bit of its type set, half of all it can hold, is meant to be endless. */
  unlimited_top_bits: 1,
  lifetime_days: 30,
  /** Earlier recipients of the signer that are compared; a signer with more is a service, whose users differ. */
  signer_recipients_max: 5_000,
  compared_max: 64,
  reasons_max: 20,
  score: {
    lookalike: 70,
    foreign_transfer: 70,
    payable_lure: 60,
    unlimited_approval: 40,
    operator_approval: 40,
    control_change: 40,
    unknown_owner: 30,
    long_permit: 30,
    delisted: 20,
  },
  /** How sure an answer is that no label decides; one that a label decides is as sure as the label. */
  confidence: { calldata: 0.9, seen: 0.7, never_seen: 0.4, unknown: 0 },
} as const;
