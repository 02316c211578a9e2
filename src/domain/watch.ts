import { z } from 'zod';

export const DISCOVERY_STATUSES = ['active', 'dismissed', 'promoted'] as const;
export type DiscoveryStatus = (typeof DISCOVERY_STATUSES)[number];

/** Outcome of Follow Mode at a rescan; null where it is off. */
export const FOLLOW_STATES = ['running_in_background', 'plan_not_eligible', 'graphdb_unavailable', 'error'] as const;
export type FollowState = (typeof FOLLOW_STATES)[number];

/** How a chain is listened to; `off` is that of an address alone. */
export const LISTENER_STATES = ['listening', 'catching_up', 'unavailable'] as const;
const LIVE_STATES = [...LISTENER_STATES, 'off'] as const;
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

const timestamp = z.iso.datetime().nullable();

/** How an address is listened to now. */
export const LiveSchema = z
  .object({
    state: z.enum(LIVE_STATES).describe('`off`: its interval alone counts'),
    since: timestamp.describe('Since when; null where that is not known'),
    last_block: z.int().nullable().describe('The newest block of its chain that was listened to; null before'),
    last_touch_at: timestamp.describe('When something was last heard of it; null before'),
    reason: z.enum(LIVE_REASONS).nullable().describe('Why it is not listened to; null where it is'),
  })
  .meta({ id: 'LiveWatch', description: 'How a watched address is listened to between its scans' });
export type ShownLive = z.output<typeof LiveSchema>;

/** Names the movements that are alerted: both directions, what leaves, both above an amount of dollars, or none. */
export type WatchedMovements = 'all' | 'out' | 'none' | { above: number };
