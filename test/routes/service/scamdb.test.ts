import { describe, expect, it } from 'vitest';
import { load } from '../../../graph-loaders/load.ts';
import { decideReport } from '../../../src/questions/scamdb.ts';
import { openTestApp, shareTestApp, type TestApp } from '../../app/test-app.ts';
import { fileOf } from '../../graph-loaders/loading.ts';

const A = '0x00000000000000000000000000000000000000a1';
const B = '0x00000000000000000000000000000000000000b2';
const CHECKSUMMED = '0x52908400098527886E0F7030069857D2E4169EE7';
const XRP = 'rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY';
const XRP_X = 'XV5sbjUmgPpvXv4ixFWZ5ptAYZ6PD28Sq49uo34VyjnmK5H';
const ENTRY = {
  id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  address: A,
  chains: expect.arrayContaining(['ethereum', 'kaia']),
  type: 'drainer',
  severity: 'CRITICAL',
  domains: ['claim.example', 'mint.example'],
  domain_count: 2,
  method: 'Drainer of claim.example',
  total_stolen_usd: 0,
  verified: true,
  sources: ['scamsniffer'],
  first_seen: '2026-11-20T10:00:00.000Z',
  last_seen: '2026-11-20T10:00:00.000Z',
  history: [
    { at: '2026-11-20T10:00:00.000Z', action: 'listed', source: 'scamsniffer', reason: 'Drainer of claim.example' },
  ],
};

async function openWithLists(env: Record<string, string> = {}): Promise<TestApp> {
  const test = await openTestApp(env);
  await loadLists(test);
  return test;
}

async function loadLists(test: TestApp): Promise<void> {
  const combined = JSON.stringify({ 'claim.example': [A], 'https://www.mint.example/x': [A] });
  await load({ source: 'scamsniffer', input: fileOf('combined.json', combined) }, test.ctx);
  const darklist = JSON.stringify([
    { address: CHECKSUMMED, comment: 'FAKE_Wallet (fake-wallet[.]im) 佐藤', date: '2017-07-20' },
  ]);
  await load({ source: 'darklist', input: fileOf('darklist.json', darklist) }, test.ctx);
}

/** With the lists, for tests that change nothing. */
const shared = shareTestApp({ fill: loadLists });

async function get(test: TestApp, path: string, headers: Record<string, string> = {}) {
  const reply = await test.app.inject({ url: `/api/v1/scamdb/${path}`, headers });
  return { status: reply.statusCode, body: reply.json(), headers: reply.headers };
}

const lookUp = (test: TestApp, text: string) => get(test, `lookup/${encodeURIComponent(text)}`);

async function report(test: TestApp, payload: unknown, headers?: Record<string, string>) {
  const reply = await test.app.inject({
    method: 'POST',
    url: '/api/v1/scamdb/report',
    headers: { ...(headers ?? (await test.headers('free'))), 'content-type': 'application/json' },
    payload: JSON.stringify(payload),
  });
  return { status: reply.statusCode, body: reply.json() };
}

