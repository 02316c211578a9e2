import type {
  AccountsTable,
  ApiKeyRow,
  IdempotencyKeyRow,
  QuotaMonthRow,
  QuotaReservationRow,
  SecretCanaryRow,
} from './accounts.ts';
import type {
  AlertEventRow,
  AlertMailRow,
  AlertRow,
  AlertTurnRow,
  AlertViewRow,
  RuleRow,
  RuleVersionRow,
} from './alerts.ts';
import type { BoardRow, BoardVersionRow } from './boards.ts';
import type { BridgeContractRow, MatchDecisionRow } from './bridges.ts';
import type {
  CaseAddressRow,
  CaseCitationRow,
  CaseEvidenceRow,
  CaseNoteRow,
  CaseRow,
  DispositionRow,
  ReportPackageFileRow,
  ReportPackagePartRow,
  ReportPackageRow,
} from './cases.ts';
import type {
  AuditChainRow,
  AuditRow,
  AuditViewRow,
  DeliveryAttemptRow,
  DeliveryQueue,
  DeliveryRow,
  MailRecipientRow,
  RecordedEvent,
  SignInFailureRow,
  WebhookConfigRow,
} from './events.ts';
import type { JobRow, PeriodicWorkRow, StoredJob } from './jobs.ts';
import type {
  KeptList,
  LabelChangeRow,
  LabelListRow,
  LabelNamesTable,
  LabelRow,
  LabelSigner,
  OwnLabelRow,
  SignedLabelRow,
  UnfinishedLoad,
} from './lists.ts';
import type {
  DiscoveryRow,
  LiveAddressRow,
  LiveListenerRow,
  MovementRow,
  TouchRow,
  WatchlistRow,
} from './monitoring.ts';
import type { ApprovalRow, PersonRow, SessionRow, SignInRow } from './people.ts';
import type { PriceRow } from './prices.ts';
import type { RiskSettingsRow, ScamDomainRow, ScamEntriesTable, ScamHistoryTable, ScamReport } from './scamdb.ts';
import type {
  RecordedScan,
  ScanCacheRow,
  ScanCounterpartyRow,
  TracedAddressRow,
  WorthlessTransferRow,
} from './scans.ts';
import type { ScreenedTransferRow, TransferPartyRow } from './transfers.ts';

// Times are epoch milliseconds, flags 0 or 1, JSON is text: types that SQLite and PostgreSQL share.

export interface Tables {
  accounts: AccountsTable;
  api_keys: ApiKeyRow;
  people: PersonRow;
  approvals: ApprovalRow;
  sessions: SessionRow;
  sign_ins: SignInRow;
  secret_canary: SecretCanaryRow;
  quota_months: QuotaMonthRow;
  quota_reservations: QuotaReservationRow;
  scans: RecordedScan;
  scan_cache: ScanCacheRow;
  screened_transfers: ScreenedTransferRow;
  alerts: AlertRow;
  alert_events: AlertEventRow;
  alert_views: AlertViewRow;
  alert_mails: AlertMailRow;
  alert_turns: AlertTurnRow;
  rules: RuleRow;
  rule_versions: RuleVersionRow;
  transfer_parties: TransferPartyRow;
  scan_counterparties: ScanCounterpartyRow;
  labels: LabelRow;
  label_changes: LabelChangeRow;
  label_lists: LabelListRow;
  label_names: LabelNamesTable;
  own_labels: OwnLabelRow;
  label_signers: LabelSigner;
  signed_labels: SignedLabelRow;
  prices: PriceRow;
  kept_lists: KeptList;
  unfinished_loads: UnfinishedLoad;
  jobs: StoredJob;
  job_rows: JobRow;
  idempotency_keys: IdempotencyKeyRow;
  scam_entries: ScamEntriesTable;
  scam_domains: ScamDomainRow;
  scam_reports: ScamReport;
  scam_history: ScamHistoryTable;
  risk_settings: RiskSettingsRow;
  periodic_work: PeriodicWorkRow;
  events: RecordedEvent;
  deliveries: DeliveryRow;
  delivery_attempts: DeliveryAttemptRow;
  delivery_queues: DeliveryQueue;
  webhook_configs: WebhookConfigRow;
  watchlist_items: WatchlistRow;
  discoveries: DiscoveryRow;
  live_addresses: LiveAddressRow;
  touches: TouchRow;
  live_listeners: LiveListenerRow;
  movements: MovementRow;
  cases: CaseRow;
  case_addresses: CaseAddressRow;
  case_notes: CaseNoteRow;
  case_dispositions: DispositionRow;
  case_evidence: CaseEvidenceRow;
  case_citations: CaseCitationRow;
  boards: BoardRow;
  board_versions: BoardVersionRow;
  report_packages: ReportPackageRow;
  report_package_rows: ReportPackagePartRow;
  report_package_files: ReportPackageFileRow;
  traced_addresses: TracedAddressRow;
  worthless_transfers: WorthlessTransferRow;
  bridge_contracts: BridgeContractRow;
  match_decisions: MatchDecisionRow;
  mail_recipients: MailRecipientRow;
  audit_log: AuditRow;
  audit_views: AuditViewRow;
  audit_chains: AuditChainRow;
  sign_in_failures: SignInFailureRow;
}
