import { randomUUID } from 'node:crypto';
import { HOUSE_AUTHORS, isHouseAuthor } from '../../domain/account/house-authors.ts';
import type { Role } from '../../domain/account/rights.ts';
import { skeleton } from '../../domain/text/confusables.ts';
import { ConflictError, LimitError, NotFoundError } from '../../errors.ts';
import type { ChangeOf, Records } from '../database/database.ts';
import type { PersonRow } from '../database/tables/people.ts';
import { lockAccount } from './accounts.ts';

export interface NewPerson {
  accountId: string;
  email: string;
  roles: readonly Role[];
  /** Left out: the e-mail address stands for it until the first sign-in. */
  name?: string;
  invitedBy: string;
}

const PEOPLE_MAX = 500;

/** Throws ConflictError where the address is invited or a member, LimitError, NotFoundError. */
export async function insertPerson(
  transaction: Records,
  { accountId, email, roles, name = email, invitedBy }: NewPerson,
  now: number,
): Promise<PersonRow> {
  await lockAccount(transaction, accountId);
  const members = await transaction
    .selectFrom('people')
    .select('email')
    .where('account_id', '=', accountId)
    .where('state', '<>', 'removed')
    .execute();
  if (members.some((member) => member.email === email)) throw new ConflictError(`Person is already here: ${email}`);
  if (members.length >= PEOPLE_MAX) throw new LimitError(`${PEOPLE_MAX} people in an account`);
  const row: PersonRow = {
    ...{ id: randomUUID(), account_id: accountId, email, roles: roles.join(' '), state: 'invited' },
    ...{ name: await freeName(transaction, accountId, name, email), issuer: null, subject: null },
    ...{ invited_by: invitedBy, invited_at: now, joined_at: null, last_seen_at: null, removed_at: null },
  };
  await transaction.insertInto('people').values(row).execute();
  return row;
}

export interface PeoplePage {
  /** Left out: those who are not removed. */
  state?: PersonRow['state'];
  limit: number;
  offset: number;
}

/** Reads a page of people in the order of their invitation, and counts all. */
export async function pagePeople(records: Records, accountId: string, { state, limit, offset }: PeoplePage) {
  const found = records
    .selectFrom('people')
    .where('account_id', '=', accountId)
    .where('state', state ? '=' : '<>', state ?? 'removed');
  const people = await found.selectAll().orderBy('invited_at').orderBy('id').limit(limit).offset(offset).execute();
  const { total } = await found.select((e) => e.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { people, total: Number(total) };
}

/** Holds the person's account until the transaction ends. Throws NotFoundError unless they are in it now. */
export async function lockPerson(transaction: Records, whose: { accountId?: string; id: string }): Promise<PersonRow> {
  const accountId = whose.accountId ?? (await accountOf(transaction, whose.id));
  await lockAccount(transaction, accountId);
  return transaction
    .selectFrom('people')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', whose.id)
    .where('state', '<>', 'removed')
    .executeTakeFirstOrThrow(() => new NotFoundError());
}

async function accountOf(records: Records, id: string): Promise<string> {
  const person = await records.selectFrom('people').select('account_id').where('id', '=', id).executeTakeFirst();
  if (!person) throw new NotFoundError();
  return person.account_id;
}

/** Returns the person as they are then. */
export async function updatePerson(transaction: Records, id: string, change: ChangeOf<PersonRow>): Promise<PersonRow> {
  return transaction.updateTable('people').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow();
}

/** Forgets one who never signed in, and so did nothing; others stay as removed. */
export async function endPerson(transaction: Records, { id, state }: PersonRow, now: number): Promise<void> {
  if (state === 'invited') await transaction.deleteFrom('people').where('id', '=', id).execute();
  else await updatePerson(transaction, id, { state: 'removed', removed_at: now });
}

export function rolesOf({ roles }: { roles: string }): Role[] {
  return roles.split(' ').filter(Boolean) as Role[];
}

/**
 * Gives the name, or the name and its mark where another live key or person of the account looks the same or the service uses
 * it itself. Without a mark a number is counted up. The caller holds the account.
 */
export async function freeName(
  transaction: Records,
  accountId: string,
  name: string,
  mark?: string,
  except?: string,
): Promise<string> {
  const keys = transaction
    .selectFrom('api_keys')
    .select(['id', 'name'])
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null);
  const people = transaction
    .selectFrom('people')
    .select(['id', 'name'])
    .where('account_id', '=', accountId)
    .where('state', '<>', 'removed');
  const rows = await keys.unionAll(people).execute();
  const taken = new Set(rows.filter(({ id }) => id !== except).map((row) => skeleton(row.name)));
  const isFree = (text: string) => !taken.has(skeleton(text)) && !isHouseAuthor(text);
  if (isFree(name)) return name;
  if (mark !== undefined && mark !== name) return `${name} (${mark})`;
  for (let number = 2; ; number++) if (isFree(`${name} (${number})`)) return `${name} (${number})`;
}