describe('GET /scamdb/lookup/{address}', () => {
  it('answers with the whole entry, without a key', async () => {
    const { status, body } = await lookUp(shared, A);
    expect(status).toBe(200);
    expect(body).toEqual({ found: true, entry: ENTRY, match_type: 'exact' });
    expect(body.entry.chains).toHaveLength(8);
  });

  it.each([
    [CHECKSUMMED, 'normalized'],
    [CHECKSUMMED.toLowerCase(), 'exact'],
    [CHECKSUMMED.slice(2), 'normalized'],
    [`0X${CHECKSUMMED.slice(2)}`, 'normalized'],
    [CHECKSUMMED.replace('E', 'e'), 'normalized'],
    [` ${CHECKSUMMED.toLowerCase()} `, 'normalized'],
    [`ethereum:${CHECKSUMMED}@1?value=1`, 'normalized'],
    ['fake-wallet.im', 'domain'],
    ['https://WWW.Fake-Wallet.im/path?x=1', 'domain'],
    ['login.fake-wallet.im', 'domain'],
    ['hxxps://fake-wallet[.]im', 'domain'],
  ])('finds %j as %s', async (text, matchType) => {
    const { body } = await lookUp(shared, text);
    expect(body).toMatchObject({
      found: true,
      match_type: matchType,
      entry: { address: CHECKSUMMED.toLowerCase(), type: 'impersonation' },
    });
  });

  it('takes an X-address, or an account id of CAIP-10, for the account behind it', async () => {
    const test = await openWithLists();
    const { body: accepted } = await report(test, { address: XRP_X, type: 'giveaway', description: 'Fake doubling' });
    await decideReport(test.ctx, { id: accepted.report_id, decision: 'verified', by: 'operator', reason: null });
    expect((await lookUp(test, XRP_X)).body).toMatchObject({ match_type: 'normalized', entry: { address: XRP } });
    expect((await lookUp(test, XRP)).body).toMatchObject({ match_type: 'exact', entry: { chains: ['xrp'] } });
    expect((await lookUp(test, `xrpl:0:${XRP}`)).body).toMatchObject({
      match_type: 'normalized',
      entry: { address: XRP },
    });
  });

  it('finds a domain that lists name without an address', async () => {
    const test = await openWithLists();
    await load({ source: 'domains', input: fileOf('phishing.txt', 'lure.example\n') }, test.ctx);
    const domain = { name: 'lure.example', sources: ['domains:phishing'] };
    const { body } = await lookUp(test, 'https://login.lure.example/x');
    expect(body).toEqual({ found: true, entry: null, match_type: 'domain', domain });
  });

  it.each([B, 'good.example', 'example.claim', 'example'.padEnd(60, 'e').concat('.example'), XRP])(
    'does not find %s',
    async (text) => {
      const { status, body } = await lookUp(shared, text);
      expect({ status, body }).toEqual({ status: 200, body: { found: false, entry: null, match_type: null } });
    },
  );

  it.each([
    [' ', 'Address is required'],
    ['hello', 'Unrecognized address format'],
    [`${A}'--`, 'Unrecognized address format'],
    ['佐藤', 'Unrecognized address format'],
    ['%', 'Unrecognized address format'],
  ])('refuses %j: %s', async (text, detail) => {
    const { status, body } = await lookUp(shared, text);
    expect({ status, body }).toMatchObject({ status: 400, body: { detail } });
  });
});

describe('GET /scamdb/entries', () => {
  it('lists verified entries newest first, by page, type and severity', async () => {
    const test = await openWithLists();
    const { body } = await get(test, 'entries');
    expect(body).toMatchObject({ total: 2, limit: 20, offset: 0 });
    expect(body.entries.map((one: { type: string }) => one.type)).toEqual(['impersonation', 'drainer']);
    expect((await get(test, 'entries?limit=1&offset=1')).body).toEqual({
      entries: [ENTRY],
      total: 2,
      limit: 1,
      offset: 1,
    });
    expect((await get(test, 'entries?type=drainer')).body).toMatchObject({ total: 1, entries: [{ address: A }] });
    expect((await get(test, 'entries?severity=high')).body).toMatchObject({ total: 1 });
    expect((await get(test, 'entries?severity=LOW')).body).toMatchObject({ total: 0, entries: [] });
  });

  it.each([
    ['entries?limit=0', 'limit', 'greater_than_equal'],
    ['entries?limit=101', 'limit', 'less_than_equal'],
    ['entries?limit=x', 'limit', 'int_parsing'],
    ['entries?offset=-1', 'offset', 'greater_than_equal'],
    ['entries?type=villain', 'type', 'enum'],
    ['entries?severity=awful', 'severity', 'enum'],
  ])('refuses %s', async (path, field, type) => {
    const { status, body } = await get(shared, path);
    expect(status).toBe(422);
    expect(body.detail).toMatchObject([{ type, loc: ['query', field] }]);
  });

  it('gives one entry by id, 404 for an unknown one, 422 for no UUID', async () => {
    const test = await openWithLists();
    const { id } = (await lookUp(test, A)).body.entry;
    expect((await get(test, `entries/${id.toUpperCase()}`)).body).toEqual(ENTRY);
    const unknown = await get(test, 'entries/00000000-0000-4000-8000-000000000000');
    expect([unknown.status, unknown.body]).toMatchObject([404, { detail: 'Not found' }]);
    const wrong = await get(test, 'entries/17');
    expect(wrong.status).toBe(422);
    expect(wrong.body.detail).toMatchObject([{ type: 'uuid_parsing', loc: ['path', 'scam_id'] }]);
  });

  it('keeps showing by its id what a list dropped, as not verified, with when and why', async () => {
    const test = await openWithLists();
    const { id } = (await lookUp(test, A)).body.entry;
    test.time.at += 60_000;
    const newer = { source: 'scamsniffer', input: fileOf('combined.json', JSON.stringify({ 'claim.example': [B] })) };
    await load({ ...newer, endings: 'end' }, test.ctx);
    expect((await lookUp(test, A)).body.found).toBe(false);
    expect((await lookUp(test, 'mint.example')).body.found).toBe(false);
    expect((await lookUp(test, 'claim.example')).body).toMatchObject({ found: true, entry: { address: B } });
    const { body } = await get(test, `entries/${id}`);
    expect(body).toMatchObject({ verified: false, sources: [], type: 'drainer' });
    expect(body.history[1]).toEqual({
      at: '2026-11-20T10:01:00.000Z',
      action: 'delisted',
      source: 'scamsniffer',
      reason: 'No longer on the list',
    });
    expect((await get(test, 'stats')).body).toMatchObject({ total_entries: 3, verified_entries: 2 });
  });
});

