import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openContext } from '../../src/context.ts';
import { groupBy } from '../../src/domain/group-by.ts';
import type { Label } from '../../src/domain/label.ts';
import { GraphTimeoutError } from '../../src/errors.ts';
import { openGrafeo } from '../../src/graph/grafeo/grafeo.ts';
import { readAndScore } from '../../src/questions/scans/scan-address.ts';
import { findIndirectExposure } from '../../src/tracing/answers/indirect/indirect-exposure.ts';
import { inquire } from '../../src/tracing/read/inquiry.ts';
import { build } from '../graph/world.ts';
import { putLabels } from '../labels/label-of.ts';
import { label } from '../risk/world.ts';
import { type Payment, pay, tracing } from './money.ts';

async function find(payments: Payment[], labels: Label[] = []) {
  const graph = await openGrafeo({ path: null, shuffleUnordered: true });
  onTestFinished(() => graph.close());
  await pay(graph, payments);
  const stored = { find: async () => groupBy(labels, ({ address }) => address) };
  return findIndirectExposure({ ...tracing(graph), labels: stored }, 'ethereum', 'S');
}

describe('indirect exposure for a score', () => {
  it('says how much of the received money no limit of ours left unexplained', async () => {
    const { received, trace } = await find([
      [1, 'CEX', 'S', 300],
      [2, 'unread', 'S', 600],
      [3, 'S', 'p', 100],
      [4, 'p', 'S', 100],
    ]);
    expect(trace.reasons).toContain('not_read');
    expect(received).toEqual({ usd: 1_000, explained: trace.explained.received });
    expect(trace.explained.received).toBeCloseTo(1 / 3, 6);
  });

  it('gives the sums of the 90 days before the last transfer', async () => {
    const day = 24 * 60 * 60 * 1_000;
    const { indirect } = await find([
      [1, 'CEX', 'S', 9_600],
      [2, 'CEX', 'S', 96],
      [300 * day, 'HACK', 'm', 300],
      [301 * day, 'm', 'S', 300],
      [302 * day, 'CEX', 'S', 4],
      [330 * day, 'S', 'o', 1],
    ]);
    expect(indirect).toMatchObject([{ usd: 300, share: 0.03, recentUsd: 300, recentShare: 300 / 304 }]);
  });

  it('is what lies behind unlabelled counterparties, by direction and category, with its last hop, all who carried it and the whole way to each source', async () => {
    const found = await find([
      [1, 'HACK', 'm', 30, { index: 'log:4' }],
      [1, 'HACK2', 'n', 10],
      [2, 'm', 'S', 30, { index: 'log:7' }],
      [3, 'n', 'S', 10],
      [4, 'CEX', 'S', 60],
      [5, 'S', 'o', 50],
      [6, 'o', 'p', 50],
      [7, 'p', 'MIX', 50],
    ]);
    expect(found).toMatchObject({
      timedOut: false,
      indirect: [
        {
          direction: 'received',
          category: 'sanctioned',
          share: 0.4,
          usd: 40,
          minHops: 2,
          evidence: ['0x2#log:7', '0x3#native'],
          counterparties: ['m', 'n'],
          span: { from: 1, to: 3 },
          ways: [
            { address: 'HACK', usd: 30, hops: 2, path: ['0x2#log:7', '0x0#log:4'] },
            { address: 'HACK2', usd: 10, hops: 2, path: ['0x3#native', '0x1#native'] },
          ],
        },
        {
          direction: 'sent',
          category: 'mixer',
          share: 1,
          usd: 50,
          minHops: 3,
          evidence: ['0x5#native'],
          counterparties: ['o'],
          span: { from: 5, to: 7 },
          ways: [{ address: 'MIX', usd: 50, hops: 3, path: ['0x5#native', '0x6#native', '0x7#native'] }],
        },
      ],
    });
  });

  it('shows who paid, and who was paid, through a contract in one transaction, whose names its own transfers do not bear', async () => {
    const within = (seq: number) => ({ txHash: '0xT', index: `log:${seq}`, seq });
    const { indirect } = await find([
      [1, 'HACK', 'ROUTER', 50, within(0)],
      [1, 'ROUTER', 'S', 50, within(1)],
      [2, 'S', 'ROUTER', 40, { ...within(0), txHash: '0xU' }],
      [2, 'ROUTER', 'MIX', 40, { ...within(1), txHash: '0xU' }],
    ]);
    expect(indirect).toMatchObject([
      { direction: 'received', category: 'sanctioned', usd: 50, share: 1, minHops: 1, counterparties: ['ROUTER'] },
      { direction: 'sent', category: 'mixer', usd: 40, share: 1, minHops: 1, counterparties: ['ROUTER'] },
    ]);
  });

  it('takes what came from a market for something without a price as unexplained, and for its price as a trade', async () => {
    const sale = (usd: number | null): Payment[] => [
      [1, 'S', 'ROUTER', usd, { txHash: '0xT', index: 'log:0', token: '0xnew', asset: 'NEW', amount: '9' }],
      [1, 'ROUTER', 'S', 5_000, { txHash: '0xT', index: 'log:1', seq: 1 }],
    ];
    expect((await find(sale(null))).received.explained).toBe(0);
    expect((await find(sale(4_900))).received.explained).toBe(1);
  });

  it('lists money of before a designation apart, or gives it to what else the party is labelled as', async () => {
    const payments: Payment[] = [
      [1, 'HACK', 'm', 30],
      [2, 'm', 'S', 30],
      [10, 'HACK', 'n', 10],
      [11, 'n', 'S', 10],
    ];
    const listed = (more: Partial<Label>) => label('HACK', 'sanctioned', { validFrom: 5, ...more });
    const kinds = async (...labels: Label[]) =>
      (await find(payments, labels)).indirect.map(({ category, standing, usd, ways: [way] }) => {
        return [category, standing, usd, way?.path.length];
      });
    expect(await kinds(listed({}))).toEqual([
      ['sanctioned', undefined, 10, 2],
      ['sanctioned', 'before', 30, 2],
    ]);
    expect(await kinds(listed({ programme: 'RUSSIA-EO14024' }))).toContainEqual([
      'sanctioned',
      'before_country',
      30,
      2,
    ]);
    expect(await kinds(listed({}), label('HACK', 'theft'))).toEqual([
      ['sanctioned', undefined, 10, 2],
      ['theft', undefined, 30, 2],
    ]);
    expect(await kinds()).toEqual([['sanctioned', undefined, 40, 2]]);
  });

  it('looks fifteen hops far and never at direct counterparties', async () => {
    // Each wallet in between had as much of others before, and passed it on.
    const chain = (length: number) => [
      [0, 'HACK', 'S', 5] satisfies Payment,
      ...Array.from({ length }, (_, i): Payment[] => {
        const others: Payment[] = [
          [10 * i + 2, `x${i}`, `a${i + 1}`, 5],
          [10 * i + 3, `a${i + 1}`, `y${i}`, 5],
        ];
        const passed: Payment = [10 * i + 4, i === 0 ? 'HACK' : `a${i}`, i === length - 1 ? 'S' : `a${i + 1}`, 5];
        return i === length - 1 ? [passed] : [...others, passed];
      }).flat(),
    ];
    expect(await find(chain(15))).toMatchObject({ indirect: [{ usd: 5, share: 0.5, minHops: 15 }], timedOut: false });
    const { indirect, trace } = await find(chain(16));
    expect(indirect).toEqual([]);
    expect(trace).toMatchObject({ max_hops: 15, attributed: { received: 0.5, sent: null } });
    expect(trace.reasons).toContain('max_hops');
    expect(trace.frontier).toHaveLength(5);
  });

  it('says so when its time ended', async () => {
    const graph = await openGrafeo({ path: null });
    onTestFinished(() => graph.close());
    await pay(graph, [
      [1, 'HACK', 'm', 5],
      [2, 'm', 'S', 5],
    ]);
    let count = 0;
    const slow: typeof graph.read = (name, params, options) =>
      count++ > 0 ? Promise.reject(new GraphTimeoutError()) : graph.read(name, params, options);
    expect(await findIndirectExposure(tracing({ ...graph, read: slow }), 'ethereum', 'S')).toMatchObject({
      indirect: [],
      timedOut: true,
    });
  });
});

