import { describe, expect, it } from 'vitest';
import { listsOfChain } from '../../../src/domain/chain.ts';
import { LOADED_FILE } from '../../../src/domain/tracing/reading.ts';
import { GraphError } from '../../../src/errors.ts';
import { markAllRead } from '../../../src/graph/ingest/mark-read.ts';
import type { PlanId } from '../../../src/plans.ts';
import { openTestApp, shareTestApp, type TestApp } from '../../app/test-app.ts';
import { build } from '../../graph/world.ts';

const [A, B, C] = ['a', 'b', 'c'].map((digit) => `0x${digit.repeat(40)}`) as [string, string, string];
const BITCOIN = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2';
const FLOW = { from_address: A, to_address: C };
const PAIR = { address_a: A, address_b: C };

async function payments(test: TestApp): Promise<void> {
  await build(test.ctx.graph, {
    transfers: [
      { from: A, to: B, usd: 9 },
      { from: B, to: C, usd: 5 },
    ],
  });
}

async function open(): Promise<TestApp> {
  const test = await openTestApp();
  await payments(test);
  return test;
}

const shared = shareTestApp({ fill: payments });

async function post(test: TestApp, path: string, payload: object, plan: PlanId = 'enterprise') {
  return test.app.inject({ method: 'POST', url: `/api/v1/graph/${path}`, headers: await test.headers(plan), payload });
}

const QUESTIONS: [string, object][] = [
  ['flow-path', FLOW],
  ['relationship-check', PAIR],
];

describe.each(QUESTIONS)('POST /graph/%s', (path, body) => {
  it('comes with the statements that were asked of the graph, where they are asked for', async () => {
    const test = shared;
    const { cypher, ...answer } = (await post(test, path, { ...body, cypher: 'on' })).json();
    expect(cypher).toMatch(/^:param /);
    expect(cypher).toContain(`'ethereum:${A}'`);
    expect((await post(test, path, body)).json()).toEqual(answer);
  });

  it('needs a key', async () => {
    const test = shared;
    const answer = await test.app.inject({ method: 'POST', url: `/api/v1/graph/${path}`, payload: body });
    expect([answer.statusCode, answer.json()]).toMatchObject([401, { detail: 'API key required' }]);
  });

  it('refuses what cannot be with the text of the contract', async () => {
    const test = shared;
    const [first, second] = Object.keys(body) as [string, string];
    const secondChain = path === 'flow-path' ? 'to_chain' : 'chain_b';
    const ask = async (changed: object) => {
      const answer = await post(test, path, { ...body, ...changed });
      return [answer.statusCode, answer.json().detail];
    };
    expect(await ask({ [second]: A.toUpperCase().replace('0X', '0x') })).toEqual([400, 'Addresses must differ']);
    expect(await ask({ [first]: ' ' })).toEqual([400, 'Address is required']);
    expect(await ask({ [second]: 'nonsense' })).toEqual([400, 'Unrecognized address format']);
    const detail = 'Address does not match chain ethereum';
    expect(await ask({ [second]: BITCOIN, chain: 'ethereum' })).toEqual([400, detail]);
    expect((await ask({ [second]: BITCOIN, chain: null }))[0]).toBe(200);
    expect(await ask({ chain: 'doge' })).toEqual([400, 'Unsupported chain: doge']);
    expect(await ask({ [secondChain]: 'doge' })).toEqual([400, 'Unsupported chain: doge']);
    expect(await ask({ [secondChain]: 'bitcoin' })).toEqual([400, 'Address does not match chain bitcoin']);
    expect((await ask({ [second]: BITCOIN, [secondChain]: 'bitcoin' }))[0]).toBe(200);
    expect((await ask({ [second]: A, [secondChain]: 'base' }))[0]).toBe(200);
    expect((await ask({ [secondChain]: null }))[0]).toBe(200);
    expect((await ask({ chain: null }))[0]).toBe(200);
    expect((await ask({ [second]: undefined }))[0]).toBe(422);
    expect((await ask({ [first]: 7 }))[0]).toBe(422);
  });

  it('says that the graph failed when it did', async () => {
    const test = await open();
    test.ctx.graph.read = () => Promise.reject(new GraphError({ cause: new Error('connection lost') }));
    const answer = await post(test, path, body);
    expect([answer.statusCode, answer.json()]).toMatchObject([500, { detail: 'Graph query failed' }]);
  });
});

