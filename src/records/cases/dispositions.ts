import { LimitError } from '../../errors.ts';
import { CASE_LIMITS } from '../../plans.ts';
import { type Records, readInChunks } from '../database/database.ts';
import type { DispositionRow } from '../database/tables/cases.ts';
import { requireTextRoom } from './case-text.ts';

/** Replaces an earlier judgement of the same detection. The transaction holds the lock of the case. Throws LimitError. */
export async function saveDisposition(records: Records, row: DispositionRow): Promise<void> {
  const before = await records
    .selectFrom('case_dispositions')
    .select('reason')
    .where('address_id', '=', row.address_id)
    .where('detector_id', '=', row.detector_id)
    .executeTakeFirst();
  if (!before && (await countDispositions(records, row.case_id)) >= CASE_LIMITS.judgements) {
    throw new LimitError(`${CASE_LIMITS.judgements} judgements in a case`);
  }
  await requireTextRoom(records, row.case_id, [row.reason], [before?.reason ?? null]);
  const { address_id: _address, detector_id: _detector, case_id: _case, ...judgement } = row;
  await records
    .insertInto('case_dispositions')
    .values(row)
    .onConflict((conflict) => conflict.columns(['address_id', 'detector_id']).doUpdateSet(judgement))
    .execute();
}

async function countDispositions(records: Records, caseId: string): Promise<number> {
  const { count } = await records
    .selectFrom('case_dispositions')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('case_id', '=', caseId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The judgements of some addresses, in no order. */
export function listDispositions(records: Records, addressIds: readonly string[]): Promise<DispositionRow[]> {
  return readInChunks(addressIds, (chunk) =>
    records.selectFrom('case_dispositions').selectAll().where('address_id', 'in', chunk).execute(),
  );
}
