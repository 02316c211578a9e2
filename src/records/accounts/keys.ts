import { hash, randomInt, randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { isHouseAuthor } from '../../domain/account/house-authors.ts';
import { type KeyRight, keyRights, lacksRight, RIGHTS, type Right, rightsOf } from '../../domain/account/rights.ts';
import { DAY_MS, iso } from '../../domain/time.ts';
import {
  ForbiddenError,
  InvalidInputError,
  NotFoundError,
  PlanLimitError,
  TooManyError,
  UnauthenticatedError,
} from '../../errors.ts';
import { isWithin } from '../../outbound/networks.ts';
import { KEYS_PER_ACCOUNT, NEW_KEYS_PER_DAY, type PlanId } from '../../plans.ts';
import { inTransaction, type Records } from '../database/database.ts';
import type { LimitColumns } from '../database/tables/accounts.ts';
import { lockAccount } from './accounts.ts';
import { authorName, freeName, rolesOf } from './people.ts';

// A key is `tfk_`, 30 random base62 characters (178 bits) and 6 check characters made from those before them.
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 30;
const CHECK_LENGTH = 6;
const KEY_FORM = new RegExp(`^tfk_[0-9A-Za-z]{${RANDOM_LENGTH + CHECK_LENGTH}}$`);
const PREFIX_LENGTH = 'tfk_'.length + 4;

export interface KeyRow extends KeyLimits {
  id: string;
  prefix: string;
  name: string;
  created_at: number;
  /** Name of the key or person that made it, or `operator`; null where that was not kept yet. */
  created_by: string | null;
}

export interface CreatedKey extends KeyRow {
  /** The full text; it exists here once and nowhere after. */
  key: string;
}

export interface ListedKey extends KeyRow {
  last_used_at: number | null;
}

/** The account and rights that a live key speaks for. */
export interface KeyHolder extends KeyLimits {
  keyId: string;
  accountId: string;
  planId: PlanId;
  lastUsedAt: number | null;
  isSuspended: boolean;
}

export interface NewKeyRow extends Partial<KeyLimits> {
  accountId: string;
  name: string;
  /** The key or person that asks, beyond whose limits the new one cannot go; the operator has none. */
  askedBy?: string;
}

/**
 * Throws PlanLimitError when the account has 5 live keys, TooManyError when it made 20 within a day, InvalidInputError
 * for a name that the service uses itself, NotFoundError, or what
 * `narrowLimits` throws; UnauthenticatedError where the asking key has ended. A name that another live key or person has
 * gets a number.
 */
export async function insertKey(
  records: Records,
  { accountId, name, askedBy, ...wanted }: NewKeyRow,
  now: number,
): Promise<CreatedKey> {
  if (isHouseAuthor(name)) throw new InvalidInputError(`Key name is reserved: ${name}`);
  const key = newKey();
  return inTransaction(records, async (transaction) => {
    await lockAccount(transaction, accountId);
    const keys = await transaction
      .selectFrom('api_keys')
      .select(['id', 'created_at', 'revoked_at', 'scopes', 'expires_at', 'allowed_ips', 'made_by_person'])
      .where('account_id', '=', accountId)
      .where((e) => e.or([e('revoked_at', 'is', null), e('created_at', '>', now - DAY_MS)]))
      .orderBy('created_at', 'desc')
      .execute();
    const live = keys.filter((one) => one.revoked_at === null && (one.expires_at ?? Number.POSITIVE_INFINITY) > now);
    const asking = live.find(({ id }) => id === askedBy);
    const person = askedBy === undefined || asking ? null : await personLimits(transaction, accountId, askedBy);
    const limits = narrowLimits(asking ? limitsOf(asking) : (person ?? WIDEST), wanted, now);
    if (live.length >= KEYS_PER_ACCOUNT) throw new PlanLimitError(`API key limit reached (${KEYS_PER_ACCOUNT} keys)`);
    refuseTooManyOfDay(
      keys.filter(({ created_at }) => created_at > now - DAY_MS),
      now,
    );
    const row = {
      ...{ id: randomUUID(), name: await freeName(transaction, accountId, name), prefix: key.slice(0, PREFIX_LENGTH) },
      ...{ created_at: now, created_by: await authorName(transaction, askedBy ?? null) },
    };
    await transaction
      .insertInto('api_keys')
      .values({
        ...row,
        made_by_person: person ? askedBy! : (asking?.made_by_person ?? null),
        ...limitColumns(limits),
        account_id: accountId,
        hash: hashKey(key),
        last_used_at: null,
        revoked_at: null,
      })
      .execute();
    return { ...row, ...limits, key };
  });
}

/** A person has no end and may be anywhere. Throws UnauthenticatedError. */
async function personLimits(transaction: Records, accountId: string, id: string): Promise<KeyLimits> {
  const person = await transaction
    .selectFrom('people')
    .select('roles')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('state', '=', 'active')
    .executeTakeFirst();
  if (!person) throw new UnauthenticatedError('Invalid API key');
  return { ...WIDEST, scopes: keyRights(rightsOf(rolesOf(person))) };
}

/** Throws TooManyError; the keys are newest first. */
function refuseTooManyOfDay(keys: readonly { created_at: number }[], now: number): void {
  const oldest = keys[NEW_KEYS_PER_DAY - 1];
  if (!oldest) return;
  // A key from before the clock was set back lies in the future.
  const waitMs = Math.min(oldest.created_at + DAY_MS - now, DAY_MS);
  const text = `API key limit reached (${NEW_KEYS_PER_DAY} new keys per day)`;
  throw new TooManyError(text, Math.ceil(waitMs / 1_000));
}

/** The account's live keys, oldest first. */
export async function listKeyRows(records: Records, accountId: string, now: number): Promise<ListedKey[]> {
  const rows = await records
    .selectFrom('api_keys')
    .select(['id', 'prefix', 'name', 'created_at', 'created_by', 'last_used_at'])
    .select(['scopes', 'expires_at', 'allowed_ips'])
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .where((e) => e.or([e('expires_at', 'is', null), e('expires_at', '>', now)]))
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => {
    const { id, prefix, name, created_at, created_by, last_used_at } = row;
    return { id, prefix, name, created_at, created_by, last_used_at, ...limitsOf(row) };
  });
}

