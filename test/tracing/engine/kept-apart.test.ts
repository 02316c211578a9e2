import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amounts, type Edge, left, run } from './in-memory.ts';

const RUNS = 300;

/** Transfers of one transaction, in their order. */
const together = (at: number, legs: readonly [from: string, to: string, usd: number][]): Edge[] =>
  legs.map(([from, to, usd], i) => [at, from, to, usd, { txHash: `T${at}`, index: `log:${i}`, seq: i }]);

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

describe('money that passes through an address within one transaction', () => {
  it('dilutes nothing: what was there before is mixed only with what stays', () => {
    const parts = fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 5 });
    const property = fc.property(fc.integer({ min: 1, max: 90 }), parts, parts, (held, came, goes) => {
      const whole = sum(came);
      const paid = goes.map((usd) => (whole * usd) / (sum(goes) + 1));
      const stays = whole - sum(paid);
      const world: Edge[] = [
        [1, 'HACK', 'a', held],
        ...together(2, [
          ...came.map((usd, i): [string, string, number] => [`MIX${'I'.repeat(i)}`, 'a', usd]),
          ...paid.map((usd): [string, string, number] => ['a', 'CEX', usd]),
        ]),
        [3, 'a', 'S', held + stays],
      ];
      const { parties } = run(world);
      const stolen = parties.filter(({ category }) => category === 'sanctioned');
      expect(sum(stolen.map(({ usd }) => usd))).toBeCloseTo(held, 6);
    });
    fc.assert(property, { numRuns: RUNS });
  });

  it('is what its payments draw on first, in their order, and the balance only beyond it', () => {
    const world = (paid: number): Edge[] => [
      [1, 'HACK', 'a', 100],
      ...together(2, [
        ['MIX', 'a', 50],
        ['a', 'S', paid],
        ['CEX', 'a', 500],
      ]),
    ];
    expect(amounts(run(world(40)))).toEqual(['MIX: 40 at 2']);
    expect(amounts(run(world(80)))).toEqual(['MIX: 50 at 2', 'HACK: 30 at 2']);
    expect(left(run(world(170)))).toEqual({ received_unseen: 20 });
  });

  it('leaves a loan that another party repays without a trace in what the borrower holds', () => {
    const world: Edge[] = [
      [1, 'MIX', 'pool', 5_000],
      [1, 'HACK', 'a', 90],
      ...together(2, [
        ['pool', 'a', 5_000],
        ['a', 'b', 5_000],
        ['b', 'pool', 5_000],
      ]),
      [3, 'a', 'S', 90],
    ];
    expect(amounts(run(world))).toEqual(['HACK: 90 at 2']);
    expect(amounts(run(world, { subject: 'pool' }))).toEqual(['MIX: 5000 at 1']);
  });

  it('is none of the outputs of Bitcoin, which pay no inputs of their own transaction', () => {
    const place = (i: number) => ({ symbol: 'BTC', txHash: 'T', index: `log:${i}`, seq: i });
    const world: Edge[] = [
      [1, 'bitcoin:HACK', 'bitcoin:a', 100, { symbol: 'BTC' }],
      [2, 'bitcoin:CEX', 'bitcoin:a', 300, place(0)],
      [2, 'bitcoin:a', 'bitcoin:S', 100, place(1)],
    ];
    expect(amounts(run(world, { subject: 'bitcoin:S' }))).toEqual(['bitcoin:CEX: 75 at 2', 'bitcoin:HACK: 25 at 2']);
  });
});

describe('what depositors take out of a contract', () => {
  const rounds = fc.array(
    fc.record({
      who: fc.constantFrom('S', 'x', 'y', 'HACK'),
      usd: fc.integer({ min: 1, max: 50 }),
      puts: fc.boolean(),
    }),
    { minLength: 4, maxLength: 14 },
  );

  it('is first their own, as far as the contract still had it, and all that a thief put in goes to others', () => {
    let mixed = 0;
    const property = fc.property(rounds, (drawn) => {
      let balance = 0;
      const takers = new Set<string>();
      const world = drawn.flatMap(({ who, usd, puts }, i): Edge[] => {
        // What a party took out does not go in again.
        const moved = puts ? (takers.has(who) ? 0 : usd) : Math.min(usd, balance);
        if (!puts && moved > 0) takers.add(who);
        balance += puts ? moved : -moved;
        if (moved === 0) return [];
        return [puts ? [i, who, 'vault', moved] : [i, 'vault', who, moved]];
      });
      if (balance > 0) world.push([drawn.length, 'vault', 'z', balance]);
      const stolenBy = (subject: string) => {
        const { parties } = run(world, { subject });
        return sum(parties.flatMap(({ category, usd }) => (category === 'sanctioned' ? [usd] : [])));
      };
      const put = sum(world.filter(([, from]) => from === 'HACK').map(([, , , usd]) => usd ?? 0));
      const took = ['S', 'x', 'y', 'z'].map(stolenBy);
      const backToThief = sum(world.filter(([, , to]) => to === 'HACK').map(([, , , usd]) => usd ?? 0));
      expect(sum(took)).toBeLessThanOrEqual(put + 1e-6);
      expect(sum(took)).toBeGreaterThanOrEqual(put - backToThief - 1e-6);
      // Who took out no more than it had in the contract at any time, where all got theirs, has nothing of a thief.
      const debts = new Map<string, number>();
      let isEven = true;
      for (const [, from, to, usd] of world) {
        const [who, sign] = to === 'vault' ? [from, 1] : [to, -1];
        debts.set(who, (debts.get(who) ?? 0) + sign * (usd ?? 0));
        if (who !== 'z' && (debts.get(who) ?? 0) < 0) isEven = false;
      }
      if (isEven) for (const usd of took.slice(0, 3)) expect(usd).toBeCloseTo(0, 6);
      if (isEven && put > 0 && debts.size > 2) mixed += 1;
    });
    fc.assert(property, { numRuns: RUNS });
    expect(mixed).toBeGreaterThan(RUNS / 100);
  });

  it('is what a thief put in where another address takes it, before or after the others', () => {
    const puts: Edge[] = [
      [1, 'S', 'vault', 25],
      [2, 'HACK', 'vault', 75],
    ];
    for (const world of [
      [...puts, [3, 'vault', 'S', 25], [4, 'vault', 'x', 75]],
      [...puts, [3, 'vault', 'x', 75], [4, 'vault', 'S', 25]],
    ] as Edge[][]) {
      expect(amounts(run(world, { subject: 'x' }))).toEqual(['HACK: 75 at 2']);
      expect(run(world).parties).toEqual([]);
      expect(left(run(world))).toEqual({ own_money: 25 });
    }
  });

  it('is no longer their own once the contract had spent it, nor at a wallet', () => {
    const world = (at: string): Edge[] => [
      [1, 'S', at, 75],
      [2, at, 'CEX', 75],
      [3, 'HACK', at, 75],
      [4, at, 'S', 75],
    ];
    expect(amounts(run(world('vault')))).toEqual(['HACK: 75 at 2']);
    const shared: Edge[] = [
      [1, 'S', 'a', 50],
      [2, 'HACK', 'a', 50],
      [3, 'a', 'S', 50],
    ];
    expect(amounts(run(shared))).toEqual(['HACK: 25 at 2']);
  });
});
