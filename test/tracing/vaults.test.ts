import { expect, it, onTestFinished } from 'vitest';
import { Dice } from '../../fixtures/anomaly/dice.ts';
import { addressKey } from '../../src/domain/address/address-key.ts';
import { openGrafeo } from '../../src/graph/grafeo/grafeo.ts';
import { purchases } from '../../src/tracing/answers/indirect/pooled.ts';
import { lootOf } from '../../src/tracing/engine/accomplices/loot.ts';
import { SCAN_TRACE } from '../../src/tracing/read/expansion/expand-scan.ts';
import { traceMoney } from '../../src/tracing/read/trace-money.ts';
import { seed } from '../setup/seed.ts';
import { type Payment, pay, tracing } from './money.ts';
import { scan } from './scanned.ts';

const dice = new Dice(seed);
const DAY = 86_400_000;

/** What the vault lends to contracts of its own, and when: all of them give it back. */
const STRATEGIES: Record<string, [name: string, part: number, out: number, back: number][]> = {
  'without a strategy': [],
  'with a strategy': [['vault_lends', 0.9, 31, 60]],
  'with a strategy that is used twice': [
    ['vault_lends', 0.5, 31, 40],
    ['vault_lends', 0.8, 41, 60],
  ],
  'with two strategies': [
    ['vault_lends', 0.4, 31, 60],
    ['vault_farms', 0.5, 32, 61],
  ],
};

/** Depositors put money in and take it out, and so does a thief's wallet; the strategies hold most of it meanwhile. */
function vault(lent: (typeof STRATEGIES)[string], { gain = 0 } = {}): Payment[] {
  const sums = Array.from({ length: dice.int(4, 12) }, () => dice.int(2_000, 90_000));
  const stolen = dice.int(20_000, 90_000);
  const all = stolen + sums.reduce((a, b) => a + b, 0);
  return [
    ...sums.flatMap((usd, i): Payment[] => [
      [DAY * (i + 1), 'CEX', `u${i}`, usd],
      [DAY * (i + 1) + 1, `u${i}`, 'vault', usd],
    ]),
    [DAY * 20, 'THIEF', 't', stolen],
    [DAY * 21, 't', 'vault', stolen],
    ...lent.flatMap(([name, part, out, back]): Payment[] => [
      [DAY * out, 'vault', name, part * all],
      [DAY * back, name, 'vault', part * all * (1 + gain)],
    ]),
    [DAY * 70, 'vault', 't', stolen],
    [DAY * 71, 't', 'x', stolen],
    ...sums.map((usd, i): Payment => [DAY * (80 + i), 'vault', `u${i}`, usd]),
    [DAY * 100, 'u1', 'shop', 0.9 * sums[1]!],
  ];
}

it.each(Object.keys(STRATEGIES))(
  'a vault %s and its depositors have nothing of a thief who uses it too',
  async (how) => {
    const payments = vault(STRATEGIES[how]!, { gain: dice.chance(0.5) ? 0.03 : 0 });
    const levels = async (...who: string[]) => {
      const scans = await Promise.all(who.map((address) => scan(payments, address)));
      return scans.map(({ risk_level }) => risk_level);
    };
    for (const level of await levels('vault', 'u0', 'u1', 'shop')) expect(level).toMatch(/LOW|MEDIUM/);
    for (const level of await levels('t', 'x')) expect(level).toMatch(/HIGH|CRITICAL/);
  },
);

it('follows what a strategy did not give back, to whom it went', async () => {
  const payments: Payment[] = [
    ...vault([['vault_lends', 0.2, 31, 60]]).filter(([, from]) => from !== 'vault_lends'),
    [DAY * 62, 'vault_lends', 'y', 15_000],
  ];
  const { detections } = await scan(payments, 'y');
  expect(detections.map(({ detector_id }) => detector_id)).toContain('indirect_exposure');
});

it('lowers no level for payers of grains at a contract of a thief and his clean money', async () => {
  for (const grains of [10, 40_000]) {
    const usd = dice.int(60_000, 90_000);
    const payments: Payment[] = [
      [DAY, 'CEX', 'c', 5 * usd],
      [DAY * 2, 'c', 'vault', 5 * usd],
      ...[0, 1, 2].map((i): Payment => [DAY * 3, `g${i}`, 'vault', grains]),
      [DAY * 4, 'THIEF', 't', usd],
      [DAY * 5, 't', 'vault', usd],
      [DAY * 6, 'vault', 's', 4 * usd],
    ];
    const level = grains === 10 ? /HIGH|CRITICAL/ : 'MEDIUM';
    expect([grains, (await scan(payments, 's')).risk_level]).toEqual([grains, expect.stringMatching(level)]);
  }
});

it('takes payers of a contract whom one wallet funded, near or far, for one', async () => {
  for (const funder of ['c', 'CEX']) {
    const usd = dice.int(60_000, 90_000);
    const steps = dice.int(1, 4);
    const way = (i: number) => ['c', ...Array.from({ length: steps }, (_, step) => `c${i}_${step}`)];
    const payments: Payment[] = [
      [DAY, 'CEX', 'c', 4 * usd],
      ...Array.from({ length: 4 }, (_, i) => [...(funder === 'c' ? way(i) : ['CEX', `c${i}`]), 'vault'])
        .flatMap((parties) => parties.slice(1).map((to, step): [number, string, string] => [step, parties[step]!, to]))
        .map(([step, from, to]): Payment => [DAY * (2 + step), from, to, usd]),
      [DAY * 9, 'THIEF', 't', usd],
      [DAY * 10, 't', 'vault', usd],
      [DAY * 12, 'vault', 's', 4.9 * usd],
    ];
    const level = funder === 'c' ? /HIGH|CRITICAL/ : 'MEDIUM';
    expect([funder, (await scan(payments, 's')).risk_level]).toEqual([funder, expect.stringMatching(level)]);
  }
});

