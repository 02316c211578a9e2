import { expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import type { Role } from '../../src/domain/account/rights.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/domain/time.ts';
import { invitePerson, removePerson } from '../../src/questions/account/manage-people.ts';
import { operatorFor, pageAudit } from '../../src/records/audit/audit-log.ts';
import { deleteOldSessions } from '../../workers/cleaning.ts';
import { openTestApp } from '../app/test-app.ts';
import { openBrowser } from './browser.ts';
import { type FakeProvider, openFakeProvider } from './fake-provider.ts';

const HOME = 'https://desk.example/';
const ANA = 'ana@desk.example';
const VERIFIED = { email: ANA, email_verified: true, name: 'Ana' };
const SESSION = '__Host-traceflow_session';

async function openDesk(env: Record<string, string> = {}) {
  const provider = await openFakeProvider();
  const test = await openTestApp({ BASE_URL: HOME, ...provider.env, ...env });
  const { accountId, key } = await test.issue('enterprise');
  const { records } = test.ctx;
  const invite = (email = ANA, roles: Role[] = ['analyst'], account = accountId) =>
    invitePerson(records, { actor: operatorFor(account) }, { email, roles }, test.time.at);
  const remove = (id: string) => removePerson(records, { actor: operatorFor(accountId) }, id, test.time.at);
  const enter = async (query?: string) => {
    const browser = openBrowser(test);
    return { ...browser, ledTo: await browser.signIn(provider.authorize, query) };
  };
  Object.assign(provider.acts.token, VERIFIED);
  return { test, provider, records, accountId, key, invite, remove, enter };
}

it('lets an invited person in, who then has all of the API that their roles allow', async () => {
  const { test, invite, enter, accountId, records } = await openDesk();
  const { id } = await invite();
  const ana = await enter(`?return_to=${encodeURIComponent('/#/cases?x=1')}`);
  expect(ana.ledTo).toBe(`${HOME}#/cases?x=1`);
  expect((await ana.call('GET', '/session')).body).toEqual({
    sign_in_url: '/auth/sign-in',
    person: expect.objectContaining({ id, name: 'Ana', email: ANA, state: 'active', roles: ['analyst'] }),
    rights: ['read', 'scan', 'cases', 'monitor'],
    account: { id: accountId, name: 'Desk' },
    other_accounts: [],
    csrf_token: expect.stringMatching(/^[0-9a-f]{64}$/),
    expires_at: '2026-11-20T22:00:00.000Z',
  });
  const opened = await ana.call('POST', '/cases', { title: 'Theft' });
  await ana.call('POST', `/cases/${opened.body.case.id}/notes`, { content: 'Seen' });
  const { notes } = (await ana.call('GET', `/cases/${opened.body.case.id}`)).body;
  expect(notes.find((one: { content: string }) => one.content === 'Seen').author).toBe('Ana');
  expect(await ana.call('GET', '/api-keys')).toMatchObject({
    status: 403,
    body: { detail: 'Your roles lack the right: admin' },
  });
  expect(await pageAudit(records, accountId, { person: id, limit: 9 })).toMatchObject([
    { action: 'case_viewed' },
    { action: 'note_added' },
    { action: 'case_created', actor: 'Ana' },
    { action: 'signed_in' },
    { action: 'person_joined' },
  ]);
  // Only a hash is kept, and no log line has the token.
  const token = ana.cookies[SESSION]!;
  expect(JSON.stringify(await records.selectFrom('sessions').selectAll().execute())).not.toContain(token);
  expect(test.logged()).not.toContain(token);
});

it('gives cookies that no script, no other site and no other host can use', async () => {
  const { test, provider, invite } = await openDesk();
  await invite();
  const started = await test.app.inject('/auth/sign-in');
  const [begun] = started.cookies;
  const query = provider.authorize(String(started.headers.location));
  const ended = await test.app.inject({ url: `/auth/callback?${query}`, cookies: { [begun!.name]: begun!.value } });
  const [session] = ended.cookies;
  const attributes = { path: '/', httpOnly: true, secure: true, sameSite: 'Lax' };
  expect(begun).toMatchObject({ name: '__Host-traceflow_sign_in', ...attributes, maxAge: 600 });
  expect(session).toMatchObject({ name: SESSION, ...attributes, maxAge: 43_200 });
});

it.each<[string, object]>([
  ['false', { email_verified: false }],
  ['the text "true", as JumpCloud and Entra send it', { email_verified: 'true' }],
  ['1', { email_verified: 1 }],
  ['nothing, as Entra does', { email_verified: undefined }],
])('does not take an invitation for an address of which the provider says %s', async (_, claims) => {
  const { provider, invite, enter, records } = await openDesk();
  const { id } = await invite();
  Object.assign(provider.acts.token, claims);
  const ana = await enter();
  expect(ana.ledTo).toBe('/?sign_in=unverified_email');
  expect(ana.cookies[SESSION]).toBeUndefined();
  expect(await records.selectFrom('people').select(['id', 'state']).execute()).toEqual([{ id, state: 'invited' }]);
});

it('believes an address and that it is verified from one source alone', async () => {
  const { provider, invite, enter } = await openDesk();
  await invite();
  provider.acts.token = { email: ANA };
  provider.acts.userinfo = { email: 'eve@evil.example', email_verified: true };
  expect((await enter()).ledTo).toBe('/?sign_in=unverified_email');
  // Many providers name the address at the userinfo endpoint alone.
  provider.acts.token = {};
  provider.acts.userinfo = { email: ANA.toUpperCase(), email_verified: true, name: 'Ana' };
  expect((await enter()).ledTo).toBe(HOME);
});

it('knows a person by issuer and subject: not by an address that was given to another', async () => {
  const { provider, invite, enter } = await openDesk();
  const { id } = await invite();
  await enter();
  provider.acts.token = { ...VERIFIED, sub: 'the next ana' };
  expect((await enter()).ledTo).toBe('/?sign_in=not_invited');
  provider.acts.token = { sub: 'ana', email: 'new@desk.example', email_verified: false };
  expect((await (await enter()).call('GET', '/session')).body.person).toMatchObject({ id, email: ANA });
});

it('lets nobody in uninvited', async () => {
  const { enter } = await openDesk();
  expect((await enter()).ledTo).toBe('/?sign_in=not_invited');
});

it.each<[string, (provider: FakeProvider) => unknown]>([
  ['for another client', ({ acts }) => Object.assign(acts.token, { aud: 'other' })],
  ['for several, without saying which it is for', ({ acts }) => Object.assign(acts.token, { aud: ['traceflow', 'b'] })],
  [
    'for several, and for another first',
    ({ acts }) => Object.assign(acts.token, { aud: ['traceflow', 'b'], azp: 'b' }),
  ],
  ['with an old nonce', ({ acts }) => Object.assign(acts.token, { nonce: 'of yesterday' })],
  ['without a nonce', ({ acts }) => Object.assign(acts.token, { nonce: undefined })],
  ['of another issuer', ({ acts }) => Object.assign(acts.token, { iss: 'https://login.example' })],
  ['that has ended', ({ acts }) => Object.assign(acts.token, { iat: 1_000, exp: 2_000 })],
  ['by a key that is not its own', ({ acts }) => Object.assign(acts, { forges: true })],
  ['for nobody', ({ acts }) => Object.assign(acts.token, { sub: '' })],
])('refuses a token %s', async (_, spoil) => {
  const { provider, invite, enter } = await openDesk();
  await invite();
  spoil(provider);
  const ana = await enter();
  expect([ana.ledTo, ana.cookies[SESSION]]).toEqual(['/?sign_in=refused', undefined]);
});

it('takes a token for several clients that is for this one, and a clock that is half a minute off', async () => {
  const { provider, invite, enter } = await openDesk();
  await invite();
  const ahead = Math.floor(Date.now() / 1_000) + 30;
  Object.assign(provider.acts.token, { aud: ['traceflow', 'b'], azp: 'traceflow', iat: ahead, nbf: ahead });
  expect((await enter()).ledTo).toBe(HOME);
});

it('signs in on after the provider changed its keys, and once it is up again', async () => {
  const { provider, invite, enter } = await openDesk();
  await invite();
  expect((await enter()).ledTo).toBe(HOME);
  await provider.rotateKeys();
  const ana = await enter();
  expect(ana.ledTo).toBe(HOME);

  provider.acts.status = 503;
  const other = openBrowser((await openDesk()).test);
  expect((await ana.request('GET', '/auth/sign-in')).headers.location).toBe('/?sign_in=provider_unavailable');
  expect((await other.call('GET', '/session')).body.sign_in_url).toBe('/auth/sign-in');
  // Who is signed in works on.
  expect((await ana.call('GET', '/cases')).status).toBe(200);
  provider.acts.status = 200;
  expect((await enter()).ledTo).toBe(HOME);
});

it('fails plainly when the provider goes down half-way, or calls itself otherwise', async () => {
  const { test, provider, invite } = await openDesk();
  await invite();
  const browser = openBrowser(test);
  const failing = (url: string) => {
    provider.acts.status = 500;
    return provider.authorize(url);
  };
  expect(await browser.signIn(failing)).toBe('/?sign_in=provider_unavailable');
  Object.assign(provider.acts, { status: 200, name: `${provider.issuer}/other/` });
  expect((await browser.request('GET', '/auth/sign-in')).headers.location).toBe('/?sign_in=provider_unavailable');
  expect(test.logged()).toContain(`OIDC_ISSUER must be ${provider.issuer}/other/`);
});

it('takes a state once, from the browser that began, in ten minutes', async () => {
  const { test, provider, invite } = await openDesk();
  await invite();
  const [ana, eve] = [openBrowser(test), openBrowser(test)];
  const begin = async ({ request }: typeof ana) =>
    provider.authorize(String((await request('GET', '/auth/sign-in')).headers.location));
  const end = async ({ request }: typeof ana, query: string) =>
    String((await request('GET', `/auth/callback?${query}`)).headers.location);
  // Eve would have Ana work in an account of hers.
  const ofEve = await begin(eve);
  expect(await end(ana, ofEve)).toBe('/?sign_in=expired');
  await begin(ana);
  expect(await end(ana, ofEve)).toBe('/?sign_in=expired');

  const ofAna = await begin(ana);
  const cookies = { ...ana.cookies };
  expect(await end(ana, ofAna)).toBe(HOME);
  const again = await test.app.inject({ url: `/auth/callback?${ofAna}`, cookies });
  expect(again.headers.location).toBe('/?sign_in=expired');

  const late = await begin(ana);
  test.time.at += 11 * MINUTE_MS;
  expect(await end(ana, late)).toBe('/?sign_in=expired');
  expect(await end(ana, '')).toBe('/?sign_in=expired');
  expect(await end(ana, 'error=access_denied&state=x')).toBe('/?sign_in=expired');
  const denied = await begin(ana);
  const state = new URLSearchParams(denied).get('state')!;
  expect(await end(ana, `error=access_denied&state=${state}`)).toBe('/?sign_in=refused');
});

it.each([
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  'https:evil.example//',
  'https://desk.example@evil.example/',
  'https://eve@desk.example/',
  'javascript:alert(1)',
  'https://desk.example.evil.example',
  'http://desk.example/',
])('leads nobody to %j after the sign-in', async (to) => {
  const { invite, enter } = await openDesk();
  await invite();
  const { ledTo } = await enter(`?return_to=${encodeURIComponent(to)}`);
  expect(new URL(ledTo).origin).toBe('https://desk.example');
});

it('makes a new session at each sign-in and ends the one before, so that none can be planted', async () => {
  const { provider, invite, enter, test } = await openDesk();
  await invite();
  const eve = await enter();
  const planted = eve.cookies[SESSION]!;
  const ana = openBrowser(test);
  ana.cookies[SESSION] = planted;
  await ana.signIn(provider.authorize);
  expect(ana.cookies[SESSION]).not.toBe(planted);
  expect((await eve.call('GET', '/cases')).status).toBe(401);
  const made = openBrowser(test);
  made.cookies[SESSION] = 'x'.repeat(43);
  expect(await made.call('GET', '/cases')).toMatchObject({
    status: 401,
    body: { detail: 'The session has ended. Sign in again.', code: 'unauthenticated' },
  });
});

it('ends a session by sign-out, by removal at once, after an hour of rest, and after twelve', async () => {
  const { test, invite, remove, enter, records } = await openDesk();
  const { id } = await invite();
  const isIn = async ({ call }: { call: Awaited<ReturnType<typeof enter>>['call'] }) =>
    (await call('GET', '/cases')).status === 200;
  const [out, resting, busy] = [await enter(), await enter(), await enter()];
  expect((await out.call('DELETE', '/session')).body).toEqual({ deleted: true });
  expect([await isIn(out), await isIn(resting)]).toEqual([false, true]);
  for (let hour = 0; hour < 12; hour += 0.75) {
    expect([hour, await isIn(busy)]).toEqual([hour, true]);
    test.time.at += 0.75 * HOUR_MS;
    if (hour === 0.75) expect(await isIn(resting)).toBe(false);
  }
  expect(await isIn(busy)).toBe(false);
  await deleteOldSessions.run(test.ctx);
  expect(await records.selectFrom('sessions').selectAll().execute()).toEqual([]);

  const last = await enter();
  await remove(id);
  expect(await isIn(last)).toBe(false);
  expect((await enter()).ledTo).toBe('/?sign_in=removed');
  await invite();
  expect((await enter()).ledTo).toBe(HOME);
});

it('gives other roles from the next request on', async () => {
  const { test, key, invite, enter } = await openDesk();
  const { id } = await invite();
  const ana = await enter();
  const headers = { 'x-api-key': key };
  const change = { method: 'PATCH', url: `/api/v1/people/${id}`, headers, payload: { roles: ['viewer'] } } as const;
  expect((await ana.call('POST', '/cases', { title: 'x' })).status).toBe(200);
  await test.app.inject(change);
  expect((await ana.call('POST', '/cases', { title: 'x' })).body.detail).toBe('Your roles lack the right: cases');
});

it('does nothing in the name of a person that another page asks for', async () => {
  const { invite, enter } = await openDesk();
  await invite();
  const { request } = await enter();
  const post = (headers: Record<string, string>, url = '/api/v1/cases') =>
    request(url === '/api/v1/cases' ? 'POST' : 'GET', url, {
      payload: url === '/api/v1/cases' ? { title: 'x' } : undefined,
      headers,
    });
  const scan = '/api/v1/public/scan?address=0x52908400098527886e0f7030069857d2e4169ee7&chain=ethereum';
  const statuses = [];
  const forged: Record<string, string>[] = [
    { 'x-csrf-token': '' },
    { 'x-csrf-token': 'a'.repeat(64) },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ];
  for (const headers of forged) {
    statuses.push((await post(headers)).statusCode, (await post(headers, scan)).statusCode);
  }
  expect(new Set(statuses)).toEqual(new Set([403]));
  expect((await post({ origin: 'https://desk.example', 'sec-fetch-site': 'same-origin' })).statusCode).toBe(200);
  expect((await request('GET', '/api/v1/cases', { headers: { 'x-csrf-token': '' } })).statusCode).toBe(200);
});

it('serves an assistant in the name of who is signed in, and none that another page makes ask', async () => {
  const { invite, enter } = await openDesk();
  await invite();
  const ana = await enter();
  await ana.call('POST', '/cases', { title: 'Theft' });
  const ask = (headers: Record<string, string> = {}) =>
    ana.request('POST', '/api/v1/mcp', {
      payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'listCases', arguments: {} } },
      headers: { accept: 'application/json, text/event-stream', ...headers },
    });
  const answer = await ask({ origin: 'https://desk.example', 'sec-fetch-site': 'same-origin' });
  expect(answer.statusCode).toBe(200);
  expect(answer.body).toContain('Theft');
  expect(answer.body).not.toContain('"isError":true');
  const forged: Record<string, string>[] = [
    { 'x-csrf-token': '' },
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': 'same-site' },
  ];
  for (const headers of forged) expect((await ask(headers)).statusCode).toBe(403);
});

