import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { openContext } from '../../../src/context.ts';
import type { Category, Label } from '../../../src/domain/label.ts';
import { dayOf } from '../../../src/domain/time.ts';
import type { Transfer } from '../../../src/domain/transfers/transfer.ts';
import { ingestTransfers } from '../../../src/graph/ingest/ingest.ts';
import { keepScore } from '../../../src/graph/ingest/keep-score.ts';
import { openLabelStore } from '../../../src/labels/label-store.ts';
import { savePrices } from '../../../src/prices/price-store.ts';
import { openPresignCheck } from '../../../src/questions/check-presign.ts';
import { insertKey } from '../../../src/records/accounts/keys.ts';
import { openRecords } from '../../../src/records/database/database.ts';
import { RULE_SET_VERSION } from '../../../src/risk/rules.ts';
import { parsePresign } from '../../../src/routes/scans/presign.ts';
import { openTestApp, shareTestApp, type TestApp } from '../../app/test-app.ts';
import { transfer } from '../../graph/world.ts';
import { putLabels } from '../../labels/label-of.ts';

const TO = '0x28c6c06298d514db089934071355e5743bf21d60';
const BOB = '0xb0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0';
const SIGNER = '0x5151515151515151515151515151515151515151';
const GENUINE = '0xabcd000000000000000000000000000000001234';
const BAIT = '0xabcd999999999999999999999999999999991234';
const word = (hex: string) => hex.replace('0x', '').padStart(64, '0');
const approve = (spender: string, amount: string) => `0x095ea7b3${word(spender)}${word(amount)}`;

/** Listed in every test: an installation without lists warns of everything. */
const LISTED = `0x${'7'.repeat(40)}`;
const ALWAYS = { validFrom: null, validTo: null };
const FACTS = { label: 'x', source: 'ofac', confidence: 100, entity: null, maliciousContract: false };
const LISTED_LABEL: Omit<Label, 'address'> = { chain: 'evm', category: 'exchange', ...FACTS, ...ALWAYS };

type Query = Record<string, string | undefined>;

let test: TestApp;
let key: string;
let accountId: string;

async function use(opened: TestApp): Promise<void> {
  test = opened;
  ({ key, accountId } = await test.issue('enterprise'));
}

/** For tests that put labels and payments in. */
function openForEach(): void {
  beforeEach(async () => {
    await use(await openTestApp());
    await put(LISTED, 'exchange');
  });
}

/** For tests that only ask. */
function openForAll(): void {
  const shared = shareTestApp({
    fill: async (opened) => {
      await use(opened);
      await put(LISTED, 'exchange');
    },
  });
  beforeEach(() => use(shared));
}

async function ask(query: Query, apiKey = key) {
  const url = `/api/v1/public/presign/check?${new URLSearchParams(JSON.parse(JSON.stringify(query)))}`;
  const answer = await test.app.inject({ url, headers: { 'x-api-key': apiKey } });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
}
const verdict = async (query: Query, apiKey?: string) => (await ask(query, apiKey)).body;

async function put(address: string, category: Category, given: Partial<Label> = {}) {
  const facts = {
    label: `a ${category}`,
    source: 'ofac',
    confidence: 100,
    entity: null,
    validFrom: null,
    validTo: null,
  };
  const row: Label = { chain: 'evm', address, category, ...facts, maliciousContract: false, ...given };
  await putLabels(test.ctx.labels, [row]);
}

const pay = (to: string, given: Partial<Transfer> = {}) =>
  ingestTransfers(test.ctx.graph, [transfer({ from: SIGNER, to, usd: 50, at: test.time.at - 1_000, ...given })]);

