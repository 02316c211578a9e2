import { lockAccount } from '../accounts/accounts.ts';
import { inTransaction, type Records } from '../database/database.ts';
import type { JobRow, NewJobRow, StoredJob } from '../database/tables/jobs.ts';
import { takenOver, writeAsHolder } from './job-leases.ts';

export async function insertJobRows(records: Records, jobId: string, rows: NewJobRow[]): Promise<void> {
  const values = rows.map((row, position) => ({ ...row, job_id: jobId, position, result: null }));
  if (values.length > 0) await records.insertInto('job_rows').values(values).execute();
}

/** In the order of the request. */
export function listJobRows(records: Records, jobId: string, status?: JobRow['status']): Promise<JobRow[]> {
  const rows = records.selectFrom('job_rows').selectAll().where('job_id', '=', jobId).orderBy('position');
  return (status ? rows.where('status', '=', status) : rows).execute();
}

/** A page of the rows that are done, in the order of the request, and how many are. */
export async function pageDoneRows(
  records: Records,
  jobId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: JobRow[]; total: number }> {
  const done = records.selectFrom('job_rows').where('job_id', '=', jobId).where('status', '!=', 'pending');
  const { total } = await done.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow();
  const rows = await done.selectAll().orderBy('position').limit(limit).offset(offset).execute();
  return { rows, total: Number(total) };
}

export type RowOutcome = { status: 'completed'; result: unknown } | { status: 'failed'; errorMessage: string };

/** Keeps one row's outcome and counts it, once only. Throws UnavailableError when another worker has the job. */
export async function finishRow(
  records: Records,
  job: StoredJob,
  row: JobRow,
  outcome: RowOutcome,
  now: number,
): Promise<void> {
  await inTransaction(records, async (transaction) => {
    await lockAccount(transaction, job.account_id);
    if (!(await writeAsHolder(transaction, job, { add: outcome.status }))) throw takenOver();
    const written = await transaction
      .updateTable('job_rows')
      .set({
        status: outcome.status,
        result: outcome.status === 'completed' ? JSON.stringify(outcome.result) : null,
        error_message: outcome.status === 'failed' ? outcome.errorMessage : null,
        completed_at: now,
      })
      .where('job_id', '=', job.id)
      .where('position', '=', row.position)
      .where('status', '=', 'pending')
      .executeTakeFirst();
    if (written.numUpdatedRows === 0n) throw takenOver();
  });
}

/** Replaces the result of a completed row. Throws UnavailableError when another worker has the job. */
export async function replaceResult(records: Records, job: StoredJob, row: JobRow, result: unknown): Promise<void> {
  await inTransaction(records, async (transaction) => {
    await lockAccount(transaction, job.account_id);
    if (!(await writeAsHolder(transaction, job, { status: 'running' }))) throw takenOver();
    await transaction
      .updateTable('job_rows')
      .set({ result: JSON.stringify(result) })
      .where('job_id', '=', job.id)
      .where('position', '=', row.position)
      .execute();
  });
}

/** Makes what failed but could be scanned pending again; the number of rows to do. */
export async function reopenRows(records: Records, jobId: string): Promise<number> {
  await records
    .updateTable('job_rows')
    .set({ status: 'pending', error_message: null, completed_at: null })
    .where('job_id', '=', jobId)
    .where('valid', '=', 1)
    .where('status', '=', 'failed')
    .execute();
  const rows = await listJobRows(records, jobId, 'pending');
  return rows.length;
}