it('counts once what circles through a contract among what its payers brought', async () => {
  const usd = dice.int(60_000, 90_000);
  const circling = Array.from({ length: 45 }, (_, i): Payment[] => [
    [DAY * i, `c${i % 9}`, 'vault', usd / 60],
    [DAY * i + 9, 'vault', `c${i % 9}`, usd / 60],
  ]);
  const payments: Payment[] = [
    ...circling.flat(),
    [DAY * 70, 'c', 'vault', usd],
    [DAY * 71, 'THIEF', 't', usd],
    [DAY * 72, 't', 'vault', usd],
    [DAY * 73, 'vault', 's', 1.8 * usd],
  ];
  const { detections } = await scan(payments, 's');
  const found = detections.find(({ detector_id }) => detector_id === 'indirect_exposure');
  expect(found?.severity).toBe('CRITICAL');
});

it('takes who calls out most of what others have in a vault, and shares it with thieves, for no victim', async () => {
  const usd = dice.int(20_000, 90_000);
  const payments = (own: number, signer: string): Payment[] => [
    ...Array.from({ length: 6 }, (_, i): Payment => [DAY * (2 + i), `u${i}`, 'vault', usd]),
    [DAY, 'CEX', 'r', 9 * usd],
    ...(own > 0 ? [[DAY * 9, 'r', 'vault', own] as Payment] : []),
    ...[0, 1].map((i): Payment => [DAY * 20 + i, 'vault', 'r', own > 0 ? own / 2 : 2 * usd, { txSender: signer }]),
    ...['THIEF', 'DRAIN'].map((thief, i): Payment => [DAY * 21 + i, 'r', thief, 1.5 * usd]),
  ];
  const levelOf = async (own: number, signer = 'r') => (await scan(payments(own, signer), 'r')).risk_level;
  expect(await levelOf(0)).toMatch(/HIGH|CRITICAL/);
  // Its own savings, or a vault that its keeper empties to it.
  expect(await levelOf(4 * usd)).toBe('MEDIUM');
  expect(await levelOf(0, 'keeper')).toBe('MEDIUM');
});

it('takes the victim of a thief for no robber, who takes its own, what is worth little, or what others never had', async () => {
  const usd = dice.int(20_000, 90_000);
  const [GOLD, DUST] = [{ asset: 'GOLD' }, { asset: 'DUST' }];
  const pool = (each: number, more = {}) =>
    Array.from({ length: 4 }, (_, i): Payment => [DAY * (2 + i), `u${i}`, 'vault', each, more]);
  const claims: Record<string, Payment[]> = {
    'of five dollars of eight': [...pool(2), [DAY * 20, 'vault', 'r', 5, { txSender: 'r' }]],
    'of an airdrop without a price': [
      ...pool(usd),
      [DAY * 9, 'u0', 'vault', null, { ...DUST, amount: '9' }],
      [DAY * 20, 'vault', 'r', null, { ...DUST, amount: '8', txSender: 'r' }],
    ],
    'of what it had paid for in another asset': [
      ...pool(usd / 4, GOLD),
      [DAY * 9, 'r', 'vault', usd],
      [DAY * 20, 'vault', 'r', 0.8 * usd, { ...GOLD, txSender: 'r' }],
    ],
    'of a token that nobody had put in': [...pool(usd), [DAY * 20, 'vault', 'r', usd, { ...GOLD, txSender: 'r' }]],
    'of what the vault earned': [
      ...pool(usd),
      ...Array.from({ length: 4 }, (_, i): Payment => [DAY * (12 + i), 'vault', `u${i}`, 1.1 * usd]),
      [DAY * 20, 'vault', 'r', 0.6 * usd, { txSender: 'r' }],
    ],
  };
  for (const [claim, payments] of Object.entries(claims)) {
    const found = await scan([[DAY, 'CEX', 'r', 3 * usd], ...payments, [DAY * 21, 'r', 'THIEF', 0.9 * usd]], 'r');
    expect([claim, found.risk_level]).toEqual([claim, expect.stringMatching(/LOW|MEDIUM/)]);
  }
});

it('knows a robber who sends half on to a wallet of its own in the same call', async () => {
  const usd = dice.int(20_000, 90_000);
  const call = { txHash: '0xca11', txSender: 'r' };
  const payments: Payment[] = [
    ...Array.from({ length: 6 }, (_, i): Payment => [DAY * (2 + i), `u${i}`, 'vault', usd]),
    [DAY * 20, 'vault', 'r', 4 * usd, { ...call, index: 'log:0' }],
    [DAY * 20, 'r', 'mule', 2 * usd, { ...call, index: 'log:1', seq: 1 }],
    [DAY * 21, 'r', 'THIEF', 2 * usd],
  ];
  expect((await scan(payments, 'r')).risk_level).toMatch(/HIGH|CRITICAL/);
});

it('takes who robs a pool by a contract of its own, the contract, and whom it pays, for robbers', async () => {
  const usd = dice.int(20_000, 90_000);
  const call = (signer: string) => ({ txHash: '0xca11', txSender: signer });
  const robbed = (signer: string): Payment[] => [
    ...Array.from({ length: 6 }, (_, i): Payment => [DAY * (2 + i), `u${i}`, 'vault', usd]),
    [DAY * 20, 'vault', 'vault_own', 5 * usd, { ...call(signer), index: 'log:0' }],
    [DAY * 20, 'vault_own', 'r', 5 * usd, { ...call(signer), index: 'log:1', seq: 1 }],
    [DAY * 21, 'r', 'THIEF', 3 * usd],
    [DAY * 22, 'r', 'mine', usd],
  ];
  for (const who of ['r', 'vault_own', 'mine'])
    expect([who, (await scan(robbed('r'), who)).risk_level]).toEqual([who, expect.stringMatching(/HIGH|CRITICAL/)]);
  // A keeper pays out who is robbed himself.
  for (const who of ['r', 'mine', 'u0'])
    expect([who, (await scan(robbed('keeper'), who)).risk_level]).toEqual([who, expect.stringMatching(/LOW|MEDIUM/)]);
});