describe('a scan', () => {
  it('reports sanctioned money behind an unlabelled counterparty, with its evidence', async () => {
    const ctx = await openContext(readConfig({}), { inMemory: true, log: pino({ level: 'silent' }) });
    onTestFinished(() => ctx.close());
    const [subject, middle, listed] = ['a', 'b', 'c'].map((digit) => `0x${digit.repeat(40)}`) as [
      string,
      string,
      string,
    ];
    await build(ctx.graph, {
      transfers: [
        { from: listed, to: middle, usd: 300, amount: '300' },
        { from: `0x${'d'.repeat(40)}`, to: middle, usd: 700, amount: '700' },
        { from: middle, to: subject, usd: 1_000, amount: '1000' },
      ],
      labels: { [listed]: { category: 'sanctioned', label: 'Listed' } },
    });
    await putLabels(ctx.labels, [label(listed, 'sanctioned')]);
    const { signal } = new AbortController();
    const rules = { maxAgeMs: 0, readsAll: false, reach: 'none' } as const;
    const inquiry = { ...(await inquire(ctx, 'account')), signal };
    const { result: scan } = await readAndScore(inquiry, { chain: 'ethereum', address: subject, lang: 'en' }, rules);
    expect(scan.detections).toContainEqual(
      expect.objectContaining({
        detector_id: 'sanctions_indirect',
        severity: 'MEDIUM',
        description: expect.stringContaining('The list states no day of designation'),
        details: expect.objectContaining({
          variant: 'received_undated',
          window: { from: expect.stringMatching(/Z$/), to: expect.stringMatching(/Z$/) },
          measured: expect.objectContaining({
            category: 'sanctioned',
            share: 0.3,
            usd: 300,
            min_hops: 2,
            designated_at: null,
          }),
          evidence: ['0x2#native'],
          counterparties: [middle],
        }),
      }),
    );
  });
});
