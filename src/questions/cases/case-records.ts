import type { CaseEvent } from '../../domain/case.ts';
import { iso, isoOrNull } from '../../domain/time.ts';
import type { ScannedCaseAddress } from '../../records/cases/addresses.ts';
import type { CountedCase } from '../../records/cases/cases.ts';
import type { CaseNoteRow } from '../../records/cases/notes.ts';

/** A row as answers show it: times as ISO 8601 instead of epoch ms. */
type WithIsoTimes<Row, Times extends keyof Row> = {
  [Column in keyof Row]: Column extends Times ? (null extends Row[Column] ? string | null : string) : Row[Column];
};

/** A case as answers show it. */
export type CaseRecord = WithIsoTimes<Omit<CountedCase, 'account_id'>, 'created_at' | 'updated_at'>;

/** An address of a case; the `last_` fields describe the account's newest scan of it. */
export type CaseAddressRecord = WithIsoTimes<Omit<ScannedCaseAddress, 'created_at'>, 'last_scanned_at'>;

export interface CaseNoteRecord extends WithIsoTimes<Omit<CaseNoteRow, 'event'>, 'created_at'> {
  /** What the service wrote, as data; left out of what an analyst wrote. */
  event?: CaseEvent;
}

export function caseRecord(row: CountedCase): CaseRecord {
  const { account_id: _account, created_at, updated_at, ...fields } = row;
  return { ...fields, created_at: iso(created_at), updated_at: iso(updated_at) };
}

export function addressRecord(row: ScannedCaseAddress): CaseAddressRecord {
  const { created_at: _created, last_scanned_at, ...fields } = row;
  return { ...fields, last_scanned_at: isoOrNull(last_scanned_at) };
}

export function noteRecord({ event, ...row }: CaseNoteRow): CaseNoteRecord {
  return {
    ...row,
    created_at: iso(row.created_at),
    ...(event === null ? {} : { event: JSON.parse(event) as CaseEvent }),
  };
}