describe('the answer', () => {
  openForAll();

  it('has exactly the fields of the contract', async () => {
    const { status, headers, body } = await ask({ chain: 'ethereum', to: TO.toUpperCase().replace('0X', '0x') });
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(
      ['level', 'verdict', 'score', 'reasons', 'signals', 'confidence', 'chain', 'to', 'latency_ms', 'cached'].sort(),
    );
    expect(body).toMatchObject({ level: 'low', verdict: 'ok', score: 0, reasons: [], chain: 'ethereum', to: TO });
    expect(Object.values(body.signals).every((signal) => typeof signal === 'boolean')).toBe(true);
    expect(headers['x-ratelimit-limit']).toBe('1200');
  });

  it('costs no scan and has a bucket of its own', async () => {
    const { key: free } = await test.issue('free');
    for (let i = 0; i < 40; i++) expect((await ask({ chain: 'ethereum', to: TO }, free)).status).toBe(200);
    const refused = await ask({ chain: 'ethereum', to: TO }, free);
    expect(refused).toMatchObject({
      status: 429,
      body: { detail: 'Rate limit exceeded. Max 40 requests per minute.' },
    });
    const usage = await test.app.inject({ url: '/api/v1/public/usage', headers: { 'x-api-key': free } });
    expect(usage.json()).toMatchObject({ scans_used: 0, presign_rate_limit_per_min: 40 });
    expect((await test.app.inject({ url: '/api/v1/public/presign/check?chain=ethereum' })).statusCode).toBe(401);
  });

  it('carries the headers of every answer, and counts against the bucket once, refused or not', async () => {
    const { key: free } = await test.issue('free');
    const left: unknown[] = [];
    for (const query of [{ to: TO }, { to: TO }, { to: '0x12' }, {}, { to: TO, data: approve(BOB, '5') }]) {
      const { headers } = await ask({ chain: 'ethereum', ...query }, free);
      left.push(headers['x-ratelimit-remaining']);
      expect(headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-request-id': expect.any(String),
        'x-ratelimit-limit': '40',
      });
    }
    expect(left).toEqual(['39', '38', '37', '36', '35']);
  });

  it('asks for chain and destination', async () => {
    const missing = (name: string) => ({ detail: [{ type: 'missing', loc: ['query', name], msg: 'Field required' }] });
    expect(await ask({ to: TO })).toMatchObject({ status: 422, body: missing('chain') });
    expect(await ask({ chain: 'ethereum' })).toMatchObject({ status: 422, body: missing('to') });
  });

  it.each(['bnb', 'dogecoin', '', 'Ethereum'])('chain %j is unknown, never an error', async (chain) => {
    const { status, body } = await ask({ chain, to: 'anything', data: '0xzz' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      level: 'unknown',
      verdict: 'caution',
      score: 0,
      chain,
      to: 'anything',
      cached: false,
    });
    expect(body.signals).toMatchObject({ unsupported_chain: true, never_seen: false });
    expect(body.reasons).toHaveLength(1);
  });

  it('refuses what is not an address of a supported chain', async () => {
    const detail = async (query: Query) => (await ask({ chain: 'ethereum', ...query })).body.detail;
    expect(await detail({ to: '' })).toBe('Address is required');
    expect(await detail({ to: '0x12' })).toBe('Unrecognized address format');
    expect(await detail({ to: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' })).toBe('Address does not match chain ethereum');
    expect(await detail({ to: TO, spender: 'nobody' })).toBe('Unrecognized address format');
    expect(await detail({ to: TO, signer: '0x12' })).toBe('Unrecognized address format');
  });

  it('answers on chains of every family, in their canonical form', async () => {
    const addresses = {
      bitcoin: 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4',
      tron: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
      solana: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
      xrp: 'rMxCKbEDwqr76QuheSUMdEGf4B9xJ8m5De',
    };
    for (const [chain, to] of Object.entries(addresses)) {
      const canonical = chain === 'bitcoin' ? to.toLowerCase() : to;
      expect(await verdict({ chain, to })).toMatchObject({ verdict: 'ok', chain, to: canonical });
    }
    expect(await verdict({ chain: 'bitcoin', to: addresses.bitcoin, data: '0x00' })).toMatchObject({
      level: 'unknown',
    });
  });
});

describe('lang', () => {
  openForEach();

  it('gives the reasons in Japanese, also where the English ones are cached', async () => {
    await put(TO, 'sanctioned', { label: 'Listed Ltd' });
    const query = { chain: 'ethereum', to: TO };
    expect((await verdict(query)).reasons[0]).toBe(
      `Destination ${TO} is under sanctions: "Listed Ltd", source "ofac", confidence 100.`,
    );
    const japanese = await verdict({ ...query, lang: 'ja' });
    expect(japanese).toMatchObject({ verdict: 'danger', cached: false });
    expect(japanese.reasons[0]).toBe(`送付先「${TO}」は制裁対象です："Listed Ltd"（出典："ofac"、信頼度：100）。`);
    expect((await ask({ ...query, lang: 'fr' })).status).toBe(422);
  });
});

describe('labels', () => {
  openForEach();

  it('sanctioned destination, spender, recipient in calldata and token are danger', async () => {
    await put(BOB, 'sanctioned');
    for (const query of [
      { to: BOB },
      { to: TO, spender: BOB },
      { to: TO, data: approve(BOB, '0x5') },
      { to: TO, calldata: approve(BOB, '0x5') },
      { to: TO, data: '0x', calldata: approve(BOB, '0x5') },
      { to: TO, asset: BOB },
    ]) {
      const body = await verdict({ chain: 'polygon', ...query });
      expect(body, JSON.stringify(query)).toMatchObject({
        level: 'critical',
        verdict: 'danger',
        score: 100,
        confidence: 1,
      });
      expect(body.signals.sanctioned).toBe(true);
      expect(body.reasons.join()).toContain(BOB);
    }
  });

  it('scam and drainer labels are hits of the scam database', async () => {
    await put(BOB, 'scam', { source: 'scamsniffer' });
    await put(TO, 'drainer', { source: 'eth-labels' });
    expect((await verdict({ chain: 'base', to: BOB })).signals).toMatchObject({ scamdb_hit: true, drainer: false });
    expect((await verdict({ chain: 'base', to: TO })).signals).toMatchObject({ scamdb_hit: true, drainer: true });
  });

  it('a key that is listed on another EVM chain is danger, on an unscanned chain caution, unless a label says what it is on the chain itself', async () => {
    const SISTER = '18M8bJWMzWHDBMxoLqjHHAffdRy4SrzkfB';
    await put(TO, 'scam', { chain: 'bsc' });
    await put(SISTER, 'sanctioned', { chain: 'bitcoin_cash' });
    const onBitcoin = await verdict({ chain: 'bitcoin', to: SISTER });
    expect(onBitcoin).toMatchObject({ verdict: 'caution', signals: { sister_chain: true, sanctioned: false } });
    expect(onBitcoin.reasons[0]).toContain('is listed as sanctioned on bitcoin cash, where it has the same key');
    expect(await verdict({ chain: 'bsc', to: TO })).toMatchObject({
      verdict: 'danger',
      signals: { sister_chain: false },
    });
    const onPolygon = await verdict({ chain: 'polygon', to: TO });
    expect(onPolygon).toMatchObject({ verdict: 'danger', signals: { sister_chain: false, scamdb_hit: true } });
    expect(onPolygon.reasons[0]).toContain('listed on bsc, the same key');
    await put(TO, 'exchange', { chain: 'polygon' });
    expect(await verdict({ chain: 'polygon', to: TO })).toMatchObject({
      verdict: 'ok',
      signals: { sister_chain: false },
    });
  });

  it('a revocation from a listed spender does not warn', async () => {
    await put(BOB, 'drainer');
    const body = await verdict({ chain: 'ethereum', to: TO, data: approve(BOB, '0x0') });
    expect(body).toMatchObject({ verdict: 'ok', reasons: [], signals: { revocation: true, drainer: false } });
  });
});

describe('the cache', () => {
  openForEach();

  it('serves the same verdict for two minutes, and says so only to the account that asked before', async () => {
    const query = { chain: 'ethereum', to: TO };
    expect(await verdict(query)).toMatchObject({ cached: false });
    const other = (await test.issue('pro')).key;
    expect(await verdict(query, other)).toMatchObject({ cached: false, verdict: 'ok' });
    test.time.at += 120_000;
    expect(await verdict(query)).toMatchObject({ cached: true, verdict: 'ok' });
    test.time.at += 1;
    expect(await verdict(query)).toMatchObject({ cached: false });
  });

  it('is shared by the keys of one account and by all ways to write the same request', async () => {
    const { key: second } = await insertKey(test.ctx.records, { accountId, name: 'second' }, test.time.at);
    expect(await verdict({ chain: 'ethereum', to: TO })).toMatchObject({ cached: false });
    const upper = TO.toUpperCase().replace('0X', '0x');
    expect(await verdict({ to: upper, chain: ' ethereum ', data: '0x' }, second)).toMatchObject({ cached: true });
    expect(await verdict({ chain: 'ethereum', to: TO, value: '1' })).toMatchObject({ cached: false });
    expect(await verdict({ chain: 'polygon', to: TO })).toMatchObject({ cached: false });
  });

  it('can be switched off', async () => {
    test = await openTestApp({ CACHE_PRESIGN_SECONDS: '0' });
    key = (await test.issue('enterprise')).key;
    await verdict({ chain: 'ethereum', to: TO });
    expect(await verdict({ chain: 'ethereum', to: TO })).toMatchObject({ cached: false });
  });

  it('never holds what came with calldata or a spender', async () => {
    for (const more of [{ spender: BOB }, { data: approve(BOB, '0x5') }, { calldata: approve(BOB, '0x5') }]) {
      const query = { chain: 'ethereum', to: TO, ...more };
      await verdict(query);
      expect(await verdict(query)).toMatchObject({ cached: false });
    }
  });

  it('sees a sanction, its end and its coming day at once', async () => {
    const query = { chain: 'ethereum', to: TO };
    expect(await verdict(query)).toMatchObject({ verdict: 'ok' });
    await put(TO, 'sanctioned');
    expect(await verdict(query)).toMatchObject({ verdict: 'danger', cached: false });
    expect(await verdict(query)).toMatchObject({ verdict: 'danger', cached: true });
    await put(TO, 'sanctioned', { validTo: test.time.at + 10_000 });
    expect(await verdict(query)).toMatchObject({ verdict: 'danger', cached: false });
    test.time.at += 10_001;
    expect(await verdict(query)).toMatchObject({ verdict: 'ok', signals: { delisted: true }, cached: false });
    await put(TO, 'sanctioned', { label: 'again', validFrom: test.time.at + 5_000 });
    expect(await verdict(query)).toMatchObject({ verdict: 'ok' });
    test.time.at += 5_001;
    expect(await verdict(query)).toMatchObject({ verdict: 'danger', cached: false });
  });

  it('sees what another process wrote, whatever its clock says', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'traceflow-presign-'));
    const ctx = await openContext(readConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent' }));
    const elsewhere = await openRecords({ path: join(folder, 'records.sqlite') });
    const listed: Label = { ...LISTED_LABEL, address: LISTED };
    const sanctioned: Label = { ...listed, address: BOB, category: 'sanctioned', source: 'desk' };
    await openLabelStore(elsewhere, () => 1).put([listed, sanctioned], { stamp: 1, list: false });
    onTestFinished(async () => {
      await elsewhere.destroy();
      await ctx.close();
      rmSync(folder, { recursive: true });
    });
    const check = openPresignCheck(ctx);
    const query = { chain: 'ethereum', to: TO };
    const ask = (more: object = {}) => check(parsePresign({ ...query, ...more }), 'anyone');
    expect(await ask()).toMatchObject({ verdict: 'ok', cached: false });
    expect(await ask()).toMatchObject({ verdict: 'ok', cached: true });
    const grant = { data: approve(TO, '5') };
    expect(await ask(grant)).toMatchObject({ verdict: 'ok' });
    const sanction: Label = { ...LISTED_LABEL, address: TO, category: 'sanctioned' };
    await openLabelStore(elsewhere, () => 1).put([sanction], { stamp: 1, list: false });
    expect(await ask()).toMatchObject({ verdict: 'danger', cached: false });
    expect(await ask(grant)).toMatchObject({ verdict: 'danger' });
  });

  it('lets a label begin and end on its day, however often it was read before', async () => {
    const day = 24 * 3_600_000;
    const from = Date.UTC(2026, 10, 21);
    await put(BOB, 'exchange', { source: 'eth-labels' });
    await put(BOB, 'sanctioned', { validFrom: from, validTo: from + day });
    const grant = { chain: 'ethereum', to: TO, data: approve(BOB, '5') };
    expect(await verdict(grant)).toMatchObject({ verdict: 'ok' });
    test.time.at = from;
    expect(await verdict(grant)).toMatchObject({ verdict: 'danger', signals: { sanctioned: true } });
    test.time.at = from + day;
    expect(await verdict(grant)).toMatchObject({ signals: { sanctioned: false, delisted: true } });
  });

  it('keeps signers apart', async () => {
    await pay(GENUINE);
    expect(await verdict({ chain: 'ethereum', to: BAIT })).toMatchObject({ verdict: 'ok' });
    expect(await verdict({ chain: 'ethereum', to: BAIT, signer: SIGNER })).toMatchObject({ verdict: 'danger' });
    expect(await verdict({ chain: 'ethereum', to: BAIT })).toMatchObject({ verdict: 'ok', cached: true });
  });
});