describe('GET /scamdb/stats', () => {
  it('counts by type, severity and chain', async () => {
    const { body } = await get(shared, 'stats');
    expect(body).toEqual({
      total_entries: 2,
      verified_entries: 2,
      by_type: { drainer: 1, impersonation: 1 },
      by_severity: { CRITICAL: 1, HIGH: 1 },
      by_chain: { arbitrum: 1, avalanche: 1, base: 1, bsc: 1, ethereum: 2, kaia: 1, optimism: 1, polygon: 1 },
      total_stolen_usd: 0,
      updated_at: '2026-11-20T10:00:00.000Z',
    });
  });

  it('is all zero before anything was loaded', async () => {
    const { body } = await get(await openTestApp(), 'stats');
    expect(body).toEqual({
      total_entries: 0,
      verified_entries: 0,
      by_type: {},
      by_severity: {},
      by_chain: {},
      total_stolen_usd: 0,
      updated_at: null,
    });
  });
});

describe('reads without a key', () => {
  it.each([`lookup/${A}`, 'entries', 'entries/00000000-0000-4000-8000-000000000000', 'stats'])(
    '%s: 30 a minute per IP, then 429 with the time to wait',
    async (path) => {
      const test = await openTestApp();
      for (let i = 0; i < 30; i++) expect((await get(test, path)).status).not.toBe(429);
      const { status, body, headers } = await get(test, path);
      expect({ status, body }).toMatchObject({
        status: 429,
        body: { detail: 'Rate limit exceeded. Max 30 requests per minute.' },
      });
      expect(headers).toMatchObject({ 'retry-after': '60', 'x-ratelimit-limit': '30', 'x-ratelimit-remaining': '0' });
      test.time.at += 60_000;
      expect((await get(test, path)).status).not.toBe(429);
    },
  );
});

describe('GET /scamdb/search', () => {
  it('finds names of two kanji, domains and addresses', async () => {
    const test = await openWithLists();
    const headers = await test.headers('free');
    const search = async (q: string) => (await get(test, `search?q=${encodeURIComponent(q)}`, headers)).body;
    expect(await search('佐藤')).toMatchObject({ total: 1, query: '佐藤', results: [{ type: 'impersonation' }] });
    expect(await search('mint.example')).toEqual({ results: [ENTRY], total: 1, query: 'mint.example' });
    expect(await search(CHECKSUMMED)).toMatchObject({ total: 1 });
    expect(await search('" OR 1=1 --')).toEqual({ results: [], total: 0, query: '" OR 1=1 --' });
  });

  it('asks for a key before it looks at the query, and for a query without control characters', async () => {
    const test = await openTestApp();
    expect(await get(test, 'search')).toMatchObject({ status: 401, body: { detail: 'API key required' } });
    const headers = await test.headers('starter');
    for (const query of ['', '?q=', '?q=%20', '?q=a%00b', `?q=${'a'.repeat(201)}`, '?q=a&limit=101']) {
      const { status, body } = await get(test, `search${query}`, headers);
      expect([query, status]).toEqual([query, 422]);
      expect(body.detail[0].loc[0]).toBe('query');
    }
  });
});

