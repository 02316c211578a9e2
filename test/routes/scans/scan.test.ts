import { describe, expect, it } from 'vitest';
import { expectedFlow } from '../../../fixtures/demo/expected.ts';
import { roleOf } from '../../../fixtures/demo/world.ts';
import { CHAINS, type Chain, NATIVE_COIN } from '../../../src/domain/chain.ts';
import { DAY_MS } from '../../../src/domain/time.ts';
import type { ScanAnswer } from '../../../src/questions/scans/record-scan.ts';
import { chains, openApp, serveApp, shared, world } from '../../app/demo-world.ts';
import { openTestApp, type TestApp } from '../../app/test-app.ts';
import { putLabels } from '../../labels/label-of.ts';

serveApp();

async function scan(test: TestApp, headers: Record<string, string>, query: Record<string, string>) {
  const reply = await test.app.inject({ url: '/api/v1/public/scan', headers, query });
  return { status: reply.statusCode, headers: reply.headers, body: reply.json() };
}

const usage = async (test: TestApp, headers: Record<string, string>) =>
  (await test.app.inject({ url: '/api/v1/public/usage', headers })).json();

const place = (story: string, chain: Chain = 'ethereum', name?: string) => roleOf(world, chain, story, name).address;
const requestsSent = () => Object.values(chains.servers).reduce((sum, server) => sum + server.requests.length, 0);

async function recorded(test: TestApp, headers: Record<string, string>, path: string) {
  const reply = await test.app.inject({ url: `/api/v1/public/scans${path}`, headers });
  return { status: reply.statusCode, body: reply.json() };
}

async function labelAs(test: TestApp, address: string, category: 'sanctioned' | 'exchange', chain: Chain = 'ethereum') {
  const { labels } = test.ctx;
  const label = { ...world.labels[0]!, chain, address, category };
  const stamp = await labels.beginLoad();
  await labels.put([{ ...label, source: 'ofac', validFrom: null, validTo: null }], { stamp, list: false });
}

/** Kaia is served by its node alone here, which cannot list transfers of the coin. */
const WITH_COIN_LISTS = CHAINS.filter((chain) => chain !== 'kaia');