it('takes a contract that robs and pays a thief in one transaction, and whom else it pays, for robbers, whoever signs', async () => {
  const usd = dice.int(20_000, 90_000);
  const place = (seq: number) => ({ txHash: '0xca11', index: `log:${seq}`, seq });
  const payments: Payment[] = [
    ...Array.from({ length: 6 }, (_, i): Payment => [DAY * (2 + i), `u${i}`, 'vault', usd]),
    [DAY * 20, 'vault', 'own', 5 * usd, place(0)],
    [DAY * 20, 'own', 'THIEF', 3 * usd, place(1)],
    [DAY * 20, 'own', 'other', 2 * usd, place(2)],
  ];
  for (const who of ['own', 'other'])
    expect([who, (await scan(payments, who)).risk_level]).toEqual([who, expect.stringMatching(/HIGH|CRITICAL/)]);
});

it('takes a contract for which thieves alone sign, and whom it pays, for theirs where it keeps what it robbed', async () => {
  const usd = dice.int(20_000, 90_000);
  const kept = (signer: string): Payment[] => [
    ...Array.from({ length: 6 }, (_, i): Payment => [DAY * (2 + i), `u${i}`, 'vault', usd]),
    [DAY * 19, 'THIEF', 'vault_own', 1, { txSender: 'THIEF' }],
    [DAY * 20, 'vault', 'vault_own', 5 * usd, { txSender: 'THIEF' }],
    [DAY * 40, 'vault_own', 's', 4 * usd, { txSender: signer }],
  ];
  for (const who of ['vault_own', 's'])
    expect([who, (await scan(kept('THIEF'), who)).risk_level]).toEqual([who, expect.stringMatching(/HIGH|CRITICAL/)]);
  // One call can pay out a raffle, whose winner has a contract of its own.
  for (const who of ['vault_own', 's'])
    expect([who, (await scan(kept('owner'), who)).risk_level]).toEqual([who, expect.stringMatching(/LOW|MEDIUM/)]);
});

it('takes what a contract got for which thieves alone sign for theirs, however small a part of a pool, and whom it pays', async () => {
  const usd = dice.int(20_000, 90_000);
  const taken = (signer: string): Payment[] => [
    ...Array.from({ length: 6 }, (_, i): Payment => [DAY * (2 + i), `u${i}`, 'vault', usd]),
    [DAY * 19, 'THIEF', 'vault_own', 1, { txSender: 'THIEF' }],
    [DAY * 20, 'vault', 'vault_own', 1.5 * usd, { txSender: 'THIEF' }],
    [DAY * 40, 'vault_own', 's', 1.4 * usd, { txSender: signer }],
    // A grain that anybody can send.
    [DAY * 41, 'grain', 'vault_own', 5, { txSender: 'grain' }],
    [DAY * 42, 's', 'x', 1.3 * usd],
  ];
  for (const who of ['vault_own', 's', 'x'])
    expect([who, (await scan(taken('THIEF'), who)).risk_level]).toEqual([who, expect.stringMatching(/HIGH|CRITICAL/)]);
  for (const who of ['vault_own', 's', 'x'])
    expect([who, (await scan(taken('owner'), who)).risk_level]).toEqual([who, expect.stringMatching(/LOW|MEDIUM/)]);
  // Nor the pool, and who put in.
  for (const who of ['vault', 'u0'])
    expect([who, (await scan(taken('THIEF'), who)).risk_level]).toEqual([who, expect.stringMatching(/LOW|MEDIUM/)]);
});

/** Transfers of one call that somebody signs, in this order. */
const signedCall = (day: number, signer: string, legs: [from: string, to: string, usd: number][]): Payment[] =>
  legs.map(([from, to, usd], seq) => [
    DAY * day,
    from,
    to,
    usd,
    { txHash: `0xc${day}`, txSender: signer, index: `log:${seq}`, seq },
  ]);

/** What six depositors bring a vault. */
const sixDepositors = (usd: number): Payment[] =>
  Array.from({ length: 6 }, (_, i): Payment[] => [
    [DAY, 'CEX', `u${i}`, usd],
    [DAY * (2 + i), `u${i}`, 'vault', usd],
  ]).flat();

const ROBBERIES: Record<string, (usd: number) => Payment[]> = {
  'over two contracts, a third by each': (usd) =>
    signedCall(20, 'r', [
      ['vault', 'vault_a', 2 * usd],
      ['vault_a', 'r', 2 * usd],
      ['vault', 'vault_b', 2 * usd],
      ['vault_b', 'r', 2 * usd],
    ]),
  'over a contract by which its own millions went before': (usd) => [
    [DAY, 'CEX', 'x', 12 * usd],
    [DAY * 15, 'x', 'vault_own', 12 * usd, { txSender: 'x' }],
    [DAY * 16, 'vault_own', 'x', 12 * usd, { txSender: 'x' }],
    ...signedCall(20, 'r', [
      ['vault', 'vault_own', 5 * usd],
      ['vault_own', 'r', 5 * usd],
    ]),
  ],
  'in three parts': (usd) =>
    signedCall(20, 'r', [
      ['vault', 'vault_own', 5.1 * usd],
      ...['r', 'r1', 'r2'].map((to): [string, string, number] => ['vault_own', to, 1.7 * usd]),
    ]),
  'beside a deposit of nearly as much': (usd) => [
    [DAY, 'CEX', 'r', 6 * usd],
    [DAY * 15, 'r', 'vault', 6 * usd, { txSender: 'r' }],
    ...signedCall(20, 'r', [['vault', 'r', 11.8 * usd]]),
  ],
};