it.each<[string, object, PlanId, string, PlanId]>([
  ['flow-path', FLOW, 'starter', 'Flow path is a Pro feature.', 'pro'],
  ['relationship-check', PAIR, 'business', 'Relationship check is an Enterprise feature.', 'enterprise_trial'],
])('%s is for the plans that have it', async (path, body, without, detail, having) => {
  const test = shared;
  const refused = await post(test, path, body, without);
  expect([refused.statusCode, refused.json()]).toMatchObject([403, { detail }]);
  expect((await post(test, path, body, having)).statusCode).toBe(200);
});

/** What an answer says of addresses that nobody has read. */
const NOTHING_READ = {
  attributed: { received: null, sent: null },
  unattributed: {},
  through_unread: { received: null, sent: null },
  frontier: expect.arrayContaining([
    expect.objectContaining({ hop: 0, direction: 'sent', reason: 'not_read', usd: 0, share: 0 }),
  ]),
  frontier_count: expect.any(Number),
  complete: false,
  reasons: ['not_read'],
};

it('a flow path has the fields of the contract and nothing else', async () => {
  const test = shared;
  const hop = { chain: 'ethereum', asset: 'TOK', amount: '1' };
  expect((await post(test, 'flow-path', FLOW)).json()).toEqual({
    found: true,
    from_address: A,
    to_address: C,
    chain: 'ethereum',
    to_chain: 'ethereum',
    paths: [
      {
        length: 2,
        bottleneck_usd: 5,
        first_at: '1970-01-01T00:00:01.000Z',
        last_at: '1970-01-01T00:00:01.001Z',
        hops: [
          { ...hop, from: A, to: B, tx_hash: '0x0', usd: 9, at: '1970-01-01T00:00:01.000Z' },
          { ...hop, from: B, to: C, tx_hash: '0x1', usd: 5, at: '1970-01-01T00:00:01.001Z' },
        ],
      },
    ],
    searched: { addresses: 3, truncated: false, reasons: ['not_read'] },
    coverage: NOTHING_READ,
    note: null,
  });
});

it('a relationship has the fields of the contract and says how far it looked', async () => {
  const test = shared;
  expect((await post(test, 'relationship-check', PAIR)).json()).toEqual({
    address_a: A,
    address_b: C,
    chain: 'ethereum',
    chain_b: 'ethereum',
    related: true,
    direct: { a_to_b: null, b_to_a: null },
    shared_counterparties: [
      {
        address: B,
        label: null,
        category: 'unknown',
        with_a: {
          sent: {
            usd: 9,
            tx_count: 1,
            first_at: '1970-01-01T00:00:01.000Z',
            last_at: '1970-01-01T00:00:01.000Z',
            tx_hash: '0x0',
          },
          received: null,
        },
        with_b: {
          sent: null,
          received: {
            usd: 5,
            tx_count: 1,
            first_at: '1970-01-01T00:00:01.001Z',
            last_at: '1970-01-01T00:00:01.001Z',
            tx_hash: '0x1',
          },
        },
      },
    ],
    shared_count: 1,
    shared_services: [],
    shortest_path: {
      length: 2,
      hops: [expect.objectContaining({ tx_hash: '0x0' }), expect.objectContaining({ tx_hash: '0x1' })],
    },
    same_entity: false,
    searched: { truncated: false, reasons: [] },
    coverage: NOTHING_READ,
    note: null,
  });
});

it.each([
  ['flow-path', { ...FLOW, max_hops: 0 }],
  ['flow-path', { ...FLOW, max_hops: 11 }],
  ['flow-path', { ...FLOW, max_hops: '5' }],
  ['flow-path', { ...FLOW, min_usd: -1 }],
  ['flow-path', { ...FLOW, max_paths: 0 }],
  ['flow-path', { ...FLOW, max_paths: 11 }],
  ['flow-path', { ...FLOW, time_ordered: 'yes' }],
  ['flow-path', { ...FLOW, from: '2026-02-01', to: '2026-01-01' }],
  ['flow-path', { ...FLOW, from: 'yesterday' }],
  ['flow-path', { ...FLOW, through_services: 1 }],
  ['relationship-check', { ...PAIR, limit: 0 }],
  ['relationship-check', { ...PAIR, limit: 201 }],
])('%s has no shape for %j', async (path, payload) => {
  const test = shared;
  expect((await post(test, path, payload)).statusCode).toBe(422);
});