describe('200', () => {
  it.each(WITH_COIN_LISTS)('gives the exact flow totals and counterparties of a saver on %s', async (chain) => {
    const test = shared;
    const address = place('clean_saver', chain);
    const { status, body } = await scan(test, await test.headers(), { address, chain });
    expect(status, JSON.stringify(body)).toBe(200);
    const truth = expectedFlow(world, chain, address);
    const { symbol } = NATIVE_COIN[chain];
    const answer = body as ScanAnswer;
    expect(answer.flow_totals.received[symbol]).toBe(Number(truth.received.coin));
    expect(answer.flow_totals.sent[symbol] ?? 0).toBe(Number(truth.sent.coin ?? 0));
    expect(answer.top_counterparties.map((one) => one.address).sort()).toEqual(truth.counterparties);
    expect(answer).toMatchObject({ success: true, address, chain, cached: false, risk_level: 'LOW' });
    expect(answer.detection_count).toBe(answer.detections.length);
    expect(answer.metadata).toMatchObject({ is_sanctioned: false, rule_set_version: answer.rule_set_version });
  });

  it('says that a node alone lists no transfers of the coin', async () => {
    const test = shared;
    const { body } = await scan(test, await test.headers(), { address: place('clean_saver', 'kaia'), chain: 'kaia' });
    expect(body.metadata.coverage).toMatchObject({
      complete: false,
      reasons: expect.arrayContaining(['native_not_listed']),
    });
  });

  it.each(CHAINS)('calls a sanctioned address and whoever paid it CRITICAL on %s', async (chain) => {
    const test = shared;
    const headers = await test.headers();
    const subject = (await scan(test, headers, { address: place('sanctioned', chain), chain })).body as ScanAnswer;
    expect(subject).toMatchObject({ risk_level: 'CRITICAL', risk_score: 100, metadata: { is_sanctioned: true } });
    const other = (await scan(test, headers, { address: place('sanctioned_counterparty', chain), chain })).body;
    expect(other.detections.map((one: { detector_id: string }) => one.detector_id)).toContain('sanctions_direct');
  });

  it.each(['ethereum', 'base'] as const)(
    'distinguishes a bait address from the one it imitates on %s, once its victim is known',
    async (chain) => {
      const test = await openApp();
      const headers = await test.headers();
      const poisonings = async (address: string) =>
        ((await scan(test, headers, { address, chain })).body as ScanAnswer).detections.filter(
          (one) => one.detector_id === 'address_poisoning',
        );
      const victim = place('address_poisoning', chain, 'poison_victim');
      const [warning] = await poisonings(victim);
      const { genuine, lookalike, prefix, suffix } = warning!.details.measured as Record<string, string>;
      const url = `/api/v1/public/presign/check?chain=${chain}&to=${lookalike}`;
      const check = (await test.app.inject({ url, headers })).json();
      expect(check).toMatchObject({ verdict: 'caution', signals: { lookalike: true } });
      const [bait, ...more] = await poisonings(lookalike!);
      expect(bait).toMatchObject({
        severity: 'HIGH',
        details: { variant: 'bait', measured: { victims: 1, victim, genuine, prefix, suffix } },
      });
      expect(bait!.details.evidence).toHaveLength(bait!.details.measured.baits as number);
      expect(more).toEqual([]);
      expect(await poisonings(genuine!)).toEqual([]);
    },
  );

  it('answers the same again as a cache hit that costs nothing, in each language', async () => {
    const test = await openApp();
    const headers = await test.headers();
    const address = place('mixer', 'ethereum', 'mixer_user');
    const first = (await scan(test, headers, { address })).body as ScanAnswer;
    const again = (await scan(test, headers, { address, lang: 'ja' })).body as ScanAnswer;
    expect(first.cached).toBe(false);
    expect(again).toMatchObject({ cached: true, scan_id: first.scan_id, risk_score: first.risk_score });
    expect(again.detections[0]?.description).toMatch(/[ぁ-んァ-ヶ一-龠]/);
    const spanish = (await scan(test, headers, { address, lang: 'es' })).body as ScanAnswer;
    expect(spanish.detections[0]?.detector_name).toBe('Exposición a mezcladores');
    expect(again.detections.map((one) => one.detector_id)).toEqual(first.detections.map((one) => one.detector_id));
    expect((await usage(test, headers)).scans_used).toBe(1);
  });

  it('scans again when the cache has expired', async () => {
    const test = await openApp({ CACHE_SCAN_SECONDS: '60' });
    const headers = await test.headers();
    const address = place('clean_saver');
    const first = (await scan(test, headers, { address })).body;
    test.time.at += 60_000;
    const later = (await scan(test, headers, { address })).body;
    expect(later).toMatchObject({ cached: false });
    expect(later.scan_id).not.toBe(first.scan_id);
    expect((await usage(test, headers)).scans_used).toBe(2);
  });

  it('scores a repeated scan again: a changed result is recorded as a free scan, and no chain is asked', async () => {
    const test = await openApp();
    const headers = await test.headers();
    const address = place('clean_saver');
    const first = (await scan(test, headers, { address })).body as ScanAnswer;
    const before = requestsSent();
    const repeat = async () => (await scan(test, headers, { address })).body as ScanAnswer;
    await labelAs(test, first.top_counterparties[0]!.address, 'sanctioned');
    test.time.at += 1_000;
    const changed = await repeat();
    expect(changed).toMatchObject({ cached: true, risk_level: 'CRITICAL' });
    expect(changed.scan_id).not.toBe(first.scan_id);
    expect(await repeat()).toMatchObject({ cached: true, risk_level: 'CRITICAL', scan_id: changed.scan_id });
    const { body } = await recorded(test, headers, `?address=${address}`);
    expect(body.scans.map((one: { scan_id: string }) => one.scan_id)).toEqual([changed.scan_id, first.scan_id]);
    expect((await recorded(test, headers, `/${changed.scan_id}`)).body).toMatchObject({ cached: true });
    const events = await test.ctx.records.selectFrom('events').select('subject').execute();
    expect(events).toEqual([{ subject: first.scan_id }]);
    expect((await usage(test, headers)).scans_used).toBe(1);
    expect(requestsSent()).toBe(before);
  });

  it('counts the time of the cache from the scan that was paid, not from what was recorded since', async () => {
    const test = await openApp({ CACHE_SCAN_SECONDS: '60' });
    const headers = await test.headers();
    const address = place('clean_saver');
    const first = (await scan(test, headers, { address })).body as ScanAnswer;
    test.time.at += 50_000;
    await labelAs(test, first.top_counterparties[0]!.address, 'sanctioned');
    expect((await scan(test, headers, { address })).body).toMatchObject({ cached: true, risk_level: 'CRITICAL' });
    test.time.at += 10_000;
    expect((await scan(test, headers, { address })).body).toMatchObject({ cached: false });
    expect((await usage(test, headers)).scans_used).toBe(2);
  });

  it('serves a repeat from the read of another tenant for as long as the scan itself is recent', async () => {
    const test = await openApp({ CACHE_SCAN_SECONDS: '60' });
    const address = place('clean_saver');
    await scan(test, await test.headers(), { address });
    test.time.at += 50_000;
    const headers = await test.headers();
    const before = requestsSent();
    expect((await scan(test, headers, { address })).body).toMatchObject({ cached: false });
    test.time.at += 50_000;
    expect((await scan(test, headers, { address })).body).toMatchObject({ cached: true });
    expect(requestsSent()).toBe(before);
    expect((await scan(test, await test.headers(), { address })).body).toMatchObject({ cached: false });
    expect(requestsSent()).toBeGreaterThan(before);
  });

  it('asks the chain again with fresh=true, in the query or the body, for one unit', async () => {
    const test = await openApp();
    const headers = await test.headers();
    const address = place('clean_saver');
    await scan(test, headers, { address });
    const before = requestsSent();
    expect((await scan(test, headers, { address, fresh: 'true' })).body).toMatchObject({ cached: false });
    const asked = requestsSent();
    expect(asked).toBeGreaterThan(before);
    const payload = { address, fresh: true };
    const posted = await test.app.inject({ method: 'POST', url: '/api/v1/public/scan', headers, payload });
    expect(posted.json()).toMatchObject({ cached: false });
    expect(requestsSent()).toBeGreaterThan(asked);
    expect((await scan(test, headers, { address, fresh: 'false' })).body).toMatchObject({ cached: true });
    expect((await usage(test, headers)).scans_used).toBe(3);
    expect((await scan(test, headers, { address, fresh: 'maybe' })).status).toBe(422);
  });

  it('reads the whole history again with fresh=true, where a later scan reads on from the last one', async () => {
    const test = await openApp({ CACHE_SCAN_SECONDS: '60' });
    const headers = await test.headers();
    const address = place('clean_saver');
    const startBlocks = async (query: Record<string, string>) => {
      chains.servers.etherscan.requests.length = 0;
      await scan(test, headers, { address, trace: 'off', ...query });
      const lists = chains.servers.etherscan.requests.filter((line) => line.includes('action=txlist&'));
      return lists.map((line) => new URLSearchParams(line.split('?')[1]).get('startblock'));
    };
    expect((await startBlocks({}))[0]).toBe('0');
    test.time.at += 61_000;
    expect(await startBlocks({})).not.toContain('0');
    test.time.at += 61_000;
    expect((await startBlocks({ fresh: 'true' }))[0]).toBe('0');
  });

  it('asks the chain again with fresh=true where the clock was set back since', async () => {
    const test = await openApp();
    const headers = await test.headers();
    const address = place('clean_saver');
    await scan(test, headers, { address });
    const before = requestsSent();
    test.time.at -= 3_600_000;
    expect((await scan(test, headers, { address, fresh: 'true' })).body).toMatchObject({ cached: false });
    expect(requestsSent()).toBeGreaterThan(before);
  });

  it('judges labels at its own moment, though the chain was read before: one that began or ended by its date counts so', async () => {
    const test = await openApp();
    const headers = await test.headers();
    const address = place('clean_saver');
    const first = (await scan(test, headers, { address })).body as ScanAnswer;
    const [begun, ended] = [test.time.at + 60_000, test.time.at + 120_000];
    const { labels } = test.ctx;
    const stranger = first.top_counterparties.find((one) => one.label === null)!.address;
    const designation = { ...world.labels[0]!, chain: 'ethereum' as const, category: 'sanctioned' as const };
    await labels.put([{ ...designation, address: stranger, source: 'ofac', validFrom: begun, validTo: ended }], {
      stamp: await labels.beginLoad(),
      list: false,
    });
    const before = requestsSent();
    const at = async (moment: number) => {
      test.time.at = moment;
      const { body } = await scan(test, headers, { address });
      const { category } = body.top_counterparties.find((one: { address: string }) => one.address === stranger);
      const node = await test.ctx.graph.read('stats/categories', {});
      const { addresses = 0 } = node.find((row) => row.category === 'sanctioned') ?? {};
      expect(body.metadata.as_of).toBe(new Date(moment).toISOString());
      return [body.risk_level, category, addresses];
    };
    expect(await at(begun - 1)).toEqual(['LOW', 'unknown', 0]);
    expect(await at(begun)).toEqual(['HIGH', 'sanctioned', 1]);
    expect(await at(ended)).toEqual(['LOW', 'unknown', 0]);
    expect(requestsSent()).toBe(before);
  });

  it('spares the chain for another tenant, bills it, and never shows that somebody asked before', async () => {
    const test = await openApp();
    const address = place('clean_saver');
    await scan(test, await test.headers(), { address });
    const before = requestsSent();
    test.time.at += 60_000;
    const other = await test.headers();
    const { body } = await scan(test, other, { address });
    expect(requestsSent()).toBe(before);
    expect(body.cached).toBe(false);
    expect(body.created_at).toBe(new Date(test.time.at).toISOString());
    expect((await usage(test, other)).scans_used).toBe(1);
  });

  it('shares one scan among concurrent requests of a tenant: one is billed, the others are cache hits', async () => {
    const test = await openApp();
    const headers = await test.headers();
    const address = place('clean_saver');
    const replies = await Promise.all(Array.from({ length: 8 }, () => scan(test, headers, { address })));
    expect(replies.map((reply) => reply.status)).toEqual(Array(8).fill(200));
    expect(replies.filter((reply) => !reply.body.cached)).toHaveLength(1);
    expect((await usage(test, headers)).scans_used).toBe(1);
  });

  it('takes the same input by POST, and a Bearer key', async () => {
    const test = await openApp();
    const headers = await test.headers();
    const address = place('clean_saver');
    const reply = await test.app.inject({
      method: 'POST',
      url: '/api/v1/public/scan',
      headers: { authorization: `Bearer ${headers['x-api-key']}` },
      payload: { address: `  ${address.toUpperCase().replace('0X', '0x')} `, lang: 'ja', unknown_field: 1 },
    });
    expect(reply.statusCode).toBe(200);
    expect(reply.json()).toMatchObject({ address, chain: 'ethereum' });
  });

  it('answers from labels and graph where no source is configured, and says what is missing', async () => {
    const test = await openApp({ ETHEREUM_RPC_URL: '', ETHEREUM_EXPLORER_URL: '', ETHEREUM_EXPLORER_STYLE: '' });
    const { body } = await scan(test, await test.headers(), { address: place('sanctioned') });
    expect(body).toMatchObject({ risk_level: 'CRITICAL', risk_score: 100 });
    expect(body.metadata.coverage).toMatchObject({ complete: false, reasons: ['no_source_configured'] });
  });

  it('brings the transfers of the scan into the graph', async () => {
    const test = await openApp();
    const address = place('clean_saver');
    const { body } = await scan(test, await test.headers(), { address });
    const rows = await test.ctx.graph.read('scan/read-transfers', { key: `ethereum:${address}`, limit: 1_000 });
    expect(rows.length).toBeGreaterThan(0);
    const counterparties = rows.flatMap((row) => [row.from_address, row.to_address]).filter((one) => one !== address);
    expect(new Set(counterparties)).toEqual(
      new Set(body.top_counterparties.map((one: { address: string }) => one.address)),
    );
  });
});