it.each(Object.keys(ROBBERIES))('knows who robs a pool %s, and whom it pays', async (how) => {
  const usd = dice.int(20_000, 90_000);
  const loot = ROBBERIES[how]!(usd);
  const got = loot.reduce((sum, [, , to, sent]) => sum + (to === 'r' ? (sent ?? 0) : 0), 0);
  const payments: Payment[] = [
    ...sixDepositors(usd),
    ...loot,
    [DAY * 21, 'r', 'THIEF', 0.6 * got, { txSender: 'r' }],
    [DAY * 22, 'r', 'mine', 0.2 * got, { txSender: 'r' }],
  ];
  for (const who of ['r', 'mine'])
    expect([who, (await scan(payments, who)).risk_level]).toEqual([who, expect.stringMatching(/HIGH|CRITICAL/)]);
});

it('lets neither a grain that anybody sends nor a robbery of his own free who works with thieves', async () => {
  const usd = dice.int(20_000, 90_000);
  const kept: Payment[] = [
    ...sixDepositors(usd),
    [DAY * 19, 'THIEF', 'vault_own', 1, { txSender: 'THIEF' }],
    [DAY * 20, 'vault', 'vault_own', 5 * usd, { txSender: 'THIEF' }],
    [DAY * 30, 'anyone', 'vault_own', 0.01, { txSender: 'anyone' }],
    [DAY * 40, 'vault_own', 's', 4 * usd, { txSender: 'THIEF' }],
  ];
  const affiliate: Payment[] = [
    ...Array.from({ length: 12 }, (_, i): Payment[] =>
      signedCall(2 + i, `w${i}`, [
        [`w${i}`, 'DRAIN', 0.07 * usd],
        [`w${i}`, 'aff', 0.03 * usd],
      ]),
    ).flat(),
    ...[0, 1, 2, 3].map((i): Payment => [DAY * (35 + i), `p${i}`, 'vault', 400]),
    [DAY * 42, 'vault', 'aff', 1_100, { txSender: 'aff' }],
    [DAY * 43, 'aff', 'DRAIN', 560, { txSender: 'aff' }],
    [DAY * 50, 'aff', 'mine', 0.3 * usd, { txSender: 'aff' }],
  ];
  for (const [payments, who] of [
    [kept, 's'],
    [affiliate, 'mine'],
  ] as const)
    expect([who, (await scan(payments, who)).risk_level]).toEqual([who, expect.stringMatching(/HIGH|CRITICAL/)]);
});

const BYSTANDERS: Record<string, [who: string[], payments: (usd: number) => Payment[]]> = {
  'takes a thief his own deposit out by a router, and a depositor too': [
    ['u0', 'shop'],
    (usd) => [
      [DAY * 10, 'CEX', 'THIEF', 9 * usd],
      [DAY * 12, 'THIEF', 'vault', 9 * usd, { txSender: 'THIEF' }],
      ...signedCall(20, 'THIEF', [
        ['vault', 'router', 9 * usd],
        ['router', 'THIEF', 9 * usd],
      ]),
      ...signedCall(60, 'u0', [
        ['vault', 'router', 0.9 * usd],
        ['router', 'u0', 0.9 * usd],
      ]),
      [DAY * 61, 'u0', 'shop', 0.8 * usd],
    ],
  ],
  'robs a thief a strategy in the call that fills it': [
    ['vault_strat', 'u0', 'shop'],
    (usd) => [
      ...signedCall(18, 'keeper', [['vault', 'vault_strat', 0.5 * usd]]),
      ...signedCall(20, 'THIEF', [
        ['vault', 'vault_strat', 5 * usd],
        ['vault_strat', 'THIEF', 4 * usd],
      ]),
      ...signedCall(25, 'u0', [['vault_strat', 'u0', 0.2 * usd]]),
      [DAY * 26, 'u0', 'shop', 0.15 * usd],
    ],
  ],
  'robs a thief a smart wallet over the relayer that moved money into it': [
    ['vault_new'],
    (usd) => [
      ...signedCall(20, 'relayer', [['vault', 'vault_new', 5 * usd]]),
      ...signedCall(22, 'relayer', [['vault_new', 'THIEF', 4.9 * usd]]),
    ],
  ],
  'deceives a scam who put in over a router and takes out himself': [
    ['s'],
    (usd) => [
      [DAY, 'CEX', 's', 20 * usd],
      ...signedCall(12, 's', [
        ['s', 'router', 10 * usd],
        ['router', 'vault', 10 * usd],
      ]),
      ...signedCall(20, 's', [['vault', 's', 10 * usd]]),
      ...signedCall(22, 's', [['s', 'SCAM', 6 * usd]]),
    ],
  ],
  'deceives a scam who collects the fees of a vault that others leave later': [
    ['deployer', 'staff'],
    (usd) => [
      ...signedCall(20, 'deployer', [['vault', 'deployer', 0.2 * usd]]),
      ...signedCall(21, 'deployer', [['deployer', 'SCAM', 0.12 * usd]]),
      ...signedCall(30, 'deployer', [['deployer', 'staff', 0.06 * usd]]),
      ...Array.from({ length: 6 }, (_, i): Payment[] =>
        signedCall(100 + i, `u${i}`, [['vault', `u${i}`, 0.95 * usd]]),
      ).flat(),
    ],
  ],
};

