import type { CasePriority, CaseRole, CaseStatus, NoteType } from '../../domain/case.ts';
import type { Chain } from '../../domain/chain.ts';
import { iso, isoOrNull } from '../../domain/time.ts';
import type { ScannedCaseAddress } from '../../records/cases/addresses.ts';
import type { CountedCase } from '../../records/cases/cases.ts';
import type { CaseNoteRow } from '../../records/cases/notes.ts';
import type { RiskLevel } from '../../risk/detection.ts';

/** A case as answers show it. */
export interface CaseRecord {
  id: string;
  title: string;
  description: string;
  status: CaseStatus;
  priority: CasePriority;
  assignee: string | null;
  created_at: string;
  updated_at: string;
  address_count: number;
}

/** An address of a case; the `last_` fields speak of the account's newest scan of it. */
export interface CaseAddressRecord {
  id: string;
  case_id: string;
  chain: Chain;
  address: string;
  role: CaseRole;
  label: string | null;
  investigator_notes: string;
  hop_distance: number;
  last_scan_id: string | null;
  last_risk_level: RiskLevel | null;
  last_scanned_at: string | null;
}

export interface CaseNoteRecord {
  id: string;
  case_id: string;
  content: string;
  note_type: NoteType;
  author: string;
  created_at: string;
}

export function caseRecord(row: CountedCase): CaseRecord {
  const { account_id: _account, created_at, updated_at, ...fields } = row;
  return { ...fields, created_at: iso(created_at), updated_at: iso(updated_at) };
}

export function addressRecord(row: ScannedCaseAddress): CaseAddressRecord {
  const { created_at: _created, last_scanned_at, ...fields } = row;
  return { ...fields, last_scanned_at: isoOrNull(last_scanned_at) };
}

export function noteRecord(row: CaseNoteRow): CaseNoteRecord {
  return { ...row, created_at: iso(row.created_at) };
}
