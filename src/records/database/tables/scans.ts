import type { Chain } from '../../../domain/chain.ts';

/** Callers whose scans are listed. */
export type ListedSource = 'sync' | 'async' | 'batch' | 'console' | 'watchlist';

/** Scans of cases and transfers are read there. */
export type ScanSource = ListedSource | 'case' | 'transfer';

/** A recorded scan of a tenant without its result. */
export interface ScanSummary {
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
  created_at: number;
  /** Its cost in units; 0 where a cached scan was recorded because its result changed. */
  units: number;
}

export interface RecordedScan extends ScanSummary {
  /** The ScanResponse as JSON. */
  result: string;
  /** The addresses that it met, packed; null for too many, and where it was recorded without them. */
  met: string | null;
  /** 1 where something that was heard of a watched address caused it. */
  touched: number;
  /** 1 for a rescan of the same day that says what the one before it said: it goes after a day. */
  repeats: number;
}

/** All counterparties of a recorded scan, as packed JSON. */
export interface ScanCounterpartyRow {
  scan_id: string;
  counterparties: string;
  /** US dollars that the address moved, and those with labelled counterparties; null for scans of earlier versions. */
  moved_usd: number | null;
  labelled_usd: number | null;
}

/** The newest read of an address, shared by all tenants: saves chain calls and is never shown as such. */
export interface ScanCacheRow {
  chain: Chain;
  address: string;
  result: string;
  created_at: number;
  expires_at: number;
}

/** An address that a trace opened for an account, and when. */
export interface TracedAddressRow {
  account_id: string;
  chain: Chain;
  address: string;
  at: number;
}

/** A token transfer of a loaded file that moved nothing, once for each of its ends. */
export interface WorthlessTransferRow {
  chain: Chain;
  address: string;
  id: string;
  at: number;
  /** JSON of what is known of it. */
  transfer: string;
}
