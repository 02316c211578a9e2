import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChainServers, startChainServers } from '../../../fixtures/chain-servers/start.ts';
import type { World } from '../../../fixtures/demo/model.ts';
import { demoWorld, roleOf } from '../../../fixtures/demo/world.ts';
import { savePrices } from '../../../src/prices/price-store.ts';
import { tenantOverrides } from '../../../src/questions/account/risk-settings.ts';
import { decideReport } from '../../../src/questions/scamdb.ts';
import type { ScanAnswer } from '../../../src/questions/scans/record-scan.ts';
import { setPlan } from '../../../src/records/accounts/accounts.ts';
import { scoreOf } from '../../../src/risk/scoring/score.ts';
import { openTestApp, shareTestApp, type TestApp } from '../../app/test-app.ts';
import { putLabels } from '../../labels/label-of.ts';

let world: World;
let chains: ChainServers;

beforeAll(async () => {
  world = demoWorld();
  chains = await startChainServers(world);
});
afterAll(() => chains.close());

async function openScanApp(): Promise<TestApp> {
  const test = await openTestApp(chains.env);
  await savePrices(test.ctx.records, world.prices);
  const { labels } = test.ctx;
  await putLabels(labels, world.labels);
  test.time.at += 1_000;
  return test;
}

type Headers = Record<string, string>;

async function put(test: TestApp, headers: Headers, payload: object) {
  const reply = await test.app.inject({ method: 'PUT', url: '/api/v1/risk-settings', headers, payload });
  return { status: reply.statusCode, body: reply.json() };
}

async function get<Body>(test: TestApp, headers: Headers, url: string): Promise<Body> {
  const reply = await test.app.inject({ url: `/api/v1/${url}`, headers });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json();
}

const scan = (test: TestApp, headers: Headers, address: string) =>
  get<ScanAnswer>(test, headers, `public/scan?address=${address}`);
const ids = (answer: ScanAnswer) => answer.detections.map((one) => one.detector_id);
const place = (story: string, name?: string) => roleOf(world, 'ethereum', story, name).address;

const A = '0x00000000000000000000000000000000000000a1';

describe('GET and PUT /risk-settings', () => {
  const test = shareTestApp();

  it('begin empty, keep what was put in canonical form, and leave what is left out', async () => {
    const headers = await test.headers('pro');
    expect(await get(test, headers, 'risk-settings')).toEqual({ whitelist: [], weights: {}, strict_sanctions: false });
    const whitelist = [
      { chain: 'ethereum', address: '0x52908400098527886E0F7030069857D2E4169EE7', note: ' Our desk 取引所 ' },
      { chain: 'ethereum', address: '0x52908400098527886e0f7030069857d2e4169ee7', note: 'Later' },
      { address: A },
      { chain: 'bsc', address: A, note: null },
    ];
    const kept = [
      { chain: 'ethereum', address: '0x52908400098527886e0f7030069857d2e4169ee7', note: 'Later' },
      { chain: 'ethereum', address: A, note: '' },
      { chain: 'bsc', address: A, note: '' },
    ];
    expect(await put(test, headers, { whitelist, weights: { structural: 0, sanctions: 2 } })).toEqual({
      status: 200,
      body: { whitelist: kept, weights: { structural: 0, sanctions: 2 }, strict_sanctions: false },
    });
    expect((await put(test, headers, { weights: { behaviour: 1.5 } })).body).toEqual({
      whitelist: kept,
      weights: { behaviour: 1.5 },
      strict_sanctions: false,
    });
    expect((await put(test, headers, { whitelist: [] })).body).toEqual({
      whitelist: [],
      weights: { behaviour: 1.5 },
      strict_sanctions: false,
    });
    expect(await get(test, headers, 'risk-settings')).toEqual({
      whitelist: [],
      weights: { behaviour: 1.5 },
      strict_sanctions: false,
    });
    expect(await get(test, await test.headers('pro'), 'risk-settings')).toEqual({
      whitelist: [],
      weights: {},
      strict_sanctions: false,
    });
  });

  it.each(['free', 'starter'] as const)('are not for the plan %s, and shape counts before plan', async (planId) => {
    const headers = await test.headers(planId);
    const refused = { status: 403, body: { detail: 'Risk settings are a Pro feature.' } };
    expect(await put(test, headers, { weights: { sanctions: 0 } })).toMatchObject(refused);
    expect((await put(test, headers, { weights: { sanctions: 3 } })).status).toBe(422);
    const reply = await test.app.inject({ url: '/api/v1/risk-settings', headers });
    expect({ status: reply.statusCode, body: reply.json() }).toMatchObject(refused);
    expect((await put(test, {}, {})).status).toBe(401);
  });

  it.each(['sanctions', 'indirect_exposure'])('refuse to lower %s', async (family) => {
    const headers = await test.headers();
    expect(await put(test, headers, { weights: { [family]: 0.99 }, whitelist: [] })).toMatchObject({
      status: 400,
      body: { detail: `Weight of ${family} cannot be below 1: sanctions cannot be lowered` },
    });
    expect((await put(test, headers, { weights: { [family]: 1 } })).status).toBe(200);
  });

  it.each([
    [{ whitelist: [{ chain: 'ethereum', address: 'hello' }] }, 'Unrecognized address format'],
    [{ whitelist: [{ chain: 'bitcoin', address: A }] }, 'Address does not match chain bitcoin'],
    [{ whitelist: [{ chain: 'evm', address: A }] }, 'Unsupported chain: evm'],
    [{ whitelist: [{ address: ' ' }] }, 'Address is required'],
  ])('refuse %j: %s', async (payload, detail) => {
    const headers = await test.headers();
    expect(await put(test, headers, payload)).toMatchObject({ status: 400, body: { detail } });
    expect(await get(test, headers, 'risk-settings')).toEqual({ whitelist: [], weights: {}, strict_sanctions: false });
  });

  it.each([
    [{ weights: { villainy: 1 } }, ['body', 'weights'], 'value_error'],
    [{ weights: { structural: 2.1 } }, ['body', 'weights', 'structural'], 'less_than_equal'],
    [{ weights: { structural: -0.1 } }, ['body', 'weights', 'structural'], 'greater_than_equal'],
    [{ weights: { structural: '1' } }, ['body', 'weights', 'structural'], 'float_type'],
    [{ weights: [] }, ['body', 'weights'], 'model_attributes_type'],
    [{ whitelist: 'all' }, ['body', 'whitelist'], 'list_type'],
    [{ whitelist: Array(1_001).fill({ address: A }) }, ['body', 'whitelist'], 'too_long'],
    [{ whitelist: [{ chain: 'ethereum' }] }, ['body', 'whitelist', 0, 'address'], 'missing'],
    [{ whitelist: [{ address: A, note: 'x'.repeat(201) }] }, ['body', 'whitelist', 0, 'note'], 'string_too_long'],
    [{ whitelist: [{ address: A, note: 'a\0' }] }, ['body', 'whitelist', 0, 'note'], 'string_pattern_mismatch'],
  ])('refuse a wrong shape (%#)', async (payload, loc, type) => {
    const { status, body } = await put(test, await test.headers(), payload);
    expect(status).toBe(422);
    expect(body.detail[0]).toMatchObject({ loc, type });
  });
});

