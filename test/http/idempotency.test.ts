import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { type ChainServers, startChainServers } from '../../fixtures/chain-servers/start.ts';
import { demoWorld, roleOf } from '../../fixtures/demo/world.ts';
import { buildApp } from '../../src/app.ts';
import { HOUR_MS } from '../../src/domain/time.ts';
import { createMetrics } from '../../src/http/metrics/metrics.ts';
import { createInFlight } from '../../src/jobs/in-flight.ts';
import { PLANS, type PlanId } from '../../src/plans.ts';
import { createCase } from '../../src/questions/cases/manage-cases.ts';
import { insertKey } from '../../src/records/accounts/keys.ts';
import { insertPerson, updatePerson } from '../../src/records/accounts/people.ts';
import { openTestApp, type TestApp } from '../app/test-app.ts';

const ADDRESS = '0x28c6c06298d514db089934071355e5743bf21d60';
let chains: ChainServers;
let saver: string;
/** A payment to it. */
let payment: string;

beforeAll(async () => {
  const world = demoWorld();
  chains = await startChainServers(world);
  saver = roleOf(world, 'ethereum', 'clean_saver').address;
  payment = world.moves.ethereum.find(({ kind, failed, to }) => kind === 'native' && !failed && to === saver)!.txHash;
});
afterAll(() => chains?.close());

function client(test: TestApp, apiKey: string) {
  const post = async (path: string, payload: object, key?: string) => {
    const headers = { 'x-api-key': apiKey, ...(key === undefined ? {} : { 'idempotency-key': key }) };
    const reply = await test.app.inject({ method: 'POST', url: `/api/v1${path}`, headers, payload });
    return { status: reply.statusCode, text: reply.body, body: reply.json(), headers: reply.headers };
  };
  const get = async (path: string) =>
    (await test.app.inject({ url: `/api/v1${path}`, headers: { 'x-api-key': apiKey } })).json();
  return { post, get };
}

async function open(plan: PlanId = 'pro', env: Record<string, string> = {}) {
  const test = await openTestApp(env);
  const { key, accountId } = await test.issue(plan);
  return {
    ...test,
    accountId,
    key,
    ...client(test, key),
    jobs: () => test.ctx.records.selectFrom('jobs').selectAll().execute(),
  };
}

it('gives the first answer again for 24 hours, and does the work once', async () => {
  const { post, jobs, time } = await open();
  const first = await post('/public/scan/async', { address: ADDRESS }, 'order-1');
  expect([first.status, first.headers['idempotency-replayed']]).toEqual([202, undefined]);
  time.at += 24 * HOUR_MS - 1;
  const again = await post('/public/scan/async', { address: ADDRESS }, 'order-1');
  expect([again.status, again.text, again.headers['idempotency-replayed']]).toEqual([202, first.text, 'true']);
  expect(again.headers['content-type']).toBe(first.headers['content-type']);
  expect(await jobs()).toHaveLength(1);
  time.at += 1;
  const next = await post('/public/scan/async', { address: ADDRESS }, 'order-1');
  expect(next.body.job_id).not.toBe(first.body.job_id);
});

it('refuses the key with another body or on another route, and knows one body by its meaning', async () => {
  const { post } = await open();
  const first = await post('/public/scan/async', { address: ADDRESS }, 'order-1');
  for (const [path, payload] of [
    ['/public/scan/async', { address: ADDRESS, chain: 'polygon' }],
    ['/public/scan/batch', { addresses: [ADDRESS] }],
    ['/api-keys', { name: 'laptop' }],
  ] as const) {
    const { status, body } = await post(path, payload, 'order-1');
    expect([status, body]).toMatchObject([409, { detail: 'Idempotency key was used with another request' }]);
  }
  expect((await post('/public/scan/async', { ignored: 1, address: ADDRESS }, 'order-1')).body).toEqual(first.body);
});

it('refuses the key for another object, whose body is the same', async () => {
  const { post } = await open('business');
  const [first, second] = [await post('/cases', { title: 'A' }), await post('/cases', { title: 'B' })].map(
    ({ body }) => (body.case?.id ?? body.id) as string,
  );
  expect((await post(`/cases/${first}/notes`, { content: 'same text' }, 'note-1')).status).toBe(200);
  const other = await post(`/cases/${second}/notes`, { content: 'same text' }, 'note-1');
  expect([other.status, other.body]).toMatchObject([409, { detail: 'Idempotency key was used with another request' }]);
});

