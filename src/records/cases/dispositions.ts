import type { CaseDispositionsTable } from '../database/case-tables.ts';
import type { Records } from '../database/database.ts';

export type DispositionRow = CaseDispositionsTable;

/** Replaces an earlier judgement of the same detection. */
export async function saveDisposition(records: Records, row: DispositionRow): Promise<void> {
  const { address_id: _address, detector_id: _detector, case_id: _case, ...judgement } = row;
  await records
    .insertInto('case_dispositions')
    .values(row)
    .onConflict((conflict) => conflict.columns(['address_id', 'detector_id']).doUpdateSet(judgement))
    .execute();
}

/** Oldest judgement first. */
export function listDispositions(records: Records, caseId: string): Promise<DispositionRow[]> {
  return records
    .selectFrom('case_dispositions')
    .selectAll()
    .where('case_id', '=', caseId)
    .orderBy('created_at')
    .orderBy('address_id')
    .orderBy('detector_id')
    .execute();
}
