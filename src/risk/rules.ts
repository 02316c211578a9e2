import { type Category, SURE_CONFIDENCE } from '../domain/label.ts';
import type { Severity } from './detection.ts';

/**
 * Every number of the rule set. Hardly any of them is prescribed by a public source: they are choices of this
 * project, printed with each detection as its `thresholds`. A change of any number or rule changes the version.
 */
export const RULE_SET_VERSION = '2026.12.01';

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
  terrorism: 100,
  darknet: 95,
  child_abuse: 95,
  drainer: 95,
  theft: 95,
  ransomware: 95,
  scam: 90,
  mixer: 85,
};
export const MALICIOUS_CONTRACT_FLOOR = 90;

/** Labels that count as reports: their floor is lower. */
export const REPORTED = { confidence_below: SURE_CONFIDENCE, floor: 65 } as const;

/** The least score where a pattern counts, and where at least a tenth of its money is tainted. */
export const PATTERN_FLOOR = { detected: 30, tainted: 60 } as const;
/** The least score of an address that poisons histories, where chance does not explain its likeness. */
export const POISONING_FLOOR = 70;

/** The highest score of a subject without an adverse label of its own, by the gravest detection. */
export const CEILING = {
  low: 29,
  medium: 59,
  high: 84,
  mixers_alone_high: 80,
  critical_indirect: 88,
  critical: {
    sanctioned: 95,
    terrorism: 95,
    darknet: 90,
    child_abuse: 90,
    drainer: 90,
    theft: 90,
    ransomware: 90,
    scam: 88,
  } as Partial<Record<Category, number>>,
} as const;

export const EVIDENCE_MAX = 50;

/** Received value below this says nothing of the receiver's behaviour. */
export const DUST_BELOW_USD = 1;

/** With fewer days and fewer transfers read of a truncated history, UNKNOWN takes the place of LOW. */
export const TRUNCATED_HISTORY: { days: number; transfers: number; reasons: readonly string[] } = {
  days: 30,
  transfers: 1_000,
  reasons: ['page_limit', 'transfer_limit', 'token_account_limit', 'truncated_server_history', 'pruned_history'],
};

/** Where less of so much received money has a known origin for limits of ours, the level rests on a part. */
export const FULL_BASIS = { explained_share: 0.5, from_usd: 1_000 } as const;

/**
 * Marks of one direction of exposure: a severity is reached by its share together with its USD, or by `any_share` USD
 * alone. What reaches none is LOW.
 */
export type ExposureMarks = Partial<
  Record<`${'critical' | 'high' | 'high_mainly' | 'medium'}_${'share' | 'from_usd' | 'any_share_from_usd'}`, number>
>;

/** Direct exposure of a subject that is not a service, by the kind of category and direction. */
// biome-ignore format: a table
export const EXPOSURE: Record<'sanctioned' | 'illicit' | 'mixer', Record<'in' | 'out', ExposureMarks>> = {
  sanctioned: {
    in: { critical_share: 0.1, critical_from_usd: 1_000, critical_any_share_from_usd: 100_000,
      high_share: 0.01, high_from_usd: 1_000, high_mainly_share: 0.25, high_mainly_from_usd: 500,
      medium_any_share_from_usd: 100 },
    out: { critical_share: 0.01, critical_from_usd: 100, critical_any_share_from_usd: 1_000,
      high_any_share_from_usd: 10, medium_any_share_from_usd: 0 },
  },
  illicit: {
    in: { critical_share: 0.25, critical_from_usd: 1_000, critical_any_share_from_usd: 250_000,
      high_share: 0.05, high_from_usd: 1_000, high_mainly_share: 0.25, high_mainly_from_usd: 500,
      high_any_share_from_usd: 10_000, medium_share: 0.01, medium_from_usd: 100 },
    out: { critical_share: 0.25, critical_from_usd: 1_000,
      high_share: 0.05, high_from_usd: 100, high_any_share_from_usd: 10_000, medium_any_share_from_usd: 10 },
  },
  mixer: {
    in: { high_share: 0.1, high_from_usd: 1_000, high_any_share_from_usd: 10_000, medium_share: 0.01, medium_from_usd: 100 },
    out: { high_share: 0.1, high_from_usd: 1_000, high_any_share_from_usd: 10_000, medium_share: 0.01, medium_from_usd: 100 },
  },
};

