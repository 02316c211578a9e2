import { describe, expect, it } from 'vitest';
import { Dice } from '../../fixtures/anomaly/dice.ts';
import { seed } from '../setup/seed.ts';
import type { Payment } from './money.ts';
import { scan, scanWithTrace } from './scanned.ts';

const dice = new Dice(seed);
const DAY = 86_400_000;

/** Victims who withdrew from an exchange; each pays in one transaction: to whom, which part. */
function drained(victims: number, parts: Record<string, number>, { least = 500 } = {}): Payment[] {
  return Array.from({ length: victims }, (_, i): Payment[] => {
    const [usd, at, txHash] = [dice.int(least, 5_000), DAY * (i + 2), `0xd${i}`];
    const paid = Object.entries(parts).map(
      ([to, part], j): Payment => [at, `v${i}`, to, usd * part, { txHash, index: `log:${j}` }],
    );
    return [[at - DAY, 'CEX', `v${i}`, usd], ...paid];
  }).flat();
}

/** The part that a victim loses: another one each time. */
const LOST = (victim: number) => 0.1 + 0.09 * victim;

/** Victims whose dollars a signer moves to one wallet by their permits. */
function permitted(victims: number, signer: (i: number) => string): Payment[] {
  return Array.from({ length: victims }, (_, i): Payment[] => {
    const [usd, at] = [dice.int(500, 5_000), DAY * (i + 2)];
    return [
      [at - DAY, 'CEX', `v${i}`, usd],
      [at, `v${i}`, 'sink', usd, { txHash: `0xp${i}`, txSender: signer(i), index: 'log:0' }],
    ];
  }).flat();
}

