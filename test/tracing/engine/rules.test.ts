import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Direction } from '../../../src/domain/tracing/flow-portion.ts';
import { isOneAmount } from '../../../src/domain/tracing/funds-row.ts';
import { MEASURED_RULES, type Rule } from '../../../src/domain/tracing/rule.ts';
import { fundsRows } from '../../../src/tracing/answers/funds/rows.ts';
import { amounts, type Edge, endedUsd, left, NOW, type Run, run, takenParts } from './in-memory.ts';

const RUNS = 150;
const ROUNDING = 1e-9;
const DEEP = { hopsMax: 15 } as const;

/** What `S` sent by each rule: parties, and what is left by reason. */
function sentBy(edges: readonly Edge[], rule: Rule): (string | Record<string, number>)[] {
  const traced = run(edges, { direction: 'sent', rule });
  return [...amounts(traced), left(traced)];
}

describe('the rules of attribution', () => {
  // A banker's partner dies, and customers draw on accounts into which old and new money went: the oldest credit is met first.
  it("meets the first payment out of the first receipt by first in first out, as in Clayton's Case", () => {
    const account: Edge[] = [
      [1, 'S', 'A', 100],
      [2, 'X', 'A', 200],
      [3, 'A', 'CEX', 150],
      [4, 'A', 'MIX', 100],
    ];
    expect(sentBy(account, 'fifo')).toEqual(['CEX: 100 at 2', {}]);
    expect(sentBy(account, 'lifo')).toEqual(['MIX: 50 at 2', { held: 50 }]);
    expect(sentBy(account, 'pro_rata')).toEqual(['CEX: 50 at 2', 'MIX: 33.333333333 at 2', { held: 16.666666667 }]);
    expect(sentBy(account, 'lowest_balance')).toEqual(['MIX: 50 at 2', { held: 50 }]);
  });

  // A trustee spends all but a little of what he got, and puts money of his own in later: the claim does not grow again.
  it('claims no more than the lowest balance since the receipt', () => {
    const trustee: Edge[] = [
      [1, 'X', 'A', 40],
      [2, 'S', 'A', 460],
      [3, 'A', 'CEX', 470],
      [4, 'X', 'A', 330],
      [5, 'A', 'MIX', 340],
    ];
    expect(sentBy(trustee, 'lowest_balance')).toEqual(['CEX: 430 at 2', 'MIX: 10 at 2', { held: 20 }]);
    expect(sentBy(trustee, 'lifo')).toEqual(['CEX: 460 at 2', {}]);
    expect(sentBy(trustee, 'fifo')).toEqual(['CEX: 430 at 2', 'MIX: 30 at 2', {}]);
  });

  // One coin in four is stolen: by haircut a quarter of each part is, by poison every part is touched.
  it('gives each part its share by haircut, and touches every part by poison', () => {
    const mixed: Edge[] = [
      [1, 'HACK', 'A', 10],
      [2, 'CEX', 'A', 30],
      [3, 'A', 'b', 20],
      [4, 'A', 'S', 20],
    ];
    for (const subject of ['b', 'S']) {
      expect(amounts(run(mixed, { subject }))).toEqual(['CEX: 15 at 2', 'HACK: 5 at 2']);
      expect(amounts(run(mixed, { subject, rule: 'fifo' }))).toEqual(
        subject === 'b' ? ['CEX: 10 at 2', 'HACK: 10 at 2'] : ['CEX: 20 at 2'],
      );
      const poisoned = amounts(run(mixed, { subject, rule: 'poison', withPaths: true }));
      expect(poisoned).toEqual(['CEX: 15 at 2', 'HACK: 5 at 2']);
    }
  });

  it('touches what lay in the balance, and nothing after it was empty', () => {
    const emptied: Edge[] = [
      [1, 'HACK', 'A', 100],
      [2, 'A', 'X', 100],
      [3, 'CEX', 'A', 100],
      [4, 'A', 'S', 100],
    ];
    expect(amounts(run(emptied, { rule: 'poison', withPaths: true }))).toEqual(['CEX: 100 at 2']);
    expect(amounts(run(emptied, { withPaths: true }))).toEqual(['CEX: 100 at 2', 'HACK: 0 at 2']);
  });

  it('gives back first what is the own money of who is repaid', () => {
    const repaid: Edge[] = [
      [1, 'X', 'a', 300],
      [2, 'S', 'a', 100],
      [3, 'a', 'S', 60],
      [4, 'a', 'CEX', 340],
    ];
    for (const rule of MEASURED_RULES) expect(sentBy(repaid, rule)).toEqual(['CEX: 40 at 2', { own_money: 60 }]);
  });

  it('counts for the lowest balance what comes to a wallet over a way that is opened later', () => {
    const ways: Edge[] = [
      [1, 'S', 'a', 50],
      [1, 'S', 'b', 50],
      [2, 'b', 'c', 50],
      [3, 'c', 'a', 50],
      [4, 'X', 'a', 20],
      [5, 'a', 'CEX', 100],
    ];
    expect(sentBy(ways, 'lowest_balance')).toEqual(['CEX: 80 at 2', { held: 20 }]);
  });
});

