import type { Context } from '../../context.ts';
import { HOUSE_AUTHORS } from '../../domain/account/house-authors.ts';
import { type Right, ROLE_NAMES, type Role } from '../../domain/account/rights.ts';
import { withoutControls } from '../../domain/text/visible.ts';
import { ConflictError, LimitError, UnavailableError } from '../../errors.ts';
import { type Identity, type Provider, SignInError } from '../../outbound/openid.ts';
import { findAccount } from '../../records/accounts/accounts.ts';
import * as people from '../../records/accounts/people.ts';
import * as sessions from '../../records/accounts/sessions.ts';
import { insertAudit } from '../../records/audit/audit-log.ts';
import { inTransaction, type Records } from '../../records/database/database.ts';
import type { PersonRow } from '../../records/database/tables/people.ts';
import { personEntry } from './manage-people.ts';

/** Reasons for making no session; the console has words for each. */
const REFUSED_SIGN_INS = {
  expired: 'the sign-in was begun in another browser, too long ago, or was used before',
  refused: 'the provider refused, or what it sent does not hold',
  provider_unavailable: 'the provider cannot be used',
  not_invited: 'no account invited this person',
  unverified_email: 'the provider does not call the e-mail address verified',
  no_role: 'the provider names no role',
  removed: 'the person was removed, and needs a new invitation',
  full: 'the account has no place for another person, or has one with this address',
} as const;
export type RefusedSignIn = keyof typeof REFUSED_SIGN_INS;

export type FinishedSignIn = { token: string; returnTo: string } | { refused: RefusedSignIn };

const NAME_LENGTH_MAX = 100;
const ADDRESS_LENGTH_MAX = 2_000;

/** Sends a browser to the provider, with a cookie that proves later that it began this. Throws UnavailableError. */
export async function startSignIn(
  ctx: Context,
  provider: Provider,
  { returnTo, accountId }: { returnTo?: string; accountId?: string },
): Promise<{ url: string; browser: string }> {
  const [state, nonce, verifier, browser] = [1, 2, 3, 4].map(sessions.newToken) as [string, string, string, string];
  const url = await provider.authorizationUrl({ state, nonce, verifier }, callbackUrl(ctx));
  const signIn = { nonce, verifier, return_to: ownAddress(ctx, returnTo), account_id: accountId ?? null };
  await sessions.insertSignIn(ctx.records, { state, browser }, signIn, ctx.now());
  return { url: url.href, browser };
}

/** Makes a session of what the provider sent back with the browser, or says why not. An earlier session of it ends. */
export async function finishSignIn(
  ctx: Context,
  provider: Provider,
  { query, browser, earlier }: { query: string; browser: string; earlier?: string },
): Promise<FinishedSignIn> {
  const url = new URL(callbackUrl(ctx));
  url.search = query;
  const state = url.searchParams.get('state') ?? '';
  const begun = await sessions.takeSignIn(ctx.records, { state, browser }, ctx.now());
  if (!begun) return { refused: 'expired' };
  try {
    const { nonce, verifier, account_id: wanted } = begun;
    const identity = await provider.identify(url, { state, nonce, verifier });
    return await inTransaction(ctx.records, async (transaction) => {
      const admitted = await admit(ctx, transaction, identity, wanted);
      if ('refused' in admitted) return admitted;
      if (earlier !== undefined) await sessions.endSession(transaction, earlier);
      const token = await openSession(transaction, admitted.person, identity.sid, ctx.now());
      return { token, returnTo: begun.return_to };
    });
  } catch (err) {
    const refused = refusalOf(err);
    if (!refused) throw err;
    ctx.log.warn({ err, reason: refused }, 'a sign-in was refused');
    return { refused };
  }
}

function refusalOf(err: unknown): RefusedSignIn | null {
  if (err instanceof SignInError) return 'refused';
  if (err instanceof ConflictError || err instanceof LimitError) return 'full';
  return err instanceof UnavailableError ? 'provider_unavailable' : null;
}

async function openSession(transaction: Records, person: PersonRow, sid: string | null, now: number) {
  const token = await sessions.insertSession(transaction, { personId: person.id, providerSid: sid }, now);
  await people.updatePerson(transaction, person.id, { last_seen_at: now });
  const entry = { action: 'signed_in', subject: person.id, detail: person.email } as const;
  await insertAudit(transaction, { accountId: person.account_id, keyId: person.id, ...entry }, now);
  return token;
}

type Admitted = { person: PersonRow } | { refused: RefusedSignIn };

/**
 * Finds the person of an identity: a member, then the first invitation of its verified address, then, where the provider's claim
 * names an account, a new member of that. Where the provider names roles, these hold.
 */
