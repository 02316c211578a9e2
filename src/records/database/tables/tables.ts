import type {
  AccountsTable,
  ApiKeysTable,
  IdempotencyKeysTable,
  QuotaMonthsTable,
  QuotaReservationsTable,
  SecretCanaryTable,
} from './accounts.ts';
import type {
  AlertEventsTable,
  AlertMailsTable,
  AlertsTable,
  AlertTurnsTable,
  AlertViewsTable,
  RulesTable,
  RuleVersionsTable,
} from './alerts.ts';
import type { BoardsTable, BoardVersionsTable } from './boards.ts';
import type { BridgeContractsTable, MatchDecisionsTable } from './bridges.ts';
import type {
  CaseAddressesTable,
  CaseCitationsTable,
  CaseDispositionsTable,
  CaseEvidenceTable,
  CaseNotesTable,
  CasesTable,
  ReportPackageFilesTable,
  ReportPackageRowsTable,
  ReportPackagesTable,
} from './cases.ts';
import type {
  AuditChainsTable,
  AuditLogTable,
  AuditViewsTable,
  DeliveriesTable,
  DeliveryAttemptsTable,
  DeliveryQueuesTable,
  EventsTable,
  MailRecipientsTable,
  SignInFailuresTable,
  WebhookConfigsTable,
} from './events.ts';
import type { JobRowsTable, JobsTable, PeriodicWorkTable } from './jobs.ts';
import type {
  KeptListsTable,
  LabelChangesTable,
  LabelListsTable,
  LabelNamesTable,
  LabelSignersTable,
  LabelsTable,
  OwnLabelsTable,
  SignedLabelsTable,
  UnfinishedLoadsTable,
} from './lists.ts';
import type {
  DiscoveriesTable,
  LiveAddressesTable,
  LiveListenersTable,
  MovementsTable,
  TouchesTable,
  WatchlistItemsTable,
} from './monitoring.ts';
import type { ApprovalsTable, PeopleTable, SessionsTable, SignInsTable } from './people.ts';
import type { PricesTable } from './prices.ts';
import type {
  RiskSettingsTable,
  ScamDomainsTable,
  ScamEntriesTable,
  ScamHistoryTable,
  ScamReportsTable,
} from './scamdb.ts';
import type {
  ScanCacheTable,
  ScanCounterpartiesTable,
  ScansTable,
  TracedAddressesTable,
  WorthlessTransfersTable,
} from './scans.ts';
import type { ScreenedTransfersTable, TransferPartiesTable } from './transfers.ts';

// Times are epoch milliseconds, flags 0 or 1, JSON is text: types that SQLite and PostgreSQL share.

export interface Tables {
  accounts: AccountsTable;
  api_keys: ApiKeysTable;
  people: PeopleTable;
  approvals: ApprovalsTable;
  sessions: SessionsTable;
  sign_ins: SignInsTable;
  secret_canary: SecretCanaryTable;
  quota_months: QuotaMonthsTable;
  quota_reservations: QuotaReservationsTable;
  scans: ScansTable;
  scan_cache: ScanCacheTable;
  screened_transfers: ScreenedTransfersTable;
  alerts: AlertsTable;
  alert_events: AlertEventsTable;
  alert_views: AlertViewsTable;
  alert_mails: AlertMailsTable;
  alert_turns: AlertTurnsTable;
  rules: RulesTable;
  rule_versions: RuleVersionsTable;
  transfer_parties: TransferPartiesTable;
  scan_counterparties: ScanCounterpartiesTable;
  labels: LabelsTable;
  label_changes: LabelChangesTable;
  label_lists: LabelListsTable;
  label_names: LabelNamesTable;
  own_labels: OwnLabelsTable;
  label_signers: LabelSignersTable;
  signed_labels: SignedLabelsTable;
  prices: PricesTable;
  kept_lists: KeptListsTable;
  unfinished_loads: UnfinishedLoadsTable;
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
  live_addresses: LiveAddressesTable;
  touches: TouchesTable;
  live_listeners: LiveListenersTable;
  movements: MovementsTable;
  cases: CasesTable;
  case_addresses: CaseAddressesTable;
  case_notes: CaseNotesTable;
  case_dispositions: CaseDispositionsTable;
  case_evidence: CaseEvidenceTable;
  case_citations: CaseCitationsTable;
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
  audit_views: AuditViewsTable;
  audit_chains: AuditChainsTable;
  sign_in_failures: SignInFailuresTable;
}
