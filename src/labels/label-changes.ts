import { type Records, readerOf } from '../records/database/database.ts';

/** How often labels, or adverse scores in the graph, were changed by any process: while it is the same, so are they. */
export async function countLabelChanges(records: Records): Promise<number> {
  return (await readerOf(records).selectFrom('label_changes').select('count').executeTakeFirstOrThrow()).count;
}

/** Call it last in the transaction of the change, so that changes block each other as briefly as possible. */
export async function noteLabelChange(transaction: Records): Promise<void> {
  await transaction
    .updateTable('label_changes')
    .set((e) => ({ count: e('count', '+', 1) }))
    .execute();
}
