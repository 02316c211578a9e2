import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Records } from '../database/database.ts';
import type { CaseEvidenceRow } from '../database/tables/cases.ts';

type Kind = CaseEvidenceRow['kind'];

/** A file as it is kept. */
export function packEvidence(file: Buffer): Promise<Buffer> {
  return promisify(gzip)(file);
}

/** Keeps a packed file with its case. */
export async function insertEvidence(records: Records, row: CaseEvidenceRow): Promise<void> {
  await records.insertInto('case_evidence').values(row).execute();
}

/** The file that came with the case; empty where none did. */
export async function readEvidence(records: Records, caseId: string, kind: Kind): Promise<Buffer> {
  const row = await records
    .selectFrom('case_evidence')
    .select('content')
    .where('case_id', '=', caseId)
    .where('kind', '=', kind)
    .executeTakeFirst();
  return row ? promisify(gunzip)(row.content) : Buffer.alloc(0);
}