it('shows the destination tag of an X-address in the answer to it, and in no other', async () => {
  const test = await openApp({ XRP_RPC_URL: '' });
  const headers = await test.headers();
  const account = 'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59';
  const facts = { label: 'Desk', source: 'mine', confidence: 90, entity: null, maliciousContract: false };
  const label = { chain: 'xrp', address: account, category: 'exchange', validFrom: null, validTo: null } as const;
  await putLabels(test.ctx.labels, [{ ...label, ...facts }]);
  const tagOf = async (address: string) => {
    const { status, body } = await scan(test, headers, { address });
    expect([status, body.address]).toEqual([200, account]);
    return body.metadata.destination_tag;
  };
  expect(await tagOf('X7AcgcsBL6XDcUb289X4mJ8djcdyKaGZMhc9YTE92ehJ2Fu')).toBe(1);
  expect(await tagOf('X7AcgcsBL6XDcUb289X4mJ8djcdyKaB5hJDWMArnXr61cqZ')).toBeUndefined();
  expect(await tagOf(account)).toBeUndefined();
});

describe('400', () => {
  it.each([
    [{ address: '' }, 'Address is required'],
    [{ address: '   ' }, 'Address is required'],
    [{ address: 'hello' }, 'Unrecognized address format'],
    [{ address: '0x52908400098527886E0F7030069857D2E4169eE7' }, 'Unrecognized address format'],
    [
      { address: '0x52908400098527886e0f7030069857d2e4169ee7', chain: 'bitcoin' },
      'Address does not match chain bitcoin',
    ],
    [{ address: '0x52908400098527886e0f7030069857d2e4169ee7', chain: 'dogecoin' }, 'Unsupported chain: dogecoin'],
  ])('refuses %o with its own text', async (query, detail) => {
    const test = shared;
    const headers = await test.headers();
    const { status, body } = await scan(test, headers, query as Record<string, string>);
    expect({ status, body }).toMatchObject({ status: 400, body: { detail } });
    expect((await usage(test, headers)).scans_used).toBe(0);
  });

  it('refuses bnb and names bsc', async () => {
    const test = shared;
    const { status, body } = await scan(test, await test.headers(), {
      address: '0x52908400098527886e0f7030069857d2e4169ee7',
      chain: 'bnb',
    });
    expect(status).toBe(400);
    expect(body.detail).toContain('Unsupported chain: bnb');
    expect(body.detail).toContain("BNB Smart Chain is 'bsc'");
  });
});