/** Direct exposure of a service goes by its share alone. */
// biome-ignore format: a table
export const SERVICE_EXPOSURE: Record<keyof typeof EXPOSURE, ExposureMarks> = {
  sanctioned: { critical_share: 0.1, high_share: 0.025, medium_share: 0.005 },
  illicit: { critical_share: 0.2, high_share: 0.05, medium_share: 0.01 },
  mixer: { high_share: 0.05, medium_share: 0.01 },
};
export const EXPOSURE_RULES = {
  /** HIGH and MEDIUM also go by the share of what was received in so many days before the last transfer, direct or indirect. */
  recent_days: 90,
  /** With less in them, so that small sums sent unasked to a quiet wallet do not decide. */
  recent_from_usd: 1_000,
  /** With less, the share is of what was held before, where that is more: who lives on savings receives little else. */
  recent_alone_from_usd: 10_000,
  /** Below this share of the flow, whole or recent, a sum alone is MEDIUM at most; not what was sent to sanctioned parties. */
  any_share_least: 0.02,
  first_funding_from_usd: 1,
  strict_received_from_usd: 1,
  service_like_sanctioned_sent_from_usd: 1_000,
  /** Dealings before a designation that names a country or sector are LOW below it, MEDIUM at most from it on. */
  before_designation_medium_from_usd: 1_000,
} as const;

/**
 * First words of the codes of programmes that name a country or a sector, of OFAC and in words of the operator; all others, and
 * unknown ones, count as conduct.
 */
export const COUNTRY_PROGRAMMES: readonly string[] = [
  'AFGHANISTAN, BALKANS, BELARUS, BURMA, BURUNDI, CAATSA, CAR, CMIC, COUNTRY, CUBA, DARFUR, DRCONGO, ETHIOPIA, FSE-IR',
  'FSE-SY, HK, HONGKONG, IFCA, IFSR, IRAN, IRAQ, LEBANON, LIBYA, MALI, NICARAGUA, PEESA, RUSSIA, SECTOR, SOMALIA',
  'SOUTH SUDAN, SSIDES, SUDAN, SYRIA, UKRAINE, VENEZUELA, YEMEN, ZIMBABWE',
].flatMap((codes) => codes.split(', '));

/** Thresholds of a victim of a scam, a drainer, a theft or ransomware. */
export const VICTIM = {
  low_below_usd: 100,
  returned_share_max: 0.2,
  /** So much of what was paid to a wallet on the way to a taker, given back, repaid a loan. */
  loan_repaid_least: 0.95,
  loan_repaid_most: 1.2,
  /** Not a victim: who passed on what so many unlabelled senders had paid within so many hours before. */
  passed_on_senders: 3,
  passed_on_hours: 24,
  passed_on_share: 0.5,
  /** Nor who did so in so many payments or more, which make up so much of all, out of money of strangers; or slowly, of many. */
  collected_payments: 3,
  collected_share: 0.8,
  collected_hours: 168,
  collected_senders: 10,
  /** A few receipts for each payment at most, which come just before half of what strangers paid meanwhile, or are one part of it. */
  collected_receipts_max: 6,
  collected_taken_share: 0.5,
  collected_part_apart_max: 0.1,
  collected_last_hours: 6,
  tainted_inflow_share: 0.01,
  /** All of what a taker sent went back to him where both differ by so much of it at most: fees. */
  handed_back_apart_max: 0.01,
} as const;

/**
 * Not a victim: who took so much, and more than this part of what others had in a pool, and paid this part of it on within the hours;
 * where it is that part of all that he paid then.
 */
