import { describe, expect, it } from 'vitest';
import { Dice } from '../../fixtures/anomaly/dice.ts';
import type { Transfer } from '../../src/domain/transfers/transfer.ts';
import { seed } from '../setup/seed.ts';
import type { Payment } from './money.ts';
import { scan } from './scanned.ts';

const dice = new Dice(seed);
const DAY = 86_400_000;

/** `fund` is a wallet that was read whole. */
const WALLET = 'fund1';
const VALUE = dice.int(3_000, 90_000);

type More = Partial<Transfer>;

/** Units of a token without a price, which the payer sends himself unless `more` says otherwise. */
function gem(day: number, from: string, to: string, units: number, more: More = {}): Payment {
  return [DAY * day, from, to, null, { ...unpriced('GEM', units), txSender: from, ...more }];
}

function unpriced(asset: string, units: number): More {
  return { asset, token: `0x${asset.toLowerCase()}`, kind: 'token', index: 'log:0', amount: String(units) };
}

/** One transaction of the seller's: units to a pool of strangers, and dollars from it. */
function sale(day: number, units: number, usd: number, { signer = WALLET, asset = 'GEM' } = {}): Payment[] {
  const together = { txHash: `0xsale${day}`, txSender: signer };
  return [
    [DAY * day, WALLET, 'vaultpool', null, { ...unpriced(asset, units), ...together }],
    [DAY * day, 'vaultpool', WALLET, usd, { ...together, index: 'log:1', seq: 1 }],
  ];
}

/** One transaction of the seller's: 900 units of one token to a contract, which gives as many of another. */
function changed(day: number, given: string, got: string): Payment[] {
  const together = { txHash: `0xchanged${day}`, txSender: WALLET };
  return [
    [DAY * day, WALLET, 'vaultgauge', null, { ...unpriced(given, 900), ...together }],
    [DAY * day, 'vaultgauge', WALLET, null, { ...unpriced(got, 900), ...together, index: 'log:1', seq: 1 }],
  ];
}

const CLEAN: Payment[] = [
  ...Array.from({ length: 6 }, (_, i): Payment => [DAY * (1 + i / 9), `lp${i}`, 'vaultpool', VALUE]),
  [DAY, 'CEX', WALLET, 0.2 * VALUE],
];
const STOLEN = gem(10, 'THIEF', WALLET, 900);

const SELLERS: [how: string, payments: Payment[]][] = [
  ['at once', [STOLEN, ...sale(12, 900, VALUE)]],
  ['in parts', [STOLEN, ...[12, 13, 14].flatMap((day) => sale(day, 300, VALUE / 3))]],
  [
    'with clean units of the same token bought before',
    [gem(5, 'CEX', WALLET, 900), STOLEN, ...sale(12, 1_800, 2 * VALUE)],
  ],
  [
    'after a round over other wallets',
    [
      STOLEN,
      gem(10.1, WALLET, 'a', 900),
      gem(10.2, 'a', 'b', 900),
      gem(10.3, 'b', WALLET, 900),
      ...sale(12, 900, VALUE),
    ],
  ],
  [
    'after two other wallets passed them on',
    [gem(10, 'THIEF', 'a', 900), gem(10.2, 'a', 'b', 900), gem(10.4, 'b', WALLET, 900), ...sale(12, 900, VALUE)],
  ],
  [
    'as what a contract gave for them',
    [STOLEN, ...changed(11, 'GEM', 'CUT'), ...sale(12, 900, VALUE, { asset: 'CUT' })],
  ],
  [
    'beside a loan for one transaction',
    [
      STOLEN,
      [DAY * 12, 'vaultlend', WALLET, 50 * VALUE, { txHash: '0xsale12', txSender: WALLET, index: 'log:5', seq: 5 }],
      [DAY * 12, WALLET, 'vaultlend', 50 * VALUE, { txHash: '0xsale12', txSender: WALLET, index: 'log:6', seq: 6 }],
      ...sale(12, 900, VALUE),
    ],
  ],
];