describe('404', () => {
  it.each(CHAINS)('says so when the source of %s knows neither history nor balance', async (chain) => {
    const test = shared;
    const headers = await test.headers();
    const { status, body } = await scan(test, headers, { address: place('empty_unknown', chain), chain });
    expect({ status, body }).toMatchObject({ status: 404, body: { detail: `Address not found on ${chain}` } });
    expect((await usage(test, headers)).scans_used).toBe(0);
  });
});

describe('422', () => {
  it('names the missing address and the unknown language', async () => {
    const test = shared;
    const headers = await test.headers();
    const missing = await scan(test, headers, {});
    expect(missing.status).toBe(422);
    expect(missing.body.detail[0]).toMatchObject({ type: 'missing', loc: ['query', 'address'] });
    const lang = await scan(test, headers, { address: place('clean_saver'), lang: 'fr' });
    expect(lang.status).toBe(422);
    expect(lang.body.detail[0]).toMatchObject({ type: 'enum', loc: ['query', 'lang'] });
  });
});

describe('429', () => {
  it('refuses a scan beyond the month with the fixed text and no Retry-After, top-up included', async () => {
    const test = await openApp({ CACHE_SCAN_SECONDS: '0' });
    const headers = await test.headers('free');
    const address = place('clean_saver');
    for (let used = 0; used < 10; used++) {
      test.time.at += 61_000;
      expect((await scan(test, headers, { address })).status).toBe(200);
    }
    test.time.at += 61_000;
    const refused = await scan(test, headers, { address });
    expect(refused.status).toBe(429);
    expect(refused.body.detail).toBe('今月のスキャン上限に達しました（使用済み: 10 / 上限: 10）。');
    expect(refused.headers['retry-after']).toBeUndefined();
  });

  it('never lets two parallel requests spend the same unit', async () => {
    const test = await openApp();
    const headers = await test.headers('free');
    const addresses = CHAINS.map((chain) => ({ chain, address: place('clean_saver', chain) }));
    const replies = [];
    for (const part of [addresses.slice(0, 9), addresses.slice(9)]) {
      replies.push(...(await Promise.all(part.map((query) => scan(test, headers, query)))));
      test.time.at += 61_000;
    }
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(10);
    expect(replies.filter((reply) => reply.status === 429)).toHaveLength(2);
  });
});