it.each(Object.keys(BYSTANDERS))('accuses no bystander where %s', async (how) => {
  const usd = dice.int(20_000, 90_000);
  const [accused, payments] = BYSTANDERS[how]!;
  for (const who of accused) {
    const found = await scan([...sixDepositors(usd), ...payments(usd)], who);
    expect([who, found.risk_level]).toEqual([who, expect.stringMatching(/LOW|MEDIUM/)]);
  }
});

it('gives depositors back their own where a thief who robbed their vault by a contract repays it, up to what he took', async () => {
  const usd = dice.int(20_000, 90_000);
  const repaid = (taken: number): Payment[] => [
    ...Array.from({ length: 6 }, (_, i): Payment[] => [
      [10 * (2 + i), 'CEX', `u${i}`, usd],
      [10 * (2 + i) + 1, `u${i}`, 'vault', usd],
    ]).flat(),
    [200, 'vault', 'own', taken, { txHash: '0xca11', index: 'log:0' }],
    [200, 'own', 'THIEF', taken, { txHash: '0xca11', index: 'log:1', seq: 1 }],
    [210, 'v', 'THIEF', 9 * usd],
    [250, 'THIEF', 'vault', 5 * usd],
    [300, 'vault', 'u0', 0.9 * usd],
    [310, 'vault', 'new', 2 * usd],
  ];
  expect((await scan(repaid(5.5 * usd), 'u0')).risk_level).toMatch(/LOW|MEDIUM/);
  expect((await scan(repaid(0.2 * usd), 'new')).risk_level).toMatch(/HIGH|CRITICAL/);
});

/** Traces what an address got, and counts how often the receipts of opened addresses are read from then on. */
async function countedTrace(payments: Payment[], address: string) {
  const graph = await openGrafeo({ path: null, shuffleUnordered: true });
  onTestFinished(() => graph.close());
  await pay(graph, payments);
  const key = addressKey('ethereum', address);
  const traces = await traceMoney(tracing(graph), [key], { ...SCAN_TRACE, directions: ['received'], maxHops: 3 });
  const count = { reads: 0 };
  const opened = new Map(
    [...traces.opened].map(([name, held]) => [
      name,
      new Proxy(held, {
        get: (target, field, self) => {
          if (field === 'received') count.reads += 1;
          return Reflect.get(target, field, self);
        },
      }),
    ]),
  );
  return { key, traces: { ...traces, opened }, count };
}

it.each(['in two legs', 'in the next transaction', 'by the contract that robbed it'])(
  'gives depositors back their own where their vault is robbed and repaid %s',
  async (how) => {
    const usd = dice.int(20_000, 90_000);
    const call = (at: number, legs: [string, string, number][]): Payment[] =>
      legs.map(([from, to, sum], seq) => [
        at,
        from,
        to,
        sum,
        { txHash: `0xt${at}`, txSender: 'THIEF', index: `log:${seq}`, seq },
      ]);
    const repaid = call(250, [['THIEF', 'vault', 5 * usd]]);
    const ways: Record<string, Payment[]> = {
      'in two legs': [
        ...call(200, [
          ['vault', 'own', 3 * usd],
          ['vault', 'own', 2.5 * usd],
          ['own', 'THIEF', 5.5 * usd],
        ]),
        ...repaid,
      ],
      'in the next transaction': [
        ...call(200, [['vault', 'own', 5.5 * usd]]),
        ...call(201, [['own', 'THIEF', 5.5 * usd]]),
        ...repaid,
      ],
      'by the contract that robbed it': [
        ...call(200, [
          ['vault', 'vault_own', 5.5 * usd],
          ['vault_own', 'THIEF', 3 * usd],
        ]),
        ...call(250, [['vault_own', 'vault', 2.5 * usd]]),
      ],
    };
    const payments: Payment[] = [
      ...Array.from({ length: 6 }, (_, i): Payment[] => [
        [10 * (2 + i), 'CEX', `u${i}`, usd],
        [10 * (2 + i) + 1, `u${i}`, 'vault', usd],
      ]).flat(),
      ...ways[how]!,
      [300, 'vault', 'u0', 0.9 * usd],
    ];
    const { risk_level, detections } = await scan(payments, 'u0');
    expect(risk_level).toMatch(/LOW|MEDIUM/);
    const taints = detections.filter(({ detector_id }) => detector_id === 'indirect_exposure');
    expect(taints.filter(({ details }) => details.role !== 'victim')).toEqual([]);
  },
);

it('looks once at who paid a contract, however many assets it sends', async () => {
  const payments: Payment[] = [
    ...Array.from({ length: 60 }, (_, i): Payment => [DAY * (2 + i), `u${i}`, 'vault', 3_000]),
    ...Array.from({ length: 90 }, (_, i): Payment => [DAY * 80 + i, 'vault', 'r', 2_000, { asset: `SPAM${i}` }]),
    ...Array.from({ length: 90 }, (_, i): Payment => [DAY * 80 + i, 'u0', 'vault', 3_000, { asset: `SPAM${i}` }]),
  ];
  const { key, traces, count } = await countedTrace(payments, 'r');
  expect(lootOf(key, traces).size).toBe(90);
  expect(count.reads).toBeLessThan(90);
});

