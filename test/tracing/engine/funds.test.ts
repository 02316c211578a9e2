import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupBy } from '../../../src/domain/group-by.ts';
import type { Direction } from '../../../src/domain/tracing/flow-portion.ts';
import { NOT_READ, readUntil } from '../../../src/domain/tracing/reading.ts';
import { carriedOf, fundsFlows } from '../../../src/tracing/answers/funds/flows.ts';
import { fundsRows } from '../../../src/tracing/answers/funds/rows.ts';
import { assetsOf } from '../../../src/tracing/engine/walk/evidence.ts';
import type { Trace } from '../../../src/tracing/engine/walk/findings.ts';
import { crossing } from './crossings.ts';
import { amounts, type Edge, endedUsd, keyOf, left, NOW, type Run, run, transfersOf } from './in-memory.ts';

const RUNS = 700;
const CENT = 0.01;

const pause = () => undefined;
const rowsOf = async (edges: readonly Edge[], options: Run = {}) => {
  const direction = options.direction ?? 'sent';
  return fundsRows(run(edges, { ...options, direction }), { direction, pause });
};
const short = async (edges: readonly Edge[], options?: Run) =>
  (await rowsOf(edges, options)).rows.map(({ kind, address, usd, hops }) => `${kind} ${address}: ${usd} at ${hops}`);

const name = fc.constantFrom('S', 'T', 'a', 'b', 'c', 'd', 'vault', 'CEX', 'MIX');
const edges: fc.Arbitrary<Edge[]> = fc.array(
  fc
    .tuple(fc.nat(12), name, name, fc.integer({ min: 1, max: 99_999 }), fc.constantFrom('USDC', 'ETH'))
    .map(([at, from, to, cents, symbol]): Edge => [at, from, to, cents / 97, { symbol, amount: String(cents / 8) }]),
  { minLength: 4, maxLength: 24 },
);
const directions = fc.constantFrom<Direction>('sent', 'received');