/** Each of these is paid together with a drainer, and has this level. */
const CASES: [who: string, level: string[], payments: () => Payment[]][] = [
  ['affiliate', ['HIGH'], () => drained(dice.int(5, 40), { S: 0.5 + 0.4 * dice.share(), DRAIN: 0.2 })],
  ['affiliate of one rich victim', ['HIGH'], () => drained(1, { S: 0.8, DRAIN: 0.2 }, { least: 2_000 })],
  ['wallet behind an affiliate', ['HIGH'], () => [...drained(20, { a: 0.8, DRAIN: 0.2 }), [DAY * 60, 'a', 'S', 7_000]]],
  [
    'wallet two steps behind an affiliate',
    ['HIGH'],
    () => [...drained(20, { a: 0.8, DRAIN: 0.2 }), [DAY * 60, 'a', 'b', 7_000], [DAY * 61, 'b', 'S', 7_000]],
  ],
  [
    'wallet behind a sink of permits that a drainer signs',
    ['HIGH'],
    () => [...permitted(dice.int(4, 30), () => 'DRAIN'), [DAY * 1.5, 'v0', 'DRAIN', 1], [DAY * 60, 'sink', 'S', 1_900]],
  ],
  [
    'wallet behind who is paid once by order of a drainer, and else by the payers themselves',
    ['LOW', 'MEDIUM'],
    () => [
      ...permitted(12, (i) => (i === 3 ? 'DRAIN' : `v${i}`)),
      [DAY * 1.5, 'v0', 'DRAIN', 1],
      [DAY * 60, 'sink', 'S', 1_900],
    ],
  ],
  [
    'wallet behind an affiliate of one victim',
    ['MEDIUM'],
    // What an affiliate passes on is tainted where it is HIGH, from 500 dollars on.
    () => [...drained(1, { a: 0.8, DRAIN: 0.2 }, { least: 650 }), [DAY * 60, 'a', 'S', 400]],
  ],
  [
    'wallet behind who was paid beside a drainer, and lives of other money',
    ['MEDIUM'],
    () => [...drained(4, { a: 0.6, DRAIN: 0.4 }), [DAY * 40, 'CEX', 'a', 15_000], [DAY * 60, 'a', 'S', 9_000]],
  ],
  [
    'shop that an affiliate pays once',
    ['LOW', 'MEDIUM'],
    () => [
      ...drained(20, { a: 0.8, DRAIN: 0.2 }),
      ...Array.from({ length: 60 }, (_, i): Payment => [DAY * (i + 2), `c${i}`, 'S', dice.int(400, 900)]),
      [DAY * 60, 'a', 'S', 900],
    ],
  ],
  [
    'affiliate that a contract pays',
    ['HIGH'],
    () =>
      Array.from({ length: 12 }, (_, i): Payment[] => {
        const [at, txHash, usd] = [DAY * (i + 2), `0xd${i}`, dice.int(500, 5_000)];
        return [
          [at, `v${i}`, 'vault', usd, { txHash, index: 'log:0' }],
          [at, 'vault', 'S', usd * 0.8, { txHash, index: 'log:1' }],
          [at, 'vault', 'DRAIN', usd * 0.2, { txHash, index: 'log:2' }],
        ];
      }).flat(),
  ],
  [
    'wallet behind an affiliate whom a collector pays beside a drainer, later than victims paid',
    ['HIGH'],
    () => [
      ...Array.from({ length: dice.int(12, 30) }, (_, i): Payment[] => {
        const [at, txHash, usd] = [DAY * (i + 2), `0xd${i}`, dice.int(500, 5_000)];
        return [
          [at, `v${i}`, 'col', usd],
          [at + 3_600_000, 'col', 'a', usd * 0.8, { txHash, index: 'log:0' }],
          [at + 3_600_000, 'col', 'DRAIN', usd * 0.2, { txHash, index: 'log:1' }],
        ];
      }).flat(),
      [DAY * 60, 'a', 'S', 7_000],
    ],
  ],
  ['affiliate whom wallets of one use pay beside a drainer, one by one', ['HIGH'], () => swept(dice.int(5, 25), 0.8)],
  [
    'wallet behind such an affiliate',
    ['HIGH'],
    () => [...swept(20, 0.8).map((one) => renamed(one, { S: 'a' })), [DAY * 60, 'a', 'S', 7_000]],
  ],
  [
    'shop that customers pay before they lose the rest, each another part',
    ['LOW'],
    () => Array.from({ length: 9 }, (_, i) => swept(1, 0.1 + 0.09 * i, i)).flat(),
  ],
  ['landlord of two who pay a scam alike', ['LOW'], () => swept(2, 0.8)],
  ['second receiver of victims who live on', ['HIGH'], () => besides(dice.int(6, 25), () => 0.2)],
  [
    'wallet behind a second receiver',
    ['HIGH'],
    () => [...besides(20, () => 0.2).map((one) => renamed(one, { S: 'a' })), [DAY * 60, 'a', 'S', 7_000]],
  ],
  ['shop that victims pay on the same days, each another part', ['LOW'], () => besides(9, LOST)],
  ['landlord of four victims', ['LOW'], () => besides(4, () => 0.2)],
  [
    'shop that others pay more often than victims do',
    ['LOW'],
    () => [
      ...besides(8, () => 0.2),
      ...Array.from({ length: 9 }, (_, i): Payment => [DAY * (i + 2), `c${i}`, 'S', dice.int(900, 5_000)]),
    ],
  ],
  ['wallet that gathers from affiliates of one victim each', ['HIGH'], () => gathered(dice.int(4, 12), () => 0.2)],
  [
    'shop that such affiliates pay with all they have',
    ['LOW', 'MEDIUM'],
    () => [
      ...gathered(2, () => 0.2),
      ...Array.from({ length: 60 }, (_, i): Payment => [DAY * (i + 2), `c${i}`, 'S', dice.int(2_000, 5_000)]),
    ],
  ],
  [
    'affiliate beside an unlisted wallet that pays its part to a drainer',
    ['HIGH'],
    () => {
      const loot = drained(dice.int(12, 30), { S: 0.8, fees: 0.2 });
      const passed = loot
        .filter(([, , to]) => to === 'fees')
        .map(([at, , , usd]): Payment => [at + 1e7, 'fees', 'DRAIN', usd]);
      return [...loot, ...passed];
    },
  ],
  [
    'artist beside a wallet that pays a drainer a fifth of what it pays',
    ['LOW'],
    () => {
      const sales = drained(30, { S: 0.8, fees: 0.2 });
      const passed = sales
        .filter(([, , to]) => to === 'fees')
        .flatMap(([at, , , usd]): Payment[] => [
          [at + 1e7, 'fees', 'DRAIN', 0.2 * usd!],
          [at + 2e7, 'fees', 'p', 0.8 * usd!],
        ]);
      return [...sales, ...passed];
    },
  ],
  [
    'artist beside the fees of a market that is robbed once',
    ['LOW'],
    () => [...drained(30, { S: 0.9, fees: 0.1 }), [DAY * 40, 'fees', 'THIEF', 2_000]],
  ],
  ['wallet behind a collector', ['HIGH'], () => [...collected(0.2, 1), [DAY * 90, 'c', 'S', 9_000]]],
  [
    'paid by a shop that pays a listed supplier each month',
    ['LOW'],
    () => [...collected(0.2, 30), [DAY * 90, 'c', 'S', 9_000]],
  ],
  [
    'paid by a busy wallet, of which a listed party gets little',
    ['LOW'],
    () => [...collected(0.02, 1), [DAY * 90, 'c', 'S', 9_000]],
  ],
  ['customer in a batch of an exchange', ['LOW'], () => batch('CEX', { S: 2_000, p1: 50, p2: 900, DRAIN: 700 })],
  [
    'customer in a batch of an unlabelled service',
    ['LOW'],
    () => [
      ...Array.from({ length: 5 }, (_, i) => batch('hot', { [`p${i}`]: 900, [`q${i}`]: 80 }, i + 1)).flat(),
      ...batch('hot', { S: 2_000, p9: 50, DRAIN: 700 }, 9),
    ],
  ],
  [
    'receiver of a large batch',
    ['LOW'],
    () =>
      batch('hot', { S: 2_000, ...Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`p${i}`, 90])), DRAIN: 700 }),
  ],
  ['colleague who is paid alike', ['LOW'], () => batch('boss', { S: 3_000, p1: 3_000, p2: 3_000, DRAIN: 3_000 })],
  ['receiver of a fee', ['LOW'], () => drained(60, { S: 0.02, DRAIN: 0.98 })],
  [
    'artist of a collectible that a drainer sells',
    ['LOW'],
    () =>
      Array.from({ length: 9 }, (_, i): Payment[] => {
        const [at, txHash] = [DAY * (i + 2), `0xd${i}`];
        return [
          [at, `v${i}`, 'DRAIN', 4_500, { txHash, index: 'log:0' }],
          [at, `v${i}`, 'S', 450, { txHash, index: 'log:1' }],
          [at, 'DRAIN', `v${i}`, null, { txHash, index: 'log:2', asset: 'ART', tokenId: '7' }],
        ];
      }).flat(),
  ],
  ["victim's other wallet", ['LOW'], () => [[DAY, 'v0', 'S', 500], ...drained(1, { S: 0.6, DRAIN: 0.4 })]],
  [
    'party that is framed with little',
    ['LOW', 'MEDIUM'],
    () => [[DAY, 'CEX', 'S', 90_000], ...batch('framer', { S: 200, DRAIN: 200 })],
  ],
];