/** Name of the key or person that acted. */
export interface Author {
  name: string;
  isPerson: boolean;
}

/** Finds the name of a key or person; its id where the key was deleted since. */
export async function findAuthor(records: Records, id: string): Promise<Author> {
  const key = await records.selectFrom('api_keys').select('name').where('id', '=', id).executeTakeFirst();
  if (key) return { name: key.name, isPerson: false };
  const person = await records.selectFrom('people').select('name').where('id', '=', id).executeTakeFirst();
  return { name: person?.name ?? id, isPerson: person !== undefined };
}

/** Names who acted; the operator where no id is given. */
export async function authorName(records: Records, id: string | null): Promise<string> {
  return id === null ? HOUSE_AUTHORS.operator : (await findAuthor(records, id)).name;
}

/** Finds all that an identity is or was a member of; members first, the one that was used last before others. */
export function findMemberships(
  records: Records,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<PersonRow[]> {
  return records
    .selectFrom('people')
    .selectAll()
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .orderBy('state')
    .orderBy((e) => e.fn.coalesce('last_seen_at', 'invited_at'), 'desc')
    .execute();
}

/** Finds open invitations of an address, oldest first. */
export async function findInvitations(records: Records, email: string | null): Promise<PersonRow[]> {
  if (email === null) return [];
  return records
    .selectFrom('people')
    .selectAll()
    .where('email', '=', email)
    .where('state', '=', 'invited')
    .orderBy('invited_at')
    .orderBy('id')
    .execute();
}

/** Keeps those of the texts that are ids of accounts. */
export async function knownAccounts(records: Records, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await records.selectFrom('accounts').select('id').where('id', 'in', ids.slice(0, 100)).execute();
  return rows.map(({ id }) => id);
}

export async function findPersonRow(records: Records, id: string): Promise<PersonRow | undefined> {
  return records.selectFrom('people').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Lists accounts that the same person is a member of, or is invited to by the address that was verified. */
export function otherAccounts(records: Records, { account_id, issuer, subject, email }: PersonRow) {
  return records
    .selectFrom('accounts')
    .select(['accounts.id', 'accounts.name'])
    .distinct()
    .innerJoin('people', 'people.account_id', 'accounts.id')
    .where('accounts.id', '<>', account_id)
    .where((e) =>
      e.or([
        e.and([e('people.issuer', '=', issuer), e('people.subject', '=', subject), e('people.state', '=', 'active')]),
        e.and([e('people.email', '=', email), e('people.state', '=', 'invited')]),
      ]),
    )
    .orderBy('accounts.name')
    .execute();
}

/** Finds the person who acts: themselves, or by a key that they made; null where none is known. */
export async function personBehind(records: Records, id: string): Promise<string | null> {
  const key = await records.selectFrom('api_keys').select('made_by_person').where('id', '=', id).executeTakeFirst();
  return key ? key.made_by_person : ((await findPersonRow(records, id))?.id ?? null);
}
