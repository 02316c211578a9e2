import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listsOfChain } from '../../src/domain/chain.ts';
import { openGrafeo } from '../../src/graph/grafeo/grafeo.ts';
import { markRead } from '../../src/graph/ingest/mark-read.ts';
import { getFunds } from '../../src/tracing/answers/funds/get-funds.ts';
import { seed } from '../setup/seed.ts';
import { type Payment, pay, tracing } from './money.ts';

/** What `THIEF_1` and `THIEF_2` took from `V` and `W`, and gave back. */
async function victimsOf(payments: readonly Payment[]) {
  const graph = await openGrafeo({ path: null, shuffleUnordered: true });
  onTestFinished(() => graph.close());
  await pay(graph, payments);
  const keys = ['ethereum:THIEF_1', 'ethereum:THIEF_2'];
  const victims = new Set(['ethereum:V', 'ethereum:W']);
  const asked = { keys, victims, maxHops: 10, lang: 'en', withPatterns: false } as const;
  const sent = await getFunds(tracing(graph), { ...asked, direction: 'sent' });
  const received = await getFunds(tracing(graph), { ...asked, direction: 'received' });
  expect(received.victims).toBeNull();
  return sent.victims!;
}

const token = (asset: string) => ({ asset, kind: 'token', token: `0x${'f'.repeat(40)}`, index: 'log:1' }) as const;

describe('what victims of a case lost', () => {
  it('is all that they paid, and apart from it what came back, also over a wallet of the thief', async () => {
    const { lost, returned, complete } = await victimsOf([
      [1, 'V', 'THIEF_1', 95_000],
      [2, 'W', 'THIEF_2', 5_000],
      [3, 'THIEF_1', 'THIEF_2', 40_000],
      [4, 'THIEF_2', 'fundA', 10_000],
      [5, 'fundA', 'V', 10_000],
      [6, 'THIEF_1', 'W', 500],
      // Of what V has back it pays W, which the thief did not return.
      [7, 'V', 'W', 200],
    ]);
    expect(lost).toMatchObject({ usd: 100_000, unpriced: {} });
    expect(returned).toMatchObject({ usd: 10_500, unpriced: {} });
    expect(complete).toBe(true);
  });

  it('names quantities without a price beside the sum, and no counterfeit', async () => {
    const coin = { asset: 'ETH', amount: '3' };
    const { lost } = await victimsOf([
      [1, 'V', 'THIEF_1', 100],
      [2, 'V', 'THIEF_1', null, coin],
      [3, 'V', 'THIEF_1', null, { ...token('MEME'), amount: '7' }],
      [4, 'V', 'THIEF_1', null, { ...token(`USDT:0x${'f'.repeat(40)}`), amount: '95000' }],
    ]);
    expect(lost.usd).toBe(100);
    expect(lost.unpriced).toEqual({ ETH: '3', MEME: '7' });
  });

  it.each([
    ['not read', null, false],
    ['read down to the limit of its source', { from: 500, complete: false }, false],
    ['read whole', { from: 0, complete: true }, true],
  ])('is at least that unless the history of each subject is whole: %s', async (_, read, whole) => {
    const graph = await openGrafeo({ path: null, shuffleUnordered: true });
    onTestFinished(() => graph.close());
    await pay(graph, [[600, 'V', 'S', 10]]);
    if (read) {
      const [at, { from, complete }] = [1_000, read];
      const intervals = listsOfChain('ethereum').map((list) => ({ list, from, to: at, source: 'explorer', at }));
      const of = { chain: 'ethereum', address: 'S', at, isContract: false, isHub: false } as const;
      await markRead(graph, { ...of, complete, intervals });
    }
    const { victims } = await getFunds(tracing(graph), {
      keys: ['ethereum:S'],
      victims: new Set(['ethereum:V']),
      ...{ direction: 'sent', maxHops: 3, lang: 'en', withPatterns: false },
    });
    expect(victims).toMatchObject({ lost: { usd: 10 }, complete: whole });
  });

  it('is the sum of all payments of any world, and comes back no more than it was paid', async () => {
    const [from, to] = [
      ['V', 'W', 'THIEF_1', 'THIEF_2', 'fundA'],
      ['V', 'W', 'THIEF_1', 'THIEF_2', 'fundA', 'CEX'],
    ] as const;
    const payment = fc.tuple(fc.integer({ min: 1, max: 60 }), fc.nat(4), fc.nat(5), fc.integer({ min: 1, max: 500 }));
    const property = fc.asyncProperty(fc.array(payment, { minLength: 3, maxLength: 14 }), async (drawn) => {
      const payments = drawn
        .map(([at, a, b, usd]): Payment => [at, from[a]!, to[b]!, usd])
        .filter(([, a, b]) => a !== b);
      const isVictim = (name: string) => name === 'V' || name === 'W';
      const isThief = (name: string) => name.startsWith('THIEF');
      const sum = (of: (from: string, to: string) => boolean) =>
        payments.reduce((total, [, a, b, usd]) => total + (of(a, b) ? (usd as number) : 0), 0);
      const took = sum((a, b) => isVictim(a) && isThief(b));
      const direct = sum((a, b) => isThief(a) && isVictim(b));
      const over = sum((a, b) => a === 'fundA' && isVictim(b));
      const { lost, returned } = (await victimsOf(payments)) ?? { lost: { usd: 0 }, returned: { usd: 0 } };
      expect(lost.usd).toBeCloseTo(took, 2);
      expect(returned.usd).toBeGreaterThanOrEqual(direct - 0.01);
      expect(returned.usd).toBeLessThanOrEqual(direct + over + 0.01);
    });
    await fc.assert(property, { seed, numRuns: 25 });
  });
});
