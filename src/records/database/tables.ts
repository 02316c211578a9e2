import type { Chain } from '../../domain/chain.ts';
import type { JobLane, JobStatus, JobType } from '../../domain/job.ts';
import type { PlanId } from '../../plans.ts';
import type { BoardsTable, BoardVersionsTable } from './board-tables.ts';
import type {
  CaseAddressesTable,
  CaseDispositionsTable,
  CaseNotesTable,
  CasesTable,
  ReportPackageFilesTable,
  ReportPackageRowsTable,
  ReportPackagesTable,
} from './case-tables.ts';
import type {
  AuditChainsTable,
  AuditLogTable,
  DeliveriesTable,
  DeliveryAttemptsTable,
  DeliveryQueuesTable,
  EventsTable,
  MailRecipientsTable,
  SignInFailuresTable,
  WebhookConfigsTable,
} from './event-tables.ts';
import type {
  KeptListsTable,
  LabelChangesTable,
  LabelListsTable,
  LabelNamesTable,
  LabelsTable,
} from './list-tables.ts';
import type {
  RiskSettingsTable,
  ScamDomainsTable,
  ScamEntriesTable,
  ScamHistoryTable,
  ScamReportsTable,
} from './scam-tables.ts';
import type { DiscoveriesTable, WatchlistItemsTable } from './watch-tables.ts';

// Times are epoch milliseconds, flags 0 or 1, JSON is text: types that SQLite and PostgreSQL share.

export interface AccountsTable {
  id: string;
  name: string;
  plan_id: PlanId;
  topup_remaining: number;
  created_at: number;
}

/** A key is kept as the SHA-256 of its text; `prefix` is what lists show. */
export interface ApiKeysTable {
  id: string;
  account_id: string;
  name: string;
  prefix: string;
  hash: string;
  created_at: number;
  last_used_at: number | null;
  revoked_at: number | null;
  /** Rights, separated by blanks. */
  scopes: string;
  expires_at: number | null;
  /** Addresses and networks, separated by blanks; empty: from anywhere. */
  allowed_ips: string;
}

/** Scans of the plan used by an account in one UTC month (`2026-11`), reserved ones included. */
interface QuotaMonthsTable {
  account_id: string;
  period: string;
  used: number;
}

/** One reservation of scan units; whatever is not settled by `expires_at` is given back. */
interface QuotaReservationsTable {
  id: string;
  account_id: string;
  period: string;
  plan_units: number;
  topup_units: number;
  settled_units: number;
  state: 'reserved' | 'settled' | 'released';
  created_at: number;
  expires_at: number;
}

/** Callers whose scans are listed. */
export type ListedSource = 'sync' | 'async' | 'batch' | 'console' | 'watchlist';
/** Scans of cases are read there. */
export type ScanSource = ListedSource | 'case';

/** One recorded scan of a tenant; `result` is the ScanResponse as JSON. */
export interface ScansTable {
  id: string;
  account_id: string;
  chain: Chain;
  address: string;
  source: ScanSource;
  lang: string;
  risk_level: 'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW' | 'UNKNOWN';
  risk_score: number;
  detection_count: number;
  rule_set_version: string;
  result: string;
  created_at: number;
  /** What it cost; 0 where a cached scan was recorded because its result changed. */
  units: number;
}

/** All counterparties of a recorded scan, as packed JSON. */
interface ScanCounterpartiesTable {
  scan_id: string;
  counterparties: string;
}

/** The newest read of an address, shared by all tenants: saves chain calls and is never shown as such. */
interface ScanCacheTable {
  chain: Chain;
  address: string;
  result: string;
  created_at: number;
  expires_at: number;
}

export interface DailyPrice {
  /** `2026-11-20` */
  date: string;
  asset: string;
  usd: number;
}

interface PricesTable extends DailyPrice {
  /** `file`, or the API that gave it. */
  source: string;
}

/** A token transfer of a loaded file that moved nothing, once for each of its ends. */
interface WorthlessTransfersTable {
  chain: Chain;
  address: string;
  id: string;
  at: number;
  /** JSON of what is known of it. */
  transfer: string;
}

/** An address that a trace opened for an account, and when. */
interface TracedAddressesTable {
  account_id: string;
  chain: Chain;
  address: string;
  at: number;
}