it('lets a key in a header count before the cookie', async () => {
  const { key, invite, enter } = await openDesk();
  await invite();
  const { request } = await enter();
  const keys = await request('GET', '/api/v1/api-keys', { headers: { 'x-api-key': key, 'x-csrf-token': '' } });
  expect(keys.statusCode).toBe(200);
});

it('keeps people of one account out of another, and lets one who is in both choose', async () => {
  const { test, invite, enter, accountId } = await openDesk();
  const other = await test.issue('enterprise');
  await invite();
  const ana = await enter();
  const theirs = await test.app.inject({
    method: 'POST',
    url: '/api/v1/cases',
    headers: { 'x-api-key': other.key },
    payload: { title: 'Theirs' },
  });
  const { id } = theirs.json().case;
  expect((await ana.call('GET', `/cases/${id}`)).status).toBe(404);

  await invite(ANA, ['viewer'], other.accountId);
  // An invitation by others moves nobody out of the account that they work in.
  expect((await (await enter()).call('GET', '/session')).body.account.id).toBe(accountId);
  const [choice] = (await ana.call('GET', '/session')).body.other_accounts;
  expect(choice).toEqual({ name: 'Desk', sign_in_url: `/auth/sign-in?account=${other.accountId}` });
  const there = await enter(`?account=${other.accountId}`);
  expect((await there.call('GET', '/session')).body.account.id).toBe(other.accountId);
  expect((await there.call('GET', `/cases/${id}`)).status).toBe(200);
  expect((await enter(`?account=${crypto.randomUUID()}`)).ledTo).toBe('/?sign_in=not_invited');
});