describe('the graph', () => {
  openForEach();

  it('knows an address that it has seen, which an answer is surer of', async () => {
    await pay(BOB);
    const known = await verdict({ chain: 'ethereum', to: BOB });
    const fresh = await verdict({ chain: 'polygon', to: BOB });
    expect(known.signals.never_seen).toBe(false);
    expect(fresh.signals.never_seen).toBe(true);
    expect(fresh.confidence).toBeLessThan(known.confidence);
  });

  it('recognizes a look-alike of an earlier recipient, sent to, granted to or named as spender', async () => {
    await pay(GENUINE);
    const base = { chain: 'ethereum', signer: SIGNER };
    for (const query of [{ to: BAIT }, { to: TO, spender: BAIT }, { to: TO, data: approve(BAIT, '0x5') }]) {
      const body = await verdict({ ...base, ...query });
      expect(body).toMatchObject({ verdict: 'danger', level: 'high', signals: { lookalike: true } });
      expect(body.reasons[0]).toContain(GENUINE);
    }
    expect(await verdict({ ...base, to: GENUINE })).toMatchObject({ verdict: 'ok' });
    expect(await verdict({ ...base, chain: 'polygon', to: BAIT })).toMatchObject({ verdict: 'ok' });
    expect(await verdict({ ...base, signer: BOB, to: BAIT })).toMatchObject({ verdict: 'ok' });
  });

  it('sees a payment that came into the graph after seconds, and an address that did', async () => {
    const query = { chain: 'ethereum', to: TO, spender: BAIT, signer: SIGNER };
    expect(await verdict(query)).toMatchObject({ verdict: 'ok', signals: { never_seen: true } });
    await pay(GENUINE);
    await pay(TO);
    test.time.at += 10_001;
    expect(await verdict(query)).toMatchObject({
      verdict: 'danger',
      signals: { lookalike: true, never_seen: false },
    });
  });

  it('is not fooled by worthless transfers that only pretend to come from the signer', async () => {
    await pay(BAIT, { usd: null, asset: 'USDT:0xfa4e', kind: 'token', token: '0xfa4e' });
    await pay(GENUINE, { id: 'ethereum:0x9:native', txHash: '0x9' });
    expect(await verdict({ chain: 'ethereum', to: BAIT, signer: SIGNER })).toMatchObject({ verdict: 'danger' });
  });

  it('recognizes a look-alike of the signer itself', async () => {
    const twin = `0x5151${'9'.repeat(32)}5151`;
    expect(await verdict({ chain: 'ethereum', to: twin, signer: SIGNER })).toMatchObject({
      signals: { lookalike: true },
    });
    expect(await verdict({ chain: 'ethereum', to: SIGNER, signer: SIGNER })).toMatchObject({ verdict: 'ok' });
  });
});

