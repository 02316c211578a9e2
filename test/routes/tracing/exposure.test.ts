import { describe, expect, it } from 'vitest';
import { GraphError } from '../../../src/errors.ts';
import { statementText } from '../../../src/graph/statements.ts';
import type { PlanId } from '../../../src/plans.ts';
import { insertScan } from '../../../src/records/scans/scans.ts';
import { openTestApp, shareTestApp, type TestApp } from '../../app/test-app.ts';
import { build } from '../../graph/world.ts';
import { labelOf } from '../../labels/label-of.ts';

const [SUBJECT, MIDDLE, EXCHANGE] = ['a', 'b', 'c'].map((digit) => `0x${digit.repeat(40)}`) as [string, string, string];
const SCANNED_AT = Date.parse('2026-11-19T00:00:00Z');

async function payments(test: TestApp): Promise<void> {
  await build(test.ctx.graph, {
    transfers: [
      { from: EXCHANGE, to: MIDDLE, usd: 10, amount: '36893488147419103232.5' },
      { from: MIDDLE, to: SUBJECT, usd: 10, amount: '36893488147419103232.5' },
      { from: SUBJECT, to: EXCHANGE, usd: 4 },
    ],
    labels: { [EXCHANGE]: { category: 'exchange', label: 'Acme 1' } },
    scanned: [SUBJECT, MIDDLE].map((address) => ({ address, at: SCANNED_AT, complete: true })),
  });
}

async function open(env?: Record<string, string>, options?: { comparesLists: boolean }): Promise<TestApp> {
  const test = await openTestApp(env, options);
  await payments(test);
  return test;
}

const shared = shareTestApp({ fill: payments });

/** A key of an account that has scanned the addresses. */
async function keyOfScanner(plan: PlanId, addresses: string[]): Promise<{ 'x-api-key': string }> {
  const { key, accountId } = await shared.issue(plan);
  for (const address of addresses) {
    await insertScan(shared.ctx.records, {
      id: `scan ${accountId} ${address}`,
      account_id: accountId,
      chain: 'ethereum',
      address,
      source: 'sync',
      lang: 'en',
      risk_level: 'LOW',
      risk_score: 0,
      detection_count: 0,
      rule_set_version: '1',
      result: '{}',
      created_at: SCANNED_AT,
      units: 1,
    });
  }
  return { 'x-api-key': key };
}

const get = (test: TestApp, path: string, headers: Record<string, string> = {}) =>
  test.app.inject({ url: `/api/v1/exposure/${path}`, headers });

it('says in every answer about money and paths that no list of sanctions was compared', async () => {
  const test = await open({}, { comparesLists: true });
  const headers = await test.headers('enterprise');
  const paths = { from_address: SUBJECT, to_address: EXCHANGE };
  const asked = [
    { url: `/exposure/${SUBJECT}` },
    { url: `/exposure/${SUBJECT}?group=entity` },
    { url: `/exposure/${SUBJECT}/terminals` },
    { url: `/graph/funds/${SUBJECT}` },
    { url: '/graph/flow-path', payload: paths },
    { url: '/graph/relationship-check', payload: { address_a: SUBJECT, address_b: EXCHANGE } },
  ];
  const missed = async () => {
    const found: string[] = [];
    for (const { url, payload } of asked) {
      const method = payload ? 'POST' : 'GET';
      const answer = await test.app.inject({ method, url: `/api/v1${url}`, headers, payload });
      expect(answer.statusCode, url).toBe(200);
      const { complete, reasons } = answer.json().coverage;
      if (reasons.includes('no_lists') && complete === false) found.push(url);
    }
    return found;
  };
  expect(await missed()).toEqual(asked.map(({ url }) => url));
  expect((await get(test, SUBJECT)).json().coverage.reasons).toContain('no_lists');
  const listed = labelOf({ address: EXCHANGE, category: 'sanctioned', source: 'ofac' });
  await test.ctx.labels.put([listed], { stamp: await test.ctx.labels.beginLoad(), list: true });
  expect(await missed()).toEqual([]);
});