it('follows loot over wallets of which each paid each other in steps that grow as their payments do', async () => {
  const size = 12;
  const wallets = Array.from({ length: size }, (_, i) => `k${i}`);
  const payments = wallets.flatMap((from, i) =>
    wallets.flatMap((to, j): Payment[] => (from === to ? [] : [[DAY + (i * size + j) * 60_000, from, to, 5_000]])),
  );
  const { traces, count } = await countedTrace(payments, 'k0');
  for (const key of traces.opened.keys()) lootOf(key, traces);
  expect(traces.opened.size).toBe(size);
  expect(count.reads).toBeLessThan(20 * size * size);
});

it('is paid by a thief where a contract pays once by his order, out of as much as he had put in there', async () => {
  const usd = dice.int(4_000, 90_000);
  let others = usd;
  const levelOf = async (...deposits: Payment[]) => {
    const payments: Payment[] = [
      ...Array.from({ length: 4 }, (_, i): Payment => [DAY * (2 + i), `u${i}`, 'vault', others, { asset: 'GOLD' }]),
      [DAY * 9, 'THIEF', 'CEX', 1],
      ...deposits,
      [DAY * 20, 'vault', 's', usd, { asset: 'GOLD', txSender: 'THIEF', block: 20, position: 5 }],
    ];
    return (await scan(payments, 's')).risk_level;
  };
  expect(await levelOf([DAY * 12, 'THIEF', 'vault', 5 * usd])).toMatch(/HIGH|CRITICAL/);
  expect(await levelOf([DAY * 12, 'DRAIN', 'vault', 5 * usd])).toMatch(/HIGH|CRITICAL/);
  // Others' money, as in a raffle; what he took out again; a deposit later in the block.
  expect(await levelOf([DAY * 12, 'THIEF', 'vault', 1.2 * usd])).toBe('MEDIUM');
  const out: Payment[] = [
    [DAY * 12, 'THIEF', 'vault', 5 * usd],
    [DAY * 13, 'vault', 'THIEF', 5 * usd],
  ];
  expect(await levelOf(...out)).toBe('MEDIUM');
  expect(await levelOf([DAY * 20, 'THIEF', 'vault', 5 * usd, { block: 20, position: 6 }])).toBe('MEDIUM');
  // A small part of all is his too, where no other had put in as much.
  expect(await levelOf([DAY * 12, 'THIEF', 'vault', usd])).toBe('MEDIUM');
  others = 3 * usd;
  expect(await levelOf([DAY * 12, 'THIEF', 'vault', usd])).toMatch(/HIGH|CRITICAL/);
  expect(await levelOf([DAY * 12, 'THIEF', 'vault', 2 * usd])).toBe('MEDIUM');
});

it('gives no clean name to a contract wallet that only its owner uses', async () => {
  const usd = dice.int(20_000, 90_000);
  const payments: Payment[] = [
    [DAY, 'CEX', 'vault', 1_000],
    [DAY * 20, 'THIEF', 't', usd],
    [DAY * 21, 't', 'vault', usd],
    [DAY * 22, 'vault', 't', usd],
  ];
  expect((await scan(payments, 'vault')).risk_level).toMatch(/HIGH|CRITICAL/);
});

/** What moved in one transaction, in this order. */
const together = (day: number, legs: [from: string, to: string, usd: number, more?: object][]): Payment[] =>
  legs.map(([from, to, usd, more], i) => [
    DAY * day,
    from,
    to,
    usd,
    { txHash: `0xt${day}`, index: `log:${i}`, ...more },
  ]);

const ETH = { asset: 'ETH', token: null };

/** Ways into a contract and out of it, by which who is named first puts in and takes out. */
const WAYS = {
  itself: (who: string, to: string, day: number, usd: number) => together(day, [[who, to, usd]]),
  'over a router': (who: string, to: string, day: number, usd: number) =>
    together(day, [
      [who, 'router', usd],
      ['router', to, usd],
    ]),
  'over two routers that keep a fee': (who: string, to: string, day: number, usd: number) =>
    together(day, [
      [who, 'router', usd],
      ['router', 'other', 0.995 * usd],
      ['other', to, 0.99 * usd],
    ]),
  'over a router that swaps': (who: string, to: string, day: number, usd: number) =>
    together(day, [
      [who, 'router', usd, ETH],
      ['router', 'DEX', usd, ETH],
      ['DEX', 'router', usd],
      ['router', to, usd],
    ]),
};

it.each(Object.keys(WAYS) as (keyof typeof WAYS)[])(
  'who puts in %s and takes out again has nothing of a thief who does too, and the thief has his own',
  async (how) => {
    const sums = Array.from({ length: 6 }, () => dice.int(1_000, 3_000));
    const [usd, stolen] = [dice.int(20_000, 40_000), dice.int(20_000, 40_000)];
    const out = how === 'over a router that swaps' ? 'itself' : dice.pick(['itself', 'over a router'] as const);
    const payments: Payment[] = [
      ...sums.flatMap((sum, i): Payment[] => [
        [DAY * (i + 1), 'CEX', `u${i}`, sum],
        [DAY * (i + 1) + 1, `u${i}`, 'vault', sum],
      ]),
      [DAY * 10, 'CEX', 's', usd],
      ...WAYS[how]('s', 'vault', 11, usd),
      [DAY * 20, 'THIEF', 't', stolen],
      ...WAYS[how]('t', 'vault', 21, stolen),
      ...together(
        30,
        out === 'itself'
          ? [['vault', 's', 0.98 * usd]]
          : [
              ['vault', 'router', 0.98 * usd],
              ['router', 's', 0.98 * usd],
            ],
      ),
      [DAY * 31, 'vault', 't', 0.98 * stolen],
      [DAY * 32, 't', 'x', 0.98 * stolen],
    ];
    expect([out, (await scan(payments, 's')).risk_level]).toEqual([out, expect.stringMatching(/LOW|MEDIUM/)]);
    expect([out, (await scan(payments, 'x')).risk_level]).toEqual([out, expect.stringMatching(/HIGH|CRITICAL/)]);
  },
);

