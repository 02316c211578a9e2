import type { z } from 'zod';
import type { ClaimedLabel } from '../../src/domain/claimed-label.ts';
import type { FrontierSchema, HopSchema } from '../../src/domain/tracing/answers.ts';
import type { CounterpartySchema } from '../../src/domain/transfers/flow.ts';
import type { DetectionDetails, ScoreTerm, SuppressedDetection } from '../../src/risk/detection.ts';
import type { KeyListSchema, NewKeySchema, UsageSchema } from '../../src/routes/account/account-schemas.ts';
import type { AuditSchema } from '../../src/routes/account/audit.ts';
import type { PeopleSchema } from '../../src/routes/account/people.ts';
import type { ApprovalsSchema } from '../../src/routes/cases/approvals.ts';
import type {
  BoardListSchema,
  BoardSchema,
  BoardVersionListSchema,
  BoardWithSceneSchema,
} from '../../src/routes/cases/board-schemas.ts';
import type { BulkScanAcceptedSchema, SuggestionsSchema } from '../../src/routes/cases/bulk-scan.ts';
import type {
  CaseAddressListSchema,
  CaseDetailSchema,
  CaseListSchema,
  CaseNoteListSchema,
} from '../../src/routes/cases/case-schemas.ts';
import type { PackageListSchema } from '../../src/routes/cases/reports.ts';
import type { RequestListSchema } from '../../src/routes/cases/requests.ts';
import type {
  AlertDetailSchema,
  AlertEventInput,
  AlertQueueSchema,
  AlertsChangedSchema,
  AlertViewSchema,
} from '../../src/routes/monitoring/alert-queue.ts';
import type { BacktestSchema, FactsSchema, RuleDetailSchema, RulesSchema } from '../../src/routes/monitoring/rules.ts';
import type {
  DiscoveryListSchema,
  DiscoverySchema,
  WatchlistItemSchema,
  WatchlistSchema,
} from '../../src/routes/monitoring/watchlist-schemas.ts';
import type {
  EventCatalogueSchema,
  NewWebhookBody,
  WebhookConfigSchema,
  WebhookDeliverySchema,
  WebhookTestSchema,
  WebhookWithSecretSchema,
} from '../../src/routes/monitoring/webhook-schemas.ts';
import type { JobRecordSchema, JobResultsSchema, LiveJobListSchema } from '../../src/routes/scans/job-schemas.ts';
import type { RiskVerdictSchema } from '../../src/routes/scans/presign.ts';
import type { DetectionSchema, ScanListSchema, ScanResponseSchema } from '../../src/routes/scans/scan-schemas.ts';
import type { TokenScreeningAnswer, TransferQueryAnswer } from '../../src/routes/scans/token-transfers.ts';
import type { LocatedTransactionSchema, TransactionScanSchema } from '../../src/routes/scans/transactions.ts';
import type { LabelSearchSchema } from '../../src/routes/service/labels.ts';
import type {
  ScamEntrySchema,
  ScamLookupSchema,
  ScamPageSchema,
  ScamSearchSchema,
  ScamStatsSchema,
} from '../../src/routes/service/scamdb.ts';
import type { SourceCheckSchema, SourcesSchema } from '../../src/routes/service/sources.ts';
import type { ActivitySchema } from '../../src/routes/tracing/activity.ts';
import type { OwnAnswerSchema } from '../../src/routes/tracing/own-statements.ts';

/** The answers of the API, from the schemas that its routes answer by. */
export type Scan = Omit<z.infer<typeof ScanResponseSchema>, 'metadata' | 'detections'> & {
  metadata: ScanMetadata;
  detections: ScanDetection[];
};
export type ScanDetection = Omit<z.infer<typeof DetectionSchema>, 'details'> & { details?: DetectionDetails };
export type ScanCounterparty = z.infer<typeof CounterpartySchema>;
export type ScannedTransaction = z.infer<typeof TransactionScanSchema>;
export type Scans = z.infer<typeof ScanListSchema>;
export type Job = z.infer<typeof JobRecordSchema>;
export type JobResults = z.infer<typeof JobResultsSchema>;
export type LiveJobs = z.infer<typeof LiveJobListSchema>;
export type PresignAnswer = z.infer<typeof RiskVerdictSchema>;
export type TokenTransfersFound = z.infer<typeof TransferQueryAnswer>;
export type ScreeningFound = z.infer<typeof TokenScreeningAnswer>;
export type OwnStatementRows = z.infer<typeof OwnAnswerSchema>;
export type LocatedTransaction = z.infer<typeof LocatedTransactionSchema>;
export type ActivityAnswer = z.infer<typeof ActivitySchema>;
export type Unread = z.infer<typeof FrontierSchema>[number];

