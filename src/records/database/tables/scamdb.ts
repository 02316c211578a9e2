import type { Generated } from 'kysely';
import type { Chain, ChainFamily } from '../../../domain/chain.ts';
import type { SCAM_REPORT_STATUSES, ScamSeverity, ScamType } from '../../../domain/scam.ts';

/** Columns of an entry that follow from what its lists and verified reports say. Lists are JSON. */
export interface EntryContent {
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
}

/** One address as the scam database shows it: what its lists and verified reports say, merged. */
export interface NewEntry extends EntryContent {
  id: string;
  family: ChainFamily;
  address: string;
  first_seen: number;
  updated_at: number;
}

export interface ScamEntriesTable extends NewEntry {
  seq: Generated<number>;
}

/** A domain at which a list or a report met the address. */
export interface ScamDomainRow {
  domain: string;
  family: ChainFamily;
  address: string;
  source: string;
  loaded_at: number;
  ended_at: number | null;
}

/** Columns of a report that its user gives. */
export interface ReportedScam {
  chain: Chain | 'evm';
  address: string;
  type: ScamType;
  description: string;
  evidence_url: string | null;
  stolen_usd: number | null;
}

/** A user's report; it changes nothing until the operator verifies it. */
export interface ScamReport extends ReportedScam {
  id: string;
  account_id: string | null;
  family: ChainFamily;
  /** JSON list. */
  domains: string;
  status: (typeof SCAM_REPORT_STATUSES)[number];
  created_at: number;
  decided_at: number | null;
  decided_by: string | null;
  decision_reason: string | null;
}

/** A source that began or ceased to name an address, when and why: an appeal rests on it. */
export interface NewHistory {
  entry_id: string;
  at: number;
  action: 'listed' | 'delisted' | 'verified' | 'rejected';
  source: string;
  reason: string | null;
}

export interface ScamHistoryTable extends NewHistory {
  seq: Generated<number>;
}

/** One row per account that ever set any; both lists are JSON. */
export interface RiskSettingsRow {
  account_id: string;
  whitelist: string;
  weights: string;
  /** 1 where it is on. */
  strict_sanctions: number;
  updated_at: number;
}
