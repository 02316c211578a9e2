import type { Records } from '../database/database.ts';

/** Reads the text that the key of this installation sealed first; null before it sealed anything. */
export async function readCanary(records: Records): Promise<string | null> {
  const row = await records.selectFrom('secret_canary').select('sealed').executeTakeFirst();
  return row?.sealed ?? null;
}

/** Keeps a canary; one that is there stays unless `replace` says otherwise. */
export async function saveCanary(records: Records, sealed: string, { replace }: { replace: boolean }): Promise<void> {
  await records
    .insertInto('secret_canary')
    .values({ id: 1, sealed })
    .onConflict((conflict) => (replace ? conflict.column('id').doUpdateSet({ sealed }) : conflict.doNothing()))
    .execute();
}
