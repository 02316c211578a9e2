import type { Context } from '../../context.ts';
import type { CaseEvent } from '../../domain/case.ts';
import { iso, isoOrNull } from '../../domain/time.ts';
import type { ScannedCaseAddress } from '../../records/cases/addresses.ts';
import type { CountedCase, ListedCase } from '../../records/cases/cases.ts';
import type { CaseNoteRow } from '../../records/database/tables/cases.ts';
import { changedSince, currentLevels } from '../scans/current-level.ts';

/** A row as answers show it: times as ISO 8601 instead of epoch ms. */
type WithIsoTimes<Row, Times extends keyof Row> = {
  [Column in keyof Row]: Column extends Times ? (null extends Row[Column] ? string | null : string) : Row[Column];
};

/** A case as answers show it. */
export type CaseRecord = WithIsoTimes<Omit<CountedCase, 'account_id' | 'legal_hold'>, 'created_at' | 'updated_at'> & {
  legal_hold: boolean;
};

/** An address of a case; the `last_` fields describe the account's newest scan of it, its level with the labels of now. */
export interface CaseAddressRecord
  extends WithIsoTimes<Omit<ScannedCaseAddress, 'created_at' | 'last_rule_set'>, 'last_scanned_at'> {
  /** ISO 8601: the time of that scan, where labels or rules changed since and it was not scored again; else absent. */
  labels_changed_since?: string;
}

export interface CaseNoteRecord extends WithIsoTimes<Omit<CaseNoteRow, 'event'>, 'created_at'> {
  /** Data of a note that the service wrote; absent from an analyst's. */
  event?: CaseEvent;
}

export function caseRecord<Row extends CountedCase | ListedCase>(row: Row) {
  const { account_id: _account, created_at, updated_at, legal_hold, ...fields } = row;
  return { ...fields, legal_hold: legal_hold === 1, created_at: iso(created_at), updated_at: iso(updated_at) };
}

/** Addresses of a case as answers show them; `scoredMax` as in `currentLevels`. */
export async function addressRecords(
  ctx: Context,
  accountId: string,
  rows: readonly ScannedCaseAddress[],
  options?: { scoredMax: number },
): Promise<CaseAddressRecord[]> {
  const recorded = rows.map((row) => ({
    chain: row.chain,
    address: row.address,
    level: row.last_risk_level,
    at: row.last_scanned_at,
    ruleSet: row.last_rule_set,
  }));
  const levels = await currentLevels(ctx, accountId, recorded, options);
  return rows.map(({ created_at: _created, last_rule_set: _rules, last_scanned_at, ...fields }, place) => ({
    ...fields,
    last_risk_level: levels[place]!.level,
    last_scanned_at: isoOrNull(last_scanned_at),
    ...changedSince(levels[place]!),
  }));
}

export function noteRecord({ event, ...row }: CaseNoteRow): CaseNoteRecord {
  return {
    ...row,
    created_at: iso(row.created_at),
    ...(event === null ? {} : { event: JSON.parse(event) as CaseEvent }),
  };
}