it('gives a seller whom an escrow pays a deposit of its buyer nothing of other deals there', async () => {
  for (const fee of [0, 0.02]) {
    const [price, stolen] = [dice.int(5_000, 9_000), dice.int(20_000, 90_000)];
    const payments: Payment[] = [
      [DAY, 'CEX', 'b', price],
      [DAY * 2, 'b', 'vault', price],
      [DAY * 2, 'THIEF', 't', stolen],
      [DAY * 3, 't', 'vault', stolen],
      [DAY * 5, 'vault', 's', price * (1 - fee)],
      [DAY * 6, 'vault', 'x', stolen * (1 - fee)],
      [DAY * 7, 'x', 'y', stolen * (1 - fee)],
    ];
    const levels = await Promise.all(['s', 'x', 'y'].map((address) => scan(payments, address)));
    expect([fee, ...levels.map(({ risk_level }) => risk_level)]).toEqual([
      fee,
      expect.stringMatching(/LOW|MEDIUM/),
      expect.stringMatching(/HIGH|CRITICAL/),
      expect.stringMatching(/HIGH|CRITICAL/),
    ]);
  }
});

it('makes nobody HIGH by the smaller part of a pot alone, and everybody whom it pays a thief', async () => {
  const ticket = dice.int(1_500, 4_000);
  const pot = (stolen: number): Payment[] => [
    ...Array.from({ length: 5 }, (_, i): Payment[] => [
      [DAY, i < stolen ? 'THIEF' : 'CEX', `p${i}`, ticket],
      [DAY * 2 + i, `p${i}`, 'vault', ticket],
    ]).flat(),
    [DAY * 3, 'CEX', 's', 4 * ticket],
    [DAY * 5, 'vault', 's', 4.5 * ticket],
  ];
  expect((await scan(pot(1), 's')).risk_level).toBe('MEDIUM');
  expect((await scan(pot(4), 's')).risk_level).toMatch(/HIGH|CRITICAL/);
});

/** Lenders stock a market with dollars; who brings coin may borrow of them. */
const lenders = (market = 'MARKET'): Payment[] =>
  Array.from({ length: dice.int(4, 12) }, (_, i): Payment[] => [
    [DAY * (i + 1), 'CEX', `u${i}`, 90_000],
    [DAY * (i + 1) + 1, `u${i}`, market, 90_000],
  ]).flat();

it.each(['MARKET', 'vault'])(
  'traces a loan of %s to the collateral of its borrower, whoever lent it, as long as that lies there',
  async (market) => {
    for (const isStolen of [true, false]) {
      const usd = dice.int(20_000, 90_000);
      const payments: Payment[] = [
        ...lenders(market),
        [DAY * 15, 'THIEF', isStolen ? 't' : 'other', usd, ETH],
        [DAY * 15, 'CEX', isStolen ? 'other' : 't', usd, ETH],
        ...together(16, [['t', market, usd, ETH]]),
        ...together(17, [[market, 't', 0.75 * usd]]),
        [DAY * 18, 't', 'x', 0.75 * usd],
        ...together(20, [['t', market, 0.1 * usd]]),
      ];
      const level = isStolen ? /HIGH|CRITICAL/ : /LOW|MEDIUM/;
      expect([isStolen, (await scan(payments, 'x')).risk_level]).toEqual([isStolen, expect.stringMatching(level)]);
      expect((await scan(payments, 'u0')).risk_level).toMatch(/LOW|MEDIUM/);
    }
  },
);

/** A thief is the larger lender; who borrows of him puts up clean coin, after as many loans that were paid back. */
function loanOfThief(market: string, rounds: number): Payment[] {
  return [
    [DAY, 'CEX', 'x', 200_000, ETH],
    [DAY, 'CEX', 'x', 50_000],
    [DAY * 2, 'THIEF', 't', 300_000],
    ...together(3, [['t', market, 300_000]]),
    ...Array.from({ length: 3 }, (_, i): Payment[] => [
      [DAY * 4, 'CEX', `u${i}`, 20_000],
      ...together(5 + i, [[`u${i}`, market, 20_000]]),
    ]).flat(),
    ...together(10, [['x', market, 200_000, ETH]]),
    ...Array.from({ length: rounds }, (_, i): Payment[] => [
      ...together(11 + 2 * i, [[market, 'x', 10_000]]),
      ...together(12 + 2 * i, [['x', market, 10_100]]),
    ]).flat(),
    ...together(30, [[market, 'x', 100_000]]),
    [DAY * 31, 'x', 'shop', 90_000],
  ];
}

it.each([0, 1, 5])('gives a loan to the collateral after %i loans that were paid back', async (rounds) => {
  for (const who of ['x', 'shop']) {
    expect((await scan(loanOfThief('MARKET', rounds), who)).risk_level).toMatch(/LOW|MEDIUM/);
    expect((await scan(loanOfThief('MARKET', rounds), who)).risk_level).toMatch(/LOW|MEDIUM/);
  }
});

it('gives no clean name to the money that a contract without a name lent for clean coin', async () => {
  for (const who of ['x', 'shop']) {
    expect((await scan(loanOfThief('vault', 0), who)).risk_level).toMatch(/HIGH|CRITICAL/);
  }
});

/** What three wallets of a thief brought, a third each. */
const ofThief = (usd: number, market: string): Payment[] =>
  Array.from({ length: 3 }, (_, i): Payment[] => [
    [DAY * (15 + i), 'THIEF', `t${i}`, usd / 3, ETH],
    [DAY * (16 + i), `t${i}`, market, usd / 3, ETH],
  ]).flat();