/** The row of the key; with `accountId`, only that account's key can be revoked. Throws NotFoundError when no live key matches. */
export async function revokeKeyRow(
  records: Records,
  { id, accountId }: { id: string; accountId?: string },
  now: number,
): Promise<{ hash: string; name: string; account_id: string }> {
  let update = records
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning(['hash', 'name', 'account_id']);
  if (accountId !== undefined) update = update.where('account_id', '=', accountId);
  return update.executeTakeFirstOrThrow(() => new NotFoundError());
}

/** The holder of a key that was not revoked, with the account's plan of this moment. */
export async function findKeyByHash(records: Records, hash: string): Promise<KeyHolder | undefined> {
  const found = await records
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .select([
      'api_keys.id as keyId',
      'api_keys.account_id as accountId',
      'accounts.plan_id as planId',
      'api_keys.last_used_at as lastUsedAt',
      'accounts.suspended_at as suspendedAt',
      'api_keys.scopes',
      'api_keys.expires_at',
      'api_keys.allowed_ips',
    ])
    .where('api_keys.hash', '=', hash)
    .where('api_keys.revoked_at', 'is', null)
    .executeTakeFirst();
  if (!found) return undefined;
  const { keyId, accountId, planId, lastUsedAt, suspendedAt } = found;
  return { keyId, accountId, planId, lastUsedAt, isSuspended: suspendedAt !== null, ...limitsOf(found) };
}

/** Forgets keys that were revoked or expired at `endedBefore` or earlier; the number of keys. */
export async function deleteEndedKeys(records: Records, endedBefore: number): Promise<number> {
  const deleted = await records
    .deleteFrom('api_keys')
    .where((e) => e.or([e('revoked_at', '<=', endedBefore), e('expires_at', '<=', endedBefore)]))
    .executeTakeFirst();
  return Number(deleted.numDeletedRows);
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

/** The rights of a key, its end, and the networks that it may be used from. */
export interface KeyLimits {
  scopes: readonly KeyRight[];
  /** Null: never. */
  expiresAt: number | null;
  /** Empty: from anywhere. */
  allowedIps: readonly string[];
}

/**
 * The limits of a key that the operator makes.
 *
 * @internal
 */
export const WIDEST: KeyLimits = { scopes: RIGHTS, expiresAt: null, allowedIps: [] };

/**
 * The limits of a new key: what is left out is as the asking key has it, and nothing goes beyond that. Throws
 * ForbiddenError for a right that the asking key lacks, InvalidInputError.
 */
function narrowLimits(asking: KeyLimits, wanted: Partial<KeyLimits>, now: number): KeyLimits {
  const { scopes = asking.scopes, expiresAt = asking.expiresAt, allowedIps = asking.allowedIps } = wanted;
  refuseRights(asking.scopes, scopes);
  if (expiresAt !== null && expiresAt <= now) throw new InvalidInputError('expires_at must lie in the future');
  if (asking.expiresAt !== null && (expiresAt === null || expiresAt > asking.expiresAt)) {
    throw new InvalidInputError(`expires_at must not be later than that of this key, ${iso(asking.expiresAt)}`);
  }
  const isLimited = asking.allowedIps.length > 0;
  const outside = allowedIps.find((network) => isLimited && !isWithin(network, asking.allowedIps));
  if (outside !== undefined || (isLimited && allowedIps.length === 0)) {
    throw new InvalidInputError(`allowed_ips must lie within those of this key, ${asking.allowedIps.join(', ')}`);
  }
  return { scopes: keyRights(scopes), expiresAt, allowedIps: [...new Set(allowedIps)] };
}

/** Throws ForbiddenError naming the first of the rights that the key lacks, or another holder. */
export function refuseRights(held: readonly Right[], needed: readonly Right[], holder?: string): void {
  const lacking = needed.find((right) => !held.includes(right));
  if (lacking) throw new ForbiddenError(lacksRight(lacking, holder));
}

function limitsOf({ scopes, expires_at, allowed_ips }: LimitColumns): KeyLimits {
  return { scopes: listOf(scopes) as KeyRight[], expiresAt: expires_at, allowedIps: listOf(allowed_ips) };
}

function limitColumns({ scopes, expiresAt, allowedIps }: KeyLimits): LimitColumns {
  return { scopes: scopes.join(' '), expires_at: expiresAt, allowed_ips: allowedIps.join(' ') };
}

function listOf(text: string): string[] {
  return text.split(' ').filter(Boolean);
}
