import { hash, randomBytes } from 'node:crypto';
import { HOUR_MS, MINUTE_MS } from '../../domain/time.ts';
import type { PlanId } from '../../plans.ts';
import { inTransaction, type Records, readerOf } from '../database/database.ts';

export const SESSION_MS = 12 * HOUR_MS;
const IDLE_MS = HOUR_MS;
/** Time for the provider's pages. */
const SIGN_IN_MS = 10 * MINUTE_MS;
const SEEN_STEP_MS = MINUTE_MS;
const TOKEN_BYTES = 32;

/** A person who is signed in, with the roles and the plan of this moment. */
export interface SessionHolder {
  personId: string;
  accountId: string;
  planId: PlanId;
  roles: string;
  lastSeenAt: number;
  expiresAt: number;
  suspendedAt: number | null;
}

export const newToken = () => randomBytes(TOKEN_BYTES).toString('base64url');
export const hashToken = (token: string) => hash('sha256', token);

/** A sign-in that is under way at the provider. */
export interface SignIn {
  nonce: string;
  verifier: string;
  return_to: string;
  account_id: string | null;
}

interface SignInProof {
  state: string;
  /** Cookie of the browser that began it. */
  browser: string;
}

export async function insertSignIn(
  records: Records,
  { state, browser }: SignInProof,
  signIn: SignIn,
  now: number,
): Promise<void> {
  const row = { state_hash: hashToken(state), browser_hash: hashToken(browser), expires_at: now + SIGN_IN_MS };
  await records
    .insertInto('sign_ins')
    .values({ ...row, ...signIn })
    .execute();
}

/** Takes the sign-in of this state and browser, which is there once. */
export async function takeSignIn(
  records: Records,
  { state, browser }: SignInProof,
  now: number,
): Promise<SignIn | undefined> {
  return records
    .deleteFrom('sign_ins')
    .where('state_hash', '=', hashToken(state))
    .where('browser_hash', '=', hashToken(browser))
    .where('expires_at', '>', now)
    .returning(['nonce', 'verifier', 'return_to', 'account_id'])
    .executeTakeFirst();
}

/** Makes a session of the person; returns its token, which exists here once and in the cookie. */
export async function insertSession(
  transaction: Records,
  { personId, providerSid }: { personId: string; providerSid: string | null },
  now: number,
): Promise<string> {
  const token = newToken();
  const row = { token_hash: hashToken(token), person_id: personId, provider_sid: providerSid };
  await transaction
    .insertInto('sessions')
    .values({ ...row, created_at: now, last_seen_at: now, expires_at: now + SESSION_MS })
    .execute();
  return token;
}

/** Reads the holder of a session that has not ended; each time, so that what ends it holds at once. */
export async function findSession(records: Records, token: string, now: number): Promise<SessionHolder | undefined> {
  return readerOf(records)
    .selectFrom('sessions')
    .innerJoin('people', 'people.id', 'sessions.person_id')
    .innerJoin('accounts', 'accounts.id', 'people.account_id')
    .select([
      'people.id as personId',
      'people.account_id as accountId',
      'people.roles',
      'accounts.plan_id as planId',
      'sessions.last_seen_at as lastSeenAt',
      'sessions.expires_at as expiresAt',
      'accounts.suspended_at as suspendedAt',
    ])
    .where('sessions.token_hash', '=', hashToken(token))
    .where('sessions.expires_at', '>', now)
    .where('sessions.last_seen_at', '>', now - IDLE_MS)
    .where('people.state', '=', 'active')
    .executeTakeFirst();
}

/** Notes that the session is used, at most once a minute. */
export async function markSeen(records: Records, token: string, holder: SessionHolder, now: number): Promise<void> {
  if (now - holder.lastSeenAt < SEEN_STEP_MS) return;
  await inTransaction(records, async (transaction) => {
    const used = transaction.updateTable('sessions').set({ last_seen_at: now });
    await used.where('token_hash', '=', hashToken(token)).execute();
    await transaction.updateTable('people').set({ last_seen_at: now }).where('id', '=', holder.personId).execute();
  });
}

/** Returns how many ended. */
export async function endSession(transaction: Records, token: string): Promise<number> {
  const ended = await transaction.deleteFrom('sessions').where('token_hash', '=', hashToken(token)).executeTakeFirst();
  return Number(ended.numDeletedRows);
}

export async function endSessionsOf(transaction: Records, personId: string): Promise<void> {
  await transaction.deleteFrom('sessions').where('person_id', '=', personId).execute();
}

/** Sessions that a logout at the provider ends: of one of its own, or of a person in all browsers. */
export interface ProviderLogout {
  issuer: string;
  subject?: string;
  sid?: string;
}

/**
 * Ends what a provider's logout means, and returns the people and their accounts. A session whose sign-in named no session
 * of the provider ends with any logout of its person.
 */
export async function endProviderSessions(transaction: Records, { issuer, subject, sid }: ProviderLogout) {
  const found = await transaction
    .selectFrom('sessions')
    .innerJoin('people', 'people.id', 'sessions.person_id')
    .select(['sessions.token_hash', 'people.id', 'people.account_id'])
    .where('people.issuer', '=', issuer)
    .$if(subject !== undefined, (query) => query.where('people.subject', '=', subject!))
    .$if(sid !== undefined, (query) =>
      query.where((e) =>
        e.or([
          e('sessions.provider_sid', '=', sid!),
          ...(subject === undefined ? [] : [e('sessions.provider_sid', 'is', null)]),
        ]),
      ),
    )
    .execute();
  for (const { token_hash } of found) {
    await transaction.deleteFrom('sessions').where('token_hash', '=', token_hash).execute();
  }
  return [...new Map(found.map(({ id, account_id }) => [id, { id, accountId: account_id }])).values()];
}

/** Forgets what has ended by itself. */
export async function deleteEndedSessions(records: Records, now: number): Promise<void> {
  await records
    .deleteFrom('sessions')
    .where((e) => e.or([e('expires_at', '<=', now), e('last_seen_at', '<=', now - IDLE_MS)]))
    .execute();
  await records.deleteFrom('sign_ins').where('expires_at', '<=', now).execute();
}
