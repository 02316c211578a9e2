import { expect, it } from 'vitest';
import { roleOf } from '../../../fixtures/demo/world.ts';
import { keepList, saveListState } from '../../../src/records/lists/kept-lists.ts';
import { chains, openApp, serveWorld, world } from '../../app/demo-world.ts';

serveWorld();

const requests = () => Object.values(chains.servers).reduce((sum, server) => sum + server.requests.length, 0);

it('names the configured sources to keys with the right admin alone, without asking them', async () => {
  const test = await openApp({
    TRON_API_URL: `${chains.servers.tron.url}/a-path-that-is-a-key`,
    TRON_API_RPS: '3',
    SOLANA_RPC_URL: 'https://api.mainnet-beta.solana.com',
  });
  const { key } = await test.issue('pro', ['read']);
  const get = (headers: Record<string, string>) => test.app.inject({ url: '/api/v1/sources', headers });
  expect((await get({ 'x-api-key': key })).statusCode).toBe(403);
  const before = requests();
  const answer = await get(await test.headers());
  expect(requests()).toBe(before);
  expect(answer.body).not.toContain('a-path');
  const { sources } = answer.json();
  expect(sources.find(({ chain }: { chain: string }) => chain === 'tron')).toEqual({
    chain: 'tron',
    setting: 'TRON_API_URL',
    host: null,
    requests_per_second: 3,
    last_success_at: null,
    last_failure_at: null,
    last_problem: null,
  });
  expect(sources.find(({ chain }: { chain: string }) => chain === 'solana')).toMatchObject({
    host: 'api.mainnet-beta.solana.com',
  });
});

it('asks each source once a minute at most, and says here and in readiness when it answered and what failed', async () => {
  const test = await openApp();
  const headers = await test.headers();
  chains.servers.rippled.inject({ status: 403, body: 'no' });
  const check = async () => {
    const answer = await test.app.inject({ method: 'POST', url: '/api/v1/sources/check', headers });
    return answer.json().sources as { setting: string; state: string }[];
  };
  const states = Object.fromEntries((await check()).map(({ setting, state }) => [setting, state]));
  expect(states).toMatchObject({ XRP_RPC_URL: 'failed', BITCOIN_ESPLORA_URL: 'behind' });
  const asked = requests();
  await check();
  expect(requests()).toBe(asked);
  test.time.at += 60_000;
  chains.servers.rippled.clearFaults();
  const later = await check();
  expect(later.find(({ setting }) => setting === 'XRP_RPC_URL')!.state).toBe('behind');
  const { sources } = (await test.app.inject({ url: '/api/v1/sources', headers })).json();
  const at = new Date(test.time.at).toISOString();
  const failedAt = new Date(test.time.at - 60_000).toISOString();
  expect(sources.find(({ chain }: { chain: string }) => chain === 'xrp')).toMatchObject({
    last_success_at: at,
    last_failure_at: failedAt,
    last_problem: 'key_refused',
  });
  const ready = (await test.app.inject('/health/ready')).json();
  expect(ready.sources).toContainEqual({ chain: 'xrp', last_success_at: at });
});

it('gives no key, host, path or text of a failure of a source, a list or the prices but hosts of public services', async () => {
  const test = await openApp({
    XRP_RPC_URL: 'http://secret.localhost:9/secret-key',
    PRICE_API_URL: 'http://secret.localhost:9/secret-key',
  });
  const { records, prices } = test.ctx;
  const list = { source: 'darklist', place: 'https://secret-user:secret@secret.example/secret-key?k=secret' };
  await keepList(records, { ...list, every_ms: 86_400_000, as_of_header: 0 }, test.time.at);
  await saveListState(records, list, { state: 'failed', problem: 'Cannot read /srv/secret: EACCES' });
  await prices.price([{ chain: 'ethereum', token: null, kind: 'native', amount: '1', usd: null, at: test.time.at }]);
  const headers = await test.headers();
  const checked = await test.app.inject({ method: 'POST', url: '/api/v1/sources/check', headers });
  const shown = await test.app.inject({ url: '/api/v1/sources', headers });
  expect(checked.body + shown.body).not.toMatch(/secret|ECONN|EACCES/);
  const xrp = checked.json().sources.find(({ chain }: { chain: string }) => chain === 'xrp');
  expect(xrp).toMatchObject({ state: 'failed', problem: 'no_answer' });
  expect(shown.json()).toMatchObject({
    lists: [{ source: 'darklist', place: null, state: 'failed' }],
    prices: { api: { host: null, last_problem: 'no_answer' } },
  });
});

it('says of what part of the moved dollars your scans knew the counterparty, by chain', async () => {
  const test = await openApp();
  const headers = await test.headers();
  const payload = { address: roleOf(world, 'ethereum', 'clean_saver').address, chain: 'ethereum' };
  const scan = await test.app.inject({ method: 'POST', url: '/api/v1/public/scan', headers, payload });
  const share = scan.json().metadata.labelled_share;
  expect(share).toBeGreaterThan(0);
  const shares = async (of: Record<string, string>) => {
    const { labels_by_chain } = (await test.app.inject({ url: '/api/v1/sources', headers: of })).json();
    return Object.fromEntries(
      labels_by_chain.map(({ chain, labelled_share }: Record<string, unknown>) => [chain, labelled_share]),
    );
  };
  expect(await shares(headers)).toMatchObject({ ethereum: share, tron: null });
  expect(await shares(await test.headers())).toMatchObject({ ethereum: null });
});