it('lets the provider name the account and the roles where the operator says so', async () => {
  const { provider, accountId, enter, remove } = await openDesk({
    OIDC_ACCOUNT_CLAIM: 'groups',
    OIDC_ROLE_CLAIM: 'roles',
  });
  provider.acts.token = { email: ANA, groups: ['staff', accountId], roles: ['analyst', 'boss'] };
  const { person } = (await (await enter()).call('GET', '/session')).body;
  expect(person).toMatchObject({ email: ANA, roles: ['analyst'], invited_by: 'system' });
  provider.acts.token.roles = 'viewer';
  expect((await (await enter()).call('GET', '/session')).body.person.roles).toEqual(['viewer']);
  provider.acts.token.roles = ['boss'];
  expect((await enter()).ledTo).toBe('/?sign_in=no_role');
  provider.acts.token.roles = ['viewer'];
  provider.acts.token.groups = ['staff'];
  expect((await enter()).ledTo).toMatch(/sign_in=(unverified_email|not_invited)$/);
  provider.acts.token.groups = [accountId];
  await remove(person.id);
  expect((await enter()).ledTo).toBe('/?sign_in=removed');
});

it('finds claims within others, as Keycloak has roles, and by names with dots, as Auth0 has them', async () => {
  const { provider, accountId, enter } = await openDesk({
    OIDC_ACCOUNT_CLAIM: 'https://desk.example/account',
    OIDC_ROLE_CLAIM: 'resource_access.trace.flow.roles',
  });
  const roles = (names: string[]) => ({ resource_access: { 'trace.flow': { roles: names } } });
  provider.acts.token = { email: ANA, 'https://desk.example/account': accountId, ...roles(['analyst']) };
  expect((await (await enter()).call('GET', '/session')).body.person.roles).toEqual(['analyst']);
  provider.acts.token = { email: ANA, 'https://desk.example/account': accountId, resource_access: 'trace' };
  provider.acts.userinfo = roles(['viewer']);
  expect((await (await enter()).call('GET', '/session')).body.person.roles).toEqual(['viewer']);
  // Another claim has the first part of the name.
  const around = { resource_access: { other: {} }, 'resource_access.trace': { 'flow.roles': ['analyst'] } };
  provider.acts.userinfo = around;
  expect((await (await enter()).call('GET', '/session')).body.person.roles).toEqual(['analyst']);
});