describe('answers', () => {
  it('set aside what rests on trusted addresses, in fresh, cached and recorded scans, for this account alone', async () => {
    const test = await openScanApp();
    const [mine, other] = [await test.headers(), await test.headers()];
    const address = place('mixer', 'mixer_user');
    const before = await scan(test, mine, address);
    expect(ids(before)).toContain('mixer_exposure');
    expect(before.metadata.overrides_applied).toBe(false);
    const found = before.detections.find((one) => one.detector_id === 'mixer_exposure')!;
    const whitelist = found.details.counterparties.map((one) => ({ address: one, note: 'Known to us' }));
    await put(test, mine, { whitelist });

    const cached = await scan(test, mine, address);
    expect(cached).toMatchObject({ cached: true, scan_id: before.scan_id, metadata: { overrides_applied: true } });
    expect(ids(cached)).not.toContain('mixer_exposure');
    expect(cached.detection_count).toBe(cached.detections.length);
    expect(cached.risk_score).toBeLessThan(before.risk_score);
    expect(cached.risk_score).toBe(scoreOf(cached.metadata.score_terms as Parameters<typeof scoreOf>[0]));
    expect(cached.metadata.suppressed).toContainEqual(
      expect.objectContaining({ detector_id: 'mixer_exposure', suppressed_by: 'whitelist' }),
    );
    const trusted = cached.top_counterparties.find((one) => one.address === whitelist[0]!.address);
    expect(trusted).toMatchObject({ category: 'whitelist', label: 'Known to us', label_source: 'tenant' });

    const recorded = await get<ScanAnswer>(test, mine, `public/scans/${before.scan_id}`);
    expect(recorded).toMatchObject({ risk_score: cached.risk_score, metadata: { overrides_applied: true } });
    const inJapanese = await get<ScanAnswer>(test, mine, `public/scans/${before.scan_id}?lang=ja`);
    expect(inJapanese.metadata.suppressed).toContainEqual(
      expect.objectContaining({ detector_id: 'mixer_exposure', detector_name: 'ミキサーとのつながり' }),
    );
    const { scans } = await get<{ scans: object[] }>(test, mine, 'public/scans');
    const { risk_level, risk_score, detection_count } = cached;
    expect(scans).toMatchObject([{ risk_level, risk_score, detection_count }]);

    const theirs = await scan(test, other, address);
    expect(theirs).toMatchObject({ risk_score: before.risk_score, metadata: { overrides_applied: false } });
    expect(theirs.top_counterparties).toEqual(before.top_counterparties);

    test.time.at += 3_600_000;
    expect(await scan(test, mine, address)).toMatchObject({ cached: false, risk_score: cached.risk_score });
    await put(test, mine, { whitelist: [] });
    const restored = await scan(test, mine, address);
    expect(restored).toMatchObject({ risk_score: before.risk_score, metadata: { overrides_applied: false } });
    expect(ids(restored)).toEqual(ids(before));
  });

  it('never let a sanction go, whoever is trusted and whatever is weighed', async () => {
    const test = await openScanApp();
    const headers = await test.headers();
    const address = place('sanctioned_counterparty');
    const before = await scan(test, headers, address);
    const whitelist = before.top_counterparties.map((one) => ({ address: one.address }));
    const weights = { structural: 0, behaviour: 0, illicit_exposure: 0, cash_out: 0 };
    await put(test, headers, { whitelist: [...whitelist, { address }], weights });
    const after = await scan(test, headers, address);
    expect(ids(after)).toContain('sanctions_direct');
    expect(after).toMatchObject({ risk_level: 'CRITICAL', metadata: { overrides_applied: true } });
    const sanctioned = place('sanctioned');
    expect(after.top_counterparties.find((one) => one.address === sanctioned)?.category).toBe('sanctioned');
    expect(await scan(test, headers, sanctioned)).toMatchObject({ risk_score: 100, risk_level: 'CRITICAL' });
  });

  it('grade any dealing with a sanctioned party as grave where the account is strict, until it no longer is', async () => {
    const test = await openScanApp();
    const headers = await test.headers();
    const address = place('dusted_innocent');
    const before = await scan(test, headers, address);
    const strict = await put(test, headers, { strict_sanctions: true });
    expect(strict.body).toEqual({ whitelist: [], weights: {}, strict_sanctions: true });
    const after = await scan(test, headers, address);
    expect(after.metadata.overrides_applied).toBe(true);
    const found = after.detections.find((one) => one.detector_id === 'sanctions_direct')!;
    expect(found).toMatchObject({ severity: 'LOW', details: { thresholds: { strict_received_from_usd: 1 } } });
    await put(test, headers, { strict_sanctions: false });
    expect(await scan(test, headers, address)).toMatchObject({
      risk_score: before.risk_score,
      metadata: { overrides_applied: false },
    });
  });

  it('weigh families as asked, up to twice', async () => {
    const test = await openScanApp();
    const headers = await test.headers();
    const address = place('mixer', 'mixer_user');
    const before = await scan(test, headers, address);
    await put(test, headers, { weights: { illicit_exposure: 0.5 } });
    const lower = await scan(test, headers, address);
    expect(lower.risk_score).toBeLessThan(before.risk_score);
    expect(lower.metadata.score_terms).toContainEqual(
      expect.objectContaining({ family: 'illicit_exposure', weight: 0.45 }),
    );
    expect(ids(lower)).toEqual(ids(before));
    await put(test, headers, { weights: { illicit_exposure: 1 } });
    expect(await scan(test, headers, address)).toMatchObject({ metadata: { overrides_applied: false } });
  });

  it('forget the settings with the plan, and remember them when it comes back', async () => {
    const test = await openScanApp();
    const { key, accountId } = await test.issue('pro');
    await put(test, { 'x-api-key': key }, { weights: { structural: 0 } });
    expect(await tenantOverrides(test.ctx, accountId)).toMatchObject({ weights: { structural: 0 } });
    await setPlan(test.ctx.records, accountId, 'free');
    expect(await tenantOverrides(test.ctx, accountId)).toBeNull();
    await setPlan(test.ctx.records, accountId, 'business');
    expect(await tenantOverrides(test.ctx, accountId)).toMatchObject({ weights: { structural: 0 } });
  });

  it('see a verified report at once, also in a repeated scan: the counterparty is a scam', async () => {
    const test = await openScanApp();
    const headers = await test.headers();
    const address = place('clean_saver');
    const before = await scan(test, headers, address);
    const stranger = before.top_counterparties.find((one) => one.category === 'unknown')!.address;
    const reply = await test.app.inject({
      method: 'POST',
      url: '/api/v1/scamdb/report',
      headers,
      payload: { address: stranger, chain: 'ethereum', type: 'phishing', description: 'Lured by mail' },
    });
    test.time.at += 1_000;
    expect(await scan(test, headers, address)).toMatchObject({ cached: true, risk_score: before.risk_score });
    await decideReport(test.ctx, { id: reply.json().report_id, decision: 'verified', by: 'operator', reason: null });
    const rows = await test.ctx.graph.read('exposure/open', {
      items: [{ key: `ethereum:${stranger}`, in_max: 9, out_max: 9 }],
      most: 10,
      per_row: 9,
    });
    expect(rows).toMatchObject([{ category: 'scam' }]);
    const after = await scan(test, headers, address);
    expect(after.cached).toBe(true);
    expect(ids(after)).toContain('scam_exposure');
    expect((await scan(test, headers, stranger)).risk_score).toBeGreaterThanOrEqual(85);
  });
});
