import { describe, expect, it, onTestFinished } from 'vitest';
import type { Transfer } from '../../src/domain/transfers/transfer.ts';
import { openGrafeo } from '../../src/graph/grafeo/grafeo.ts';
import type { Graph } from '../../src/graph/port.ts';
import { openSubject } from '../../src/tracing/read/open-addresses.ts';
import { Rounds } from '../../src/tracing/read/rounds.ts';
import { build } from './world.ts';

type Leg = Partial<Transfer> & { from: string; to: string };

/** What moved in one transaction, in this order. */
function together(nth: number, legs: [from: string, to: string, usd: number, more?: object][]): Leg[] {
  return legs.map(([from, to, usd, more], seq) => {
    return {
      from,
      to,
      usd,
      amount: String(usd),
      at: 1_000 * nth,
      txHash: `0x${nth}`,
      index: `log:${seq}`,
      seq,
      ...more,
    };
  });
}

/** Looks at the transactions of POOL: what is left of them, which limits cut, and how often the graph was asked. */
async function learned(transfers: Leg[], { most, labels = {} }: { most?: number; labels?: object } = {}) {
  const graph = await openGrafeo({ path: null });
  onTestFinished(() => graph.close());
  await build(graph, { transfers, labels: labels as never });
  let reads = 0;
  const counted = new Proxy(graph, {
    get: (target, name: keyof Graph) => {
      if (name === 'read') reads += 1;
      const value = target[name];
      return typeof value === 'function' ? (value as () => void).bind(target) : value;
    },
  });
  const found = new Map();
  const pool = await openSubject(graph, 'ethereum:POOL', { labels: found, timeoutMs: 5_000 });
  const rounds = new Rounds(counted, found, most);
  await rounds.learn(new Map([['ethereum:POOL', pool!]]), 5_000);
  return { left: rounds.left, cut: [...rounds.cut], reads };
}

const loan = (nth: number, usd = 200): Leg[] =>
  together(nth, [
    ['POOL', `b${nth}`, usd],
    [`b${nth}`, 'ROUTER', usd + 1],
    ['ROUTER', 'POOL', usd + 1],
  ]);
const loans = (count: number) => Array.from({ length: count }, (_, i) => loan(i, 200 + i)).flat();

describe('what went round inside transactions', () => {
  it('is found however many a lender has, with statements that hardly grow', async () => {
    const { left, cut, reads } = await learned(loans(350));
    expect([...left.values()].filter((rest) => rest === null)).toHaveLength(350);
    expect([...left.values()].flatMap((rest) => (rest ? [rest.amount] : []))).toEqual(Array(700).fill('1'));
    expect(cut).toEqual([]);
    expect(reads).toBeLessThanOrEqual(3);
  });

  it('is found in the most valuable ones first where the budget ends, and the others are named', async () => {
    const { left, cut } = await learned(loans(1_200), { most: 100 });
    expect(left.size).toBeGreaterThan(300);
    expect(cut.length).toBeGreaterThan(100);
    expect(cut.every((name) => Number(name.split('0x')[1]) < 1_000)).toBe(true);
  });

  it('is found beside a token of huge amounts', async () => {
    const [paid, back, last] = loan(1) as [Leg, Leg, Leg];
    const spam = { asset: 'SPAM', token: '0xspam', usd: null, amount: '9'.repeat(15), txHash: '0x1', at: 1_000 };
    const { left, cut } = await learned([
      paid,
      back,
      { ...last, from: 'LAST' },
      ...together(1, [['ROUTER', 'LAST', 201, { index: 'log:7', seq: 7 }]]),
      { ...spam, from: 'POOL', to: 'b1', index: 'log:8', seq: 8 },
      { ...spam, from: 'b1', to: 'POOL', index: 'log:9', seq: 9 },
    ]);
    expect([left.size, cut]).toEqual([4, []]);
  });

  it('is ruled out in a batch for many where who paid for it was paid nothing, and named where it may be', async () => {
    const batch = (beside: [string, string, number][]) =>
      together(1, [
        ['PAYER', 'POOL', 1_200],
        ...Array.from({ length: 120 }, (_, i): [string, string, number] => ['POOL', `r${i}`, 10]),
        ...beside,
      ]);
    expect((await learned(batch([]))).cut).toEqual([]);
    expect((await learned(batch([['OTHER', 'PAYER', 10]]))).cut).toEqual(['ethereum 0x1']);
    const labels = { OTHER: { category: 'exchange' } };
    expect((await learned(batch([['OTHER', 'PAYER', 10]]), { labels })).cut).toEqual([]);
  });
});