describe('a span in the query of exposure and terminals', () => {
  it('bounds the own transfers by days or moments, and ends no earlier than it begins', async () => {
    const test = shared;
    const headers = await test.headers('business');
    const sums = async (query: string) => {
      const { received_usd, sent_usd } = (await get(test, `${SUBJECT}?${query}`, headers)).json();
      return [received_usd, sent_usd];
    };
    expect(await sums('from=1970-01-01')).toEqual([10, 4]);
    expect(await sums('from=1970-01-01T00:00:01.002Z')).toEqual([0, 4]);
    expect(await sums('to=1970-01-01T00:00:01.001Z')).toEqual([10, 0]);
    const ends = async (query: string) => (await get(test, `${SUBJECT}/terminals?${query}`, headers)).json().total;
    expect([await ends('from=1970-01-01'), await ends('to=1970-01-01')]).toEqual([1, 0]);
    for (const path of [SUBJECT, `${SUBJECT}/terminals`]) {
      const refused = await get(test, `${path}?from=2026-01-02&to=2026-01-01`, headers);
      expect([refused.statusCode, refused.json().detail[0].loc]).toEqual([422, ['query', 'to']]);
    }
  });
});

describe('the statements of an answer', () => {
  it('come with exposure and terminals where they are asked for with a key', async () => {
    const test = shared;
    const headers = await test.headers('business');
    for (const path of [SUBJECT, `${SUBJECT}/terminals`]) {
      const { cypher, ...answer } = (await get(test, `${path}?cypher=on`, headers)).json();
      expect(cypher).toContain(`'ethereum:${SUBJECT}'`);
      expect(cypher).toContain(statementText('exposure/open', 'neo4j').trimEnd());
      expect((await get(test, path, headers)).json()).toEqual(answer);
    }
    const keyless = await get(test, `${SUBJECT}?cypher=on`);
    expect([keyless.statusCode, keyless.json().detail]).toEqual([401, 'API key required']);
  });
});