it.each([
  ['of a named market of many', 'MARKET', true, false, /LOW|MEDIUM/],
  ['of a contract without a name', 'vault', true, false, /HIGH|CRITICAL/],
  ['of a market that mostly got stolen money', 'MARKET', false, false, /HIGH|CRITICAL/],
  ['of a market that pays the price on to another', 'MARKET', true, true, /HIGH|CRITICAL/],
] as const)('judges mildly who liquidates the loan of a thief only at a fair price %s', async (...given) => {
  const [, market, hasLenders, isRefunded, level] = given;
  const usd = dice.int(20_000, 90_000);
  const payments: Payment[] = [
    ...(hasLenders ? lenders(market) : []),
    [DAY * 3, 'CEX', 's', 100_000],
    ...ofThief(usd, market),
    ...together(30, [
      ['s', market, 0.94 * usd],
      [market, 's', usd, ETH],
      ...(isRefunded ? ([[market, 's2', 0.94 * usd]] as [string, string, number][]) : []),
    ]),
  ];
  expect((await scan(payments, 's')).risk_level).toMatch(level);
  expect((await scan(payments, 's')).risk_level).toMatch(level);
});

it('reads the transfers of an address once, however much it bought', async () => {
  const readsOf = async (deals: number) => {
    const payments: Payment[] = [
      ...lenders(),
      [DAY * 3, 'CEX', 's', 100_000],
      ...Array.from({ length: deals }, (_, i): Payment[] => [
        [DAY * (20 + 3 * i), 'THIEF', 't', 900, ETH],
        [DAY * (21 + 3 * i), 't', 'MARKET', 900, ETH],
        ...together(22 + 3 * i, [
          ['s', 'MARKET', 890],
          ['MARKET', 's', 900, ETH],
        ]),
      ]).flat(),
    ];
    const graph = await openGrafeo({ path: null, shuffleUnordered: true });
    onTestFinished(() => graph.close());
    await pay(graph, payments);
    const key = addressKey('ethereum', 's');
    const traces = await traceMoney(tracing(graph), [key], { ...SCAN_TRACE, directions: ['received'], maxHops: 5 });
    let reads = 0;
    const counted = <T extends object>(list: T[]) =>
      new Proxy(list, {
        get: (target, name) => {
          if (/^\d+$/.test(String(name))) reads += 1;
          return Reflect.get(target, name);
        },
      });
    const opened = new Map(
      [...traces.opened].map(([name, one]) => [
        name,
        { ...one, received: counted([...one.received]), sent: counted([...one.sent]) },
      ]),
    );
    const boughtOf = purchases(key, { ...traces, opened });
    const thieves = traces.received.parties.filter(({ category }) => category === 'theft');
    expect(thieves.flatMap(({ arrivals }) => arrivals).length).toBeGreaterThanOrEqual(deals);
    expect(boughtOf(thieves).usd).toBeGreaterThan(0);
    return reads;
  };
  const [few, many] = [await readsOf(20), await readsOf(80)];
  expect(many).toBeLessThan(5 * few);
});

it('is a loss for who gets a part of its deposits from a robbed vault, and none for who gets more than it put in', async () => {
  for (const [back, rounds, level] of [
    [0.6, 1, /MEDIUM|LOW/],
    [0.6, 3, /MEDIUM|LOW/],
    [1.6, 1, /HIGH|CRITICAL/],
    [1.6, 3, /HIGH|CRITICAL/],
  ] as const) {
    const usd = dice.int(20_000, 60_000);
    const deposits = lenders('vault');
    const stolen = usd + deposits.reduce((sum, [, , to, sent]) => sum + (to === 'vault' ? (sent ?? 0) : 0), 0);
    const each = Array.from({ length: rounds }, (_, i) => i);
    const payments: Payment[] = [
      [DAY, 'CEX', 's', usd],
      ...each.flatMap((i) => together(2 + i, [['s', 'vault', usd / rounds]])),
      ...deposits,
      ...together(20, [['vault', 'THIEF', stolen]]),
      [DAY * 22, 'CEX', 'vault', 200_000],
      ...each.flatMap((i) => together(25 + 7 * i, [['vault', 's', (back * usd) / rounds]])),
      [DAY * 60, 's', 'shop', 0.5 * usd],
    ];
    expect([back, rounds, (await scan(payments, 's')).risk_level]).toEqual([
      back,
      rounds,
      expect.stringMatching(level),
    ]);
  }
});

it.each([1.1, 0.9, 0.5])(
  'takes who pays the contract of a gang each week, and gets %d of it back, for its partner',
  async (back) => {
    const weeks = Array.from({ length: 8 }, (_, i) => 10 + 7 * i);
    const payments: Payment[] = [
      ...Array.from({ length: 3 }, (_, i): Payment[] => [
        [DAY, 'CEX', `u${i}`, 10],
        [DAY * (2 + i), `u${i}`, 'vault', 10],
      ]).flat(),
      [DAY, 'CEX', 's', 100_000],
      [DAY, 'CEX', 'payer', 200_000],
      ...weeks.flatMap((day) => [
        ...together(day, [['s', 'vault', 10_000]]),
        ...together(day + 1, [['vault', 'SCAM', 10_000]]),
        ...together(day + 5, [['payer', 'vault', back * 10_000]]),
        ...together(day + 6, [['vault', 's', back * 10_000]]),
      ]),
    ];
    const { risk_level, detections } = await scan(payments, 's');
    expect(detections.filter(({ details }) => details.role === 'victim')).toEqual([]);
    expect(risk_level).toMatch(/HIGH|CRITICAL/);
  },
);