const address = fc.constantFrom('S', 'T', 'a', 'a', 'b', 'b', 'c', 'vault', 'CEX', 'DEX', 'THIEF');

/** Few times and transactions; only transactions with a DEX have several assets. */
const edges: fc.Arbitrary<Edge[]> = fc
  .array(
    fc.record({
      at: fc.nat(8),
      from: address,
      to: address,
      usd: fc.integer({ min: 1, max: 40 }),
      quantity: fc.integer({ min: 1, max: 12 }),
      symbol: fc.constantFrom('USDC', 'ETH'),
      tx: fc.nat(2),
    }),
    { minLength: 6, maxLength: 20 },
  )
  .map((drawn) =>
    drawn.map(({ at, from, to, usd, quantity, symbol, tx }, i): Edge => {
      const assets = from === 'DEX' || to === 'DEX' ? 'swap' : symbol;
      const place = { txHash: `${at}-${tx}-${assets}`, index: `log:${i}`, seq: i };
      return [at, from, to, usd, { symbol, amount: String(quantity / 8), ...place }];
    }),
  );

const readings: fc.Arbitrary<Run['readings']> = fc
  .constantFrom(
    [{ from: Number.NEGATIVE_INFINITY, to: NOW, opening: null, closing: null }],
    [{ from: Number.NEGATIVE_INFINITY, to: 5, opening: null, closing: '0.5' }],
    [{ from: 3, to: NOW, opening: '0.75', closing: null }],
  )
  .map((spans) => ({ a: () => spans, b: () => spans }));

/** Payments of one asset at one price, each in a transaction and at a time of its own. */
function plain(parties: readonly [from: string, to: string][]): fc.Arbitrary<Edge[]> {
  const payment = fc.record({ way: fc.constantFrom(...parties), usd: fc.integer({ min: 1, max: 20 }) });
  return fc
    .array(payment, { minLength: 6, maxLength: 24 })
    .map((all) => all.map(({ way: [from, to], usd }, i): Edge => [i + 1, from, to, usd]));
}

const WALLETS = ['a', 'b', 'c'];
const between = WALLETS.flatMap((from) =>
  WALLETS.filter((to) => to !== from).map((to): [string, string] => [from, to]),
);

