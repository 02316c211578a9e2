import type { Records } from '../database/database.ts';

export interface KeyOwner {
  accountId: string;
  keyHash: string;
}

export interface FirstRequest {
  requestHash: string;
  /** Null while the answer is being made. */
  statusCode: number | null;
  answer: string | null;
}

/**
 * Takes the key for one request in one write: true for the holder alone. What expired, finished or not,
 * may be taken again.
 */
export async function takeIdempotencyKey(
  records: Records,
  owner: KeyOwner,
  request: { requestHash: string; holder: string; expiresAt: number },
  now: number,
): Promise<boolean> {
  await records.deleteFrom('idempotency_keys').where('expires_at', '<=', now).execute();
  const taken = await records
    .insertInto('idempotency_keys')
    .values({
      account_id: owner.accountId,
      key_hash: owner.keyHash,
      request_hash: request.requestHash,
      holder: request.holder,
      expires_at: request.expiresAt,
    })
    .onConflict((conflict) => conflict.columns(['account_id', 'key_hash']).doNothing())
    .executeTakeFirst();
  return taken.numInsertedOrUpdatedRows === 1n;
}

export async function findFirstRequest(records: Records, owner: KeyOwner): Promise<FirstRequest | undefined> {
  const row = await records
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('account_id', '=', owner.accountId)
    .where('key_hash', '=', owner.keyHash)
    .executeTakeFirst();
  return row && { requestHash: row.request_hash, statusCode: row.status_code, answer: row.answer };
}

/** Keeps the holder's answer until `expiresAt`. */
export async function keepAnswer(
  records: Records,
  owner: KeyOwner,
  holder: string,
  answer: { statusCode: number; answer: string; expiresAt: number },
): Promise<void> {
  await records
    .updateTable('idempotency_keys')
    .set({ status_code: answer.statusCode, answer: answer.answer, expires_at: answer.expiresAt })
    .where('account_id', '=', owner.accountId)
    .where('key_hash', '=', owner.keyHash)
    .where('holder', '=', holder)
    .execute();
}

/** Forgets a request that came to nothing, so that the key can be used again. */
export async function dropIdempotencyKey(records: Records, owner: KeyOwner, holder: string): Promise<void> {
  await records
    .deleteFrom('idempotency_keys')
    .where('account_id', '=', owner.accountId)
    .where('key_hash', '=', owner.keyHash)
    .where('holder', '=', holder)
    .execute();
}