describe('500', () => {
  it.each([
    ['down', { status: 503 }],
    ['answering nonsense', { body: '{"chain_stats": ' }],
    ['stuck in its paging', { stuckCursor: true }],
  ])('says that the source is unavailable when it is %s, and bills nothing', async (_, fault) => {
    const test = await openApp();
    const headers = await test.headers();
    chains.servers.esplora.inject(fault);
    const address = place('exchange_hot_wallet', 'bitcoin', 'exchange');
    const { status, body } = await scan(test, headers, { address });
    expect({ status, body }).toMatchObject({
      status: 500,
      body: { detail: 'Scan failed: bitcoin data source unavailable' },
    });
    expect((await usage(test, headers)).scans_used).toBe(0);
    const list = await test.app.inject({ url: '/api/v1/public/scans', headers });
    expect(list.json()).toMatchObject({ scans: [], total: 0 });
    expect(await test.ctx.graph.read('scan/read-transfers', { key: `bitcoin:${address}`, limit: 1 })).toEqual([]);
  });

  it('waits out a rate limit of the source', async () => {
    const test = await openApp();
    chains.servers.esplora.inject({ status: 429, retryAfter: 1, times: 2 });
    const { status } = await scan(test, await test.headers(), { address: place('clean_saver', 'bitcoin') });
    expect(status).toBe(200);
  });

  it('ends at the deadline and gives the unit back', async () => {
    const test = await openApp({ SCAN_DEADLINE_MS: '300' });
    const headers = await test.headers();
    chains.servers.esplora.inject({ delayMs: 2_000 });
    const { status, body } = await scan(test, headers, { address: place('clean_saver', 'bitcoin') });
    expect({ status, body }).toMatchObject({
      status: 500,
      body: { detail: 'Scan timed out. Use the asynchronous endpoint.' },
    });
    expect((await usage(test, headers)).scans_used).toBe(0);
  });

  it('names the chain without any source', async () => {
    const test = await openTestApp();
    const { status, body } = await scan(test, await test.headers(), { address: place('clean_saver') });
    expect({ status, body }).toMatchObject({ status: 500, body: { detail: 'No data source configured for ethereum' } });
  });

  it('rates nobody LOW without a list of sanctions, and says so', async () => {
    const test = await openTestApp(chains.env, { comparesLists: true });
    const headers = await test.headers();
    const { body } = await scan(test, headers, { address: place('clean_saver') });
    expect(body).toMatchObject({ risk_level: 'UNKNOWN', risk_score: 0 });
    const { level_basis, level_note, coverage, labels_on_chain } = body.metadata;
    expect({ level_basis, labels_on_chain }).toEqual({ level_basis: 'partial', labels_on_chain: 0 });
    expect(coverage.reasons).toContain('no_lists');
    expect(level_note).toMatch(/^No sanctions list is loaded/);
    const { labels } = test.ctx;
    await putLabels(labels, world.labels);
    test.time.at += 1_000;
    const again = (await scan(test, headers, { address: place('clean_saver') })).body;
    expect(again).toMatchObject({ risk_level: 'LOW', metadata: { level_basis: 'full' } });
    expect(again.metadata.labels_on_chain).toBeGreaterThan(0);
  });

  it('says that the graph failed, and everything else goes on', async () => {
    const test = await openApp();
    const headers = await test.headers();
    await test.ctx.graph.close();
    const { status, body } = await scan(test, headers, { address: place('clean_saver') });
    expect({ status, body }).toMatchObject({ status: 500, body: { detail: 'Graph query failed' } });
    expect((await usage(test, headers)).scans_used).toBe(0);
  });
});