export const ROBBER = {
  robbed_from_usd: 1_000,
  robbed_share: 0.5,
  robbed_passed_share: 0.5,
  robbed_lost_share: 0.5,
  robbed_hours: 168,
  /** So much of the loot of a contract, handed on to one address in the transaction, is a part of it. */
  robbed_part: 0.1,
  /** Others may sign for so much of what the robber's own contract moves, as a part of its loot. */
  robbed_strangers: 0.01,
} as const;

/**
 * A contract whose money is that of several. Grains cost nothing: each payer brought so much, and others than the two largest this part of
 * all. Payers whom one wallet without a name mainly funded, so many steps back, are one.
 */
export const POOL = { payers: 3, payer_from_usd: 10, others_share: 0.1, funder_steps: 5, adverse_share: 0.5 } as const;

/**
 * A contract to which so many bring money, who pass it on or leave it there: it bears none of a small part, of all and of the recent days. Of
 * what passes, this much went on; a smaller part is small where it went to listed parties for several payers.
 */
export const OPEN = {
  payers: 5,
  passed_share: 0.9,
  part_below: 0.25,
  steered_part_below: 0.1,
  /** So many bring money there, whomever it pays; then a smaller part is small. */
  crowd: 10,
  crowd_part_below: 0.1,
  /** A smaller part of what a wallet trades with such a crowd is small. */
  trade_part_below: 0.05,
  /** So much of what a party gets in a trade it brought itself. */
  price_share: 0.5,
  /** So much of what a pool pays is the other side of trades: all but fees. */
  traded_share: 0.98,
} as const;

/** On Bitcoin, where the other output may be change, this part of what one got beside takers is in one proportion to theirs. */
export const ALIKE_SHARE_MIN = 0.5;

/** First coins count as meant for fees below this, or below this part of what others paid within a day: who sent more is a victim. */
export const FIRST_COINS = { below_usd: 100, below_share_of_others: 0.1 } as const;

/** An unlabelled address that has the traffic of a service. */
export const SERVICE_LIKE = {
  owners: 1_000,
  each_from_usd: 10,
  active_days: 60,
  span_days: 180,
  top_owner_share_max: 0.2,
} as const;

/** An address that an exchange gives to a customer: nearly all that leaves goes to one exchange, several times. */
export const DEPOSIT_ADDRESS = { exchange_share: 0.95, payments: 3 } as const;

/** From these shares on, the money of a structural pattern is tainted, or has clean ends. */
export const PATTERN_MONEY = { tainted_share: 0.1, clean_share: 0.8 } as const;