it('ends the sessions that a logout token of the provider names, and takes no other token for one', async () => {
  const { test, provider, invite, enter } = await openDesk();
  await invite();
  const isIn = async ({ call }: Awaited<ReturnType<typeof enter>>) => (await call('GET', '/cases')).status === 200;
  provider.acts.token = { ...VERIFIED, sid: 'one' };
  const one = await enter();
  provider.acts.token.sid = 'two';
  const two = await enter();
  delete provider.acts.token.sid;
  const unnamed = await enter();
  const logout = async (token: string) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };
    const payload = new URLSearchParams({ logout_token: token }).toString();
    return (await test.app.inject({ method: 'POST', url: '/auth/backchannel-logout', headers, payload })).statusCode;
  };
  const seconds = Math.floor(Date.now() / 1_000);
  const bad = [
    { nonce: 'as in an ID token', sid: 'one' },
    { events: undefined, sid: 'one' },
    { events: { other: {} }, sid: 'one' },
    { aud: 'other', sid: 'one' },
    { iss: 'https://login.example', sid: 'one' },
    { sub: undefined },
    { jti: undefined, sid: 'one' },
    { iat: seconds - 3_600, sid: 'one' },
  ];
  for (const claims of bad)
    expect([claims, await logout(await provider.logoutToken(claims as Record<string, unknown>))]).toEqual([
      claims,
      400,
    ]);
  expect(await logout('not a token')).toBe(400);
  provider.acts.forges = true;
  expect(await logout(await provider.logoutToken({ sid: 'one' }))).toBe(400);
  provider.acts.forges = false;
  expect(await isIn(one)).toBe(true);

  // Ory Hydra names no subject, authentik no session.
  expect(await logout(await provider.logoutToken({ sub: undefined, sid: 'one' }))).toBe(200);
  expect([await isIn(one), await isIn(two), await isIn(unnamed)]).toEqual([false, true, true]);
  expect(await logout(await provider.logoutToken({ sub: 'somebody' }))).toBe(200);
  expect(await logout(await provider.logoutToken({ sub: 'ana', sid: 'unknown' }))).toBe(200);
  expect([await isIn(two), await isIn(unnamed)]).toEqual([true, false]);
  expect(await logout(await provider.logoutToken({ sub: 'ana' }))).toBe(200);
  expect(await isIn(two)).toBe(false);
});

