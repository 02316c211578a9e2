import type { Chain } from '../domain/chain.ts';
import type { Category } from '../domain/label.ts';
import type { PlanId } from '../plans.ts';

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
}

/** Scans of the plan used by an account in one UTC month (`2026-11`), reserved ones included. */
export interface QuotaMonthsTable {
  account_id: string;
  period: string;
  used: number;
}

/** One reservation of scan units; whatever is not settled by `expires_at` is given back. */
export interface QuotaReservationsTable {
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

export type ScanSource = 'sync' | 'async' | 'console' | 'watchlist';

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
}

/**
 * The newest read of an address, shared by all tenants: spares the chain calls, is never shown as such.
 * `counterparties` changes with labels, so `labels_version` says which labels the result was made from.
 */
export interface ScanCacheTable {
  chain: Chain;
  address: string;
  result: string;
  created_at: number;
  expires_at: number;
}

export interface LabelsTable {
  chain: Chain | 'evm';
  address: string;
  category: Category;
  label: string;
  source: string;
  confidence: number;
  entity: string | null;
  /** 0 = always valid (part of the row's identity, so it is never null). */
  valid_from: number;
  valid_to: number | null;
  malicious_contract: number;
  /** Stamp of the load that last saw the row. */
  loaded_at: number;
  changed_at: number;
}

export interface PricesTable {
  /** `2026-11-20` */
  date: string;
  asset: string;
  usd: number;
}

/** Symbol and decimals as the chain itself gave them. */
export interface TokensTable {
  chain: Chain;
  token: string;
  symbol: string;
  decimals: number;
  fetched_at: number;
}

export interface Tables {
  accounts: AccountsTable;
  api_keys: ApiKeysTable;
  quota_months: QuotaMonthsTable;
  quota_reservations: QuotaReservationsTable;
  scans: ScansTable;
  scan_cache: ScanCacheTable;
  labels: LabelsTable;
  prices: PricesTable;
  tokens: TokensTable;
}