export type HopAnswer = z.infer<typeof HopSchema>;

export type Watchlist = z.infer<typeof WatchlistSchema>;
export type Watched = z.infer<typeof WatchlistItemSchema>;
export type Discovery = z.infer<typeof DiscoverySchema>;
export type DiscoveryList = z.infer<typeof DiscoveryListSchema>;
export type AlertQueue = z.infer<typeof AlertQueueSchema>;
export type QueuedAlert = AlertQueue['alerts'][number];
export type AlertDetail = z.infer<typeof AlertDetailSchema>;
export type AlertsChanged = z.infer<typeof AlertsChangedSchema>;
/** An event that a reader adds to an alert. */
export type NewAlertEvent = z.input<typeof AlertEventInput>;
export type AlertView = z.infer<typeof AlertViewSchema>;
export type Webhook = z.infer<typeof WebhookConfigSchema>;
export type WebhookFields = z.input<typeof NewWebhookBody>;
export type NewWebhook = z.infer<typeof WebhookWithSecretSchema>;
export type WebhookTestResult = z.infer<typeof WebhookTestSchema>;
export type Delivery = z.infer<typeof WebhookDeliverySchema>;
export type EventTypes = z.infer<typeof EventCatalogueSchema>;

export type Cases = z.infer<typeof CaseListSchema>;
export type CaseDetail = z.infer<typeof CaseDetailSchema>;
export type CaseAddresses = z.infer<typeof CaseAddressListSchema>;
export type CaseNotes = z.infer<typeof CaseNoteListSchema>;
export type Case = CaseDetail['case'];
export type CaseAddress = CaseDetail['addresses'][number];
export type CaseDisposition = CaseDetail['dispositions'][number];
export type BulkScan = z.infer<typeof BulkScanAcceptedSchema>;
export type Boards = z.infer<typeof BoardListSchema>;
export type Suggestions = z.infer<typeof SuggestionsSchema>;
export type Suggestion = Suggestions['suggestions'][number];
export type FreezingRequests = z.infer<typeof RequestListSchema>;
export type Packages = z.infer<typeof PackageListSchema>;
export type ReportPackage = Packages['generations'][number];

export type Board = z.infer<typeof BoardSchema>;
export type BoardWithScene = z.infer<typeof BoardWithSceneSchema>;
export type BoardVersions = z.infer<typeof BoardVersionListSchema>;

export type ScamEntry = z.infer<typeof ScamEntrySchema>;
export type ScamLookup = z.infer<typeof ScamLookupSchema>;
export type ScamPage = z.infer<typeof ScamPageSchema>;
export type LabelSearch = z.infer<typeof LabelSearchSchema>;
export type ScamSearch = z.infer<typeof ScamSearchSchema>;
export type ScamStats = z.infer<typeof ScamStatsSchema>;

export type Sources = z.infer<typeof SourcesSchema>;
export type SourceCheck = z.infer<typeof SourceCheckSchema>;

export type Usage = z.infer<typeof UsageSchema>;
export type AuditLog = z.infer<typeof AuditSchema>;
export type AuditLogEntry = AuditLog['entries'][number];
export type Keys = z.infer<typeof KeyListSchema>;
export type People = z.infer<typeof PeopleSchema>;
export type Person = People['people'][number];
export type Approval = z.infer<typeof ApprovalsSchema>['approvals'][number];
export type Rule = z.infer<typeof RulesSchema>['rules'][number];
export type RuleDetail = z.infer<typeof RuleDetailSchema>;
export type RuleFacts = z.infer<typeof FactsSchema>;
export type Backtest = z.infer<typeof BacktestSchema>;
export type NewKey = z.infer<typeof NewKeySchema>;

interface ScanMetadata {
  own_labels?: ClaimedLabel[];
  total_transactions?: number;
  counterparty_count?: number;
  as_of?: string;
  level_note?: string | null;
  frozen?: { asset: string; since: string | null }[];
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
