import { expect, it } from 'vitest';
import { ConflictError, InvalidInputError, NotFoundError, PlanError, QuotaError } from '../../src/errors.ts';
import { BODY_BYTES_MAX } from '../../src/http/body.ts';
import { FEATURE_REFUSALS, type Feature, PLAN_IDS, PLANS } from '../../src/plans.ts';
import { addProbes, openTestApp } from './test-app.ts';

// 401, 429 (rate), 413, 422, 403, 404, 400 or 409, 429 (quota): each pair of neighbours, on one request that deserves both.

const ID = '11111111-1111-1111-1111-111111111111';
const TOO_LARGE = `"${'x'.repeat(BODY_BYTES_MAX)}"`;

it('says 401 before 429 of the rate, 413 and 422', async () => {
  const test = await openTestApp();
  await addProbes(test);
  for (const payload of [TOO_LARGE, '{']) {
    const answer = await test.app.inject({ method: 'POST', url: '/probe/shape/no-uuid', payload });
    expect(answer.statusCode).toBe(401);
  }
});

it('says 429 of the rate before 413 and 422', async () => {
  const test = await openTestApp();
  await addProbes(test);
  const headers = { ...(await test.headers('free')), 'content-type': 'application/json' };
  for (let i = 0; i < 10; i++) await test.app.inject({ url: '/probe/key', headers });
  for (const payload of [TOO_LARGE, '{']) {
    const answer = await test.app.inject({ method: 'POST', url: '/probe/shape/no-uuid', headers, payload });
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([429, '60']);
  }
});

it('says 413 before 422, whatever the content type', async () => {
  const test = await openTestApp();
  await addProbes(test);
  const key = await test.headers();
  for (const type of ['application/json', 'text/plain', 'no media type', 'multipart/form-data; boundary=x']) {
    const answer = await test.app.inject({
      method: 'POST',
      url: '/probe/shape/no-uuid?limit=x',
      headers: { ...key, 'content-type': type },
      payload: TOO_LARGE,
    });
    expect([type, answer.statusCode]).toEqual([type, 413]);
    expect(answer.json()).toMatchObject({ detail: 'Request body is larger than 1 MiB' });
    expect(answer.headers['x-ratelimit-limit']).toBe('60');
  }
});

it('says 422 before what a handler refuses', async () => {
  const test = await openTestApp();
  const headers = await test.headers();
  for (let i = 0; i < 5; i++) {
    await test.app.inject({ method: 'POST', url: '/api/v1/api-keys', headers, payload: { name: `k${i}` } });
  }
  const full = (payload: object) => test.app.inject({ method: 'POST', url: '/api/v1/api-keys', headers, payload });
  expect((await full({ name: 'k6' })).statusCode).toBe(403);
  expect((await full({ name: 6 })).statusCode).toBe(422);
  const remove = (id: string) => test.app.inject({ method: 'DELETE', url: `/api/v1/api-keys/${id}`, headers });
  expect((await remove(ID)).statusCode).toBe(404);
  expect((await remove('no-uuid')).statusCode).toBe(422);
});

it('answers each refusal of a handler with its status, its text and the rate of the key', async () => {
  const test = await openTestApp();
  const thrown = {
    a: new PlanError('Flow path is a Pro feature.'),
    b: new NotFoundError(),
    c: new InvalidInputError('Address is required'),
    d: new ConflictError('Address already in case'),
    e: new QuotaError('今月のスキャン上限に達しました（使用済み: 10 / 上限: 10）。'),
  };
  await addProbes(test, thrown);
  const headers = await test.headers();
  for (const [what, error] of Object.entries(thrown)) {
    const answer = await test.app.inject({ method: 'POST', url: `/probe/throw/${what}`, headers });
    expect([answer.statusCode, answer.json()]).toMatchObject([error.status, { detail: error.message }]);
    expect(answer.headers['x-ratelimit-limit']).toBe('60');
    expect(answer.headers['retry-after']).toBeUndefined();
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  }
});

it('says 401, 429 of the rate and 422 before 403 of the plan, and 403 before 400', async () => {
  const test = await openTestApp();
  const ask = (headers: Record<string, string>, payload: object) =>
    test.app.inject({ method: 'POST', url: '/api/v1/graph/flow-path', headers, payload });
  const body = { from_address: 'nonsense', to_address: 'nonsense' };
  const lacking = await test.headers('free');
  expect((await ask({}, body)).statusCode).toBe(401);
  expect((await ask(lacking, { ...body, max_hops: 11 })).statusCode).toBe(422);
  const refused = await ask(lacking, body);
  expect([refused.statusCode, refused.json()]).toMatchObject([403, { detail: 'Flow path is a Pro feature.' }]);
  expect((await ask(await test.headers('pro'), body)).statusCode).toBe(400);
  for (let i = 0; i < 8; i++) await ask(lacking, body);
  expect((await ask(lacking, body)).statusCode).toBe(429);
});

it.each(Object.entries(FEATURE_REFUSALS))('refuses %s exactly on the plans that lack it', async (feature, detail) => {
  const test = await openTestApp();
  const routes: Record<string, { method: 'GET' | 'POST' | 'PATCH'; url: string; payload?: object }> = {
    asyncScan: { method: 'POST', url: '/public/scan/async', payload: { address: '' } },
    batchSize: { method: 'POST', url: '/public/scan/batch', payload: { addresses: [] } },
    bulkSize: { method: 'POST', url: '/cases/11111111-2222-4333-8444-555555555555/bulk-scan' },
    heldWallets: {
      method: 'POST',
      url: '/graph/what-if',
      payload: { address: '', freeze: [{ address: '', at: '2026-01-01T00:00:00Z' }] },
    },
    flowPath: { method: 'POST', url: '/graph/flow-path', payload: { from_address: '', to_address: '' } },
    relationshipCheck: { method: 'POST', url: '/graph/relationship-check', payload: { address_a: '', address_b: '' } },
    ownStatements: { method: 'POST', url: '/graph/query', payload: { statement: 'RETURN 1' } },
    transactionScan: { method: 'POST', url: '/scan/tx', payload: { tx_hash: '', chain: '' } },
    terminals: { method: 'GET', url: '/exposure/x/terminals' },
    riskSettings: { method: 'GET', url: '/risk-settings' },
    reportPackage: { method: 'GET', url: '/cases/11111111-2222-4333-8444-555555555555/str-package/status' },
    followDepth: {
      method: 'PATCH',
      url: '/watchlist/11111111-2222-4333-8444-555555555555/follow',
      payload: { enabled: true },
    },
    liveItems: {
      method: 'PATCH',
      url: '/watchlist/11111111-2222-4333-8444-555555555555',
      payload: { live: true },
    },
    traceAddresses: { method: 'POST', url: '/graph/trace', payload: { address: '' } },
    webhookEndpoints: { method: 'POST', url: '/webhooks/configs', payload: { webhook_url: 'nonsense' } },
  };
  const { url, ...request } = routes[feature]!;
  for (const planId of PLAN_IDS) {
    const answer = await test.app.inject({ ...request, url: `/api/v1${url}`, headers: await test.headers(planId) });
    if (PLANS[planId][feature as Feature]) expect(answer.statusCode, planId).not.toBe(403);
    else expect([planId, answer.statusCode, answer.json()]).toMatchObject([planId, 403, { detail }]);
  }
});
