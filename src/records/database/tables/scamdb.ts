import type { Generated } from 'kysely';
import type { Chain, ChainFamily } from '../../../domain/chain.ts';
import type { SCAM_REPORT_STATUSES, ScamSeverity, ScamType } from '../../../domain/scam.ts';

/** One address as the scam database shows it: what its lists and verified reports say, merged. Lists are JSON. */
export interface ScamEntriesTable {
  seq: Generated<number>;
  id: string;
  family: ChainFamily;
  address: string;
  chains: string;
  type: ScamType;
  severity: ScamSeverity;
  method: string;
  /** The first of them; `domain_count` says how many there are. */
  domains: string;
  domain_count: number;
  total_stolen_usd: number;
  /** 1 while a list or a verified report names the address. */
  verified: number;
  /** The sources that name it now: label sources and `report:<id>`. */
  sources: string;
  /** Folded as queries are; the full-text index follows it. */
  search_text: string;
  first_seen: number;
  updated_at: number;
}

/** A domain at which a list or a report met the address. */
export interface ScamDomainsTable {
  domain: string;
  family: ChainFamily;
  address: string;
  source: string;
  loaded_at: number;
  ended_at: number | null;
}

/** A user's report; it changes nothing until the operator verifies it. */
export interface ScamReportsTable {
  id: string;
  account_id: string | null;
  chain: Chain | 'evm';
  family: ChainFamily;
  address: string;
  type: ScamType;
  description: string;
  domains: string;
  evidence_url: string | null;
  stolen_usd: number | null;
  status: (typeof SCAM_REPORT_STATUSES)[number];
  created_at: number;
  decided_at: number | null;
  decided_by: string | null;
  decision_reason: string | null;
}

/** A source that began or ceased to name an address, when and why: an appeal rests on it. */
export interface ScamHistoryTable {
  seq: Generated<number>;
  entry_id: string;
  at: number;
  action: 'listed' | 'delisted' | 'verified' | 'rejected';
  source: string;
  reason: string | null;
}

/** One row per account that ever set any; both lists are JSON. */
export interface RiskSettingsTable {
  account_id: string;
  whitelist: string;
  weights: string;
  /** 1 where it is on. */
  strict_sanctions: number;
  updated_at: number;
}
