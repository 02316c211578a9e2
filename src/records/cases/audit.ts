import { randomUUID } from 'node:crypto';
import type { Records } from '../database/database.ts';

/** What is written down of a case for good. */
type AuditAction =
  | 'case_created'
  | 'case_deleted'
  | 'address_added'
  | 'address_removed'
  | 'note_deleted'
  | 'disposition_set'
  | 'match_decided'
  | 'bulk_scan_started'
  | 'report_downloaded'
  | 'package_requested'
  | 'package_downloaded';

export interface AuditEntry {
  accountId: string;
  keyId: string;
  caseId: string;
  action: AuditAction;
  /** What it was done to: an id, an address, a title. */
  subject: string;
}

/** Writes who did what; call it in the transaction that does it. */
export async function insertAudit(records: Records, entry: AuditEntry, now: number): Promise<void> {
  const { accountId, keyId, caseId, action, subject } = entry;
  await records
    .insertInto('case_audit')
    .values({ id: randomUUID(), account_id: accountId, key_id: keyId, case_id: caseId, action, subject, at: now })
    .execute();
}
