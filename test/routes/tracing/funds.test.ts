import { describe, expect, it } from 'vitest';
import type { PlanId } from '../../../src/plans.ts';
import { insertScan } from '../../../src/records/scans/scans.ts';
import type { Funds } from '../../../src/tracing/answers/funds/funds-of.ts';
import { NOW, openTestApp } from '../../app/test-app.ts';
import { build } from '../../graph/world.ts';

const addresses = ['a', 'b', 'c', 'd', 'e'].map((digit) => `0x${digit.repeat(40)}`);
const [SUBJECT, WALLET, EXCHANGE, SECOND, SILENT] = addresses as [string, string, string, string, string];
const DAY = 86_400_000;
const FIRST = NOW - 10 * DAY;

/** The subject paid a wallet, which paid a part on to an exchange, and a second subject, which paid all of it there. */
async function open(plan: PlanId = 'business') {
  const test = await openTestApp();
  const read = { at: NOW, complete: true };
  await build(test.ctx.graph, {
    transfers: [
      { at: FIRST, from: SUBJECT, to: WALLET, usd: 100, amount: '100' },
      { at: FIRST + DAY, from: WALLET, to: EXCHANGE, usd: 30, amount: '30' },
      { at: FIRST + 2 * DAY, from: SUBJECT, to: SECOND, usd: 10.005, amount: '10' },
      { at: FIRST + 3 * DAY, from: SECOND, to: EXCHANGE, usd: 10.005, amount: '10' },
    ],
    labels: { [EXCHANGE]: { category: 'exchange', label: 'Acme 1' } },
    scanned: [SUBJECT, WALLET, SECOND].map((address) => ({ address, ...read })),
  });
  const { key, accountId } = await test.issue(plan);
  for (const address of [SUBJECT, WALLET, SECOND]) {
    const scan = { chain: 'ethereum', source: 'sync', lang: 'en', risk_level: 'LOW', risk_score: 0 } as const;
    await insertScan(test.ctx.records, {
      ...scan,
      id: `scan ${address}`,
      account_id: accountId,
      address,
      detection_count: 0,
      rule_set_version: '1',
      result: '{}',
      created_at: NOW,
      units: 1,
    });
  }
  const headers = { 'x-api-key': key };
  return {
    get: (path: string) => test.app.inject({ url: `/api/v1${path}`, headers }),
    post: (path: string, payload: object) =>
      test.app.inject({ method: 'POST', url: `/api/v1${path}`, headers, payload }),
  };
}

const short = ({ rows }: Funds) => rows.map(({ kind, address, usd }) => `${kind} ${address?.slice(0, 3)}: ${usd}`);