describe('scans and roll-ups', () => {
  openForEach();

  const DAY_MS = 86_400_000;
  const MIXER = `0x${'8'.repeat(40)}`;
  const query = { chain: 'ethereum', to: BOB };

  /** Scans BOB from what the graph holds, as this account or another. */
  async function scanBob(apiKey = key, more = '') {
    const url = `/api/v1/public/scan?address=${BOB}${more}`;
    const answer = await test.app.inject({ url, headers: { 'x-api-key': apiKey } });
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json();
  }
  /** Someone without a label, and then the one party that BOB had dealings with. */
  async function dealWithMixer(usd: number) {
    await put(MIXER, 'mixer', { source: 'eth-labels', chain: 'ethereum' });
    const label = { category: 'mixer', label: 'Blender', label_source: 'eth-labels', entity_id: null };
    const at = test.time.at - DAY_MS;
    const labels = new Map([[`ethereum:${MIXER}`, label]]);
    await ingestTransfers(test.ctx.graph, [transfer({ from: MIXER, to: BOB, usd, at })], labels);
  }

  it('warns of direct exposure that nobody scanned, by its share and size', async () => {
    await dealWithMixer(50_000);
    const body = await verdict(query);
    expect(body).toMatchObject({ verdict: 'danger', signals: { exposure: true, scan_risk: false } });
    expect(body.reasons.join()).toContain('50,000 USD');
    expect(await verdict({ chain: 'ethereum', to: TO, spender: BOB })).toMatchObject({ verdict: 'danger' });
    expect(await verdict({ chain: 'polygon', to: BOB })).toMatchObject({ verdict: 'ok' });
  });

  it.each([
    ['before a designation for conduct', -1, 'CYBER2', 'caution', true],
    ['before a designation of a country', -1, 'RUSSIA-EO14024', 'caution', true],
    ['after it', 1, 'CYBER2', 'danger', false],
  ])('grades what a party got from a listed one %s as a scan does', async (_, days, programme, level, isBefore) => {
    const at = test.time.at - 400 * DAY_MS;
    const given = { source: 'ofac', chain: 'ethereum', validFrom: at - days * DAY_MS, programme } as const;
    await put(MIXER, 'sanctioned', given);
    const label = { category: 'sanctioned', label: 'Listed', label_source: 'ofac', entity_id: null } as const;
    const got = transfer({ from: MIXER, to: BOB, usd: 2_000, at });
    const other = transfer({ from: GENUINE, to: BOB, usd: 98_000, at: at - 1, txHash: '0xother' });
    await ingestTransfers(test.ctx.graph, [got, other], new Map([[`ethereum:${MIXER}`, label]]));
    const body = await verdict(query);
    expect(body).toMatchObject({ verdict: level, signals: { exposure: true } });
    expect(body.reasons.some((reason: string) => reason.includes('before they were designated'))).toBe(isBefore);
  });

  it('measures what was sent against the larger of both directions, as a scan does', async () => {
    const label = { category: 'mixer', label: 'Mixer', label_source: 'ofac', entity_id: null } as const;
    const at = test.time.at - DAY_MS;
    const sent = transfer({ from: BOB, to: MIXER, usd: 4_000, at });
    await ingestTransfers(test.ctx.graph, [sent], new Map([[`ethereum:${MIXER}`, label]]));
    // A verdict with a spender is not cached.
    const ask = () => verdict({ chain: 'ethereum', to: TO, spender: BOB });
    expect(await ask()).toMatchObject({ verdict: 'danger', signals: { exposure: true } });
    const saved = transfer({ from: GENUINE, to: BOB, usd: 96_000, at: at - 1, txHash: '0xsaved' });
    await ingestTransfers(test.ctx.graph, [saved]);
    const body = await ask();
    expect(body).toMatchObject({ verdict: 'caution', signals: { exposure: true } });
    expect(body.reasons.join()).toContain('4,000 USD');
  });

  it('does not judge a service by the part of its traffic that scans of others showed', async () => {
    await dealWithMixer(50_000);
    await put(BOB, 'exchange');
    expect(await verdict(query)).toMatchObject({ verdict: 'ok', signals: { exposure: false } });
  });

  it('is bound by the last scan, and names its day only to the account that made it', async () => {
    await dealWithMixer(50_000);
    const other = (await test.issue('enterprise')).key;
    const scan = await scanBob();
    expect(scan.risk_level).toBe('HIGH');
    const day = new Date(test.time.at).toISOString().slice(0, 10);
    const own = await verdict(query);
    expect(own).toMatchObject({ verdict: 'danger', score: scan.risk_score, signals: { scan_risk: true } });
    expect(own.reasons.join()).toContain(day);
    test.time.at += 60_000;
    expect((await scanBob()).cached).toBe(true);
    expect((await verdict(query)).reasons.join()).toContain(day);
    const foreign = await verdict(query, other);
    expect(foreign).toMatchObject({ verdict: 'danger', score: scan.risk_score });
    expect(foreign.reasons.join()).not.toContain(day);
  });

  it('is not bound lower by a scan that followed no money', async () => {
    await ingestTransfers(test.ctx.graph, [transfer({ from: TO, to: BOB, at: test.time.at - DAY_MS })]);
    const kept = {
      score: 90,
      level: 'CRITICAL',
      at: test.time.at - 1_000,
      evidence: [BOB],
      labels: '',
      transfers: 1,
      isPartial: false,
    };
    const score = { ...kept, ruleSetVersion: RULE_SET_VERSION };
    await keepScore(test.ctx.graph, { chain: 'ethereum', address: BOB, score, poisonedBy: [] });
    const levelOfBob = async () => {
      const [row] = await test.ctx.graph.read<{ risk_level: string }>('presign/parties', { keys: [`ethereum:${BOB}`] });
      return row?.risk_level;
    };
    expect((await scanBob(key, '&trace=off')).risk_level).toBe('LOW');
    expect(await levelOfBob()).toBe('CRITICAL');
    await scanBob();
    expect(await levelOfBob()).toBe('LOW');
  });

  it('ends a cached verdict as soon as a scan rates an address otherwise', async () => {
    expect(await verdict({ chain: 'ethereum', to: BOB })).toMatchObject({ verdict: 'ok', cached: false });
    expect(await verdict({ chain: 'ethereum', to: BOB })).toMatchObject({ verdict: 'ok', cached: true });
    await dealWithMixer(50_000);
    await scanBob();
    expect(await verdict({ chain: 'ethereum', to: BOB })).toMatchObject({ verdict: 'danger', cached: false });
  });

  it('only cautions by a scan older than 30 days', async () => {
    await dealWithMixer(50_000);
    await scanBob();
    test.time.at += 31 * DAY_MS;
    expect(await verdict(query)).toMatchObject({ verdict: 'caution', signals: { scan_risk: true } });
  });

  it('forgets a score once a label that it rests on is another', async () => {
    await dealWithMixer(50_000);
    await scanBob();
    await put(MIXER, 'mixer', { source: 'eth-labels', chain: 'ethereum', validTo: test.time.at });
    expect((await verdict(query)).signals).toMatchObject({ scan_risk: false });
  });

  it('cautions for a large payment to an address that nobody scanned or labelled', async () => {
    await savePrices(test.ctx.records, [{ asset: 'ETH', date: dayOf(test.time.at), usd: 2_000 }]);
    const value = (eth: string) => `${eth}${'0'.repeat(17)}`;
    expect(await verdict({ ...query, value: value('4') })).toMatchObject({ verdict: 'ok' });
    const large = await verdict({ ...query, value: value('5') });
    expect(large).toMatchObject({ verdict: 'caution', signals: { never_scanned: true } });
    expect(large.reasons.join()).toContain('Never scanned');
    expect(await verdict({ ...query, value: `0x${(10n ** 18n).toString(16)}` })).toMatchObject({ verdict: 'caution' });
    expect(await verdict({ ...query, to: LISTED, value: value('5') })).toMatchObject({ verdict: 'ok' });
    for (const noAmount of ['-1', '1000.5', '1,000', 'all'])
      expect((await verdict({ ...query, value: noAmount })).reasons.join()).toContain('could not be priced');
  });

  it('cautions for a payment that cannot be priced to an address that nobody scanned or labelled', async () => {
    const priceless = { ...query, value: '1' };
    const found = await verdict(priceless);
    expect(found).toMatchObject({ verdict: 'caution', signals: { never_scanned: true } });
    expect(found.reasons.join()).toContain('could not be priced');
    expect(await verdict({ ...query, value: '0' })).toMatchObject({ verdict: 'ok' });
    expect(await verdict(query)).toMatchObject({ verdict: 'ok' });
    expect(await verdict({ ...priceless, to: LISTED })).toMatchObject({ verdict: 'ok' });
    await put(query.to, 'whitelist', { source: 'operator', chain: 'ethereum' });
    expect(await verdict(priceless)).toMatchObject({ verdict: 'ok', signals: { never_scanned: false } });
  });

  it('is never ok where no label list is loaded', async () => {
    const bare = await openTestApp({}, { comparesLists: true });
    const headers = await bare.headers('enterprise');
    const url = `/api/v1/public/presign/check?${new URLSearchParams(query)}`;
    const body = (await bare.app.inject({ url, headers })).json();
    expect(body).toMatchObject({
      verdict: 'caution',
      reasons: ['No label lists are loaded.'],
      signals: { no_lists: true },
    });
  });
});

