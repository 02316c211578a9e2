import type { Chain } from '../domain/chain.ts';
import type { Detection, RiskLevel } from '../risk/detection.ts';

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

export function eventDetections(detections: (Detection & { description: string })[]): EventDetection[] {
  return detections.map(({ detector_id, detector_name, severity, description }) => ({
    detector_id,
    detector_name,
    severity,
    description,
  }));
}