describe('POST /scamdb/report', () => {
  const BODY = { address: B, type: 'phishing', description: 'Asked for a signature.' };

  it('keeps a report as pending, which changes nothing anybody sees', async () => {
    const test = await openWithLists();
    const before = (await get(test, 'stats')).body;
    const { status, body } = await report(test, {
      ...BODY,
      domains: ['https://www.New.example/'],
      stolen_usd: 10.5,
      evidence_url: 'https://forum.example/t/1',
      unknown_field: 1,
    });
    expect(status).toBe(201);
    expect(body).toEqual({ success: true, report_id: expect.stringMatching(/^[0-9a-f-]{36}$/), status: 'pending' });
    expect((await get(test, 'stats')).body).toEqual(before);
    expect((await lookUp(test, B)).body.found).toBe(false);
    expect((await lookUp(test, 'new.example')).body.found).toBe(false);
    expect((await get(test, `entries/${body.report_id}`)).status).toBe(404);
    expect((await test.ctx.labels.findOnAllChains([B])).size).toBe(0);
  });

  it('is refused about an address that nobody holds', async () => {
    const zero = `0x${'0'.repeat(40)}`;
    const { status, body } = await report(await openWithLists(), { ...BODY, address: zero });
    expect([status, body.detail]).toEqual([400, `Nobody holds ${zero}: it is not phishing`]);
  });

  it('becomes an entry, a label and a node by verification, and loses them all by rejection', async () => {
    const test = await openWithLists();
    const body = { ...BODY, type: 'drainer', domains: ['new.example'], stolen_usd: 10.5 };
    const headers = await test.headers();
    const first = (await report(test, body, headers)).body.report_id;
    const again = (await report(test, { ...body, stolen_usd: 4 }, headers)).body.report_id;
    const other = (await report(test, { ...body, stolen_usd: 100 })).body.report_id;
    const decide = (id: string, decision: 'verified' | 'rejected', reason: string | null = null) =>
      decideReport(test.ctx, { id, decision, by: 'Alice', reason });
    await decide(first, 'verified', 'Matches the drained wallets');
    await decide(again, 'verified');
    await decide(other, 'verified');
    await decide(other, 'verified');
    const { entry } = (await lookUp(test, B)).body;
    expect(entry).toMatchObject({
      verified: true,
      type: 'drainer',
      domains: ['new.example'],
      total_stolen_usd: 110.5,
      sources: ['report'],
      method: 'Asked for a signature.',
    });
    expect(entry.history).toHaveLength(3);
    expect(entry.history[0]).toMatchObject({
      action: 'verified',
      source: 'report',
      reason: 'Matches the drained wallets',
    });
    expect(JSON.stringify(entry)).not.toMatch(new RegExp(`Alice|${first}`));
    expect((await test.ctx.labels.find('base', [B])).get(B)).toMatchObject([
      { category: 'drainer', source: 'scamdb', validTo: null },
    ]);
    expect((await lookUp(test, 'new.example')).body.entry.id).toBe(entry.id);

    test.time.at += 1_000;
    for (const id of [first, again]) await decide(id, 'rejected', 'Duplicate');
    expect((await lookUp(test, B)).body).toMatchObject({ found: true, entry: { total_stolen_usd: 100 } });
    expect(await decide(other, 'rejected', 'Appeal upheld')).toMatchObject({ status: 'rejected', entry_id: null });
    expect((await lookUp(test, B)).body.found).toBe(false);
    expect((await lookUp(test, 'new.example')).body.found).toBe(false);
    expect((await test.ctx.labels.find('base', [B])).get(B)).toMatchObject([{ validTo: test.time.at }]);
    expect((await get(test, `entries/${entry.id}`)).body).toMatchObject({ verified: false, sources: [] });
    const rows = await test.ctx.records.selectFrom('scam_reports').select(['status', 'decided_by']).execute();
    expect(rows).toEqual(Array(3).fill({ status: 'rejected', decided_by: 'Alice' }));
  });

  it('shows its reporter, and nobody else, what became of it', async () => {
    const test = await openTestApp();
    const headers = await test.headers();
    const read = async (of: Record<string, string>, query = '') =>
      (await test.app.inject({ url: `/api/v1/scamdb/reports${query}`, headers: of })).json();
    const first = (await report(test, BODY, headers)).body.report_id;
    test.time.at += 1_000;
    const second = (await report(test, { ...BODY, chain: 'bsc' }, headers)).body.report_id;
    await report(test, BODY);
    test.time.at += 1_000;
    await decideReport(test.ctx, { id: first, decision: 'rejected', by: 'Alice', reason: 'Duplicate' });
    const { address, type, description } = { ...BODY, address: B.toLowerCase() };
    const seen = { address, type, description };
    const rejected = {
      ...seen,
      report_id: first,
      chain: 'evm',
      status: 'rejected',
      created_at: '2026-11-20T10:00:00.000Z',
      decided_at: '2026-11-20T10:00:02.000Z',
      decision_reason: 'Duplicate',
    };
    const pending = {
      ...seen,
      report_id: second,
      chain: 'bsc',
      status: 'pending',
      created_at: '2026-11-20T10:00:01.000Z',
      decided_at: null,
      decision_reason: null,
    };
    expect(await read(headers)).toEqual({ reports: [pending, rejected], total: 2, limit: 20, offset: 0 });
    expect(await read(headers, '?limit=1&offset=1')).toMatchObject({ reports: [rejected], total: 2 });
    expect(await read(await test.headers())).toMatchObject({ reports: [], total: 0 });
  });

  it('lists one chain where the report names one; the same key on a sister chain bears its label', async () => {
    const test = await openTestApp();
    const { body } = await report(test, { ...BODY, chain: 'bsc' });
    await decideReport(test.ctx, { id: body.report_id, decision: 'verified', by: 'operator', reason: null });
    expect((await lookUp(test, B)).body.entry.chains).toEqual(['bsc']);
    const [elsewhere] = (await test.ctx.labels.find('ethereum', [B])).get(B)!;
    expect(elsewhere).toMatchObject({ chain: 'bsc', category: 'scam' });
  });

  it('does not outlive the account of its reporter with the name of it', async () => {
    const test = await openTestApp();
    const { key, accountId } = await test.issue();
    await report(test, BODY, { 'x-api-key': key });
    await test.ctx.records.deleteFrom('accounts').where('id', '=', accountId).execute();
    expect(await test.ctx.records.selectFrom('scam_reports').select('account_id').execute()).toEqual([
      { account_id: null },
    ]);
  });

  it.each([
    [{ address: '' }, 'Address is required'],
    [{ address: 'hello' }, 'Unrecognized address format'],
    [{ chain: 'bitcoin' }, 'Address does not match chain bitcoin'],
    [{ chain: 'dogecoin' }, 'Unsupported chain: dogecoin'],
    [{ chain: 'bnb' }, "Unsupported chain: bnb. BNB Smart Chain is 'bsc'"],
  ])('refuses %j: %s', async (wrong, detail) => {
    const { status, body } = await report(shared, { ...BODY, ...wrong });
    expect({ status, body }).toMatchObject({ status: 400, body: { detail } });
  });

  it.each([
    ['address', undefined, 'missing'],
    ['type', 'villainy', 'enum'],
    ['description', '', 'string_too_short'],
    ['description', 'a\0b', 'string_pattern_mismatch'],
    ['description', 'a\u202Eb', 'string_pattern_mismatch'],
    ['description', '\u200b\u2060\u3164', 'string_too_short'],
    ['description', 'x'.repeat(2_001), 'string_too_long'],
    ['domains', Array(21).fill('a.example'), 'too_long'],
    ['evidence_url', 'javascript:alert(1)', 'url_parsing'],
    ['evidence_url', 'nowhere', 'url_parsing'],
    ['stolen_usd', -1, 'greater_than_equal'],
    ['stolen_usd', 1e13, 'less_than_equal'],
    ['stolen_usd', '5', 'float_type'],
  ])('refuses %s %j by its shape', async (field, value, type) => {
    const { status, body } = await report(shared, { ...BODY, [field]: value });
    expect(status).toBe(422);
    expect(body.detail[0]).toMatchObject({ type, loc: ['body', field] });
  });

  it('takes null for whatever may be left out', async () => {
    const { address, type, description } = BODY;
    const nothing = { chain: null, domains: null, evidence_url: null, stolen_usd: null };
    expect((await report(await openTestApp(), { address, type, description, ...nothing })).status).toBe(201);
  });

  it('refuses what is not a domain, and asks for a key first', async () => {
    const test = await openTestApp();
    expect((await report(test, { ...BODY, domains: ['a.example', 'nowhere'] })).body.detail).toEqual([
      { type: 'value_error', loc: ['body', 'domains', 1], msg: 'Input should be a valid domain' },
    ]);
    expect(await report(test, {}, {})).toMatchObject({ status: 401, body: { detail: 'API key required' } });
  });
});
