import { describe, expect, it } from 'vitest';
import { Dice } from '../../fixtures/anomaly/dice.ts';
import { seed } from '../setup/seed.ts';
import type { Payment } from './money.ts';
import { scan, scanWithTrace } from './scanned.ts';

const dice = new Dice(seed);
const DAY = 86_400_000;
const COIN = { asset: 'ETH', token: null };

/** Customers of a contract, who had their money at an exchange. */
function customers(of: string, count: number, usd: number): Payment[] {
  return Array.from({ length: count }, (_, i): Payment[] => [
    [DAY + i, 'CEX', `c${i}`, usd],
    [2 * DAY + i, `c${i}`, of, usd],
  ]).flat();
}

/** What moved in one transaction, in this order. */
function together(day: number, legs: [from: string, to: string, usd: number, more?: object][]): Payment[] {
  return legs.map(([from, to, usd, more], i): Payment => {
    return [DAY * day, from, to, usd, { txHash: `0xt${day}`, index: `log:${i}`, ...more }];
  });
}

const stolen = () => dice.int(20, 90) * 1_000;

/** A thief's wallet puts money into a vault, takes it out beside what else moves in that transaction, and pays S. */
function throughVault(beside: [string, string, number, object?][], usd = stolen()): Payment[] {
  return [
    ...customers('vault', 40, 250_000),
    [DAY * 10, 'THIEF', 't', usd],
    [DAY * 11, 't', 'vault', usd],
    ...together(13, [...beside, ['vault', 't', usd]]),
    [DAY * 14, 't', 'S', 0.9 * usd],
  ];
}

/** A thief's wallet borrows, pays S, and pays back over so many wallets, each of which pays grains as well. */
function loan(wallets: number, grains: number, usd = stolen()): Payment[] {
  const way = ['t', ...Array.from({ length: wallets }, (_, i) => `r${i}`), 'vault'];
  const back = way.slice(1).map((to, i): [string, string, number] => [way[i]!, to, usd]);
  const dust = Array.from({ length: grains }, (_, i): [string, string, number] => ['r0', `g${i}`, 0.01]);
  return [
    ...customers('vault', 8, 250_000),
    [DAY * 10, 'THIEF', 't', usd],
    ...together(13, [['vault', 't', usd], ['t', 'S', usd], ...back, ...dust]),
  ];
}

/** Each wallet of a layer pays all of the next. */
function layers(count: number, usd = stolen()): Payment[] {
  const all = [['THIEF'], ...Array.from({ length: count }, (_, i) => [0, 1, 2].map((j) => `l${i}w${j}`)), ['S']];
  return all
    .slice(1)
    .flatMap((next, i) =>
      all[i]!.flatMap((from) =>
        next.map((to): Payment => [DAY * (10 + i), from, to, usd / all[i]!.length / next.length]),
      ),
    );
}