it('changes nothing where the operator names no provider', async () => {
  const test = await openTestApp();
  const browser = openBrowser(test);
  browser.cookies.traceflow_session = 'x'.repeat(43);
  expect((await browser.call('GET', '/cases')).body.detail).toBe('API key required');
  expect((await browser.call('GET', '/session')).body).toMatchObject({ sign_in_url: null, person: null });
  for (const path of ['/auth/sign-in', '/auth/callback'])
    expect((await browser.request('GET', path)).statusCode).toBe(404);
});

it.each<[Record<string, string>, RegExp]>([
  [{ OIDC_ISSUER: 'https://login.microsoftonline.com/common/v2.0', OIDC_CLIENT_ID: 'x' }, /your own organisation/],
  [{ OIDC_ISSUER: 'https://login.microsoftonline.com/organizations/v2.0', OIDC_CLIENT_ID: 'x' }, /own organisation/],
  [{ OIDC_ISSUER: 'http://id.example', OIDC_CLIENT_ID: 'x' }, /must start with https/],
  [{ OIDC_ISSUER: 'http://localhost.evil.example', OIDC_CLIENT_ID: 'x' }, /must start with https/],
  [{ OIDC_ISSUER: 'https://id.example' }, /OIDC_CLIENT_ID: set it/],
])('does not start with %j', (env, problem) => {
  expect(() => readConfig(env)).toThrow(problem);
});
