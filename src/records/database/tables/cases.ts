import type { CasePriority, CaseRole, CaseStatus, Disposition, NoteType } from '../../../domain/case.ts';
import type { Chain } from '../../../domain/chain.ts';

/** Columns of a case that a client may change. */
interface CaseFields {
  title: string;
  description: string;
  status: CaseStatus;
  priority: CasePriority;
  assignee: string | null;
  /** 1: nothing of it is deleted, nor the scans of its addresses. */
  legal_hold: number;
}

export type CaseChange = Partial<CaseFields>;

export interface CaseRow extends CaseFields {
  id: string;
  account_id: string;
  created_at: number;
  updated_at: number;
}

/** Columns of a case's address that a client may change. */
interface CaseAddressFields {
  role: CaseRole;
  label: string | null;
  investigator_notes: string;
  /** Null where it is unknown. */
  hop_distance: number | null;
}

export type CaseAddressChange = Partial<CaseAddressFields>;

/** An address of a case, once per case and chain. */
export interface CaseAddressRow extends CaseAddressFields {
  id: string;
  case_id: string;
  chain: Chain;
  address: string;
  created_at: number;
}

/** One entry of a case's timeline. */
export interface CaseNoteRow {
  id: string;
  case_id: string;
  content: string;
  note_type: NoteType;
  /** Name of the key that wrote it, or `system`. */
  author: string;
  created_at: number;
  /** JSON of a `CaseEvent` where the service wrote the text; null for what an analyst wrote. */
  event: string | null;
}

/** The newest judgement of one detection of one address. */
export interface DispositionRow {
  case_id: string;
  address_id: string;
  detector_id: string;
  disposition: Disposition;
  reason: string;
  author: string;
  /** JSON list of the evidence that was judged; new evidence ends the judgement. */
  evidence: string;
  created_at: number;
  /** 1 where another installation judged, until an analyst of the account does. */
  imported: number;
}

/** A scan that a report or package of a case rests on: retention keeps it. */
export interface CaseCitationRow {
  scan_id: string;
  case_id: string;
}

/** Files that came with a case that was imported, as they were. */
export interface CaseEvidenceRow {
  case_id: string;
  kind: 'transfers' | 'scans';
  /** Gzipped. */
  content: Buffer;
}

/** Files that were made of the inputs of a report package. */
export interface PackageFiles {
  /** JSON of name, SHA-256 and size of each file; null until all are made. */
  files: string | null;
  /** 1 where the evidence report could be drawn in its simple form only. */
  degraded: number;
  /** State of the time stamp of its manifest; null where none is asked. */
  stamp: 'pending' | 'stamped' | 'failed' | null;
}

/** A generated report package: its frozen inputs and its files. */
export interface ReportPackageRow extends PackageFiles {
  /** That of its job. */
  id: string;
  case_id: string;
  /** Version of the inputs; files that were not kept can be drawn again from the current one alone. */
  format: number;
  /** Packed JSON. */
  inputs: string;
  created_at: number;
}

/** A part of the transactions of a report package, as packed JSON rows of the CSV; until that is kept. */
export interface ReportPackagePartRow {
  package_id: string;
  part: number;
  rows: string;
}

/** A part of a kept file of a report package: the file is gzipped as a whole and then cut. */
export interface ReportPackageFileRow {
  package_id: string;
  name: string;
  part: number;
  content: Buffer;
}