describe('GET /graph/counterparties/{address}', () => {
  const get = async (test: TestApp, address: string, headers?: { 'x-api-key': string }) =>
    test.app.inject({ url: `/api/v1/graph/counterparties/${address}`, headers });

  it('lists both directions for holders of a key on every plan', async () => {
    const test = shared;
    const answer = await get(test, B, await test.headers('free'));
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      address: B,
      chain: 'ethereum',
      read: false,
      counterparties: [
        { address: A, read: false, sent: null, received: { usd: 9, tx_count: 1 } },
        { address: C, read: false, sent: { usd: 5, tx_count: 1 }, received: null },
      ],
      total: 2,
      truncated: false,
    });
  });

  it('refuses requests without a key and what is not an address', async () => {
    const test = shared;
    expect((await get(test, B)).statusCode).toBe(401);
    const refused = await get(test, 'nonsense', await test.headers());
    expect([refused.statusCode, refused.json()]).toMatchObject([400, { detail: 'Unrecognized address format' }]);
  });
});

describe('POST /graph/transfers', () => {
  it('lists the largest transfers of each pair in the order of time, and says where there are more', async () => {
    const test = await openTestApp();
    const paid = [3, 9, 5].map((usd) => ({ from: A, to: B, usd }));
    await build(test.ctx.graph, { transfers: [...paid, { from: B, to: C, usd: 5 }] });
    const pairs = [
      { from: A, to: B },
      { from: C, to: A },
    ];
    const all = (await post(test, 'transfers', { pairs }, 'free')).json();
    expect(all.pairs[0].transfers.map(({ usd }: { usd: number }) => usd)).toEqual([3, 9, 5]);
    expect(all.pairs[0]).toMatchObject({ chain: 'ethereum', from: A, to: B, truncated: false });
    expect(all.pairs[1]).toMatchObject({ from: C, transfers: [], truncated: false });
    expect(all.addresses.map((one: { address: string }) => one.address)).toEqual([A, B, C]);
    expect(all.addresses[0]).toMatchObject({ chain: 'ethereum', label: null, category: 'unknown', read: false });
    const [cut] = (await post(test, 'transfers', { pairs, limit: 2 }, 'free')).json().pairs;
    expect(cut.transfers.map(({ usd }: { usd: number }) => usd)).toEqual([9, 5]);
    expect(cut.truncated).toBe(true);
  });

  it('refuses more than it can list at once, and pairs of one address', async () => {
    const ask = async (body: object) => (await post(shared, 'transfers', body)).statusCode;
    const pairs = Array.from({ length: 6 }, () => ({ from: A, to: B }));
    expect(await ask({ pairs, limit: 1_000 })).toBe(422);
    expect(await ask({ pairs: [] })).toBe(422);
    expect(await ask({ pairs: [{ from: A, to: A }] })).toBe(400);
  });
});

it('counts as read what a loaded file holds from the first transfer on, for every account', async () => {
  const test = await open();
  const interval = { list: 'coin', to: 2_000, source: LOADED_FILE, at: 3_000 } as const;
  const mark = (from: number) =>
    markAllRead(
      test.ctx.graph,
      'ethereum',
      [A, B, C],
      listsOfChain('ethereum').map((list) => ({ ...interval, list, from })),
    );
  const ask = async () => {
    const { found, searched, coverage } = (await post(test, 'flow-path', { ...FLOW, min_usd: 6 })).json();
    return { found, reasons: searched.reasons, frontier: coverage.frontier_count, complete: coverage.complete };
  };
  expect(await ask()).toMatchObject({ found: false, reasons: ['not_read'], complete: false });
  // Of the middle of a history nobody knows what came before.
  await mark(500);
  expect(await ask()).toMatchObject({ found: false, reasons: ['partial_history'], complete: false });
  await mark(0);
  expect(await ask()).toEqual({ found: false, reasons: [], frontier: 0, complete: true });
  const checked = (await post(test, 'relationship-check', PAIR)).json();
  expect(checked.coverage.frontier).toEqual([]);
});