describe('the account’s whitelist', () => {
  openForEach();

  async function trust(address: string, by = key) {
    const answer = await test.app.inject({
      method: 'PUT',
      url: '/api/v1/risk-settings',
      headers: { 'x-api-key': by },
      payload: { whitelist: address === '' ? [] : [{ chain: 'ethereum', address }] },
    });
    expect(answer.statusCode).toBe(200);
  }

  it('silences what labels say of a party, and says so, on its chain and for that account alone', async () => {
    await put(BOB, 'scam', { source: 'scamsniffer' });
    const query = { chain: 'ethereum', to: BOB };
    expect(await verdict(query)).toMatchObject({ verdict: 'danger' });
    await trust(BOB);
    const trusted = await verdict(query);
    expect(trusted).toMatchObject({ verdict: 'ok', level: 'low', score: 0, signals: { scamdb_hit: false } });
    expect(trusted.reasons).toEqual([
      `${BOB} is on the whitelist of the account: what else is known of it is set aside.`,
    ]);
    expect(await verdict({ chain: 'ethereum', to: TO, spender: BOB })).toMatchObject({ verdict: 'ok' });
    expect(await verdict({ ...query, chain: 'polygon' })).toMatchObject({ verdict: 'danger' });
    const other = (await test.issue('enterprise')).key;
    expect(await verdict(query, other)).toMatchObject({ verdict: 'danger' });
  });

  it('stands for a scan that nobody made', async () => {
    const priceless = { chain: 'ethereum', to: BOB, value: '1' };
    expect(await verdict(priceless)).toMatchObject({ verdict: 'caution', signals: { never_scanned: true } });
    await trust(BOB);
    expect(await verdict(priceless)).toMatchObject({ verdict: 'ok', signals: { never_scanned: false } });
  });

  it('counts in the next answer, whatever is remembered', async () => {
    await put(BOB, 'drainer');
    const query = { chain: 'ethereum', to: BOB };
    await trust(BOB);
    expect(await verdict(query)).toMatchObject({ verdict: 'ok', cached: false });
    expect(await verdict(query)).toMatchObject({ verdict: 'ok', cached: true });
    await trust('');
    expect(await verdict(query)).toMatchObject({ verdict: 'danger', cached: false });
  });

  it('never silences sanctions, nor what else was done wrong', async () => {
    await put(BOB, 'sanctioned');
    await put(BOB, 'mixer');
    await trust(BOB);
    const body = await verdict({ chain: 'ethereum', to: BOB });
    expect(body).toMatchObject({ verdict: 'danger', score: 100, signals: { sanctioned: true, mixer: false } });
    expect(body.reasons).toHaveLength(2);
    const endless = await verdict({ chain: 'ethereum', to: TO, data: approve(BOB, `0x${'f'.repeat(64)}`) });
    expect(endless.signals).toMatchObject({ sanctioned: true, unlimited_approval: true });
  });

  it('silences the look of an address that the account vouches for', async () => {
    await pay(GENUINE);
    const query = { chain: 'ethereum', to: BAIT, signer: SIGNER };
    expect(await verdict(query)).toMatchObject({ verdict: 'danger' });
    await trust(BAIT);
    expect(await verdict(query)).toMatchObject({ verdict: 'ok', signals: { lookalike: false } });
  });

  it('does not say so where there was nothing to silence', async () => {
    await trust(TO);
    expect(await verdict({ chain: 'ethereum', to: TO })).toMatchObject({ verdict: 'ok', reasons: [] });
  });

  it('is left out, not an error, where it cannot be read', async () => {
    await put(BOB, 'scam');
    await trust(BOB);
    const { schema } = test.ctx.records;
    await schema.alterTable('risk_settings').renameTo('elsewhere').execute();
    expect(await verdict({ chain: 'ethereum', to: BOB })).toMatchObject({ verdict: 'danger' });
    await schema.alterTable('elsewhere').renameTo('risk_settings').execute();
  });
});