it.each<[story: string, levels: string[], payments: () => Payment[]]>([
  ['takes stolen money out of a vault', ['HIGH', 'CRITICAL'], () => throughVault([])],
  ['with a grain of coin beside it', ['HIGH', 'CRITICAL'], () => throughVault([['t', 'vault', 0.001, COIN]])],
  [
    'takes stolen money out of a vault in the block in which it was put in',
    ['HIGH', 'CRITICAL'],
    () =>
      throughVault([]).map(([at, from, to, usd, more]): Payment => {
        const position = from === 't' ? 1 : 2;
        return [from, to].includes('vault') && [from, to].includes('t')
          ? [DAY * 12, from, to, usd, { ...more, block: 7, position }]
          : [at, from, to, usd, more];
      }),
  ],
  ['with a fee beside it', ['HIGH', 'CRITICAL'], () => throughVault([['t', 'vault', 2, COIN]])],
  [
    'takes its own money out of a vault that a thief uses, with a fee',
    ['LOW'],
    () => [
      [DAY, 'CEX', 'S', 50_000],
      [DAY * 3, 'S', 'vault', 50_000],
      ...customers('vault', 9, 20_000),
      [DAY * 10, 'THIEF', 't', 90_000],
      [DAY * 11, 't', 'vault', 90_000],
      ...together(13, [
        ['S', 'vault', 2, COIN],
        ['vault', 'S', 50_000],
      ]),
    ],
  ],
  ['is paid out of a loan that goes back over a wallet', ['HIGH', 'CRITICAL'], () => loan(1, 0)],
  ['over many wallets', ['HIGH', 'CRITICAL'], () => loan(dice.int(12, 30), 0)],
  ['over wallets that pay grains to strangers', ['HIGH', 'CRITICAL'], () => loan(2, 150)],
  [
    'is paid what a router bought in hundreds of parts',
    ['HIGH', 'CRITICAL'],
    () => {
      const [usd, parts] = [stolen(), dice.int(401, 900)];
      return [
        [DAY * 10, 'THIEF', 't', usd],
        ...together(13, [
          ...Array.from({ length: parts }, (): [string, string, number] => ['t', 'ROUTER', usd / parts]),
          ['ROUTER', 'S', usd, COIN],
        ]),
      ];
    },
  ],
  ['is paid behind ten layers of wallets', ['HIGH', 'CRITICAL'], () => layers(10)],
  ['is paid behind more layers than are followed', ['MEDIUM', 'HIGH'], () => layers(dice.int(17, 24))],
])('%s: %s', async (_, levels, payments) => {
  const { risk_level, detections } = await scan(payments(), 'S');
  expect([risk_level, detections.map(({ detector_id, severity }) => [detector_id, severity])]).toEqual([
    expect.toSatisfy((level) => levels.includes(level as string)),
    expect.anything(),
  ]);
});

it('leaves a pool alone that lends to a thief, however many wallets and grains he pays back over', async () => {
  const usd = stolen() * 10;
  const payments: Payment[] = [
    ...customers('S', 8, 250_000),
    ...together(13, [
      ['S', 'THIEF', usd],
      ['THIEF', 'r0', usd + 500],
      ['r0', 'r1', usd + 500],
      ['r1', 'S', usd + 500],
      ...Array.from({ length: 60 }, (_, i): [string, string, number] => ['r1', `g${i}`, 0.01]),
    ]),
  ];
  expect((await scan(payments, 'S')).risk_level).toBe('LOW');
});

describe('stake that was taken out', () => {
  const BEACON = '0x00000000219ab540356cbb839cbe05303d7705fa';
  const eth = (amount: number, more: object = {}) => ({ ...COIN, amount: String(amount), ...more });
  /** A wallet stakes coin of this origin and takes out as much, which it pays on; a thief's stake may have named it. */
  const staker = (who: string, origin: string): Payment[] => [
    [DAY, origin, who, 70_000, eth(35)],
    [DAY * 2, who, BEACON, 64_000, eth(32)],
    [DAY * 2, 'THIEF', 't', 64_000, eth(32)],
    [DAY * 3, 't', BEACON, 64_000, eth(32)],
    [DAY * 9, 'coinbase', who, 64_000, eth(32, { index: 'withdrawal:1' })],
    [DAY * 10, who, who === 'S' ? 'shop' : 'S', 60_000, eth(30)],
  ];

  it('says of nobody paid from it that all was looked at, since another deposit may have named the receiver', async () => {
    const { assessment, trace } = await scanWithTrace(staker('w', 'CEX'), 'S');
    expect([assessment.risk_level, assessment.level_basis]).toEqual([expect.stringMatching(/LOW|MEDIUM/), 'partial']);
    expect(trace.explained.received).toBeLessThan(0.5);
    expect(trace.reasons).toContain('contract');
    expect((await scan(staker('w', 'THIEF'), 'S')).risk_level).toMatch(/HIGH|CRITICAL/);
  });

  it('leaves a staker whose own money explains most of what came', async () => {
    const { assessment, trace } = await scanWithTrace(staker('S', 'CEX'), 'S');
    expect([assessment.risk_level, assessment.level_basis]).toEqual([expect.stringMatching(/LOW|MEDIUM/), 'full']);
    expect(trace.explained.received).toBeCloseTo(70 / 134, 6);
  });
});