describe('GET /graph/funds/{address}', () => {
  it.each([
    ['pro', true],
    ['starter', false],
  ] as const)('on the %s plan come with their statements: %s', async (plan, isShown) => {
    const { get } = await open(plan);
    const { cypher = '' } = (await get(`/graph/funds/${SUBJECT}?cypher=on`)).json();
    expect(cypher.includes(`ethereum:${WALLET}`)).toBe(isShown);
  });

  it('answers with rows that add up, the flows between addresses and the way of each', async () => {
    const { get } = await open();
    const answer = (await get(`/graph/funds/${SUBJECT}?max_hops=4`)).json();
    expect(answer).toMatchObject({ address: SUBJECT, chain: 'ethereum', direction: 'sent', max_hops: 4 });
    expect(answer.total_usd).toBe(110.005);
    expect(answer.rows).toMatchObject([
      { kind: 'held', address: WALLET, usd: 70, assets: { TOK: '70' }, hops: 1, transfers: 1, count: 1 },
      {
        kind: 'party',
        category: 'exchange',
        address: EXCHANGE,
        label: 'Acme 1',
        usd: 40.005,
        share: 0.363665,
        assets: { TOK: '40' },
        hops: 2,
        first_at: '2026-11-11T10:00:00.000Z',
        last_at: '2026-11-13T10:00:00.000Z',
        transfers: 2,
        path: [{ to: WALLET }, { to: EXCHANGE }],
      },
    ]);
    expect(answer.flows).toMatchObject([
      { from: SUBJECT, to: WALLET, usd: 100, assets: { TOK: '100' }, tx_count: 1 },
      { from: WALLET, to: EXCHANGE, usd: 30, transfers: [{ asset: 'TOK', amount: '30', usd: 30 }] },
      { from: SUBJECT, to: SECOND, usd: 10.005 },
      { from: SECOND, to: EXCHANGE, usd: 10.005 },
    ]);
    expect([answer.coverage.attributed, answer.coverage.complete]).toEqual([{ received: null, sent: 0.363665 }, true]);
  });

  it('follows only the own transfers of a span, of an asset, of a least value', async () => {
    const { get } = await open();
    const late = `from=${new Date(FIRST + DAY).toISOString()}`;
    for (const filter of [late, 'min_usd=0&to=2026-11-30&from=2026-11-11', 'asset=tok&from=2026-11-11']) {
      expect(short((await get(`/graph/funds/${SUBJECT}?${filter}`)).json())).toEqual(['party 0xc: 10.005']);
    }
    expect(short((await get(`/graph/funds/${SUBJECT}?min_usd=50`)).json())).toEqual(['held 0xb: 70', 'party 0xc: 30']);
  });

  it('is one row where nothing is known, which says what to do', async () => {
    const { get } = await open();
    const answer = (await get(`/graph/funds/${SILENT}`)).json();
    expect(answer.rows).toMatchObject([{ kind: 'not_read', address: SILENT, usd: 0 }]);
    expect(answer.note).toContain('POST /graph/trace');
  });

  it('refuses spans that end before they begin, unknown assets and figures out of range', async () => {
    const { get } = await open();
    const refused = {
      'from=2026-11-12&to=2026-11-11': 'to',
      'asset=NOPE': 'asset',
      'max_hops=16': 'max_hops',
      'max_hops=0': 'max_hops',
      'min_usd=-1': 'min_usd',
      'min_usd=much': 'min_usd',
      'direction=both': 'direction',
      'from=soon': 'from',
    };
    for (const [query, field] of Object.entries(refused)) {
      const answer = await get(`/graph/funds/${SUBJECT}?${query}`);
      expect([query, answer.statusCode, answer.json().detail[0]?.loc]).toEqual([query, 422, ['query', field]]);
    }
  });

  it('shows what the plan has, and still adds up', async () => {
    const shown = async (plan: PlanId) => {
      const { get } = await open(plan);
      const answer = (await get(`/graph/funds/${SUBJECT}`)).json() as Funds;
      const rows = answer.rows.map(({ kind, address, usd, path }) => [kind, address, usd, path.length]);
      return { rows, flows: answer.flows.length, note: answer.note };
    };
    const unexplained = 'Of what was sent, 110.01 USD is not explained by what is known to have come in.';
    expect(await shown('free')).toEqual({
      rows: [
        ['held', null, 70, 0],
        ['party', EXCHANGE, 40.005, 0],
      ],
      flows: 0,
      note: `${unexplained} Wallets that hold the money, and its flows, are shown from the Pro plan on.`,
    });
    const pro = [
      ['held', WALLET, 70, 1],
      ['party', EXCHANGE, 40.005, 0],
    ];
    expect(await shown('pro')).toEqual({ rows: pro, flows: 4, note: unexplained });
    expect((await shown('business')).rows).toEqual([pro[0], ['party', EXCHANGE, 40.005, 2]]);
  });
});

describe('GET /cases/{case_id}/funds', () => {
  it('takes the subjects of the case as one party, and says where it has none', async () => {
    const { get, post } = await open();
    const { id } = (await post('/cases', { title: 'Case' })).json().case;
    const empty = (await get(`/cases/${id}/funds`)).json();
    expect([empty.case_id, empty.total_usd, empty.rows]).toEqual([id, 0, []]);
    expect(empty.note).toContain('`subject`');
    for (const address of [SUBJECT, SECOND]) await post(`/cases/${id}/addresses`, { chain: 'ethereum', address });
    const { suggestions } = (await get(`/cases/${id}/suggestions`)).json();
    expect(suggestions).toMatchObject([
      { address: WALLET, why: 'held', usd: 70, share: 0.636335, hop: 1, of_address: SUBJECT, role: 'intermediary' },
      { address: EXCHANGE, why: 'labelled', usd: 40.005, share: 0.363665, category: 'exchange', label: 'Acme 1' },
    ]);
    await post(`/cases/${id}/addresses`, { chain: 'ethereum', address: WALLET, role: 'intermediary' });
    const answer = (await get(`/cases/${id}/funds`)).json();
    expect(short(answer)).toEqual(['held 0xb: 70', 'party 0xc: 40.005']);
    expect([answer.total_usd, answer.rows[1].hops]).toEqual([110.005, 1]);
    expect((await get(`/cases/${id.replace(/./g, '0')}/funds`)).statusCode).toBe(422);
    expect((await get('/cases/00000000-0000-4000-8000-000000000000/funds')).statusCode).toBe(404);
  });
});