/** Work that outlives its request. While it runs, only the holder of the newest attempt may write to it. */
export interface JobsTable {
  id: string;
  account_id: string;
  type: JobType;
  /** The case that the job works for; null for jobs of no case. */
  case_id: string | null;
  lane: JobLane;
  /** `stale` only once no tries are left; before, a running job whose lease ended is shown as stale. */
  status: JobStatus;
  /** JSON; each type has its own. */
  input: string;
  /** JSON of what the job has found so far; each type has its own. */
  output: string | null;
  total: number;
  completed: number;
  failed: number;
  error_message: string | null;
  /** Claims so far; the number of the newest is its holder's fence. */
  attempts: number;
  tries_left: number;
  /** No worker claims it before; while it runs, the end of its lease and the pause after it. */
  run_at: number;
  lease_until: number | null;
  /** The scan units that the job holds, where its kind costs any. */
  reservation_id: string | null;
  created_at: number;
  started_at: number | null;
  completed_at: number | null;
}

/** One address of a job. */
export interface JobRowsTable {
  job_id: string;
  position: number;
  /** As the client gave it where the row is not valid. */
  chain: string | null;
  address: string;
  /** 0 for a text that is not an address: it failed from the start and is never tried. */
  valid: number;
  status: 'pending' | 'completed' | 'failed';
  /** JSON of the fields that a result row adds. */
  result: string | null;
  error_message: string | null;
  completed_at: number | null;
}

/** The first answer to a request that names an Idempotency-Key; null while it is being made. */
interface IdempotencyKeysTable {
  account_id: string;
  key_hash: string;
  request_hash: string;
  holder: string;
  status_code: number | null;
  /** Encrypted with the client's key, which is not kept. */
  answer: string | null;
  expires_at: number;
}

/** Work that one process does for all; whoever moves `next_at` on has the turn. */
interface PeriodicWorkTable {
  name: string;
  next_at: number;
}

/** A contract of a bridge that the operator added; empty texts where a column does not apply. */
export interface BridgeContractsTable {
  protocol: string;
  chain: Chain;
  role: string;
  address: string;
  /** `coin` for the chain's own. */
  token: string;
  peer: string;
  family: string;
}

/** One decision of an account on a likely match of a bridge. Of several on one match the newest counts; none is deleted. */
export interface MatchDecisionsTable {
  account_id: string;
  crossing_id: string;
  /** Id of the transfer that arrived. */
  receipt_id: string;
  created_at: number;
  chain_out: Chain;
  tx_out: string;
  chain_in: Chain;
  tx_in: string;
  /** `withdrawn`: as if none had been made. */
  decision: 'confirmed' | 'rejected' | 'withdrawn';
  reason: string;
  /** Name of the key. */
  author: string;
  key_id: string;
}

export interface Tables {
  accounts: AccountsTable;
  api_keys: ApiKeysTable;
  quota_months: QuotaMonthsTable;
  quota_reservations: QuotaReservationsTable;
  scans: ScansTable;
  scan_cache: ScanCacheTable;
  scan_counterparties: ScanCounterpartiesTable;
  labels: LabelsTable;
  label_changes: LabelChangesTable;
  label_lists: LabelListsTable;
  label_names: LabelNamesTable;
  prices: PricesTable;
  kept_lists: KeptListsTable;
  jobs: JobsTable;
  job_rows: JobRowsTable;
  idempotency_keys: IdempotencyKeysTable;
  scam_entries: ScamEntriesTable;
  scam_domains: ScamDomainsTable;
  scam_reports: ScamReportsTable;
  scam_history: ScamHistoryTable;
  risk_settings: RiskSettingsTable;
  periodic_work: PeriodicWorkTable;
  events: EventsTable;
  deliveries: DeliveriesTable;
  delivery_attempts: DeliveryAttemptsTable;
  delivery_queues: DeliveryQueuesTable;
  webhook_configs: WebhookConfigsTable;
  watchlist_items: WatchlistItemsTable;
  discoveries: DiscoveriesTable;
  cases: CasesTable;
  case_addresses: CaseAddressesTable;
  case_notes: CaseNotesTable;
  case_dispositions: CaseDispositionsTable;
  boards: BoardsTable;
  board_versions: BoardVersionsTable;
  report_packages: ReportPackagesTable;
  report_package_rows: ReportPackageRowsTable;
  report_package_files: ReportPackageFilesTable;
  traced_addresses: TracedAddressesTable;
  worthless_transfers: WorthlessTransfersTable;
  bridge_contracts: BridgeContractsTable;
  match_decisions: MatchDecisionsTable;
  mail_recipients: MailRecipientsTable;
  audit_log: AuditLogTable;
  audit_chains: AuditChainsTable;
  sign_in_failures: SignInFailuresTable;
}