describe('GET /exposure/{address}', () => {
  it('answers with the fields of the contract and nothing else', async () => {
    const test = shared;
    const headers = await keyOfScanner('free', [SUBJECT, MIDDLE]);
    const answer = await get(test, `${SUBJECT}?max_hops=2&limit=10`, headers);
    const hop = { chain: 'ethereum', asset: 'TOK' };
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['x-ratelimit-limit']).toBe('10');
    expect(answer.json()).toEqual({
      address: SUBJECT,
      chain: 'ethereum',
      max_hops: 2,
      limit: 10,
      method: 'haircut',
      direct: [
        {
          direction: 'sent',
          category: 'exchange',
          usd: 4,
          share: 1,
          usd_upper: 4,
          address_count: 1,
          min_hops: 1,
          top: [
            {
              address: EXCHANGE,
              chain: 'ethereum',
              label: 'Acme 1',
              usd: 4,
              hops: 1,
              assets: { TOK: '1' },
              path: [
                {
                  ...hop,
                  from: SUBJECT,
                  to: EXCHANGE,
                  tx_hash: '0x2',
                  amount: '1',
                  usd: 4,
                  at: '1970-01-01T00:00:01.002Z',
                },
              ],
            },
          ],
        },
      ],
      indirect: [
        {
          direction: 'received',
          category: 'exchange',
          usd: 10,
          share: 1,
          usd_upper: 10,
          address_count: 1,
          min_hops: 2,
          top: [
            {
              address: EXCHANGE,
              chain: 'ethereum',
              label: 'Acme 1',
              usd: 10,
              hops: 2,
              assets: { TOK: '36893488147419103232.5' },
              path: [
                {
                  ...hop,
                  from: EXCHANGE,
                  to: MIDDLE,
                  tx_hash: '0x0',
                  amount: '36893488147419103232.5',
                  usd: 10,
                  at: '1970-01-01T00:00:01.000Z',
                },
                {
                  ...hop,
                  from: MIDDLE,
                  to: SUBJECT,
                  tx_hash: '0x1',
                  amount: '36893488147419103232.5',
                  usd: 10,
                  at: '1970-01-01T00:00:01.001Z',
                },
              ],
            },
          ],
        },
      ],
      patterns: [],
      total_classified_usd: 14,
      received_usd: 10,
      sent_usd: 4,
      unattributed_usd: 0,
      unattributed_received_usd: 0,
      unattributed_sent_usd: 0,
      coverage: {
        scanned_at: '2026-11-19T00:00:00.000Z',
        transfers: 2,
        attributed: { received: 1, sent: 1 },
        unattributed: {},
        through_unread: { received: 0, sent: 0 },
        frontier: [],
        frontier_count: 0,
        complete: true,
        reasons: [],
      },
      note: null,
    });
  });

  it('does not show a tenant what others have scanned', async () => {
    const test = shared;
    const headers = await keyOfScanner('free', [SUBJECT]);
    const { coverage } = (await get(test, SUBJECT, headers)).json();
    expect(coverage).toMatchObject({
      scanned_at: '2026-11-19T00:00:00.000Z',
      attributed: { received: 1, sent: 1 },
      through_unread: { received: 1, sent: 0 },
      frontier: [{ address: MIDDLE, chain: 'ethereum', direction: 'received', hop: 1, usd: 10, reason: 'not_read' }],
      frontier_count: 1,
      complete: false,
      reasons: ['not_read'],
    });
    const other = (await get(test, SUBJECT, await test.headers('free'))).json();
    expect(other.coverage).toMatchObject({ scanned_at: null, frontier_count: 3, reasons: ['not_read'] });
    expect(other.total_classified_usd).toBe(14);
  });

  it('needs no key, and then leaves out what would show what others investigate', async () => {
    const test = shared;
    const answer = await get(test, SUBJECT);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ max_hops: 3, limit: 200, received_usd: 10 });
    expect(answer.json().coverage).toEqual({
      attributed: { received: 1, sent: 1 },
      complete: false,
      reasons: ['not_read'],
    });
  });

  it('answers 30 keyless requests a minute and address, and keyed ones beside them', async () => {
    const test = shared;
    for (let i = 0; i < 30; i++) expect((await get(test, SUBJECT)).statusCode).toBe(200);
    const refused = await get(test, SUBJECT);
    expect([refused.statusCode, refused.json()]).toMatchObject([
      429,
      { detail: 'Rate limit exceeded. Max 30 requests per minute.' },
    ]);
    expect((await get(test, SUBJECT, await test.headers())).statusCode).toBe(200);
    test.time.at += 60_000;
    expect((await get(test, SUBJECT)).statusCode).toBe(200);
  });

  it('counts 200 paths per hop at most without a key', async () => {
    const test = shared;
    expect((await get(test, `${SUBJECT}?limit=1000`)).json()).toMatchObject({ limit: 200 });
    expect((await get(test, `${SUBJECT}?limit=1000`, await test.headers())).json()).toMatchObject({ limit: 1_000 });
  });

  it('refuses with 503 and Retry-After what one block of addresses asks at once beyond its share; others are answered', async () => {
    const test = shared;
    const ends: (() => void)[] = [];
    const caller = { id: '127.0.0', keyless: true };
    const held = [1, 2].map(() =>
      test.ctx.graphQuestions.ask(caller, () => new Promise<void>((end) => ends.push(end))),
    );
    const refused = await get(test, SUBJECT);
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '2']);
    expect(refused.json()).toMatchObject({ detail: 'Too many graph questions at once' });
    expect((await get(test, SUBJECT, await test.headers())).statusCode).toBe(200);
    for (const end of ends) end();
    await Promise.all(held);
    expect((await get(test, SUBJECT)).statusCode).toBe(200);
  });

  it('asks for a key where the operator wants one, and refuses a wrong one everywhere', async () => {
    const closed = await open({ PUBLIC_EXPOSURE: '0' });
    const missing = await get(closed, SUBJECT);
    expect([missing.statusCode, missing.json()]).toMatchObject([401, { detail: 'API key required' }]);
    const wrong = await get(shared, SUBJECT, { 'x-api-key': 'tfk_wrong' });
    expect([wrong.statusCode, wrong.json()]).toMatchObject([401, { detail: 'Invalid API key' }]);
  });

  it.each([
    ['', 'Address is required'],
    ['%20%20', 'Address is required'],
    ['nonsense', 'Unrecognized address format'],
    [`${SUBJECT}?chain=bitcoin`, 'Address does not match chain bitcoin'],
    [`${SUBJECT}?chain=bnb`, "Unsupported chain: bnb. BNB Smart Chain is 'bsc'"],
  ])('refuses /exposure/%s', async (path, detail) => {
    const test = shared;
    const answer = await get(test, path);
    expect([answer.statusCode, answer.json()]).toMatchObject([400, { detail }]);
  });

  it.each(['max_hops=0', 'max_hops=6', 'max_hops=x', 'limit=9', 'limit=1001', 'limit='])(
    'has no shape for %s',
    async (query) => {
      const test = shared;
      const answer = await get(test, `${SUBJECT}?${query}`);
      expect(answer.statusCode).toBe(422);
      expect(answer.json().detail[0].loc).toEqual(['query', query.split('=')[0]]);
    },
  );

  it('keeps the chains apart and takes an address in any case', async () => {
    const test = shared;
    expect((await get(test, `${SUBJECT}?chain=polygon`)).json()).toMatchObject({
      chain: 'polygon',
      received_usd: 0,
      note: expect.any(String),
    });
    expect((await get(test, `0x${'A'.repeat(40)}`)).json()).toMatchObject({ address: SUBJECT, received_usd: 10 });
  });

  it('says that the graph failed when it did, and nothing else breaks', async () => {
    const test = await open();
    const { read } = test.ctx.graph;
    test.ctx.graph.read = () => Promise.reject(new GraphError({ cause: new Error('connection lost') }));
    const failed = await get(test, SUBJECT);
    expect([failed.statusCode, failed.json()]).toMatchObject([500, { detail: 'Graph query failed' }]);
    expect((await test.app.inject({ url: '/api/v1/public/health' })).statusCode).toBe(200);
    test.ctx.graph.read = read;
    expect((await get(test, SUBJECT)).statusCode).toBe(200);
  });
});

