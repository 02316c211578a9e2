import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type LoadingContext } from 'oidc-provider';
import { expect, it, onTestFinished } from 'vitest';
import type { Role } from '../../src/domain/account/rights.ts';
import { invitePerson } from '../../src/questions/account/manage-people.ts';
import { operatorFor } from '../../src/records/audit/audit-log.ts';
import { openTestApp } from '../app/test-app.ts';
import { openBrowser } from './browser.ts';

const PEOPLE = 12;
const CLIENT = { client_id: 'traceflow', client_secret: 'a secret of the test', grant_types: ['authorization_code'] };

/** The certified provider `oidc-provider` on loopback. Whoever comes is the person that `next` names. */
async function openCertified(home: string) {
  const next = { person: '' };
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: Provider = new Provider(issuer, {
    clients: [{ ...CLIENT, redirect_uris: [`${home}/auth/callback`], response_types: ['code'] }],
    pkce: { required: () => true },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: () => '/login' },
    cookies: { keys: ['of the test'] },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, email: `${id}@desk.example`, email_verified: true, name: `Person ${id}` }),
    }),
    loadExistingGrant: async ({ oidc }: LoadingContext) => {
      const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  const answer = provider.callback();
  server.on('request', (request, response) => {
    if (request.url !== '/login') return answer(request, response);
    return provider.interactionFinished(request, response, { login: { accountId: next.person } });
  });

  /** A browser of its own at the provider: follows where it is led until that is this service again. */
  const authorize = async (person: string, from: string): Promise<string> => {
    next.person = person;
    const cookies = new Map<string, string>();
    for (let url = from; ; ) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const reply = await fetch(url, { redirect: 'manual', headers: { cookie } });
      for (const set of reply.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
        cookies.set(name, value);
      }
      url = new URL(reply.headers.get('location') ?? `/status-${reply.status}`, issuer).href;
      if (url.startsWith(`${home}/auth/callback`)) return new URL(url).search.slice(1);
      if (url.includes('/status-')) throw new Error(`the provider answered ${await reply.text()}`);
    }
  };
  return {
    env: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: CLIENT.client_id, OIDC_CLIENT_SECRET: CLIENT.client_secret },
    authorize,
  };
}

it('signs in a desk of twelve through a certified provider', async () => {
  const home = 'http://127.0.0.1:8080';
  const { env, authorize } = await openCertified(home);
  const test = await openTestApp({ ...env, BASE_URL: home });
  const { accountId } = await test.issue('enterprise');
  const roles: Role[] = ['viewer', 'analyst', 'reviewer', 'admin'];
  const invite = (index: number) =>
    invitePerson(
      test.ctx.records,
      { actor: operatorFor(accountId) },
      { email: `${index}@desk.example`, roles: [roles[index % 4]!] },
      test.time.at,
    );
  for (let index = 0; index < PEOPLE; index++) await invite(index);
  const seen = [];
  for (let index = 0; index < PEOPLE; index++) {
    const browser = openBrowser(test);
    expect(await browser.signIn((url) => authorize(String(index), url))).toBe(`${home}/`);
    const { person } = (await browser.call('GET', '/session')).body;
    const opened = await browser.call('POST', '/cases', { title: 'Theft' });
    seen.push([person.name, person.roles[0], opened.status]);
  }
  expect(seen).toEqual(
    Array.from({ length: PEOPLE }, (_, index) => [`Person ${index}`, roles[index % 4], index % 4 === 0 ? 403 : 200]),
  );
  const stranger = openBrowser(test);
  expect(await stranger.signIn((url) => authorize('99', url))).toBe('/?sign_in=not_invited');
});