async function admit(ctx: Context, transaction: Records, identity: Identity, wanted: string | null): Promise<Admitted> {
  const { OIDC_ACCOUNT_CLAIM: accountClaim, OIDC_ROLE_CLAIM: roleClaim } = ctx.config;
  const claimed = accountClaim === undefined ? null : await people.knownAccounts(transaction, identity.accounts);
  const isMeant = ({ account_id: id }: PersonRow) =>
    (wanted === null || id === wanted) && (claimed === null || claimed.includes(id));
  const roles = roleClaim === undefined ? null : ROLE_NAMES.filter((role) => identity.roles.includes(role));
  if (roles?.length === 0) return { refused: 'no_role' };

  const known = (await people.findMemberships(transaction, identity)).filter(isMeant);
  const member = known.find(({ state }) => state === 'active');
  if (member) return { person: await giveRoles(transaction, member, roles, ctx.now()) };
  const invitations = await people.findInvitations(transaction, identity.isVerified ? identity.email : null);
  const invited = invitations.find(isMeant);
  if (invited) return { person: await join(ctx, transaction, invited, identity, roles) };
  if (known.length > 0) return { refused: 'removed' };
  const accountId = claimed?.find((id) => wanted === null || id === wanted);
  if (accountId === undefined) return { refused: identity.isVerified ? 'not_invited' : 'unverified_email' };
  const invitation = { email: identity.email ?? identity.subject, roles: roles ?? (['viewer'] as const) };
  const row = { accountId, ...invitation, invitedBy: HOUSE_AUTHORS.service };
  return {
    person: await join(ctx, transaction, await people.insertPerson(transaction, row, ctx.now()), identity, null),
  };
}

async function join(
  ctx: Context,
  transaction: Records,
  invited: PersonRow,
  { issuer, subject, name }: Identity,
  roles: readonly Role[] | null,
): Promise<PersonRow> {
  const { id, account_id: accountId, email, ...now } = await people.lockPerson(transaction, { id: invited.id });
  if (now.state !== 'invited') throw new ConflictError('Another identity has joined by this invitation');
  const own = withoutControls(name ?? '').slice(0, NAME_LENGTH_MAX);
  const isNamed = invited.name !== email || own === '';
  const person = await people.updatePerson(transaction, id, {
    ...{ state: 'active', issuer, subject, joined_at: ctx.now() },
    ...(!isNamed && { name: await people.freeName(transaction, accountId, own, email, id) }),
    ...(roles && { roles: roles.join(' ') }),
  });
  const entry = { action: 'person_joined', subject: id, detail: `${email}: ${person.roles}` } as const;
  await insertAudit(transaction, { accountId, keyId: id, ...entry }, ctx.now());
  return person;
}

async function giveRoles(
  transaction: Records,
  person: PersonRow,
  roles: readonly Role[] | null,
  now: number,
): Promise<PersonRow> {
  if (roles === null || roles.join(' ') === person.roles) return person;
  const changed = await people.updatePerson(transaction, person.id, { roles: roles.join(' ') });
  const service = { accountId: person.account_id, keyId: null, name: HOUSE_AUTHORS.service };
  const entry = { action: 'person_changed', subject: person.id, detail: `roles: ${changed.roles}` } as const;
  await insertAudit(transaction, { ...service, ...entry }, now);
  return changed;
}

/** Ends the session of a browser, as its person asks. */
export function signOut(
  ctx: Context,
  person: { accountId: string; keyId: string; ip?: string },
  token: string,
): Promise<void> {
  return inTransaction(ctx.records, async (transaction) => {
    await sessions.endSession(transaction, token);
    await insertAudit(transaction, { ...person, action: 'signed_out', subject: person.keyId }, ctx.now());
  });
}

/** Ends what a logout token of the provider means. Throws UnavailableError, InvalidInputError. */
export async function endByProvider(ctx: Context, provider: Provider, token: string): Promise<void> {
  const logout = await provider.readLogout(token);
  await inTransaction(ctx.records, async (transaction) => {
    for (const { id, accountId } of await sessions.endProviderSessions(transaction, logout)) {
      const entry = { action: 'signed_out', subject: id, detail: 'by the provider' } as const;
      const service = { accountId, keyId: null, name: HOUSE_AUTHORS.service };
      await insertAudit(transaction, { ...service, ...entry }, ctx.now());
    }
  });
}

function callbackUrl({ config }: Context): string {
  return `${config.publicUrl}/auth/callback`;
}

/** Keeps an address of this service; any other becomes the console. */
function ownAddress({ config }: Context, given = '/'): string {
  const home = `${config.publicUrl}/`;
  const base = new URL(home);
  if (!URL.canParse(given, home)) return home;
  // The whole URL: its path alone could begin with two slashes, and so name another host.
  const { origin, username, password, href } = new URL(given, home);
  const isOwn = origin === base.origin && username === '' && password === '' && href.length <= ADDRESS_LENGTH_MAX;
  return isOwn ? href : home;
}

/** Describes a session for pages: the person, their rights, the account, and others that they may change to. */
export async function describeSession(
  ctx: Context,
  caller: { accountId: string; keyId: string; rights: readonly Right[] } | undefined,
) {
  const sign_in_url = ctx.provider ? '/auth/sign-in' : null;
  const person = caller && (await people.findPersonRow(ctx.records, caller.keyId));
  if (!person) return { sign_in_url, person: null, rights: [], account: null, other_accounts: [] };
  const account = await findAccount(ctx.records, person.account_id);
  const others = await people.otherAccounts(ctx.records, person);
  return {
    sign_in_url,
    person: personEntry(person),
    rights: [...caller.rights],
    account: { id: account.id, name: account.name },
    other_accounts: others.map(({ id, name }) => ({ name, sign_in_url: `/auth/sign-in?account=${id}` })),
  };
}