/**
 * Victims whose money is swept to wallets of one use; each pays a part to `S`, and an hour later the rest to a drainer. As everybody,
 * they get an unknown token and dust, days later.
 */
function swept(victims: number, part: number, first = 0): Payment[] {
  return Array.from({ length: victims }, (_, i): Payment[] => {
    const [usd, at, one] = [dice.int(1_000, 9_000), DAY * (first + i + 2), `one${first + i}`];
    return [
      [at - DAY, 'CEX', `v${first + i}`, usd],
      [at, `v${first + i}`, one, usd],
      [at + 1e6, one, 'S', part * usd],
      [at + 4e6, one, 'DRAIN', (1 - part) * usd],
      [at + 3 * DAY, 'spammer', one, null, { asset: 'SPAM' }],
      [at + 4 * DAY, 'spammer', one, 0.01],
    ];
  }).flat();
}

/** People who get and pay money all along; on one day or the next each pays a drainer its part and `S` the rest. */
function besides(victims: number, taken: (victim: number) => number): Payment[] {
  return Array.from({ length: victims }, (_, i): Payment[] => {
    const [usd, at, one] = [dice.int(2_000, 9_000), DAY * (i + 40), `v${i}`];
    const months = Array.from({ length: 4 }, (_, month): Payment[] => [
      [DAY * (month * 9 + 1), 'CEX', one, usd],
      [DAY * (month * 9 + 2), one, `shop${i}`, 0.3 * usd],
    ]);
    return [
      ...months.flat(),
      [at, one, 'DRAIN', taken(i) * usd],
      [at + dice.int(1, 20) * 3_600_000, one, 'S', (1 - taken(i)) * usd],
    ];
  }).flat();
}

