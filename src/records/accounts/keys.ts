import { hash, randomInt, randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { NotFoundError, PlanError } from '../../errors.ts';
import { KEYS_PER_ACCOUNT, type PlanId } from '../../plans.ts';
import { inTransaction, type Records } from '../database/database.ts';
import { lockAccount } from './accounts.ts';

// A key is `tfk_`, 30 random base62 characters (178 bits) and 6 check characters made from those before them.
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 30;
const CHECK_LENGTH = 6;
const KEY_FORM = new RegExp(`^tfk_[0-9A-Za-z]{${RANDOM_LENGTH + CHECK_LENGTH}}$`);
const PREFIX_LENGTH = 'tfk_'.length + 4;

export interface CreatedKey {
  id: string;
  /** The full text; it exists here once and nowhere after. */
  key: string;
  prefix: string;
  name: string;
  created_at: number;
}

export interface ListedKey {
  id: string;
  prefix: string;
  name: string;
  created_at: number;
  last_used_at: number | null;
}

/** Who a live key speaks for. */
export interface KeyHolder {
  keyId: string;
  accountId: string;
  planId: PlanId;
  lastUsedAt: number | null;
}

/** Throws PlanError when the account has 5 live keys, NotFoundError when there is no such account. */
export async function createKey(
  records: Records,
  { accountId, name }: { accountId: string; name: string },
  now: number,
): Promise<CreatedKey> {
  const key = newKey();
  const row = { id: randomUUID(), name, prefix: key.slice(0, PREFIX_LENGTH), created_at: now };
  await inTransaction(records, async (transaction) => {
    await lockAccount(transaction, accountId);
    const live = await transaction
      .selectFrom('api_keys')
      .select('id')
      .where('account_id', '=', accountId)
      .where('revoked_at', 'is', null)
      .execute();
    if (live.length >= KEYS_PER_ACCOUNT) throw new PlanError(`API key limit reached (${KEYS_PER_ACCOUNT} keys)`);
    await transaction
      .insertInto('api_keys')
      .values({ ...row, account_id: accountId, hash: hashKey(key), last_used_at: null, revoked_at: null })
      .execute();
  });
  return { ...row, key };
}

/** The account's live keys, oldest first. */
export async function listKeys(records: Records, accountId: string): Promise<ListedKey[]> {
  return records
    .selectFrom('api_keys')
    .select(['id', 'prefix', 'name', 'created_at', 'last_used_at'])
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** The name that the account gave the key. */
export async function keyName(records: Records, id: string): Promise<string> {
  const { name } = await records.selectFrom('api_keys').select('name').where('id', '=', id).executeTakeFirstOrThrow();
  return name;
}

/** The account of the key; with `accountId`, only that account's key can be revoked. Throws NotFoundError when no live key matches. */
export async function revokeKey(
  records: Records,
  { id, accountId }: { id: string; accountId?: string },
  now: number,
): Promise<string> {
  let update = records
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning('account_id');
  if (accountId !== undefined) update = update.where('account_id', '=', accountId);
  const revoked = await update.executeTakeFirst();
  if (!revoked) throw new NotFoundError();
  return revoked.account_id;
}

/** The holder of a live key, with the account's plan of this moment. */
export async function findKeyByHash(records: Records, hash: string): Promise<KeyHolder | undefined> {
  return records
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .select([
      'api_keys.id as keyId',
      'api_keys.account_id as accountId',
      'accounts.plan_id as planId',
      'api_keys.last_used_at as lastUsedAt',
    ])
    .where('api_keys.hash', '=', hash)
    .where('api_keys.revoked_at', 'is', null)
    .executeTakeFirst();
}

export async function markKeyUsed(records: Records, id: string, at: number): Promise<void> {
  await records.updateTable('api_keys').set({ last_used_at: at }).where('id', '=', id).execute();
}

/** SHA-256 in hex: a key is random, so a slow hash would only help whoever floods the service. */
export function hashKey(key: string): string {
  return hash('sha256', key);
}

/** True for a text of the right form with right check characters; says nothing about whether it was issued. */
export function isKeyForm(text: string): boolean {
  return KEY_FORM.test(text) && text.endsWith(checkCharacters(text.slice(0, -CHECK_LENGTH)));
}

function newKey(): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return `tfk_${random}${checkCharacters(`tfk_${random}`)}`;
}

function checkCharacters(text: string): string {
  let rest = crc32(text);
  let characters = '';
  for (let i = 0; i < CHECK_LENGTH; i++) {
    characters = ALPHABET[rest % ALPHABET.length] + characters;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return characters;
}
