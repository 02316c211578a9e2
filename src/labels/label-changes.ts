import type { CompiledQuery } from 'kysely';
import type { Records } from '../records/database.ts';

const compiled = new WeakMap<Records, CompiledQuery<{ count: number }>>();

/** How often labels were changed, by whichever process: while it stays the same, so do they. */
export async function countLabelChanges(records: Records): Promise<number> {
  const query = compiled.get(records) ?? records.selectFrom('label_changes').select('count').compile();
  compiled.set(records, query);
  return (await records.executeQuery(query)).rows[0]!.count;
}

/** Belongs into the transaction of the change, at its end: changes then wait for each other no longer than they must. */
export async function noteLabelChange(transaction: Records): Promise<void> {
  await transaction
    .updateTable('label_changes')
    .set((e) => ({ count: e('count', '+', 1) }))
    .execute();
}
