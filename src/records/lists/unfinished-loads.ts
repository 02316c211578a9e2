import { iso } from '../../domain/time.ts';
import { shownPlace } from '../../outbound/places.ts';
import { insertAudit, OPERATOR } from '../audit/audit-log.ts';
import { inTransaction, type Records } from '../database/database.ts';
import type { LoadKey, UnfinishedLoad } from '../database/tables/lists.ts';

/** Notes that a load begins to write; one of the same input that was cut off is repeated by it. */
export async function noteUnfinished(records: Records, load: UnfinishedLoad): Promise<void> {
  const { source: _source, input: _input, ...newer } = load;
  await records
    .insertInto('unfinished_loads')
    .values(load)
    .onConflict((conflict) => conflict.columns(['source', 'input']).doUpdateSet(newer))
    .execute();
}

/** Notes that a load is still at work. */
export async function touchUnfinished(records: Records, { source, input }: LoadKey, now: number): Promise<void> {
  const update = records.updateTable('unfinished_loads').set({ touched_at: now });
  await update.where('source', '=', source).where('input', '=', input).execute();
}

export async function endUnfinished(records: Records, { source, input }: LoadKey): Promise<void> {
  await records.deleteFrom('unfinished_loads').where('source', '=', source).where('input', '=', input).execute();
}

/** Loads that have not ended, the oldest first; with `before`, those that no process has touched since. */
export async function readUnfinished(records: Records, before?: number): Promise<UnfinishedLoad[]> {
  const loads = records
    .selectFrom('unfinished_loads')
    .selectAll()
    .$if(before !== undefined, (query) => query.where('touched_at', '<', before!));
  return loads.orderBy('started_at').execute();
}

/** True for one of all processes that would repeat the load. */
export async function takeUnfinished(records: Records, load: UnfinishedLoad, now: number): Promise<boolean> {
  const { numUpdatedRows } = await records
    .updateTable('unfinished_loads')
    .set({ touched_at: now })
    .where('source', '=', load.source)
    .where('input', '=', load.input)
    .where('touched_at', '=', load.touched_at)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Withdraws a load: it is not repeated, and what it wrote stays. False where there is none. */
export async function withdrawUnfinished(records: Records, { source, input }: LoadKey, now: number): Promise<boolean> {
  return inTransaction(records, async (transaction) => {
    const withdrawn = await transaction
      .deleteFrom('unfinished_loads')
      .where('source', '=', source)
      .where('input', '=', input)
      .returning('started_at')
      .executeTakeFirst();
    if (!withdrawn) return false;
    const detail = `${shownPlace(input)} of ${iso(withdrawn.started_at)}`;
    await insertAudit(transaction, { ...OPERATOR, action: 'load_withdrawn', subject: source, detail }, now);
    return true;
  });
}

/** Withdraws the older loads of a source that said nothing of which the newer one does not speak. */
export async function withdrawReplaced(
  records: Records,
  newer: LoadKey & { started_at: number; sources: readonly string[] },
  now: number,
): Promise<void> {
  for (const load of await readUnfinished(records)) {
    if (load.source !== newer.source || load.input === newer.input || load.started_at >= newer.started_at) continue;
    const sources = JSON.parse(load.sources) as string[];
    const isReplaced = sources.length > 0 && sources.every((source) => newer.sources.includes(source));
    if (isReplaced) await withdrawUnfinished(records, load, now);
  }
}