const OTHERS: [who: string, payments: Payment[]][] = [
  ['sells its own units after a thief threw it some', [gem(5, 'CEX', WALLET, 500), STOLEN, ...sale(12, 500, VALUE)]],
  [
    'takes its own units out of a contract first',
    [gem(5, 'CEX', WALLET, 500), gem(6, WALLET, 'vaultstake', 500), STOLEN]
      .concat([gem(11, 'vaultstake', WALLET, 500, { txSender: WALLET })])
      .concat(sale(12, 500, VALUE)),
  ],
  [
    'has them of a dealer who got a tenth of his of a thief',
    [gem(9, 'CEX', 'a', 900), gem(10, 'THIEF', 'a', 100), gem(11, 'a', WALLET, 900), ...sale(12, 900, VALUE)],
  ],
  [
    'is said by the token alone to have got them of a wallet behind a thief',
    [gem(10, 'THIEF', 'a', 900), gem(11, 'a', WALLET, 900, { txSender: 'minter' }), ...sale(12, 900, VALUE)],
  ],
  [
    'changes its own units at a contract after a thief threw it some',
    [gem(5, 'CEX', WALLET, 8_100), STOLEN, ...changed(11, 'GEM', 'CUT'), ...sale(12, 900, VALUE, { asset: 'CUT' })],
  ],
  ['sold before the thief came', [gem(5, 'CEX', WALLET, 900), ...sale(8, 900, VALUE), STOLEN]],
  ['gets a cent for them', [STOLEN, ...sale(12, 900, 0.01)]],
  [
    'is said by the token alone to have got them of a thief',
    [gem(10, 'THIEF', WALLET, 900, { txSender: 'minter' }), ...sale(12, 900, VALUE)],
  ],
  ['got them of who makes such tokens', [gem(10, 'SCAM', WALLET, 900), ...sale(12, 900, VALUE)]],
  ['is said by the token alone to sell them', [STOLEN, ...sale(12, 900, VALUE, { signer: 'minter' })]],
  [
    'redeems shares of its own while the token logs a payment',
    [
      [DAY * 5, '0xshares', WALLET, null, { ...unpriced('SHARE', 50), txSender: WALLET }],
      STOLEN,
      ...sale(12, 50, VALUE, { asset: 'SHARE' }),
      [
        DAY * 12,
        WALLET,
        'vaultpool',
        null,
        { ...unpriced('GEM', 900), txHash: '0xsale12', txSender: WALLET, index: 'log:7', seq: 7 },
      ],
    ],
  ],
  [
    'turns its own dollars over them within a route',
    [
      STOLEN,
      [DAY * 12, WALLET, 'vaultpool', VALUE, { txHash: '0xsale12', txSender: WALLET, index: 'log:3', seq: 3 }],
      ...sale(12, 400, VALUE * 1.001),
    ],
  ],
  [
    'gets back what the thief had taken of it',
    [gem(5, 'CEX', WALLET, 900), gem(8, WALLET, 'THIEF', 900, { txSender: 'THIEF' }), STOLEN, ...sale(12, 900, VALUE)],
  ],
];

const found = ({ detections }: Awaited<ReturnType<typeof scan>>) =>
  detections.find(({ details }) => details.variant === 'sold');

describe('tokens without a price that a thief sent', () => {
  it.each(SELLERS)('are worth what they were sold for: %s', async (_, payments) => {
    const answer = await scan([...CLEAN, ...payments], WALLET);
    expect(answer.risk_level).toBe('HIGH');
    expect(found(answer)?.details.measured.usd).toBeCloseTo(VALUE, 0);
    expect(found(answer)?.description).toContain('thief');
  });

  it('taint what the seller pays on', async () => {
    const payments: Payment[] = [...CLEAN, STOLEN, ...sale(12, 900, VALUE), [DAY * 20, WALLET, 'S', 0.9 * VALUE]];
    expect((await scan(payments, 'S')).risk_level).toBe('HIGH');
  });

  it('taint what a seller pays on who had them of a wallet that the thief paid', async () => {
    const passed = [gem(10, 'THIEF', 'a', 900), gem(10.2, 'a', WALLET, 900)];
    const payments: Payment[] = [...CLEAN, ...passed, ...sale(12, 900, VALUE), [DAY * 20, WALLET, 'S', 0.9 * VALUE]];
    expect((await scan(payments, 'S')).risk_level).toBe('HIGH');
  });

  it.each(OTHERS)('say nothing of who %s', async (_, payments) => {
    const answer = await scan([...CLEAN, ...payments], WALLET);
    expect(['LOW', 'MEDIUM']).toContain(answer.risk_level);
    expect(found(answer)?.severity ?? 'LOW').toBe('LOW');
  });

  it('are MEDIUM at most where nobody is known to have signed for them, for the seller and whom he pays', async () => {
    const unsigned = gem(10, 'THIEF', WALLET, 900, { txSender: null });
    const payments: Payment[] = [...CLEAN, unsigned, ...sale(12, 900, VALUE), [DAY * 20, WALLET, 'S', 0.9 * VALUE]];
    const answer = await scan(payments, WALLET);
    expect([answer.risk_level, found(answer)?.severity]).toEqual(['MEDIUM', 'MEDIUM']);
    expect((await scan(payments, 'S')).risk_level).toBe('MEDIUM');
  });

  it('count no more than did not go back to him', async () => {
    const payments: Payment[] = [...CLEAN, STOLEN, ...sale(12, 900, VALUE), [DAY * 20, WALLET, 'THIEF', 0.75 * VALUE]];
    expect(found(await scan(payments, WALLET))?.details.measured.usd).toBeCloseTo(0.25 * VALUE, 0);
  });
});
