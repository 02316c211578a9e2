import { RULES } from '../rules.ts';

/** Thresholds of the patterns of money flow; none is prescribed by a public source, all are choices of this project. */
export const PATTERN_RULES = {
  peel_chain: {
    hops: 3,
    medium_hops: 5,
    high_hops: 10,
    high_to_service_share: 0.5,
    kept_share: 0.8,
    kept_share_max: 0.995,
    gap_hours: 72,
    from_usd: 1_000,
  },
  relay_chain: { hops: 3, high_hops: 5, critical_hops: 8, kept_share: 0.8, gap_hours: 24, from_usd: 1_000 },
  scatter_gather: {
    hours: [168, 720],
    intermediaries: 3,
    critical_intermediaries: 10,
    passed_share: 0.7,
    total_from_usd: 5_000,
  },
  gather_scatter: RULES.gather_scatter,
  cycle: {
    hops_max: 6,
    hours: 168,
    kept_share: 0.7,
    kept_share_max: 1.05,
    high_returned_share: 0.9,
    pair_round_trips: 3,
    from_usd: 1_000,
    expansions_max: 10_000,
  },
  pass_through: RULES.pass_through,
} as const;
