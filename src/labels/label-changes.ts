import { hash } from 'node:crypto';
import { isValidAt, type Label } from '../domain/label.ts';
import { MINUTE_MS } from '../domain/time.ts';
import { type Records, readerOf } from '../records/database/database.ts';

/** A load may commit this long after the moment that its labels bear. */
export const LOAD_MARGIN_MS = 10 * MINUTE_MS;

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

/**
 * Digest of what labels say about addresses at a moment (epoch ms). It stays the same until a label of them comes, goes,
 * changes, begins or ends; names that a block explorer shows do not count.
 */
export function labelState(
  addresses: readonly string[],
  labelsOf: (address: string) => readonly Label[],
  at: number,
): string {
  const rows = addresses.flatMap((address) =>
    labelsOf(address)
      .filter(({ source }) => source !== 'explorer_tag')
      .map((label) => {
        const { category, label: name, source, confidence, validFrom, validTo, maliciousContract } = label;
        const isValid = isValidAt(label, at);
        return JSON.stringify([
          address,
          category,
          name,
          source,
          confidence,
          validFrom,
          validTo,
          maliciousContract,
          isValid,
        ]);
      }),
  );
  return hash('sha256', rows.sort().join('\n')).slice(0, 32);
}
