import { DAY_MS } from '../../domain/time.ts';
import type { Records } from '../database/database.ts';
import type { MovementRow } from '../database/tables/monitoring.ts';

/** Movements that are found so long after they happened are not alerted. */
export const MOVEMENT_DAYS = 7;

/** The movements of an item that were seen since a moment, by the id of their transfer. */
export async function movementsOf(records: Records, itemId: string, since: number): Promise<Map<string, MovementRow>> {
  const rows = await records
    .selectFrom('movements')
    .selectAll()
    .where('item_id', '=', itemId)
    .where('at', '>=', since)
    .execute();
  return new Map(rows.map((row) => [row.transfer_id, row]));
}

/** A block that was read is not taken back by a memory pool. */
const STAGES_BEFORE: Record<MovementRow['stage'], MovementRow['stage'][]> = {
  unconfirmed: ['reorganised'],
  confirmed: ['unconfirmed', 'reorganised'],
  reorganised: ['unconfirmed', 'confirmed'],
};

/** Keeps a movement in its stage; false where it is in it already, whichever process saw it. */
export async function keepMovement(records: Records, row: MovementRow): Promise<boolean> {
  const { stage, alert, counts } = row;
  const { numInsertedOrUpdatedRows } = await records
    .insertInto('movements')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['item_id', 'transfer_id'])
        .doUpdateSet({ stage, alert, counts })
        .where('movements.stage', 'in', STAGES_BEFORE[stage]),
    )
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function deleteOldMovements(records: Records, now: number): Promise<void> {
  await records
    .deleteFrom('movements')
    .where('at', '<', now - (MOVEMENT_DAYS + 1) * DAY_MS)
    .execute();
}
