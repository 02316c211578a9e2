import type { Chain } from '../../../domain/chain.ts';
import type { Category } from '../../../domain/label.ts';
import type { DiscoveryStatus, ListenerState } from '../../../domain/watch.ts';

type Level = 'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW' | 'UNKNOWN';

/** One address that an account watches. */
export interface WatchlistRow {
  id: string;
  account_id: string;
  chain: Chain;
  address: string;
  label: string;
  monitor_type: 'address';
  follow_mode_enabled: number;
  follow_depth: number;
  /** As last reported; null before the first scan. */
  last_risk_level: Level | null;
  last_risk_score: number | null;
  last_scanned_at: number | null;
  last_rule_set: string | null;
  /** Digest of the address's labels just before the last scan; null before the first one. */
  label_state: string | null;
  /** A lower level that one scan found; the next one that finds it confirms it. */
  unconfirmed_level: Level | null;
  /** The level before a new rule set changed it, until the account is alerted of all such changes at once. */
  level_before_rule_set: Level | null;
  /** JSON list of the sanctioned counterparties known. */
  sanctioned: string;
  /** Epoch ms of the first scan that failed, where every one since has failed. */
  failing_since: number | null;
  next_scan_at: number;
  /** 1 when the money is to be followed although no scan is due. */
  walk_due: number;
  /** A process works on the item until then, and prolongs it while it does. */
  busy_until: number;
  /** How often in a row the process ended while it worked on the item, up to when it was last taken. */
  lost: number;
  /** When a worker last took the item; null before. */
  taken_at: number | null;
  /** JSON: where the last walk of Follow Mode ended at bridges; null before the first. */
  follow_coverage: string | null;
  /** The UTC day that `manual_rescans` counts. */
  manual_day: string | null;
  manual_rescans: number;
  /** 1 where the chain is listened to for it. */
  live: number;
  /** Movements before are not alerted; null where it was never live. */
  live_since: number | null;
  /** Epoch ms from which it is listened to without a break; null: it was never live. */
  listened_since: number | null;
  /** Epoch ms from which it is not listened to because too much moves there; null: it is. */
  too_busy_since: number | null;
  /** Last notice to its owner: that it is listened to, or that it no longer is; null before, and once it is off. */
  live_said: 'on' | 'off' | null;
  live_said_at: number | null;
  /** JSON: which movements are alerted. */
  movements: string;
  created_at: number;
}

/** An address that is listened to, for all accounts that watch it. */
export interface LiveAddressRow {
  chain: Chain;
  address: string;
  /** State of the address when it was last looked at, in the words of its listener; null before. */
  mark: string | null;
  touched_at: number | null;
}

/** Where to look, as a listener heard it; once a transaction, and once for what has none. */
export interface TouchRow {
  chain: Chain;
  address: string;
  /** Empty where the listener knows none. */
  tx_hash: string;
  block: number | null;
  heard_at: number;
  /** 1 where its block was reorganised since. */
  doubted: number;
}

/** The one listener of a chain. */
export interface LiveListenerRow {
  chain: Chain;
  state: ListenerState;
  /** Epoch ms from which it is in this state. */
  since: number;
  /** JSON: where it goes on. */
  place: string | null;
  last_block: number | null;
  head: number | null;
  /** When it last said how it is. */
  checked_at: number;
  reason: string | null;
  /** Heard since it first listened, and the scans that they caused. */
  touches: number;
  scans: number;
}

/** A movement of a watched address that was seen since it is live. */
export interface MovementRow {
  item_id: string;
  transfer_id: string;
  tx_hash: string;
  at: number;
  stage: 'unconfirmed' | 'confirmed' | 'reorganised';
  /** JSON: what its alert says; null where it was not alerted. */
  alert: string | null;
  /** 1 where it counts for how busy the address is. */
  counts: number;
}

/** An address that Follow Mode found, once an item. */
export interface DiscoveryRow {
  id: string;
  account_id: string;
  item_id: string;
  chain: Chain;
  address: string;
  hop: number;
  direction: 'received' | 'sent';
  category: Category;
  label: string | null;
  risk_level: Level;
  risk_score: number;
  usd: number;
  /** JSON list of hops. */
  path: string;
  status: DiscoveryStatus;
  discovered_at: number;
  /** 1 where the chain is listened to for it, while its item is live and followed: what moves there goes on. */
  listened: number;
}