/** Each victim pays a drainer its part and leaves the rest to a wallet of one use, which passes it on to `S`. */
function gathered(victims: number, taken: (victim: number) => number): Payment[] {
  return Array.from({ length: victims }, (_, i): Payment[] => {
    const [usd, at, txHash] = [dice.int(2_000, 5_000), DAY * (i + 2), `0xd${i}`];
    return [
      [at - DAY, 'CEX', `v${i}`, usd],
      [at, `v${i}`, `one${i}`, usd * (1 - taken(i)), { txHash, index: 'out:0' }],
      [at, `v${i}`, 'DRAIN', usd * taken(i), { txHash, index: 'out:1' }],
      [at + DAY, `one${i}`, 'S', usd * (1 - taken(i))],
    ];
  }).flat();
}

/** Of bitcoin the other output of a payment is mostly change. */
const OF_BITCOIN: typeof CASES = [
  ['second receiver of victims who live on', ['HIGH'], () => besides(dice.int(6, 25), () => 0.2)],
  ['affiliate, who gets a fixed part', ['HIGH'], () => drained(dice.int(5, 40), { S: 0.8, DRAIN: 0.2 })],
  ['wallet that gathers fixed parts from wallets of one use', ['HIGH'], () => gathered(dice.int(4, 9), () => 0.2)],
  [
    'address of the change of who pays a scam out of several coins',
    ['LOW'],
    () =>
      Array.from({ length: 9 }, (_, i) =>
        drained(1, { S: 1 - LOST(i), DRAIN: LOST(i) }).map((one) => nth(one, i)),
      ).flat(),
  ],
  ['wallet that gathers such change from fresh addresses', ['LOW'], () => gathered(9, LOST)],
  [
    'landlord whom such change pays',
    ['LOW'],
    () =>
      gathered(9, LOST)
        .flatMap((one): Payment[] => [renamed(one, { S: 'a' })])
        .concat([[DAY * 60, 'a', 'S', 7_000]]),
  ],
  ['receiver beside two of one part', ['LOW'], () => drained(2, { S: 0.8, DRAIN: 0.2 })],
];

/** The payments of a first victim as those of another. */
function nth([at, from, to, usd, more]: Payment, i: number): Payment {
  const of = (name: string) => (name === 'v0' ? `v${i}` : name);
  return [at + i * DAY, of(from), of(to), usd, more && { ...more, txHash: `0xd${i}` }];
}

function renamed([at, from, to, ...rest]: Payment, names: Record<string, string>): Payment {
  return [at, names[from] ?? from, names[to] ?? to, ...rest];
}

