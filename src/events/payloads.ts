import type { Chain } from '../domain/chain.ts';
import type { EventType } from '../domain/event.ts';
import { iso } from '../domain/time.ts';
import type { Detection, RiskLevel } from '../risk/detection.ts';
import type { RecordedEvent } from './outbox.ts';

/** What a receiver gets: the same bytes in every attempt. */
export interface EventPayload {
  event: EventType;
  /** ISO 8601 in UTC, without a zone suffix. */
  timestamp: string;
  data: object;
}

/** A detection as events carry it. */
export type EventDetection = Pick<Detection, 'detector_id' | 'detector_name' | 'severity'> & { description: string };

/** Data of `scan.completed`. */
export interface ScanCompleted {
  scan_id: string;
  source: string;
  address: string;
  chain: Chain;
  risk_level: RiskLevel;
  risk_score: number;
  detection_count: number;
  detections: EventDetection[];
  detail_url: string;
  score_semantics: 'risk_0to100';
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

export function eventPayload({ type, created_at, payload }: RecordedEvent): EventPayload {
  return { event: type, timestamp: iso(created_at).slice(0, -1), data: JSON.parse(payload) };
}

export function eventDetections(detections: (Detection & { description: string })[]): EventDetection[] {
  return detections.map(({ detector_id, detector_name, severity, description }) => ({
    detector_id,
    detector_name,
    severity,
    description,
  }));
}
