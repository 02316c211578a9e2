export const DISCOVERY_STATUSES = ['active', 'dismissed', 'promoted'] as const;
export type DiscoveryStatus = (typeof DISCOVERY_STATUSES)[number];

/** Outcome of Follow Mode at a rescan; null where it is off. */
export const FOLLOW_STATES = ['running_in_background', 'plan_not_eligible', 'graphdb_unavailable', 'error'] as const;
export type FollowState = (typeof FOLLOW_STATES)[number];