it('runs concurrent duplicates once, and gives them all the one answer', async () => {
  const { post, jobs } = await open();
  const all = await Promise.all(
    Array.from({ length: 8 }, () => post('/public/scan/batch', { addresses: [ADDRESS] }, 'order-1')),
  );
  expect(new Set(all.map((reply) => reply.text)).size).toBe(1);
  expect(all.filter((reply) => reply.headers['idempotency-replayed'] === undefined)).toHaveLength(1);
  expect(await jobs()).toHaveLength(1);
});

/** From now on the answered request counts as under way, until the returned function gives its answer again. */
async function reopenFirst({ records }: TestApp['ctx']) {
  const { status_code, answer } = await records.selectFrom('idempotency_keys').selectAll().executeTakeFirstOrThrow();
  const keep = (kept: object) => records.updateTable('idempotency_keys').set(kept).execute();
  await keep({ status_code: null, answer: null });
  return () => keep({ status_code, answer });
}

it('lets a repetition over the network wait for the first, and does nothing for a caller who leaves meanwhile', async () => {
  const { app, ctx, key, jobs } = await open();
  const url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/api/v1/public/scan/batch`;
  const body = JSON.stringify({ addresses: [ADDRESS] });
  const headers = { 'x-api-key': key, 'idempotency-key': 'order-1', 'content-type': 'application/json' };
  const post = (signal?: AbortSignal) => fetch(url, { method: 'POST', headers, body, signal });
  const first = await (await post()).text();
  const endFirst = await reopenFirst(ctx);
  const leaving = new AbortController();
  const left = post(leaving.signal).catch((error: Error) => error.name);
  const waiting = post();
  await sleep(300);
  leaving.abort();
  expect(await left).toBe('AbortError');
  await sleep(1_000);
  expect(await jobs()).toHaveLength(1);
  await endFirst();
  const repeated = await waiting;
  expect([repeated.headers.get('idempotency-replayed'), await repeated.text()]).toEqual(['true', first]);
  expect(await jobs()).toHaveLength(1);
});

it('belongs to the account: another key of it gets the answer, another account does not', async () => {
  const test = await open();
  const first = await test.post('/public/scan/async', { address: ADDRESS }, 'order-1');
  const second = await insertKey(test.ctx.records, { accountId: test.accountId, name: 'second' }, test.time.at);
  expect((await client(test, second.key).post('/public/scan/async', { address: ADDRESS }, 'order-1')).body).toEqual(
    first.body,
  );
  const stranger = client(test, (await test.issue()).key);
  const theirs = await stranger.post('/public/scan/async', { address: ADDRESS }, 'order-1');
  expect(theirs.body.job_id).not.toBe(first.body.job_id);
});

it('gives a new key again to keys with the same limits alone', async () => {
  const test = await open();
  const made = await test.post('/api-keys', { name: 'made' }, 'key-1');
  const { accountId, ctx, time } = test;
  const narrow = await insertKey(ctx.records, { accountId, name: 'narrow', scopes: ['admin'] }, time.at);
  expect((await client(test, narrow.key).post('/api-keys', { name: 'made' }, 'key-1')).status).toBe(409);
  expect((await test.post('/api-keys', { name: 'made' }, 'key-1')).body).toEqual(made.body);
});

it('gives a scan by POST again without a second bill', async () => {
  const { post, get } = await open('pro', { ...chains.env, CACHE_SCAN_SECONDS: '0' });
  const first = await post('/public/scan', { address: saver }, 'order-1');
  expect(first.status).toBe(200);
  expect((await post('/public/scan', { address: saver }, 'order-1')).text).toBe(first.text);
  expect((await get('/public/usage')).scans_used).toBe(1);
});

it('files a report once', async () => {
  const { post, ctx } = await open();
  const payload = { address: ADDRESS, type: 'phishing', description: 'A false wallet page' };
  const first = await post('/scamdb/report', payload, 'report-1');
  expect([first.status, (await post('/scamdb/report', payload, 'report-1')).text]).toEqual([201, first.text]);
  expect(await ctx.records.selectFrom('scam_reports').select('id').execute()).toHaveLength(1);
});

it('repeats a new API key to whoever holds the idempotency key, and keeps its text nowhere readable', async () => {
  const { post, get, ctx } = await open();
  const first = await post('/api-keys', { name: 'laptop' }, 'order-1');
  expect((await post('/api-keys', { name: 'laptop' }, 'order-1')).body).toEqual(first.body);
  expect((await get('/api-keys')).keys).toHaveLength(2);
  const kept = JSON.stringify(await ctx.records.selectFrom('idempotency_keys').selectAll().execute());
  expect(kept).not.toContain(first.body.key);
  expect(kept).not.toContain('order-1');
});

it('refuses as without a key where the refusal cannot be kept', async () => {
  const { post, ctx } = await open();
  await ctx.records.schema.alterTable('idempotency_keys').renameColumn('status_code', 'elsewhere').execute();
  const bare = await post('/public/scan/async', { address: 'nonsense' });
  const unkept = await post('/public/scan/async', { address: 'nonsense' }, 'order-1');
  expect([unkept.status, unkept.body]).toEqual([400, bare.body]);
});

it('keeps a refusal of the request, and not one that time may lift', async () => {
  const { post, ctx, accountId } = await open('enterprise_trial');
  const wrong = await post('/public/scan/async', { address: 'nonsense' }, 'order-1');
  expect(wrong.status).toBe(400);
  expect((await post('/public/scan/async', { address: 'nonsense' }, 'order-1')).headers['idempotency-replayed']).toBe(
    'true',
  );
  const usedUp = { account_id: accountId, period: '2026-11', used: 100 };
  await ctx.records.insertInto('quota_months').values(usedUp).execute();
  expect((await post('/public/scan/async', { address: ADDRESS }, 'order-2')).status).toBe(429);
  await ctx.records.updateTable('quota_months').set({ used: 0 }).execute();
  expect((await post('/public/scan/async', { address: ADDRESS }, 'order-2')).status).toBe(202);
});

/** The service, whose source waits, and another process on the same records. */
async function openTwoProcesses() {
  const first = await open('free', { ...chains.env, CACHE_SCAN_SECONDS: '0' });
  const { ctx } = first;
  const { chainSource } = ctx;
  const other = await buildApp({ ...ctx, chainSource, inFlight: createInFlight(), metrics: createMetrics() });
  onTestFinished(() => other.close());
  let goOn = () => {};
  const gate = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  ctx.chainSource = async (chain) => {
    await gate;
    return chainSource(chain);
  };
  const usedBefore = { account_id: first.accountId, period: '2026-11', used: 9 };
  await ctx.records.insertInto('quota_months').values(usedBefore).execute();
  const reservations = () => ctx.records.selectFrom('quota_reservations').select(['id', 'state']).execute();
  return {
    ...first,
    goOn: () => goOn(),
    scan: () => first.post('/public/scan', { address: saver }, 'order-1'),
    repeat: () => client({ ...first, app: other }, first.key).post('/public/scan', { address: saver }, 'order-1'),
    isUnderWay: () => expect.poll(reservations).toMatchObject([{ state: 'reserved' }]),
  };
}

it('runs a repetition once the lease of the first has ended, and lets that neither bill nor answer any more', async () => {
  const { scan, repeat, goOn, isUnderWay, get, time, ctx } = await openTwoProcesses();
  const first = scan();
  await isUnderWay();
  let isAnswered = false;
  const waiting = repeat().finally(() => {
    isAnswered = true;
  });
  time.at += 29_999;
  await sleep(600);
  expect(isAnswered).toBe(false);
  time.at += 1;
  const repeated = await waiting;
  expect([repeated.status, repeated.headers['idempotency-replayed']]).toEqual([200, undefined]);
  goOn();
  expect((await first).status).toBe(500);
  expect((await scan()).text).toBe(repeated.text);
  expect((await get('/public/usage')).scans_used).toBe(10);
  expect(await ctx.records.selectFrom('scans').select('units').execute()).toEqual([{ units: 1 }]);
});

it('is not run a third time where the process ended twice while it answered', async () => {
  const { scan, repeat, goOn, isUnderWay, time, ctx } = await openTwoProcesses();
  const first = scan();
  await isUnderWay();
  // As a second process leaves it that took the first one's place.
  await ctx.records.updateTable('idempotency_keys').set({ lost: 1 }).execute();
  time.at += 30_000;
  const { status, body } = await repeat();
  expect([status, JSON.stringify(body)]).toEqual([409, expect.stringContaining('The process ended twice')]);
  goOn();
  await first;
});

it('lets a repetition wait as long as the first renews its lease', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { scan, repeat, goOn, isUnderWay, get, time, ctx } = await openTwoProcesses();
  const first = scan();
  await isUnderWay();
  const waiting = repeat();
  const lease = async () =>
    (await ctx.records.selectFrom('idempotency_keys').select('expires_at').executeTakeFirstOrThrow()).expires_at;
  for (let beat = 0; beat < 9; beat++) {
    time.at += 10_000;
    vi.advanceTimersByTime(10_000);
    await expect.poll(lease).toBe(time.at + 30_000);
  }
  goOn();
  const [{ text, status }, repeated] = await Promise.all([first, waiting]);
  expect([status, repeated.text, repeated.headers['idempotency-replayed']]).toEqual([200, text, 'true']);
  expect((await get('/public/usage')).scans_used).toBe(10);
});

/** Lets each answer fail after its work, until the returned function is called: as a kill does, that keeps no answer any more. */
function breakAnswers({ app }: TestApp) {
  let isBroken = true;
  app.addHook('preSerialization', async () => {
    if (isBroken) throw new Error('killed');
  });
  return () => {
    isBroken = false;
  };
}

it.each([
  ['/public/scan', () => ({ address: saver, fresh: true }), 1],
  ['/scan/tx', () => ({ tx_hash: payment, chain: 'ethereum' }), 2],
  ['/public/scan/async', () => ({ address: ADDRESS }), 0],
  ['/public/scan/batch', () => ({ addresses: [ADDRESS] }), 0],
  ['/graph/trace', () => ({ address: ADDRESS, chain: 'ethereum' }), 0],
] as const)('keeps the answer of %s together with its work, whatever happens after', async (path, given, scans) => {
  const payload = given();
  const test = await open('enterprise', { ...chains.env, CACHE_SCAN_SECONDS: '0' });
  const goOn = breakAnswers(test);
  const { post, get, ctx } = test;
  expect((await post(path, payload, 'order-1')).status).toBe(500);
  goOn();
  const used = (await get('/public/usage')).scans_used;
  const repeated = await post(path, payload, 'order-1');
  expect([repeated.status, repeated.headers['idempotency-replayed']]).toEqual([
    /async|trace/.test(path) ? 202 : 200,
    'true',
  ]);
  expect((await get('/public/usage')).scans_used).toBe(used);
  expect(await ctx.records.selectFrom('scans').select('id').execute()).toHaveLength(scans);
  expect(await ctx.records.selectFrom('jobs').select('id').execute()).toHaveLength(scans > 0 ? 0 : 1);
});

it('keeps the answer of a request for approval together with it', async () => {
  const test = await open('enterprise');
  const { records } = test.ctx;
  const goOn = breakAnswers(test);
  const invited = { accountId: test.accountId, email: 'ana@desk.example', roles: ['analyst'], invitedBy: 'x' } as const;
  const { id: person } = await insertPerson(records, invited, test.time.at);
  await updatePerson(records, person, { state: 'active' });
  const made = { accountId: test.accountId, name: 'robot', askedBy: person };
  const { id: keyId, key } = await insertKey(records, made, test.time.at);
  const tenant = { accountId: test.accountId, keyId, planId: 'enterprise', plan: PLANS.enterprise } as const;
  const { id } = await createCase(test.ctx, tenant, { title: 'Theft' });
  const ask = () => client(test, key).post(`/cases/${id}/approvals`, { action: 'close' }, 'order-1');
  expect((await ask()).status).toBe(500);
  goOn();
  const { status, headers } = await ask();
  expect([status, headers['idempotency-replayed']]).toEqual([201, 'true']);
});

it('refuses a malformed key', async () => {
  const { post } = await open();
  for (const key of ['', 'a b', 'x'.repeat(256), 'ключ']) {
    const { status, body } = await post('/public/scan/async', { address: ADDRESS }, key);
    expect([status, body.detail[0]?.loc], key).toEqual([422, ['header', 'Idempotency-Key']]);
  }
});