describe('calldata and value', () => {
  openForAll();

  it('an endless allowance is caution, an unknown call is unknown', async () => {
    const endless = await verdict({ chain: 'ethereum', to: TO, data: approve(BOB, `0x${'f'.repeat(64)}`) });
    expect(endless).toMatchObject({ level: 'medium', verdict: 'caution', signals: { unlimited_approval: true } });
    const swap = await verdict({ chain: 'ethereum', to: TO, data: '0x38ed1739' });
    expect(swap).toMatchObject({ level: 'unknown', verdict: 'caution', signals: { undecodable: true } });
  });

  it.each([
    ['1', true],
    ['0x1', true],
    ['1e18', true],
    ['0.5', true],
    ['a lot', true],
    ['0', false],
    ['0x0', false],
    ['0x', false],
    ['0.0', false],
    ['', false],
  ])('value %j with claim() is a lure: %s', async (value, lure) => {
    const body = await verdict({ chain: 'ethereum', to: TO, value, data: '0x4e71d92d' });
    expect(body).toMatchObject({ verdict: lure ? 'danger' : 'ok', signals: { payable_lure: lure } });
  });

  it('another owner’s assets for an unknown recipient are danger', async () => {
    const data = `0x23b872dd${word(GENUINE)}${word(BOB)}${word('0x5')}`;
    expect(await verdict({ chain: 'ethereum', to: TO, signer: SIGNER, data })).toMatchObject({
      verdict: 'danger',
      signals: { foreign_transfer: true },
    });
    expect(await verdict({ chain: 'ethereum', to: TO, signer: GENUINE, data })).toMatchObject({ verdict: 'ok' });
  });

  it('odd calldata never fails', async () => {
    for (const data of ['0x', '0', 'zz', '0xa9059cbb', `0x${'ac9650d8'.repeat(900)}`, '%00', '💥', ' ']) {
      expect((await ask({ chain: 'ethereum', to: TO, data })).status, data.slice(0, 20)).toBe(200);
    }
  });
});

describe('stores that cannot be read', () => {
  openForEach();

  it('a graph that is gone is unknown; what labels forbid is still danger', async () => {
    await put(BOB, 'sanctioned');
    await test.ctx.graph.close();
    const body = await verdict({ chain: 'ethereum', to: TO });
    expect(body).toMatchObject({ level: 'unknown', verdict: 'caution', signals: { stores_unreadable: true } });
    expect(await verdict({ chain: 'ethereum', to: TO })).toMatchObject({ cached: false });
    expect(await verdict({ chain: 'ethereum', to: BOB })).toMatchObject({ level: 'critical', verdict: 'danger' });
  });

  it('labels that cannot be read are unknown, also for what was remembered', async () => {
    const query = { chain: 'ethereum', to: TO };
    expect(await verdict(query)).toMatchObject({ verdict: 'ok' });
    await test.ctx.records.schema.alterTable('labels').renameTo('elsewhere').execute();
    await test.ctx.records.schema.alterTable('label_changes').renameTo('nowhere').execute();
    expect(await verdict(query)).toMatchObject({ level: 'unknown', verdict: 'caution', cached: false });
  });
});
