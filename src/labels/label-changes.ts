import { type Records, readQuickly } from '../records/database/database.ts';
import { keepQuery } from '../records/database/kept-queries.ts';

/** How often labels were changed, by whichever process: while it stays the same, so do they. */
export async function countLabelChanges(records: Records): Promise<number> {
  const query = keepQuery(records, 'label changes', () =>
    records.selectFrom('label_changes').select('count').compile(),
  );
  return (await readQuickly(records, query))[0]!.count;
}

/** Belongs into the transaction of the change, at its end: changes then wait for each other no longer than they must. */
export async function noteLabelChange(transaction: Records): Promise<void> {
  await transaction
    .updateTable('label_changes')
    .set((e) => ({ count: e('count', '+', 1) }))
    .execute();
}
