import type { Context } from '../../context.ts';
import { isHouseAuthor } from '../../domain/account/house-authors.ts';
import { keyRights, ROLE_NAMES, type Role, rightsOf } from '../../domain/account/rights.ts';
import { iso, isoOrNull } from '../../domain/time.ts';
import { ForbiddenError, InvalidInputError } from '../../errors.ts';
import { type KeyLimits, refuseRights } from '../../records/accounts/keys.ts';
import * as people from '../../records/accounts/people.ts';
import { endSessionsOf } from '../../records/accounts/sessions.ts';
import { type Actor, changesOf, insertAudit } from '../../records/audit/audit-log.ts';
import { unassignCases } from '../../records/cases/cases.ts';
import { inTransaction, type Records } from '../../records/database/database.ts';
import type { PersonRow } from '../../records/database/tables/people.ts';
import { endAlertMails } from '../../records/monitoring/alert-mails.ts';
import { findTurns, saveTurns } from '../../records/monitoring/alert-views.ts';
import { addAlertEvent, listAssigned } from '../../records/monitoring/alerts.ts';

/** An actor who invites or changes people, and limits beyond which no other's rights may go; the operator has none. */
export interface Inviter {
  actor: Actor;
  limits?: KeyLimits;
}

export interface PersonChange {
  name?: string;
  roles?: Role[];
}

/** Reads a page of the people of an account. */
export async function listPeople(ctx: Context, accountId: string, page: people.PeoplePage) {
  const { people: rows, total } = await people.pagePeople(ctx.records, accountId, page);
  return { people: rows.map(personEntry), total, limit: page.limit, offset: page.offset };
}

/** Invites a person, who may then sign in. Throws ConflictError, LimitError, ForbiddenError, InvalidInputError. */
export async function invitePerson(
  records: Records,
  { actor, limits }: Inviter,
  { email, name, roles }: PersonChange & { email: string; roles: Role[] },
  now: number,
): Promise<PersonEntry> {
  refuseWider(limits, roles);
  refuseHouseName(name);
  return inTransaction(records, async (transaction) => {
    const invitedBy = await people.authorName(transaction, actor.keyId);
    const { accountId } = actor;
    const row = await people.insertPerson(
      transaction,
      { accountId, email, name, roles: inOrder(roles), invitedBy },
      now,
    );
    const entry = { action: 'person_invited', subject: row.id, detail: `${email}: ${row.roles}` } as const;
    await insertAudit(transaction, { ...actor, ...entry }, now);
    return personEntry(row);
  });
}

/** Gives a person another name or other roles, at once. Throws NotFoundError, ForbiddenError, InvalidInputError. */
export async function changePerson(
  records: Records,
  { actor, limits }: Inviter,
  id: string,
  change: PersonChange,
  now: number,
): Promise<PersonEntry> {
  const { name, roles } = change;
  if (name === undefined && roles === undefined) throw new InvalidInputError('No fields to update');
  refuseHouseName(name);
  return inTransaction(records, async (transaction) => {
    const person = await people.lockPerson(transaction, { accountId: accountOf(actor), id });
    // Who has more than the asker keeps it, or is brought down by one who has as much.
    if (roles) for (const one of [roles, people.rolesOf(person)]) refuseWider(limits, one);
    const { account_id: accountId } = person;
    const given = {
      ...(name !== undefined && { name: await people.freeName(transaction, accountId, name, person.email, id) }),
      ...(roles && { roles: inOrder(roles).join(' ') }),
    };
    const changed = await people.updatePerson(transaction, id, given);
    const detail = changesOf(given, ['roles']);
    await insertAudit(transaction, { ...actor, accountId, action: 'person_changed', subject: id, detail }, now);
    return personEntry(changed);
  });
}

/** Ends their sessions at once, and gives their open alerts and cases back; what the person wrote keeps the name. Throws NotFoundError, ForbiddenError. */
export function removePerson(records: Records, { actor, limits }: Inviter, id: string, now: number): Promise<void> {
  return inTransaction(records, async (transaction) => {
    const person = await people.lockPerson(transaction, { accountId: accountOf(actor), id });
    refuseWider(limits, people.rolesOf(person));
    await endSessionsOf(transaction, id);
    await people.endPerson(transaction, person, now);
    await endAlertMails(transaction, person.account_id, person.email);
    await releaseAssignments(transaction, actor, person, now);
    const entry = {
      accountId: person.account_id,
      action: 'person_removed',
      subject: id,
      detail: person.email,
    } as const;
    await insertAudit(transaction, { ...actor, ...entry }, now);
  });
}

/** Gives the open alerts and cases of a person back to the queue, and takes them out of the turns. The caller holds the account. */
async function releaseAssignments(
  transaction: Records,
  actor: Actor,
  { account_id: accountId, name }: PersonRow,
  now: number,
): Promise<void> {
  const by = await people.authorName(transaction, actor.keyId);
  for (const alert of await listAssigned(transaction, accountId, name)) {
    const given = { at: now, actor: by, data: { assignee: null } };
    await addAlertEvent(transaction, alert, { kind: 'assigned', assignee: null }, given);
  }
  const turns = await findTurns(transaction, accountId);
  const names = turns ? (JSON.parse(turns.assignees) as string[]) : [];
  if (names.includes(name)) {
    const assignees = names.filter((one) => one !== name);
    await saveTurns(transaction, accountId, { assignees, inTurns: turns!.in_turns === 1 && assignees.length > 0 });
  }
  for (const id of await unassignCases(transaction, accountId, name)) {
    const entry = { accountId, caseId: id, action: 'case_updated', subject: id, detail: 'assignee: null' } as const;
    await insertAudit(transaction, { ...actor, ...entry }, now);
  }
}

/** Lets the operator reach people of all accounts. */
function accountOf({ accountId, keyId }: Actor): string | undefined {
  return keyId === null ? undefined : accountId;
}

/**
 * Refuses to give, through a person, what the asker lacks. A key that ends, or that is bound to some addresses, gives
 * no roles at all: a person has neither limit.
 */
function refuseWider(limits: KeyLimits | undefined, roles: readonly Role[]): void {
  if (!limits) return;
  // No key has `approve`: one with all the rights of keys gives it.
  refuseRights(limits.scopes, keyRights(rightsOf(roles)));
  if (limits.expiresAt !== null || limits.allowedIps.length > 0) {
    throw new ForbiddenError('A key with an end or with allowed addresses cannot give roles to people');
  }
}

function refuseHouseName(name: string | undefined): void {
  if (name !== undefined && isHouseAuthor(name)) throw new InvalidInputError(`Name is reserved: ${name}`);
}

/** Sorts roles by what they allow, each once. */
function inOrder(roles: readonly Role[]): Role[] {
  return ROLE_NAMES.filter((role) => roles.includes(role));
}

export type PersonEntry = ReturnType<typeof personEntry>;

export function personEntry(row: PersonRow) {
  const { id, name, email, state, invited_by } = row;
  return {
    ...{ id, name, email, roles: people.rolesOf(row), state, invited_by, invited_at: iso(row.invited_at) },
    joined_at: isoOrNull(row.joined_at),
    last_seen_at: isoOrNull(row.last_seen_at),
    removed_at: isoOrNull(row.removed_at),
  };
}
