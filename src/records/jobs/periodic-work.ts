import type { Records } from '../database/database.ts';

/** Writes one row; throws where the records take no writes. */
export async function tryWrite(records: Records, now: number): Promise<void> {
  await records
    .insertInto('periodic_work')
    .values({ name: 'write_probe', next_at: now })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ next_at: now }))
    .execute();
}

/** A turn that is further ahead than its period, by more than clocks of hosts differ, is set to one period from now. */
const CLOCKS_DIFFER_MS = 1_000;

/** Corrects the next turn of a clock that was ahead; true when it had to. */
export async function bringTurnForward(records: Records, name: string, everyMs: number, now: number): Promise<boolean> {
  const { numUpdatedRows } = await records
    .updateTable('periodic_work')
    .set({ next_at: now + everyMs })
    .where('name', '=', name)
    .where('next_at', '>', now + everyMs + CLOCKS_DIFFER_MS)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * True for one caller in each period, however many processes ask: the others find the next turn in the future.
 * A turn is not given back: whoever dies with it costs one period.
 */
export async function takeTurn(records: Records, name: string, everyMs: number, now: number): Promise<boolean> {
  const next = { next_at: now + everyMs };
  const { numUpdatedRows } = await records
    .updateTable('periodic_work')
    .set(next)
    .where('name', '=', name)
    .where('next_at', '<=', now)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return true;
  const { numInsertedOrUpdatedRows } = await records
    .insertInto('periodic_work')
    .values({ name, ...next })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Holds a turn until another moment, 0 to give it back; false where another process took it meanwhile. */
export async function holdTurn(records: Records, name: string, heldUntil: number, until: number): Promise<boolean> {
  const { numUpdatedRows } = await records
    .updateTable('periodic_work')
    .set({ next_at: until })
    .where('name', '=', name)
    .where('next_at', '=', heldUntil)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