/** A stranger pays each day for sixty days; of each so many days' takings a part goes to a drainer within hours, the rest elsewhere. */
function collected(part: number, days: number): Payment[] {
  let usd = 0;
  return Array.from({ length: 60 }, (_, i): Payment[] => {
    const [at, paid] = [DAY * (i + 2), dice.int(500, 5_000)];
    usd += paid;
    const payments: Payment[] = [
      [at - DAY, 'CEX', `v${i}`, paid],
      [at, `v${i}`, 'c', paid],
    ];
    if (i % days < days - 1) return payments;
    const passed: Payment[] = [
      [at + 1e7, 'c', 'DRAIN', part * usd],
      [at + 2e7, 'c', `p${i}`, 0.5 * usd],
    ];
    usd = 0;
    return [...payments, ...passed];
  }).flat();
}

function batch(from: string, to: Record<string, number>, day = 3): Payment[] {
  const place = (i: number) => ({ txHash: `0xb${day}`, index: `log:${i}` });
  return Object.entries(to).map(([party, usd], i): Payment => [DAY * day, from, party, usd, place(i)]);
}

describe.each(['ethereum', 'tron', 'solana'] as const)(
  'who shares with a listed taker, or collects for one, on %s',
  (chain) => {
    it.each(CASES)('%s', async (_, levels, payments) => {
      const { risk_level, detections } = (await scanWithTrace(payments(), 'S', { chain })).assessment;
      expect([risk_level, detections.map(({ detector_id, severity }) => `${detector_id} ${severity}`)]).toEqual([
        expect.toSatisfy((level) => levels.includes(level as string)),
        expect.anything(),
      ]);
    });
  },
);

describe('who is paid beside a listed taker on bitcoin', () => {
  it.each(OF_BITCOIN)('%s', async (_, levels, payments) => {
    const { risk_level, detections } = (await scanWithTrace(payments(), 'S', { chain: 'bitcoin' })).assessment;
    expect([risk_level, detections.map(({ detector_id, severity }) => `${detector_id} ${severity}`)]).toEqual([
      expect.toSatisfy((level) => levels.includes(level as string)),
      expect.anything(),
    ]);
  });
});

describe('an accomplice', () => {
  it.each([
    ['partial', 'more than half of what it received was not looked at', 'unread', 9_000],
    ['full', 'the rest came from elsewhere', 'CEX', 9_000],
    ['full', 'the rest would not make it sure', 'unread', 200],
  ])('of few read victims leaves the level behind it %s where %s', async (basis, _, payer, usd) => {
    const rest = Array.from({ length: 6 }, (_, i): Payment => [DAY * (20 + i), `${payer}${i}`, 'a', usd / 6]);
    const other = usd > 1_000 ? [] : [[DAY * 30, 'CEX', 'a', 15_000] as Payment];
    const victims = [3, 4, 5].flatMap((day) => batch(`v${day}`, { a: 1_600, DRAIN: 400 }, day));
    const { risk_level, level_basis } = await scan([...victims, ...rest, ...other, [DAY * 60, 'a', 'S', 2_000]], 'S');
    expect([risk_level, level_basis]).toEqual([expect.stringMatching(/MEDIUM|HIGH/), basis]);
  });

  it('names the victims and takers, and both sides of the evidence', async () => {
    const { detections } = await scan(drained(5, { S: 0.8, DRAIN: 0.2 }), 'S');
    const { severity, details } = detections.find(({ detector_id }) => detector_id === 'accomplice')!;
    expect(severity).toBe('HIGH');
    expect(details.measured).toMatchObject({ victims: 5, transfers: 5, share: 1, entities: ['drain'] });
    expect(details.evidence).toEqual(
      [0, 1].flatMap((place) => Array.from({ length: 5 }, (_, i) => `0xd${i}#log:${place}`)),
    );
    expect(details.labels.map(({ address }) => address)).toEqual(['DRAIN']);
  });
});
