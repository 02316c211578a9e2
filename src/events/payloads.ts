import type { AlertSeverity } from '../domain/alert.ts';
import type { Chain } from '../domain/chain.ts';
import type { EventType } from '../domain/event.ts';
import type { Category } from '../domain/label.ts';
import type { TransferDirection, TransferReason, TransferState } from '../domain/screened-transfer.ts';
import { iso } from '../domain/time.ts';
import type { ShownLive } from '../domain/watch.ts';
import type { EventsTable } from '../records/database/tables/events.ts';
import type { Detection, RiskLevel } from '../risk/detection.ts';

/** Payload for a receiver: the same bytes in every attempt. */
export interface EventPayload {
  /** The delivery's id: the signature covers it here, unlike in the header. */
  id: string;
  event: EventType;
  /** ISO 8601 in UTC, without a zone suffix. */
  timestamp: string;
  data: object;
}

/** A detection as events carry it. */
export type EventDetection = Pick<Detection, 'detector_id' | 'detector_name' | 'severity'> & { description: string };

/** Data of `scan.completed`. */
export interface ScanCompleted {
  /** Null for a transfer whose other side has no history. */
  scan_id: string | null;
  source: string;
  address: string;
  chain: Chain;
  risk_level: RiskLevel;
  risk_score: number;
  detection_count: number;
  detections: EventDetection[];
  detail_url: string;
  score_semantics: 'risk_0to100';
  /** The screened transfer, where one was asked for. */
  transfer?: AlertedTransfer;
  /** Only in the sample of `POST /webhooks/test`, which no scan is behind. */
  test?: true;
}

/** Data of `batch.completed`. */
export interface BatchCompleted {
  job_id: string;
  status: 'completed' | 'failed';
  total: number;
  completed: number;
  failed: number;
  error_message: string | null;
  detail_url: string;
  score_semantics: 'risk_0to100';
}

export function eventPayload(id: string, { type, created_at, payload }: EventsTable): EventPayload {
  return { id, event: type, timestamp: iso(created_at).slice(0, -1), data: JSON.parse(payload) };
}

export function eventDetections(detections: (Detection & { description: string })[]): EventDetection[] {
  return detections.map(({ detector_id, detector_name, severity, description }) => ({
    detector_id,
    detector_name,
    severity,
    description,
  }));
}

/** Cause of a changed level: new transfers, labels, or the rule set. */
export type ChangeCause = 'transfers' | 'labels' | 'rule_set';

/** Data of the three `risk.*` events. */
export interface RiskChanged {
  address: string;
  chain: Chain;
  previous_risk_level: RiskLevel;
  risk_level: RiskLevel;
  risk_score: number;
  detections: EventDetection[];
  cause: ChangeCause;
  detail_url: string;
  score_semantics: 'risk_0to100';
}

/** Data of `watchlist.alert`; which of the optional fields are there depends on the reason. */
export interface WatchlistAlert {
  reason:
    | 'high_risk'
    | 'sanctioned_counterparty'
    | 'label_changed'
    | 'discovery'
    | 'rule_set'
    | 'movement'
    | 'reorganised'
    | 'live_ended'
    | 'live_began'
    | 'transfer_counterparty'
    | 'transfer_not_screened'
    | 'rule';
  /** Left out where the alert is about several items. */
  item_id?: string;
  address?: string;
  chain?: Chain;
  risk_level?: RiskLevel;
  risk_score?: number;
  detections?: EventDetection[];
  /** Addresses that are sanctioned and were not known as counterparties before. */
  counterparties?: string[];
  /** New discoveries of HIGH or above. */
  discoveries?: {
    id: string;
    chain: Chain;
    address: string;
    category: string;
    hop: number;
    /** `received`: its money came to the watched address; `sent`: it got money of it. Alerts of older versions lack it. */
    direction?: 'received' | 'sent';
    risk_level: RiskLevel;
    usd: number;
  }[];
  /** Levels that a new rule set changed. */
  changes?: { address: string; chain: Chain; previous_risk_level: RiskLevel; risk_level: RiskLevel }[];
  rule_set_version?: string;
  /** The transfer that was seen or taken back. */
  movement?: AlertedMovement;
  /** Movements of the same scan that have no alert of their own. */
  more_movements?: number;
  /** How the address is listened to now. */
  live?: ShownLive;
  /** The transfer whose counterparty was listed, or which was not screened. */
  transfer?: AlertedTransfer;
  /** The rule of the account's own that matched. */
  rule?: { id: string; version: number; name: string; severity: AlertSeverity };
  /** Of that counterparty, as lists say it now. */
  labels?: { category: Category; label: string; source: string }[];
  cause: ChangeCause | 'trace' | 'live' | 'rule';
  detail_url: string;
  score_semantics: 'risk_0to100';
}

/** A transfer of a watched address. */
export interface AlertedMovement {
  direction: 'received' | 'sent';
  asset: string;
  token: string | null;
  /** Decimal string. */
  amount: string;
  /** Null where no price is known. */
  usd: number | null;
  counterparty: { address: string; label: string | null; category: Category | null };
  tx_hash: string;
  /** Null while it is in none. */
  block: number | null;
  /** Time of the block; of an unconfirmed movement, when it was heard. */
  at: string;
  confirmed: boolean;
  /** Own name of the watched address; empty without one. */
  watched_as: string;
}

/** A screened transfer, with the words by which its account knows it. */
export interface AlertedTransfer {
  id: string;
  tx_hash: string;
  direction: TransferDirection;
  state: TransferState;
  reason: TransferReason | null;
  reference: string;
  customer_ref: string | null;
}