// biome-ignore format: a table
export const RULES = {
  gambling_exposure: { low_share: 0.2, medium_share: 0.5, from_usd: 100 },
  service_indirect_exposure: { medium_share: 0.02, high_share: 0.1, critical_share: 0.25 },
  /** Where only a part could be attributed, the share of that part counts too, one severity lower. */
  indirect_exposure: { list_share: 0.001, list_from_usd: 10, medium_share: 0.02, medium_from_usd: 100,
    medium_any_share_from_usd: 10_000, high_share: 0.1, high_from_usd: 1_000, high_large_share: 0.01,
    high_large_from_usd: 250_000, critical_share: 0.25, critical_from_usd: 1_000, part_addresses: 6, part_share: 0.02 },
  /** Met in so many weeks over so many days, `fan_in` is how a business collects; money that stays and is clean does not count. */
  fan_in: { fast_hours: 24, fast_senders: 10, slow_hours: 720, slow_senders: 20, each_from_usd: 1,
    total_from_usd: 5_000, top_sender_share_max: 0.3, high_senders: 50, high_forwarded_share: 0.8,
    recurring_weeks: 8, recurring_days: 60, kept_share_below: 0.5, kept_days: 7, fresh_share: 0.5, fresh_days: 7 },
  fan_out: { hours: 24, receivers: 20, each_from_usd: 1, total_from_usd: 5_000, high_funded_share: 0.8,
    recurring_share: 0.5, recurring_days: 7 },
  rapid_distribution: { hours: 1, receivers: 10, each_from_usd: 1, total_from_usd: 5_000, high_funded_share: 0.8,
    recurring_share: 0.5, recurring_days: 7 },
  /** A relay holds nothing of its own; the cut it keeps of each receipt may add up to the reserve. */
  pass_through: { fast_hours: 1, slow_hours: 24, passed_share: 0.9, reserve_share_max: 0.1, each_from_usd: 1_000,
    episodes: 3, single_from_usd: 10_000 },
  /** First the gathering, then the scattering: who takes in and pays at the same time keeps a business. */
  gather_scatter: { fast_hours: 168, slow_hours: 720, senders: 3, receivers: 3, passed_share: 0.8,
    passed_share_max: 1.02, overlap_share_max: 0.25, total_from_usd: 5_000, recurring_share: 0.5, recurring_days: 7 },
  cycle: { hours: 168, round_trips: 3, returned_share: 0.7, returned_share_max: 1.05, total_from_usd: 1_000 },
  peel_chain: { peels: 3, medium_peels: 5, high_peels: 10, high_to_service_share: 0.5, peel_share: 0.01,
    peel_share_max: 0.1, gap_hours: 72, start_from_usd: 1_000, recurring_share: 0.5 },
  wash_trading: { round_trips: 3, nft_returns: 2, net_share_max: 0.01, total_from_usd: 1_000, high_volume_share: 0.5 },
  large_transfer: { low_usd: 10_000, medium_usd: 100_000, high_usd: 1_000_000, percentile: 0.99 },
  structuring: { band_share: 0.8, fast_hours: 24, slow_hours: 168, transfers: 3, high_transfers: 10, chance_max: 0.01,
    prior_share: 0.05, prior_weight: 2, window_share: 0.5, limits_usd: ['1000', '3000', '10000'], limits_jpy: ['100000', '2000000'] },
  high_velocity: { day_transactions: 50, hour_transactions: 20, robust_z: 3.5, baseline_days: 7, large_transfers: 3,
    large_from_usd: 10_000 },
  dormant_reactivation: { gap_days: 180, high_gap_days: 365, outflow_days: 7, balance_share: 0.5, median_factor: 10,
    outflow_from_usd: 1_000 },
  new_address_large_inflow: { age_days: 7, first_hours: 24, medium_usd: 10_000, high_usd: 100_000 },
  cex_cash_out: { exchange_share: 0.5, total_from_usd: 5_000, high_tainted_share: 0.1, suspicious_from_usd: 100,
    suspicious_hours: 24 },
  chain_hopping: { hours: 24, bridges: 2, total_from_usd: 1_000, suspicious_from_usd: 100, suspicious_hours: 168 },
  high_fee_loss: { loss_share: 0.05, loss_share_max: 0.5, each_from_usd: 100, conversions: 3 },
  privacy_asset: { from_usd: 1, symbols: ['DASH', 'FIRO', 'RENZEC', 'SCRT', 'WXMR', 'XMR', 'ZEC'] },
  /** Chance that so many equal characters are an accident among all pairs that were compared; a leading run of `made_run` counts as one. */
  address_poisoning: { least_each_end: 3, least_together: 7, made_run: 4, high_chance: 1e-4, medium_chance: 1e-2,
    genuine_from_usd: 1, tiny_below_usd: DUST_BELOW_USD, loss_from_usd: 10 },
  /** Bounds of who counts as an accomplice: not receivers of batches and fees, nor wallets of the payer. */
  accomplice: { receivers_max: 4, batches: 3, fee_share_max: 0.03, sale_fee_share_max: 0.15, returned_share_max: 0.2,
    own_share: 0.2, traded_share: 0.5, split_share: 0.9, victims_where_unsure: 2, even_receivers: 3, even_ratio: 1.1, sure_share: 0.5, sure_victims: 2,
    signed_share: 0.5, signed_from_usd: 1_000, signed_transactions: 2, collector_share: 0.1, collector_senders: 10, deputy_share: 0.5,
    same_splits: 3, same_split_apart_max: 0.02, split_payers: 5, split_payers_share: 0.5,
    fees_wallets: 3, fees_share: 0.5, fees_unread_max: 20 },
  /** A second collector: strangers pay it, it keeps nothing, and wallets behind it, of few payers, live of a listed taker too. */
  shared_layer: { senders: 10, senders_mainly: 5, passed_share: 0.8, layer_share: 0.25, layer_mainly_share: 0.8, from_usd: 100,
    high_from_usd: 1_000, taker_share: 0.1, payers_max: 20, payer_from_usd: 10, steps_max: 3 },
  co_spent_with_listed: { payjoin_outputs: 2, payjoin_transactions: 1 },
  ml_anomaly: { low_score: 0.6, medium_score: 0.8, transfers: 10 },
} as const;

