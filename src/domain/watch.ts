export const DISCOVERY_STATUSES = ['active', 'dismissed', 'promoted'] as const;
export type DiscoveryStatus = (typeof DISCOVERY_STATUSES)[number];

/** Outcome of Follow Mode at a rescan; null where it is off. */
export const FOLLOW_STATES = ['running_in_background', 'plan_not_eligible', 'graphdb_unavailable', 'error'] as const;
export type FollowState = (typeof FOLLOW_STATES)[number];

/** How a chain is listened to; `off` is that of an address alone. */
export const LISTENER_STATES = ['listening', 'catching_up', 'unavailable'] as const;
export const LIVE_STATES = [...LISTENER_STATES, 'off'] as const;
export type ListenerState = (typeof LISTENER_STATES)[number];
export type LiveState = (typeof LIVE_STATES)[number];

/** Why an address is not listened to now. The last six are what can be wrong with a source. */
export const LIVE_REASONS = [
  'switched_off',
  'not_on_plan',
  'too_busy',
  'no_source',
  'not_started',
  'no_answer',
  'key_refused',
  'too_many_requests',
  'server_error',
  'other_network',
  'unusable_answer',
] as const;
export type LiveReason = (typeof LIVE_REASONS)[number];

/** How an address is listened to now. */
export interface ShownLive {
  state: LiveState;
  /** Since when it is in this state; null where that is not known. */
  since: string | null;
  last_block: number | null;
  last_touch_at: string | null;
  /** Why it is not listened to. */
  reason: LiveReason | null;
}

/** Which movements are alerted: both directions, what leaves, both above so many dollars, or none. */
export type WatchedMovements = 'all' | 'out' | 'none' | { above: number };