it('each rule adds up to what was moved, row by row, also where most rows are sums', async () => {
  let depends = 0;
  const property = fc.asyncProperty(
    ...([edges, readings, fc.constantFrom<Direction>('received', 'sent'), fc.constantFrom(2, 200)] as const),
    async (drawn, readings, direction, rowsMax) => {
      const by = (rule: Rule) => run(drawn, { direction, readings, rule, withPaths: rule === 'poison' });
      const others = MEASURED_RULES.filter((rule) => rule !== 'pro_rata').map((rule) => [rule, by(rule)] as const);
      const request = { direction, rowsMax, pause: async () => {} };
      const usual = await fundsRows(by('pro_rata'), request);
      const { rows, totalUsd } = await fundsRows(by('pro_rata'), {
        ...request,
        byRule: new Map(others),
        touched: by('poison'),
      });
      const money = rows.filter(({ reached }) => !reached);
      for (const rule of MEASURED_RULES) {
        const sum = money.reduce((total, { range }) => total + range!.by_rule[rule].usd, 0);
        expect(sum).toBeCloseTo(totalUsd, 4);
      }
      expect(money.map(({ usd }) => usd)).toEqual(money.map(({ range }) => range!.by_rule.pro_rata.usd));
      expect(money.slice(0, usual.rows.length).map(({ range, ...row }) => row)).toEqual(usual.rows);
      depends += rows.filter(({ range }) => !isOneAmount(range!)).length;
    },
  );
  await fc.assert(property, { numRuns: RUNS });
  expect(depends).toBeGreaterThan(RUNS / 10);
});

describe.each(MEASURED_RULES)('by %s', (rule) => {
  it.each<Direction>(['received', 'sent'])(
    'what ends is what was %s, and no transfer carries more than it moved',
    (direction) => {
      let followed = 0;
      const property = fc.property(edges, readings, (drawn, readings) => {
        const traced = run(drawn, { direction, readings, rule });
        expect(endedUsd(traced)).toBeCloseTo(traced.totalUsd, 6);
        for (const part of takenParts(traced).values()) {
          expect(part).toBeLessThanOrEqual(1 + ROUNDING);
          followed += 1;
        }
      });
      fc.assert(property, { numRuns: RUNS });
      // Few worlds lead far: chance is not to decide.
      expect(followed).toBeGreaterThan(RUNS / 2);
    },
  );

  it('says what pro rata says where a wallet held nothing else', () => {
    let moved = 0;
    const paid = plain([...WALLETS.map((to): [string, string] => ['S', to]), ...between, ['a', 'CEX'], ['b', 'MIX']]);
    const property = fc.property(paid, (drawn) => {
      const held = new Map([['S', Number.POSITIVE_INFINITY]]);
      const covered = drawn.filter(([, from, to, usd]) => {
        const balance = (held.get(from) ?? 0) - (usd as number);
        if (balance < 0) return false;
        held.set(from, balance).set(to, (held.get(to) ?? 0) + (usd as number));
        return true;
      });
      const one = run(covered, { direction: 'sent', rule, ...DEEP });
      const usual = run(covered, { direction: 'sent', ...DEEP });
      // Equal sums have no order of their own: what adding up leaves behind a comma decides.
      expect(amounts(one).sort()).toEqual(amounts(usual).sort());
      expect(left(one)).toEqual(left(usual));
      moved += one.parties.length;
    });
    fc.assert(property, { numRuns: RUNS });
    expect(moved).toBeGreaterThan(RUNS / 10);
  });
});

it.each<Rule>(['pro_rata', 'fifo', 'lifo'])('%s is the same there and back', (rule) => {
  let met = 0;
  const sources = ['HACK', 'CEX'].flatMap((from) => WALLETS.map((to): [string, string] => [from, to]));
  const paid = plain([...sources, ...between, ...WALLETS.map((from): [string, string] => [from, 'S'])]);
  const property = fc.property(paid, (drawn) => {
    const received = run(drawn, { direction: 'received', rule, ...DEEP });
    for (const source of ['HACK', 'CEX']) {
      const sent = run(drawn, { subject: source, direction: 'sent', rule, ...DEEP });
      const back = received.parties.filter((one) => one.address.endsWith(source));
      const there = sent.ends.filter((one) => one.address === 'ethereum:S');
      const sum = (all: readonly { usd: number }[]) => all.reduce((total, { usd }) => total + usd, 0);
      expect(sum(there)).toBeCloseTo(sum(back), 6);
      met += back.length;
    }
  });
  fc.assert(property, { numRuns: RUNS });
  expect(met).toBeGreaterThan(RUNS / 10);
});