describe('the account of the money', () => {
  it('sums crossings that issued units, of which there may be thousands, and no other newly issued ones', async () => {
    const zero = 'ethereum:0x0000000000000000000000000000000000000000';
    const trace = run([[1, 'CEX', 'S', 5]], { direction: 'received' });
    const [portion] = trace.parties[0]!.arrivals;
    const unpricedBridged = Array.from({ length: 30 }, (_, n) => {
      const side = { party: 'A', at: 2, amount: '1', explains: [1] };
      const sides = { out: side, arrived: { ...side, party: 'S' } };
      const bridge = { crossing: crossing(String(n), sides), end: 'bridge_not_looked_up' as const };
      const transfer = { ...portion!.transfer, id: `mint ${n}`, from: zero, bridge };
      return { address: zero, label: null, portion: { ...portion!, usd: 0, transfer } };
    });
    const issued = {
      address: zero,
      reason: 'unknown_origin' as const,
      usd: 1,
      hops: 1,
      arrivals: [],
      quantities: null,
    };
    const summed = { ...trace, totalUsd: 6, ends: [issued], unpricedBridged };
    const { rows } = await fundsRows(summed, { direction: 'received', pause, rowsMax: 0 });
    expect(rows.map(({ kind, address, count }) => `${kind} ${address} ${count}`).sort()).toEqual([
      'bridge null 30',
      'party null 1',
      'price_change null 1',
      `unknown_origin ${zero.slice(9)} 1`,
    ]);
  });

  it('has a row for each end, with what is there and the way of the money', async () => {
    const paid: Edge[] = [
      [1, 'S', 'a', 100, { symbol: 'ETH', amount: '10.000000000000000001' }],
      [2, 'a', 'CEX', 40, { symbol: 'ETH', amount: '4' }],
      [3, 'S', 'b', 30, { symbol: 'USDC', amount: '30.5' }],
      [4, 'S', 'c', 7],
      [5, 'c', 'S', 7],
      [6, 'S', 'CEX', 5],
    ];
    const { totalUsd, rows } = await rowsOf(paid, { readings: { b: NOT_READ } });
    expect(totalUsd).toBe(142);
    expect(
      rows.map(({ kind, address, usd, assets, hops, transfers, path }) => [
        `${kind} ${address}: ${usd} at ${hops}`,
        assets,
        transfers,
        path.map(({ tx_hash }) => tx_hash),
      ]),
    ).toEqual([
      ['held a: 60 at 1', { ETH: '6' }, 1, ['tx0']],
      ['party CEX: 45 at 1', { ETH: '4', USDC: '5' }, 2, ['tx5']],
      ['not_read b: 30 at 1', { USDC: '30.5' }, 1, ['tx2']],
      ['own_money S: 7 at 2', { USDC: '7' }, 1, ['tx3', 'tx4']],
    ]);
  });

  it('has one row for the ends of one holder, kind, category and chain, under the address with most of it', async () => {
    const paid: Edge[] = [
      [1, 'S', 'a', 100, { symbol: 'ETH', amount: '10' }],
      [2, 'S', 'b', 30, { symbol: 'ETH', amount: '3' }],
      [3, 'S', 'b', 7],
      [4, 'S', 'c', 5],
      [5, 'S', 'CEX', 20],
      [6, 'S', 'CEX2', 40],
      [7, 'S', 'polygon:a', 9],
    ];
    const held = new Map(
      ['a', 'b', 'polygon:a', 'CEX', 'CEX2'].map((one) => [keyOf(one), /CEX/.test(one) ? 'x' : 'h']),
    );
    const holderOf = (key: string) => {
      const id = held.get(key);
      return id === undefined ? undefined : { id, name: id === 'x' ? 'Exchange' : 'Wallet' };
    };
    const balanceOf = (key: string) => (key === keyOf('c') ? null : { ETH: key === keyOf('a') ? '11' : '4.5' });
    const request = { direction: 'sent', pause, holderOf, balanceOf } as const;
    const { totalUsd, rows } = await fundsRows(run(paid, { direction: 'sent' }), request);
    expect(totalUsd).toBe(211);
    expect(
      rows.map(({ kind, chain, address, label, usd, assets, balance, count, transfers, arrivals }) => [
        `${kind} ${chain} ${address} ${label}: ${usd}`,
        { assets, balance, count, transfers, arrivals: arrivals.length },
      ]),
    ).toEqual([
      [
        'held ethereum a null: 137',
        { assets: { ETH: '13', USDC: '7' }, balance: { ETH: '15.5' }, count: 2, transfers: 3, arrivals: 3 },
      ],
      [
        'party ethereum CEX2 Exchange: 60',
        { assets: { USDC: '60' }, balance: null, count: 2, transfers: 2, arrivals: 2 },
      ],
      [
        'held polygon a null: 9',
        { assets: { USDC: '9' }, balance: { ETH: '4.5' }, count: 1, transfers: 1, arrivals: 1 },
      ],
      ['held ethereum c null: 5', { assets: { USDC: '5' }, balance: null, count: 1, transfers: 1, arrivals: 1 }],
    ]);
  });

  it('takes several subjects as one party: what moves among them is internal', async () => {
    const paid: Edge[] = [
      [1, 'S', 'T', 100],
      [2, 'T', 'a', 90],
      [3, 'a', 'CEX', 60],
      [4, 'a', 'S', 30],
      [5, 'S', 'MIX', 10],
    ];
    expect(await short(paid, { subject: ['S', 'T'] })).toEqual([
      'party CEX: 60 at 2',
      'own_money S: 30 at 2',
      'party MIX: 10 at 1',
    ]);
    expect(await short(paid, { subject: ['S', 'T'], direction: 'received' })).toEqual(['own_money T: 30 at 2']);
  });

  it('counts what a contract gives back to one wallet of the subject once, though another one takes something out later', async () => {
    const paid: Edge[] = [
      [1, 'S', 'vault', 100],
      [1, 'vault', 'T', 100],
      [1, 'b', 'vault', 3_300],
      [2, 'vault', 'S', 100, { symbol: 'ETH', amount: '1' }],
    ];
    expect(await short(paid, { subject: ['S', 'T'] })).toEqual(['own_money T: 100 at 2']);
  });

  describe('leaves out what the subject exchanged itself', () => {
    const account = (edges: readonly Edge[], direction: Direction, more: Run = {}) =>
      run(edges, { ...more, direction, leavesOutExchanges: true });
    const summed = (trace: Trace) => [trace.totalUsd, trace.exchangedUsd, amounts(trace), left(trace)];
    const eth = (amount: number, more = {}) => ({ symbol: 'ETH', amount: String(amount), ...more });
    const leg = (seq: number) => ({ txHash: 'swap', index: `log:${seq}`, seq });
    const swapped: Edge[] = [
      [1, 'HACK', 'S', 9_000],
      [2, 'S', 'DEX', 6_000, leg(0)],
      [2, 'DEX', 'S', 6_000, eth(3, leg(1))],
      [3, 'S', 'CEX', 3_000],
      [4, 'S', 'MIX', 6_000, eth(3)],
    ];

    it('on both sides, at a labelled exchange and at a pool that has no name', () => {
      for (const name of ['DEX', 'pool']) {
        const edges = swapped.map(
          ([at, from, to, ...more]): Edge => [at, from.replace('DEX', name), to.replace('DEX', name), ...more],
        );
        expect(summed(account(edges, 'sent'))).toEqual([9_000, 6_000, ['MIX: 6000 at 1', 'CEX: 3000 at 1'], {}]);
        expect(summed(account(edges, 'received'))).toEqual([9_000, 6_000, ['HACK: 9000 at 1'], {}]);
      }
      expect(amounts(run(swapped, { direction: 'sent' }))).toContain('DEX: 6000 at 1');
    });

    it('as far as the values agree, and where both sides have a price', () => {
      const dear = swapped.map(
        (edge): Edge => (edge[2] === 'S' && edge[1] === 'DEX' ? [2, 'DEX', 'S', 1_000, edge[4]] : edge),
      );
      const sent = account(dear, 'sent');
      expect(sent.totalUsd).toBeCloseTo(13_900, 6);
      expect(sent.parties.find(({ category }) => category === 'dex')?.usd).toBeCloseTo(4_900, 6);
      const [party] = sent.parties.filter(({ category }) => category === 'dex');
      expect(assetsOf(party!, 'sent')).toEqual({ USDC: '4900' });
      const unpriced = swapped.map(
        (edge): Edge => (edge[2] === 'S' && edge[1] === 'DEX' ? [2, 'DEX', 'S', null, edge[4]] : edge),
      );
      expect(account(unpriced, 'sent').exchangedUsd).toBe(0);
    });

    it('and says which part of what was sent nothing explains that came in', () => {
      const more: Edge[] = [...swapped, [5, 'S', 'CEX', 50]];
      expect(account(more, 'sent').uncoveredUsd).toBeCloseTo(50, 9);
      expect(account(more, 'received').uncoveredUsd).toBe(0);
      expect(account(more, 'sent', { readings: { S: readUntil(NOW, false) } }).uncoveredUsd).toBe(0);
    });

    it('so that no more goes out than came in, or is said to be unexplained', () => {
      const prices = { USDC: 1, ETH: 2_000, WBTC: 30_000 };
      const symbol = fc.constantFrom('USDC', 'ETH', 'WBTC');
      const party = fc.constantFrom('S', 'T', 'a', 'b', 'vault', 'CEX', 'DEX');
      const moved = (at: number, from: string, to: string, usd: number, of: keyof typeof prices, place = {}): Edge => [
        at,
        from,
        to,
        usd,
        { symbol: of, amount: (usd / prices[of]).toFixed(9), ...place },
      ];
      const event = fc.record({
        at: fc.nat(9),
        from: party,
        to: party,
        usd: fc.integer({ min: 1, max: 900 }).map((usd) => usd * 30),
        given: symbol,
        got: symbol,
        exchanges: fc.boolean(),
      });
      let exchanged = 0;
      const property = fc.property(fc.array(event, { minLength: 4, maxLength: 16 }), fc.boolean(), (drawn, isSet) => {
        const world = drawn.flatMap(({ at, from, to, usd, given, got, exchanges }, i): Edge[] => {
          if (!exchanges || given === got) return [moved(at, from, to, usd, given)];
          const place = (seq: number) => ({ txHash: `swap${i}`, index: `log:${seq}`, seq });
          return [moved(at, from, 'DEX', usd, given, place(0)), moved(at, 'DEX', from, usd, got, place(1))];
        });
        const subject = isSet ? ['S', 'T'] : ['S'];
        const [out, into] = [account(world, 'sent', { subject }), account(world, 'received', { subject })];
        expect(out.totalUsd).toBeLessThanOrEqual(into.totalUsd + out.uncoveredUsd + CENT);
        expect(endedUsd(out)).toBeCloseTo(out.totalUsd, 3);
        expect(endedUsd(into)).toBeCloseTo(into.totalUsd, 3);
        if (out.exchangedUsd > 0) exchanged += 1;
      });
      fc.assert(property, { numRuns: RUNS / 4 });
      expect(exchanged).toBeGreaterThan(RUNS / 40);
    });
  });

  it('sums what is beyond 200 rows by kind and category, and still adds up', async () => {
    const paid = Array.from({ length: 700 }, (_, i): Edge => [i, 'S', i % 3 ? `w${i}` : `CEX${i}`, 1000 / (i + 7)]);
    const { totalUsd, rows } = await rowsOf(paid, { limit: 1_000 });
    const summed = rows.filter(({ address }) => address === null);
    expect(summed.map(({ kind }) => kind).sort()).toEqual(['held', 'party']);
    expect(summed.reduce((sum, { count }) => sum + count, 0)).toBe(500);
    expect(rows).toHaveLength(202);
    expect(rows.reduce((sum, { usd }) => sum + Math.round(usd * 1e6), 0)).toBe(Math.round(totalUsd * 1e6));
  });

  it('adds up to the total on random graphs, and its flows conserve', async () => {
    let passed = 0;
    const property = fc.asyncProperty(edges, directions, fc.boolean(), async (drawn, direction, isSet) => {
      const subject = isSet ? ['S', 'T'] : ['S'];
      const trace = run(drawn, { direction, subject, hopsMax: 4 });
      const { totalUsd, rows } = await fundsRows(trace, { direction, pause });
      expect(rows.reduce((sum, { usd }) => sum + Math.round(usd * 1e6), 0)).toBe(Math.round(totalUsd * 1e6));
      expect(totalUsd).toBeCloseTo(trace.totalUsd, 6);
      expect(endedUsd(trace)).toBeCloseTo(trace.totalUsd, 6);
      for (const { kind, usd, assets } of rows) {
        if (kind !== 'price_change') expect(usd).toBeGreaterThanOrEqual(0);
        for (const amount of Object.values(assets)) expect(Number(amount)).toBeGreaterThan(0);
      }
      const summed = await fundsRows(trace, { direction, pause, rowsMax: 0 });
      expect(summed.rows.reduce((sum, { count }) => sum + count, 0)).toBe(rows.length);
      expect(summed.rows.reduce((sum, { usd }) => sum + Math.round(usd * 1e6), 0)).toBe(Math.round(totalUsd * 1e6));
      for (const { kind, category, usd, assets } of summed.rows) {
        const same = rows.filter((row) => row.kind === kind && row.category === category);
        expect(usd).toBeCloseTo(
          same.reduce((sum, row) => sum + row.usd, 0),
          4,
        );
        for (const [asset, amount] of Object.entries(assets)) {
          const quantity = same.reduce((sum, row) => sum + Number(row.assets[asset] ?? 0), 0);
          expect(Number(amount)).toBeCloseTo(quantity, 6);
        }
      }
      const holderOf = (key: string) => (/:(?:a|b|CEX)$/.test(key) ? { id: 'h', name: null } : undefined);
      const joined = await fundsRows(trace, { direction, pause, holderOf });
      const holderName = ({ kind, category, address }: (typeof rows)[number]) =>
        `${kind} ${category} ${holderOf(keyOf(address ?? '')) ? 'h' : address}`;
      const byHolder = groupBy(rows, holderName);
      expect(joined.rows.map(holderName).sort()).toEqual([...byHolder.keys()].sort());
      for (const row of joined.rows) {
        const same = byHolder.get(holderName(row))!;
        const sumOf = (of: (one: typeof row) => number) => same.reduce((sum, one) => sum + of(one), 0);
        expect(row.usd).toBeCloseTo(
          sumOf(({ usd }) => usd),
          4,
        );
        expect(row.followed_usd).toBeCloseTo(
          sumOf(({ followed_usd }) => followed_usd),
          4,
        );
        expect([row.count, row.transfers]).toEqual([sumOf(({ count }) => count), sumOf(({ transfers }) => transfers)]);
        for (const [asset, amount] of Object.entries(row.assets)) {
          expect(Number(amount)).toBeCloseTo(
            sumOf(({ assets }) => Number(assets[asset] ?? 0)),
            6,
          );
        }
      }
      const ended = new Map<string, number>();
      for (const { address, usd } of rows) ended.set(address as string, (ended.get(address as string) ?? 0) + usd);
      const { flows } = await fundsFlows(trace, pause);
      const [near, far] = direction === 'sent' ? (['from', 'to'] as const) : (['to', 'from'] as const);
      const sum = (side: 'from' | 'to', address: string) =>
        flows.reduce((total, flow) => total + (flow[side] === address ? flow.usd : 0), 0);
      expect(subject.reduce((total, one) => total + sum(near, one), 0)).toBeCloseTo(totalUsd, 2);
      for (const address of new Set(flows.map((flow) => flow[far]))) {
        const onward = subject.includes(address) ? 0 : sum(near, address);
        expect(Math.abs(sum(far, address) - onward - (ended.get(address) ?? 0))).toBeLessThan(CENT);
        if (onward > 0) passed += 1;
      }
      expect([...carriedOf(trace)].every(({ usd }) => usd > 0)).toBe(true);
    });
    await fc.assert(property, { numRuns: RUNS });
    expect(passed).toBeGreaterThan(RUNS / 10);
  });
});

it('calls a refund what goes back to who had paid before, and what a wallet kept of the money that it passes on is held', async () => {
  const refunded: Edge[] = [
    [1, 'buyer', 'S', 50],
    [2, 'S', 'buyer', 40],
  ];
  const passed: Edge[] = [
    [1, 'S', 'mule', 100],
    [2, 'mule', 'S', 90],
    [3, 'S', 'mule', 1],
    [4, 'S', 'late', 30],
    [5, 'late', 'S', 0.5],
  ];
  const kinds = async (paid: readonly Edge[]) => {
    const trace = run(paid, { direction: 'sent' });
    const paymentsOf = (key: string) => transfersOf(paid).filter(({ from, to }) => from === key && to === keyOf('S'));
    const { rows } = await fundsRows(trace, { direction: 'sent', pause, paymentsOf });
    return rows.map(({ kind, address }) => `${kind} ${address}`);
  };
  expect(await kinds(refunded)).toEqual(['returned buyer']);
  expect(await kinds(passed)).toEqual(['own_money S', 'held late', 'held mule']);
});
