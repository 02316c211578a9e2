import { NotFoundError } from '../../errors.ts';
import { chunksOf, type Records } from '../database/database.ts';
import type { DiscoveryRow } from '../database/tables/monitoring.ts';

/** Discoveries of one item, newest first, then nearest, then largest; of every status without one. */
export function listDiscoveryRows(records: Records, itemId: string, status?: string): Promise<DiscoveryRow[]> {
  const rows = records.selectFrom('discoveries').selectAll().where('item_id', '=', itemId);
  return (status === undefined ? rows : rows.where('status', '=', status as DiscoveryRow['status']))
    .orderBy('discovered_at', 'desc')
    .orderBy('hop')
    .orderBy('usd', 'desc')
    .orderBy('id')
    .execute();
}

/** Throws NotFoundError. */
export async function findDiscovery(records: Records, accountId: string, id: string): Promise<DiscoveryRow> {
  return records
    .selectFrom('discoveries')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow(() => new NotFoundError());
}

/** Inserts a discovery, or updates what is known of it; its status and its first day stay. */
export async function saveDiscovery(records: Records, row: DiscoveryRow): Promise<void> {
  const { hop, direction, category, label, risk_level, risk_score, usd, path, listened } = row;
  await records
    .insertInto('discoveries')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['item_id', 'chain', 'address'])
        .doUpdateSet({ hop, direction, category, label, risk_level, risk_score, usd, path, listened }),
    )
    .execute();
}

/** Deletes active discoveries that lie further than `hopsMax`, and of each direction all but the nearest `keptMax`. */
export async function pruneDiscoveries(
  records: Records,
  itemId: string,
  { hopsMax, keptMax }: { hopsMax: number; keptMax: number },
): Promise<void> {
  const active = records
    .selectFrom('discoveries')
    .select(['id', 'hop'])
    .select((e) =>
      e.fn
        .agg<number>('row_number')
        .over((over) => over.partitionBy('direction').orderBy('hop').orderBy('usd', 'desc').orderBy('id'))
        .as('place'),
    )
    .where('item_id', '=', itemId)
    .where('status', '=', 'active');
  const surplus = await records
    .selectFrom(active.as('active'))
    .select('id')
    .where((e) => e.or([e('hop', '>', hopsMax), e('place', '>', keptMax)]))
    .execute();
  for (const chunk of chunksOf(surplus)) {
    const ids = chunk.map(({ id }) => id);
    await records.deleteFrom('discoveries').where('id', 'in', ids).execute();
  }
}

/** False when it is no longer active. */
export async function endDiscovery(records: Records, id: string, status: 'dismissed' | 'promoted'): Promise<boolean> {
  const { numUpdatedRows } = await records
    .updateTable('discoveries')
    .set({ status })
    .where('id', '=', id)
    .where('status', '=', 'active')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