/**
 * Payment by the order of a taker: his part of what is signed for that payer, how often he must sign (once, of so many times what takers had
 * put in there, which is this part of all where others had paid, too), the part not paid for.
 */
export const ORDERED = {
  ordered_share: 0.5,
  ordered_transactions: 2,
  deposited_ratio_max: 1.1,
  deposited_share: 0.5,
  unpaid_share: 0.5,
} as const;

/** Patterns of several addresses, as an exposure finds them. */
// biome-ignore format: a table
export const PATTERN_RULES = {
  peel_chain: { hops: 3, medium_hops: 5, high_hops: 10, high_to_service_share: 0.5, kept_share: 0.8,
    kept_share_max: 0.995, gap_hours: 72, from_usd: 1_000 },
  /** Shorter ones than `counted_hops` are listed in a scan and do not count. */
  relay_chain: { hops: 3, high_hops: 5, critical_hops: 8, counted_hops: 5, kept_share: 0.8, gap_hours: 24, from_usd: 1_000 },
  scatter_gather: { hours: [168, 720], intermediaries: 3, critical_intermediaries: 10, passed_share: 0.7,
    total_from_usd: 5_000 },
  gather_scatter: RULES.gather_scatter,
  cycle: { hops_max: 6, hours: 168, kept_share: 0.7, kept_share_max: 1.05, from_usd: 1_000,
    expansions_max: 10_000 },
  pass_through: RULES.pass_through,
} as const;
/**
 * What only the screening of a token's transfers looks at. Where a token has no price, the median transfer of the window
 * counts as `unpriced_median_usd`, so that every threshold becomes a multiple of what is usual for the token.
 */
export const TOKEN_SCREENING_RULES = {
  unpriced_median_usd: 1_000,
  unpriced_transfers: 10,
} as const;

/** The pre-signing check: what a grant may be, what each finding scores, how sure an answer is. */
export const PRESIGN = {
  /** An allowance with the highest bit of its type set, half of all it can hold, is meant to be endless. */
  unlimited_top_bits: 1,
  lifetime_days: 30,
  /** Earlier recipients of the signer that are compared; a signer with more is a service, whose users differ. */
  signer_recipients_max: 5_000,
  compared_max: 64,
  reasons_max: 20,
  /** A scan that rated an address HIGH or above makes it danger for so long. */
  scan_binds_days: 30,
  /** An address that was never scanned and bears no label cautions from this value on. */
  unknown_from_usd: 1_000,
  /** Points of direct exposure, by its severity. */
  exposure_score: { CRITICAL: 85, HIGH: 60, MEDIUM: 30, LOW: 0 },
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
    caution: 30,
    caution_most: 59,
    high_risk_exchange: 45,
  },
  /** How sure an answer is that no label decides; one that a label decides is as sure as the label. */
  confidence: { calldata: 0.9, scanned: 0.8, seen: 0.7, never_seen: 0.4, unknown: 0 },
} as const;
