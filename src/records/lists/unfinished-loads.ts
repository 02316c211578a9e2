import type { Selectable } from 'kysely';
import type { Records } from '../database/database.ts';
import type { UnfinishedLoadsTable } from '../database/tables/lists.ts';

export type UnfinishedLoad = Selectable<UnfinishedLoadsTable>;
type Named = Pick<UnfinishedLoad, 'source' | 'input'>;

/** Notes that a load begins to write; one of the same input that was cut off is repeated by it. */
export async function noteUnfinished(records: Records, load: UnfinishedLoad): Promise<void> {
  const { request, touched_at } = load;
  await records
    .insertInto('unfinished_loads')
    .values(load)
    .onConflict((conflict) => conflict.columns(['source', 'input']).doUpdateSet({ request, touched_at }))
    .execute();
}

/** Notes that a load is still at work. */
export async function touchUnfinished(records: Records, { source, input }: Named, now: number): Promise<void> {
  const update = records.updateTable('unfinished_loads').set({ touched_at: now });
  await update.where('source', '=', source).where('input', '=', input).execute();
}

export async function endUnfinished(records: Records, { source, input }: Named): Promise<void> {
  await records.deleteFrom('unfinished_loads').where('source', '=', source).where('input', '=', input).execute();
}

/** Loads that no process has touched since `before`, the oldest first. */
export async function readUnfinished(records: Records, before: number): Promise<UnfinishedLoad[]> {
  const stale = records.selectFrom('unfinished_loads').selectAll().where('touched_at', '<', before);
  return stale.orderBy('started_at').execute();
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
