import type { z } from 'zod';
import type { DetectionDetails, ScoreTerm, SuppressedDetection } from '../../src/risk/detection.ts';
import type { Frontier } from '../../src/routes/fields.ts';
import type { JobRecord } from '../../src/routes/scans/job-schemas.ts';
import type { Counterparty, Detection, ScanList, ScanResponse } from '../../src/routes/scans/scan-schemas.ts';

/** The answers of the API, from the schemas that its routes answer by. */
export type Scan = Omit<z.infer<typeof ScanResponse>, 'metadata' | 'detections'> & {
  metadata: ScanMetadata;
  detections: ScanDetection[];
};
export type ScanDetection = Omit<z.infer<typeof Detection>, 'details'> & { details?: DetectionDetails };
export type ScanCounterparty = z.infer<typeof Counterparty>;
export type Scans = z.infer<typeof ScanList>;
export type Job = z.infer<typeof JobRecord>;
export type Unread = z.infer<typeof Frontier>[number];

export interface ScanMetadata {
  total_transactions?: number;
  counterparty_count?: number;
  as_of?: string;
  score_terms?: ScoreTerm[];
  suppressed?: SuppressedDetection[];
  coverage?: {
    complete: boolean;
    reasons: string[];
    sources: string[];
    transfers: number;
    from: string | null;
    to: string | null;
    trace?: { addresses_read: number; frontier: Unread[] } | null;
  };
}
