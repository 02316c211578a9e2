import { inTransaction, type Records } from '../database/database.ts';
import { lockAccount, requireStorage, withinStorage } from './accounts.ts';
import { releaseScans } from './quota.ts';
import type { Payer } from './tenant.ts';

export interface KeyOwner {
  accountId: string;
  keyHash: string;
}

/** A request that holds a key, until another one takes the key over. */
export interface IdempotencyHolder extends KeyOwner {
  /** Also the id of the reservation of scans that pays the request. */
  holder: string;
}

export interface FirstRequest {
  requestHash: string;
  /** Null while the answer is being made. */
  statusCode: number | null;
  answer: string | null;
  /** Without an answer, the end of the holder's lease. */
  expiresAt: number;
  /** True where the process ended twice while it made the answer: it is not made again. */
  isSetAside: boolean;
}

/**
 * Takes a key that no request has; true for the holder alone. Throws LimitError for an account that has no room left for
 * another answer.
 */
export async function takeIdempotencyKey(
  records: Records,
  { accountId, keyHash, holder }: IdempotencyHolder,
  request: { requestHash: string; expiresAt: number },
  lost = 0,
): Promise<boolean> {
  return inTransaction(records, async (transaction) => {
    const account = await lockAccount(transaction, accountId);
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto('idempotency_keys')
      .values({
        account_id: accountId,
        key_hash: keyHash,
        request_hash: request.requestHash,
        holder,
        expires_at: request.expiresAt,
        lost,
      })
      .onConflict((conflict) => conflict.columns(['account_id', 'key_hash']).doNothing())
      .executeTakeFirstOrThrow();
    const isTaken = numInsertedOrUpdatedRows === 1n;
    if (isTaken) requireStorage(account);
    return isTaken;
  });
}

/**
 * Takes a key that has expired, with or without an answer, unless two holders were lost. What a lost holder had reserved is
 * given back, so that it cannot bill any more. True for the holder alone.
 */
export async function takeOverIdempotencyKey(
  records: Records,
  mine: IdempotencyHolder,
  request: { requestHash: string; expiresAt: number },
  now: number,
): Promise<boolean> {
  return inTransaction(records, async (transaction) => {
    // First, as everywhere: no two transactions wait for each other.
    await lockAccount(transaction, mine.accountId);
    const expired = await transaction
      .deleteFrom('idempotency_keys')
      .where('account_id', '=', mine.accountId)
      .where('key_hash', '=', mine.keyHash)
      .where('expires_at', '<=', now)
      .where((e) => e.or([e('status_code', 'is not', null), e('lost', '=', 0)]))
      .returning(['holder', 'status_code'])
      .executeTakeFirst();
    const isLost = expired?.status_code === null;
    if (isLost) await releaseScans(transaction, expired.holder);
    return takeIdempotencyKey(transaction, mine, request, isLost ? 1 : 0);
  });
}

export async function findFirstRequest(
  records: Records,
  { accountId, keyHash }: KeyOwner,
  now: number,
): Promise<FirstRequest | undefined> {
  const row = await records
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('key_hash', '=', keyHash)
    .executeTakeFirst();
  return (
    row && {
      requestHash: row.request_hash,
      statusCode: row.status_code,
      answer: row.answer,
      expiresAt: row.expires_at,
      isSetAside: row.status_code === null && row.expires_at <= now && row.lost > 0,
    }
  );
}

/** Prolongs the holder's lease; false when another request has the key, or an answer is kept. */
export function renewIdempotencyKey(records: Records, held: IdempotencyHolder, expiresAt: number): Promise<boolean> {
  return writeAsHolder(records, held, { expires_at: expiresAt });
}

/** Keeps the holder's answer until `expiresAt`; false when another request has the key, or an answer is kept. */
export function keepAnswer(
  records: Records,
  held: IdempotencyHolder,
  { statusCode, answer, expiresAt }: { statusCode: number; answer: string; expiresAt: number },
): Promise<boolean> {
  return inTransaction(records, async (transaction) => {
    await lockAccount(transaction, held.accountId);
    return writeAsHolder(transaction, held, { status_code: statusCode, answer, expires_at: expiresAt });
  });
}

/**
 * Runs what a request writes as `withinStorage` does, and keeps its answer under its idempotency key in the same transaction:
 * a kill leaves both or none, and who repeats the request gets that answer. What a request does outside the records stands
 * before it where doing it again is harmless, such as facts read into the graph, and after it where it may be lost, such as
 * the notice of a job or a mail that asks for consent. Throws UnavailableError too, where another request has taken over the key.
 */
export function answerWithin<Answer extends object>(
  records: Records,
  { accountId, hold }: Payer,
  write: (transaction: Records) => Promise<Answer>,
): Promise<Answer> {
  return withinStorage(records, accountId, async (transaction) => {
    const answer = await write(transaction);
    await hold?.keepAnswer(transaction, answer);
    return answer;
  });
}

/** Forgets a request that came to nothing, so that the key can be used again; an answer that is kept stays. */
export async function dropIdempotencyKey(
  records: Records,
  { accountId, keyHash, holder }: IdempotencyHolder,
): Promise<void> {
  await records
    .deleteFrom('idempotency_keys')
    .where('account_id', '=', accountId)
    .where('key_hash', '=', keyHash)
    .where('holder', '=', holder)
    .where('status_code', 'is', null)
    .execute();
}

/** Forgets keys that expired at `expiredBefore` or earlier, account by account; the number of keys. */
export async function deleteExpiredKeys(records: Records, expiredBefore: number): Promise<number> {
  const expired = records.selectFrom('idempotency_keys').where('expires_at', '<=', expiredBefore);
  let keys = 0;
  for (const { account_id } of await expired.select('account_id').distinct().execute()) {
    keys += await inTransaction(records, async (transaction) => {
      await lockAccount(transaction, account_id);
      const { numDeletedRows } = await transaction
        .deleteFrom('idempotency_keys')
        .where('account_id', '=', account_id)
        .where('expires_at', '<=', expiredBefore)
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    });
  }
  return keys;
}

async function writeAsHolder(
  records: Records,
  { accountId, keyHash, holder }: IdempotencyHolder,
  values: { expires_at: number; status_code?: number; answer?: string },
): Promise<boolean> {
  const written = await records
    .updateTable('idempotency_keys')
    .set(values)
    .where('account_id', '=', accountId)
    .where('key_hash', '=', keyHash)
    .where('holder', '=', holder)
    .where('status_code', 'is', null)
    .executeTakeFirst();
  return written.numUpdatedRows === 1n;
}
