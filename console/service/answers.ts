import type { z } from 'zod';
import type { DetectionDetails, ScoreTerm, SuppressedDetection } from '../../src/risk/detection.ts';
import type {
  KeyList,
  NewKey as NewKeySchema,
  Usage as UsageSchema,
} from '../../src/routes/account/account-schemas.ts';
import type { BulkScanAccepted, Suggestions as SuggestionsSchema } from '../../src/routes/cases/bulk-scan-schemas.ts';
import type {
  CaseAddressList,
  CaseDetail as CaseDetailSchema,
  CaseList,
  CaseNoteList,
} from '../../src/routes/cases/case-schemas.ts';
import type { PackageList } from '../../src/routes/cases/report-package-schemas.ts';
import type { Frontier } from '../../src/routes/fields.ts';
import type {
  DiscoveryList as DiscoveryListSchema,
  Discovery as DiscoverySchema,
  WatchlistItem,
  Watchlist as WatchlistSchema,
} from '../../src/routes/monitoring/watchlist-schemas.ts';
import type {
  EventCatalogue,
  WebhookConfig,
  WebhookDelivery,
  WebhookTest,
  WebhookWithSecret,
} from '../../src/routes/monitoring/webhook-schemas.ts';
import type {
  ScamEntry as ScamEntrySchema,
  ScamLookup as ScamLookupSchema,
  ScamPage as ScamPageSchema,
  ScamSearch as ScamSearchSchema,
  ScamStats as ScamStatsSchema,
} from '../../src/routes/scamdb/scamdb-schemas.ts';
import type { JobRecord, JobResults as JobResultsSchema } from '../../src/routes/scans/job-schemas.ts';
import type { Counterparty, Detection, ScanList, ScanResponse } from '../../src/routes/scans/scan-schemas.ts';
import type { Hop as HopSchema } from '../../src/routes/tracing/tracing-fields.ts';

/** The answers of the API, from the schemas that its routes answer by. */
export type Scan = Omit<z.infer<typeof ScanResponse>, 'metadata' | 'detections'> & {
  metadata: ScanMetadata;
  detections: ScanDetection[];
};
export type ScanDetection = Omit<z.infer<typeof Detection>, 'details'> & { details?: DetectionDetails };
export type ScanCounterparty = z.infer<typeof Counterparty>;
export type Scans = z.infer<typeof ScanList>;
export type Job = z.infer<typeof JobRecord>;
export type JobResults = z.infer<typeof JobResultsSchema>;
export type Unread = z.infer<typeof Frontier>[number];

export type Hop = z.infer<typeof HopSchema>;

export type Watchlist = z.infer<typeof WatchlistSchema>;
export type Watched = z.infer<typeof WatchlistItem>;
export type Discovery = z.infer<typeof DiscoverySchema>;
export type DiscoveryList = z.infer<typeof DiscoveryListSchema>;
export type Webhook = z.infer<typeof WebhookConfig>;
export type NewWebhook = z.infer<typeof WebhookWithSecret>;
export type WebhookTestResult = z.infer<typeof WebhookTest>;
export type Delivery = z.infer<typeof WebhookDelivery>;
export type EventTypes = z.infer<typeof EventCatalogue>;

export type Cases = z.infer<typeof CaseList>;
export type CaseDetail = z.infer<typeof CaseDetailSchema>;
export type CaseAddresses = z.infer<typeof CaseAddressList>;
export type CaseNotes = z.infer<typeof CaseNoteList>;
export type Case = CaseDetail['case'];
export type CaseAddress = CaseDetail['addresses'][number];
export type CaseDisposition = CaseDetail['dispositions'][number];
export type CaseNote = CaseDetail['notes'][number];
export type BulkScan = z.infer<typeof BulkScanAccepted>;
export type Suggestions = z.infer<typeof SuggestionsSchema>;
export type Suggestion = Suggestions['suggestions'][number];
export type Packages = z.infer<typeof PackageList>;
export type ReportPackage = Packages['generations'][number];

export type ScamEntry = z.infer<typeof ScamEntrySchema>;
export type ScamLookup = z.infer<typeof ScamLookupSchema>;
export type ScamPage = z.infer<typeof ScamPageSchema>;
export type ScamSearch = z.infer<typeof ScamSearchSchema>;
export type ScamStats = z.infer<typeof ScamStatsSchema>;

export type Usage = z.infer<typeof UsageSchema>;
export type Keys = z.infer<typeof KeyList>;
export type NewKey = z.infer<typeof NewKeySchema>;

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
