import { sql } from 'kysely';
import { type AnyStore, isPostgres } from '../dialect.ts';

/** Creates all tables of a new store. A semicolon at the end of a line ends a statement. */
export async function createSchema(db: AnyStore): Promise<void> {
  const postgres = isPostgres(db);
  const tables = TABLES.replaceAll('SEQUENCE', postgres ? 'bigserial primary key' : 'integer primary key autoincrement')
    .replaceAll('BYTES', postgres ? 'bytea' : 'blob')
    .split(/;\n/);
  for (const statement of [...tables, ...(postgres ? SEARCH_ON_POSTGRES : SEARCH_ON_SQLITE)]) {
    await sql.raw(statement).execute(db);
  }
}

const TABLES = `
create table accounts (
  id text primary key, name text not null, plan_id text not null, topup_remaining integer default 0 not null,
  created_at bigint not null);

create table api_keys (
  id text primary key, account_id text not null references accounts (id) on delete cascade, name text not null,
  prefix text not null, hash text not null unique, created_at bigint not null, last_used_at bigint,
  revoked_at bigint);
create index api_keys_account on api_keys (account_id);

create table quota_months (
  account_id text not null references accounts (id) on delete cascade, period text not null,
  used integer default 0 not null,
  constraint quota_months_key primary key (account_id, period));

create table quota_reservations (
  id text primary key, account_id text not null references accounts (id) on delete cascade,
  period text not null, plan_units integer not null, topup_units integer not null,
  settled_units integer default 0 not null, state text not null, created_at bigint not null,
  expires_at bigint not null);
create index quota_reservations_open on quota_reservations (state, expires_at);

create table idempotency_keys (
  account_id text not null references accounts (id) on delete cascade, key_hash text not null,
  request_hash text not null, holder text not null, status_code integer, answer text,
  expires_at bigint not null,
  constraint idempotency_keys_key primary key (account_id, key_hash));
create index idempotency_keys_expiry on idempotency_keys (expires_at);

create table risk_settings (
  account_id text primary key references accounts (id) on delete cascade, whitelist text not null,
  weights text not null, updated_at bigint not null, strict_sanctions integer default 0 not null);

create table scans (
  id text primary key, account_id text not null references accounts (id) on delete cascade, chain text not null,
  address text not null, source text not null, lang text not null, risk_level text not null,
  risk_score integer not null, detection_count integer not null, rule_set_version text not null,
  result text not null, created_at bigint not null, units integer default 1 not null);
create index scans_account on scans (account_id, created_at);
create index scans_address on scans (account_id, chain, address, created_at);

create table scan_counterparties (
  scan_id text primary key references scans (id) on delete cascade, counterparties text not null);

create table scan_cache (
  chain text not null, address text not null, result text not null, created_at bigint not null,
  expires_at bigint not null,
  constraint scan_cache_key primary key (chain, address));

create table traced_addresses (
  account_id text not null references accounts (id) on delete cascade, chain text not null,
  address text not null, at bigint not null,
  constraint traced_addresses_key primary key (account_id, chain, address));

create table labels (
  chain text not null, address text not null, category text not null, label text not null, source text not null,
  confidence integer not null, entity text, valid_from bigint default 0 not null, valid_to bigint,
  malicious_contract integer default 0 not null, loaded_at bigint not null, changed_at bigint not null,
  constraint labels_key primary key (chain, address, source, category, label, valid_from));
create index labels_address on labels (address, chain);
create index labels_source on labels (source);
create index labels_changed_at on labels (changed_at);
create index labels_valid_from on labels (valid_from);
create index labels_valid_to on labels (valid_to);

create table label_lists (
  source text primary key, as_of bigint not null);

create table label_changes (count bigint not null);
insert into label_changes (count) values (0);

create table prices (
  date text not null, asset text not null, usd double precision not null,
  constraint prices_key primary key (asset, date));

create table bridge_contracts (
  protocol text not null, chain text not null, role text not null, address text not null, token text not null,
  peer text not null, family text not null,
  constraint bridge_contracts_pk primary key (protocol, chain, role, address));

create table match_decisions (
  account_id text not null references accounts (id) on delete cascade, crossing_id text not null,
  receipt_id text not null, created_at bigint not null, chain_out text not null, tx_out text not null,
  chain_in text not null, tx_in text not null, decision text not null, reason text not null,
  author text not null, key_id text not null,
  constraint match_decisions_key primary key (account_id, crossing_id, receipt_id, created_at));

create table periodic_work (
  name text primary key, next_at bigint not null);

create table cases (
  id text primary key, account_id text not null references accounts (id) on delete cascade, title text not null,
  description text not null, status text not null, priority text not null, assignee text,
  created_at bigint not null, updated_at bigint not null);
create index cases_account on cases (account_id, created_at, id);

create table case_addresses (
  id text primary key, case_id text not null references cases (id) on delete cascade, chain text not null,
  address text not null, role text not null, label text, investigator_notes text not null,
  hop_distance integer not null, created_at bigint not null,
  constraint case_addresses_once unique (case_id, chain, address));

create table case_notes (
  id text primary key, case_id text not null references cases (id) on delete cascade, content text not null,
  note_type text not null, author text not null, created_at bigint not null, event text);
create index case_notes_timeline on case_notes (case_id, created_at);

create table case_dispositions (
  case_id text not null references cases (id) on delete cascade,
  address_id text not null references case_addresses (id) on delete cascade, detector_id text not null,
  disposition text not null, reason text not null, author text not null, evidence text not null,
  created_at bigint not null,
  constraint case_dispositions_key primary key (address_id, detector_id));

create table case_audit (
  id text primary key, account_id text not null references accounts (id) on delete cascade,
  case_id text not null, key_id text not null, action text not null, subject text not null, at bigint not null);
create index case_audit_account on case_audit (account_id, at);

create table jobs (
  id text primary key, account_id text not null references accounts (id) on delete cascade, type text not null,
  status text not null, input text not null, total integer not null, completed integer default 0 not null,
  failed integer default 0 not null, error_message text, attempts integer default 0 not null,
  tries_left integer not null, run_at bigint not null, lease_until bigint, reservation_id text,
  created_at bigint not null, started_at bigint, completed_at bigint, lane text default 'any' not null,
  output text, case_id text references cases (id) on delete cascade);
create index jobs_due on jobs (status, type, run_at);
create index jobs_account on jobs (account_id, created_at);
create index jobs_case on jobs (case_id, type, created_at);
create index jobs_waiting on jobs (type, lane, account_id, run_at)
  where status in ('queued', 'running') and tries_left > 0;
create index jobs_started on jobs (type, lane, account_id, started_at) where started_at is not null;

create table job_rows (
  job_id text not null references jobs (id) on delete cascade, position integer not null, chain text,
  address text not null, valid integer not null, status text not null, result text, error_message text,
  completed_at bigint,
  constraint job_rows_key primary key (job_id, position));

create table report_packages (
  id text primary key references jobs (id) on delete cascade,
  case_id text not null references cases (id) on delete cascade, format integer not null, inputs text not null,
  files text, degraded integer default 0 not null, created_at bigint not null);
create index report_packages_case on report_packages (case_id, created_at);

create table report_package_rows (
  package_id text not null references jobs (id) on delete cascade, part integer not null, rows text not null,
  constraint report_package_rows_key primary key (package_id, part));

create table report_package_files (
  package_id text not null references report_packages (id) on delete cascade, name text not null,
  part integer not null, content BYTES not null,
  constraint report_package_files_key primary key (package_id, name, part));

create table events (
  id text primary key, type text not null, account_id text not null references accounts (id) on delete cascade,
  subject text not null, payload text not null, created_at bigint not null, dispatched_at bigint,
  dispatch_after bigint default 0 not null);
create index events_dispatch on events (dispatched_at, created_at);

create table deliveries (
  id text primary key, event_id text not null references events (id) on delete cascade,
  account_id text not null references accounts (id) on delete cascade, subscriber text not null,
  recipient text not null, status text not null, attempts integer not null, tries integer not null,
  status_code integer, error text, created_at bigint not null, last_attempt_at bigint, next_attempt_at bigint,
  constraint deliveries_once unique (event_id, subscriber, recipient));
create index deliveries_account on deliveries (account_id, created_at);
create index deliveries_waiting on deliveries (account_id, recipient, next_attempt_at) where status = 'pending';
create index deliveries_oldest on deliveries (account_id, created_at) where status = 'pending';
create index deliveries_next on deliveries (next_attempt_at) where status = 'pending';

create table delivery_queues (
  account_id text not null references accounts (id) on delete cascade, recipient text not null, due_at bigint,
  failing integer default 0 not null, failures integer default 0 not null, hold_until bigint default 0 not null,
  constraint delivery_queues_key primary key (account_id, recipient));
create index delivery_queues_due on delivery_queues (account_id, failing, due_at) where due_at is not null;

create table webhook_configs (
  id text primary key, account_id text not null references accounts (id) on delete cascade,
  webhook_url text not null, description text not null, events text not null, is_active integer not null,
  secret text not null, failing_since bigint, created_at bigint not null,
  previous_secrets text default '[]' not null);
create index webhook_configs_account on webhook_configs (account_id, created_at);

create table watchlist_items (
  id text primary key, account_id text not null references accounts (id) on delete cascade, chain text not null,
  address text not null, label text not null, monitor_type text not null, follow_mode_enabled integer not null,
  follow_depth integer not null, last_risk_level text, last_risk_score integer, last_scanned_at bigint,
  last_rule_set text, unconfirmed_level text, level_before_rule_set text, sanctioned text not null,
  failing_since bigint, next_scan_at bigint not null, walk_due integer not null, busy_until bigint not null,
  manual_day text, manual_rescans integer not null, created_at bigint not null, label_state text,
  follow_coverage text, taken_at bigint,
  constraint watchlist_once unique (account_id, chain, address));
create index watchlist_due on watchlist_items (next_scan_at);
create index watchlist_address on watchlist_items (address);
create index watchlist_turns on watchlist_items
  (chain, account_id, (case when walk_due = 1 then 0 else next_scan_at end));
create index watchlist_first on watchlist_items (chain, (case when walk_due = 1 then 0 else next_scan_at end));
create index watchlist_busy on watchlist_items (chain, busy_until) where busy_until > 0;
create index watchlist_served on watchlist_items (account_id, taken_at) where taken_at is not null;

create table discoveries (
  id text primary key, account_id text not null references accounts (id) on delete cascade,
  item_id text not null references watchlist_items (id) on delete cascade, chain text not null,
  address text not null, hop integer not null, direction text not null, category text not null, label text,
  risk_level text not null, risk_score integer not null, usd double precision not null, path text not null,
  status text not null, discovered_at bigint not null,
  constraint discoveries_once_a_chain unique (item_id, chain, address));

create table scam_entries (
  seq SEQUENCE, id text not null unique, family text not null, address text not null, chains text not null,
  type text not null, severity text not null, method text not null, domains text not null,
  domain_count integer not null, total_stolen_usd double precision not null, verified integer not null,
  sources text not null, search_text text not null, first_seen bigint not null, updated_at bigint not null,
  constraint scam_entries_address unique (address, family));
create index scam_entries_listed on scam_entries (verified, seq);
create index scam_entries_counted on scam_entries
  (verified, type, severity, chains, total_stolen_usd, updated_at);

create table scam_domains (
  domain text not null, family text not null, address text not null, source text not null,
  loaded_at bigint not null, ended_at bigint,
  constraint scam_domains_key primary key (domain, family, address, source));
create index scam_domains_address on scam_domains (address, family);
create index scam_domains_source on scam_domains (source, loaded_at);

create table scam_reports (
  id text primary key, account_id text references accounts (id) on delete set null, chain text not null,
  family text not null, address text not null, type text not null, description text not null,
  domains text not null, evidence_url text, stolen_usd double precision, status text not null,
  created_at bigint not null, decided_at bigint, decided_by text, decision_reason text);
create index scam_reports_address on scam_reports (address, family);
create index scam_reports_account on scam_reports (account_id);

create table scam_history (
  seq SEQUENCE, entry_id text not null references scam_entries (id) on delete cascade, at bigint not null,
  action text not null, source text not null, reason text);
create index scam_history_entry on scam_history (entry_id, seq)`;

/** Without the right to install the extension, searches read all entries: slower, not fewer. */
const SEARCH_ON_POSTGRES = [
  `do $$ begin
    create extension if not exists pg_trgm;
    create index scam_entries_search on scam_entries using gin (search_text gin_trgm_ops);
  exception when others then null;
  end $$`,
];

/**
 * The full-text index takes new entries many at once, and stores which texts hold three characters, but not where: the
 * texts themselves are searched for that. Triggers keep it in step with the entries.
 */
const SEARCH_ON_SQLITE = [
  `create virtual table scam_search using fts5(
    search_text, content='scam_entries', content_rowid='seq', tokenize='trigram', detail='none')`,
  `create trigger scam_search_delete after delete on scam_entries
  when old.seq <= (select max(id) from scam_search_docsize) begin
    insert into scam_search(scam_search, rowid, search_text) values ('delete', old.seq, old.search_text);
  end`,
  `create trigger scam_search_update after update of search_text on scam_entries
  when new.search_text <> old.search_text and old.seq <= (select max(id) from scam_search_docsize) begin
    insert into scam_search(scam_search, rowid, search_text) values ('delete', old.seq, old.search_text);
    insert into scam_search(rowid, search_text) values (new.seq, new.search_text);
  end`,
];