describe('GET /exposure/{address}/terminals', () => {
  const plans: [PlanId, number][] = [
    ['free', 403],
    ['starter', 403],
    ['pro', 403],
    ['business', 200],
    ['enterprise', 200],
    ['enterprise_trial', 200],
  ];
  it.each(plans)('on the plan %s gives %i', async (plan, status) => {
    const test = shared;
    const answer = await get(test, `${SUBJECT}/terminals`, await test.headers(plan));
    expect(answer.statusCode).toBe(status);
    if (status === 403) expect(answer.json()).toMatchObject({ detail: 'Terminal search is a Business feature.' });
  });

  it('answers with the fields of the contract and nothing else', async () => {
    const test = shared;
    const headers = await keyOfScanner('business', [SUBJECT]);
    const answer = await get(test, `${SUBJECT}/terminals?categories=exchange,,mixing,exchange`, headers);
    expect(answer.json()).toEqual({
      address: SUBJECT,
      chain: 'ethereum',
      max_hops: 3,
      categories: ['exchange', 'mixing'],
      terminals: [
        {
          address: EXCHANGE,
          chain: 'ethereum',
          label: 'Acme 1',
          category: 'exchange',
          terminal_category: 'exchange',
          hops: 1,
          usd: 4,
          reached: 'money',
          assets: { TOK: '1' },
          first_at: '1970-01-01T00:00:01.002Z',
          last_at: '1970-01-01T00:00:01.002Z',
          path: [expect.objectContaining({ from: SUBJECT, to: EXCHANGE, tx_hash: '0x2' })],
        },
      ],
      total: 1,
      limit: 20,
      offset: 0,
      truncated: false,
      coverage: {
        attributed: { received: null, sent: 1 },
        unattributed: {},
        through_unread: { received: null, sent: 0 },
        frontier: [],
        frontier_count: 0,
        complete: true,
        reasons: [],
      },
      note: null,
    });
    const beyond = await get(test, `${SUBJECT}/terminals?offset=1`, headers);
    expect(beyond.json()).toMatchObject({ terminals: [], total: 1, offset: 1 });
  });

  it('needs a key, an address, known categories and figures in range', async () => {
    const test = shared;
    const headers = await test.headers('business');
    expect((await get(test, `${SUBJECT}/terminals`)).statusCode).toBe(401);
    const blank = await get(test, '%20/terminals', headers);
    expect([blank.statusCode, blank.json()]).toMatchObject([400, { detail: 'Address is required' }]);
    for (const query of [
      'max_hops=0',
      'max_hops=11',
      'limit=0',
      'limit=101',
      'offset=-1',
      'categories=exchange,casino',
    ]) {
      expect((await get(test, `${SUBJECT}/terminals?${query}`, headers)).statusCode, query).toBe(422);
    }
  });
});