describe('recorded scans', () => {
  const list = async (test: TestApp, headers: Record<string, string>, query = {}) =>
    (await test.app.inject({ url: '/api/v1/public/scans', headers, query })).json();

  it("lists the tenant's own, newest first, a page at a time, and shows each one", async () => {
    const test = await openApp();
    const headers = await test.headers();
    for (const chain of ['ethereum', 'bitcoin', 'xrp'] as const) {
      test.time.at += 1_000;
      await scan(test, headers, { chain, address: place('clean_saver', chain) });
    }
    const page = await list(test, headers, { limit: '2', offset: '0' });
    expect(page).toMatchObject({ total: 3, limit: 2, offset: 0, score_semantics: 'risk_0to100' });
    expect(page.scans.map((one: { chain: string }) => one.chain)).toEqual(['xrp', 'bitcoin']);
    expect(page.scans[0]).toMatchObject({ source: 'sync', risk_level: 'LOW' });
    const one = await test.app.inject({ url: `/api/v1/public/scans/${page.scans[0].scan_id}`, headers });
    expect(one.json()).toMatchObject({ scan_id: page.scans[0].scan_id, chain: 'xrp', flow_totals: expect.any(Object) });
    expect(await list(test, await test.headers())).toMatchObject({ scans: [], total: 0 });
  });

  it('are filtered by chain, address, level and time, alone and together', async () => {
    const test = await openApp();
    const headers = await test.headers();
    const saver = place('clean_saver');
    const sanctioned = place('sanctioned');
    const began = test.time.at;
    await labelAs(test, saver, 'exchange', 'polygon');
    const scans: Record<string, string>[] = [
      { address: saver },
      { address: saver, chain: 'polygon' },
      { address: sanctioned },
    ];
    for (const query of scans) {
      expect((await scan(test, headers, query)).status, JSON.stringify(query)).toBe(200);
      test.time.at += 1_000;
    }
    const found = async (query: Record<string, string>) => {
      const { body } = await recorded(test, headers, `?${new URLSearchParams(query)}`);
      expect(body.total).toBe(body.scans.length);
      return body.scans.map((one: { chain: string; address: string }) => `${one.chain} ${one.address}`);
    };
    const [ethereum, polygon, critical] = [`ethereum ${saver}`, `polygon ${saver}`, `ethereum ${sanctioned}`];
    const at = (ms: number) => new Date(began + ms).toISOString();
    expect(await found({})).toEqual([critical, polygon, ethereum]);
    expect(await found({ chain: 'ethereum' })).toEqual([critical, ethereum]);
    expect(await found({ address: saver.toUpperCase().replace('0X', '0x') })).toEqual([polygon, ethereum]);
    expect(await found({ address: saver, chain: 'polygon' })).toEqual([polygon]);
    expect(await found({ risk_level: 'CRITICAL' })).toEqual([critical]);
    expect(await found({ from: at(1_000) })).toEqual([critical, polygon]);
    expect(await found({ to: at(1_000) })).toEqual([polygon, ethereum]);
    expect(await found({ from: at(500), to: at(1_500), chain: 'polygon', risk_level: 'LOW' })).toEqual([polygon]);
    expect(await found({ from: at(9_000) })).toEqual([]);
  });

  it('refuse a filter that is not one', async () => {
    const test = shared;
    const headers = await test.headers();
    const status = async (query: string) => (await recorded(test, headers, `?${query}`)).status;
    expect(await status('chain=dogecoin')).toBe(400);
    expect(await status('address=hello')).toBe(400);
    expect(await status('risk_level=SEVERE')).toBe(422);
    expect(await status('from=yesterday')).toBe(422);
  });

  it('page their counterparties, which top_counterparties begins', async () => {
    const test = await openApp();
    const headers = await test.headers();
    const { body } = await scan(test, headers, { address: place('exchange_hot_wallet') });
    const { top_counterparties: top, metadata, scan_id } = body as ScanAnswer;
    const page = async (query: string) => (await recorded(test, headers, `/${scan_id}/counterparties${query}`)).body;
    const all = await page('?limit=500');
    expect(all).toMatchObject({ scan_id, total: metadata.counterparty_count, limit: 500, offset: 0 });
    expect(all.counterparties).toHaveLength(metadata.counterparty_count as number);
    expect(all.counterparties.length).toBeGreaterThan(top.length);
    expect(all.counterparties.slice(0, top.length)).toEqual(top);
    const second = await page('?limit=10&offset=10');
    expect(second.counterparties).toEqual(all.counterparties.slice(10, 20));
    const foreign = await test.headers();
    expect((await recorded(test, foreign, `/${scan_id}/counterparties`)).status).toBe(404);
    for (const query of ['?limit=0', '?limit=501', '?offset=-1']) {
      expect((await recorded(test, headers, `/${scan_id}/counterparties${query}`)).status).toBe(422);
    }
  });

  it('are described in the words of today, whatever words they were kept with', async () => {
    const test = await openApp();
    const headers = await test.headers();
    const { body } = await scan(test, headers, { address: place('mixer', 'ethereum', 'mixer_user'), lang: 'ja' });
    const ofScan = test.ctx.records.updateTable('scans').where('id', '=', body.scan_id);
    const detections = body.detections.map((one: object) => ({ ...one, description: 'as an older version wrote it' }));
    await ofScan.set({ result: JSON.stringify({ ...body, detections }) }).execute();
    const { body: kept } = await recorded(test, headers, `/${body.scan_id}`);
    expect(kept.detections).toEqual(body.detections);
  });

  it("hides another tenant's scan and one outside the history window as not found", async () => {
    const test = await openApp();
    const headers = await test.headers('free');
    const { body } = await scan(test, headers, { address: place('clean_saver') });
    const url = `/api/v1/public/scans/${body.scan_id}`;
    const foreign = await test.app.inject({ url, headers: await test.headers() });
    expect({ status: foreign.statusCode, body: foreign.json() }).toMatchObject({
      status: 404,
      body: { detail: 'Not found' },
    });
    test.time.at += 7 * 86_400_000 + 1;
    expect((await test.app.inject({ url, headers })).statusCode).toBe(404);
    expect(await list(test, headers)).toMatchObject({ scans: [], total: 0 });
  });

  it('wants a UUID and a page inside its bounds', async () => {
    const test = shared;
    const headers = await test.headers();
    const malformed = await test.app.inject({ url: '/api/v1/public/scans/17', headers });
    expect(malformed.statusCode).toBe(422);
    expect(malformed.json().detail[0]).toMatchObject({ type: 'uuid_parsing', loc: ['path', 'scan_id'] });
    for (const query of ['limit=0', 'limit=101', 'offset=-1', 'limit=x']) {
      const reply = await test.app.inject({ url: `/api/v1/public/scans?${query}`, headers });
      expect(reply.statusCode).toBe(422);
    }
  });

  it('are deleted when they are old, of one account alone, and its cases say so', async () => {
    const test = await openApp();
    const [headers, others] = [await test.headers(), await test.headers()];
    const address = place('clean_saver');
    for (const who of [headers, others]) await scan(test, who, { address });
    const opened = await test.app.inject({
      method: 'POST',
      url: '/api/v1/cases',
      headers,
      payload: { title: 'Saver' },
    });
    const { id } = opened.json().case;
    const payload = { chain: 'ethereum', address };
    await test.app.inject({ method: 'POST', url: `/api/v1/cases/${id}/addresses`, headers, payload });
    const remove = async (query: string) =>
      (await test.app.inject({ method: 'DELETE', url: `/api/v1/public/scans?${query}`, headers })).json();
    const before = 'before=2099-01-01';
    expect(await remove(before)).toEqual({ deleted: 0, left: 0 });
    test.time.at += DAY_MS + 1;
    const stored = (await usage(test, headers)).stored_bytes;
    expect(await remove(`${before}&chain=bsc`)).toEqual({ deleted: 0, left: 0 });
    expect(await remove(before)).toEqual({ deleted: 1, left: 0 });
    expect((await usage(test, headers)).stored_bytes).toBeLessThan(stored - 1_000);
    expect((await recorded(test, headers, '')).body.total).toBe(0);
    expect((await recorded(test, others, '')).body.total).toBe(1);
    const { body } = { body: (await test.app.inject({ url: `/api/v1/cases/${id}`, headers })).json() };
    expect(body.addresses[0].last_scanned_at).toBeNull();
    expect(body.notes.at(-1).event).toMatchObject({ kind: 'scans_deleted', scans: 1 });
  });
});
