import type { Edge } from './in-memory.ts';

interface Vector {
  id: string;
  name: string;
  transfers: Edge[];
  direction?: 'received' | 'sent';
  /** `party: dollars at hops`, largest first. */
  expected: string[];
  unattributed: number;
}

const of = (symbol: string, amount: number | string, txHash?: string) => ({
  symbol,
  amount: String(amount),
  ...(txHash ? { txHash } : {}),
});
const log = (seq: number, txHash = 'T') => ({ txHash, index: `log:${seq}`, seq });
const NOBODY = `0x${'0'.repeat(40)}`;
/** Shares of a vault, by its name. */
const shares = (vault: string) => ({ ...of('SHARE', 7), token: vault });

/** Small worlds with what attribution by replay must say of them, for the domain and for both graph engines. */
export const VECTORS: Vector[] = [
  {
    id: 'V1',
    name: 'direct money',
    transfers: [
      [1, 'HACK', 'S', 100],
      [2, 'CEX', 'S', 300],
    ],
    expected: ['CEX: 300 at 1', 'HACK: 100 at 1'],
    unattributed: 0,
  },
  {
    id: 'V2',
    name: 'an intermediary in proportion',
    transfers: [
      [1, 'HACK', 'M', 2],
      [2, 'CEX', 'M', 3],
      [3, 'M', 'S', 1],
    ],
    expected: ['CEX: 0.6 at 2', 'HACK: 0.4 at 2'],
    unattributed: 0,
  },
  {
    id: 'V3',
    name: 'taint that arrived after the payment',
    transfers: [
      [1, 'CEX', 'M', 3],
      [2, 'M', 'S', 1],
      [3, 'HACK', 'M', 2],
    ],
    expected: ['CEX: 1 at 2'],
    unattributed: 0,
  },
  {
    id: 'V4',
    name: 'a chain of intermediaries',
    transfers: [
      [1, 'HACK', 'A', 100],
      [2, 'A', 'B', 100],
      [3, 'CEX', 'B', 100],
      [4, 'B', 'S', 100],
    ],
    expected: ['CEX: 50 at 2', 'HACK: 50 at 3'],
    unattributed: 0,
  },
  {
    id: 'V5',
    name: 'a diamond',
    transfers: [
      [1, 'HACK', 'A', 100],
      [2, 'A', 'B', 50],
      [3, 'A', 'C', 50],
      [4, 'B', 'S', 50],
      [5, 'C', 'S', 50],
    ],
    expected: ['HACK: 100 at 3'],
    unattributed: 0,
  },
  {
    id: 'V6',
    name: 'own money in a loop',
    transfers: [
      [1, 'HACK', 'A', 100],
      [2, 'S', 'A', 100],
      [3, 'A', 'S', 200],
    ],
    expected: ['HACK: 100 at 2'],
    unattributed: 100,
  },
  {
    id: 'V7',
    name: 'never more than was paid',
    transfers: [
      [1, 'HACK', 'A', 100],
      [2, 'MIX', 'A', 100],
      [3, 'A', 'S', 10],
    ],
    expected: ['HACK: 5 at 2', 'MIX: 5 at 2'],
    unattributed: 0,
  },
  {
    id: 'V8',
    name: 'more paid than known',
    transfers: [
      [1, 'HACK', 'A', 10],
      [2, 'A', 'S', 100],
    ],
    expected: ['HACK: 10 at 2'],
    unattributed: 90,
  },
  {
    id: 'V9',
    name: 'one receipt pays once',
    transfers: [[1, 'HACK', 'A', 10], ...[2, 3, 4, 5, 6].map((at): Edge => [at, 'A', 'S', 10])],
    expected: ['HACK: 10 at 2'],
    unattributed: 40,
  },
  {
    id: 'V10',
    name: 'by quantity',
    transfers: [
      [1, 'HACK', 'A', 100, of('WBTC', 1)],
      [2, 'CEX', 'A', 600, of('WBTC', 0.01)],
      [3, 'A', 'S', 60_600, of('WBTC', 1.01)],
    ],
    expected: ['HACK: 60000 at 2', 'CEX: 600 at 2'],
    unattributed: 0,
  },
  {
    id: 'V11',
    name: 'assets apart',
    transfers: [
      [1, 'HACK', 'A', 10_000, of('USDT', 10_000)],
      [2, 'CEX', 'A', 3_000, of('ETH', 1)],
      [3, 'A', 'S', 3_000, of('ETH', 1)],
    ],
    expected: ['CEX: 3000 at 2'],
    unattributed: 0,
  },
  {
    id: 'V12',
    name: 'spent before',
    transfers: [
      [1, 'HACK', 'A', 100],
      [2, 'A', 'X', 100],
      [3, 'CEX', 'A', 100],
      [4, 'A', 'S', 100],
    ],
    expected: ['CEX: 100 at 2'],
    unattributed: 0,
  },
  {
    id: 'V13',
    name: 'held',
    direction: 'sent',
    transfers: [
      [1, 'S', 'A', 100],
      [2, 'A', 'CEX', 60],
    ],
    expected: ['CEX: 60 at 2'],
    unattributed: 40,
  },
  {
    id: 'V14',
    name: 'one pot, two payers',
    direction: 'sent',
    transfers: [
      [1, 'S', 'A', 100],
      [2, 'X', 'A', 100],
      [3, 'A', 'CEX', 100],
    ],
    expected: ['CEX: 50 at 2'],
    unattributed: 50,
  },
  {
    id: 'V15',
    name: 'half spent',
    transfers: [
      [1, 'HACK', 'A', 100],
      [2, 'A', 'X', 50],
      [3, 'CEX', 'A', 50],
      [4, 'A', 'S', 100],
    ],
    expected: ['CEX: 50 at 2', 'HACK: 50 at 2'],
    unattributed: 0,
  },
  {
    id: 'V16',
    name: 'no price on the way',
    transfers: [
      [1, 'HACK', 'A', null, of('TOKEN', 50)],
      [2, 'A', 'S', 500, of('TOKEN', 50)],
    ],
    expected: ['HACK: 500 at 2'],
    unattributed: 0,
  },
  {
    id: 'V17',
    name: 'a swap goes on',
    transfers: [
      [1, 'HACK', 'A', 10_000, of('USDT', 10_000)],
      [2, 'A', 'DEX', 10_000, { ...of('USDT', 10_000), ...log(0) }],
      [2, 'DEX', 'A', 10_000, { ...of('ETH', 3), ...log(1) }],
      [3, 'A', 'S', 10_000, of('ETH', 3)],
    ],
    expected: ['HACK: 10000 at 2'],
    unattributed: 0,
  },
  {
    id: 'V18',
    name: 'through within one transaction',
    transfers: [
      [1, 'HACK', 'R', 100, log(0)],
      [1, 'R', 'S', 100, log(1)],
    ],
    expected: ['HACK: 100 at 2'],
    unattributed: 0,
  },
  {
    id: 'V19',
    name: 'one block, order unknown',
    transfers: [
      [1, 'HACK', 'A', 100],
      [1, 'A', 'S', 100],
    ],
    expected: ['HACK: 100 at 2'],
    unattributed: 0,
  },
  {
    id: 'V20',
    name: 'a swap paid out to another wallet',
    transfers: [
      [1, 'HACK', 'A', 300_000],
      [2, 'A', 'DEX', 300_000, log(0)],
      [2, 'DEX', 'B', 300_000, { ...of('ETH', 100), ...log(1) }],
      [3, 'B', 'S', 300_000, of('ETH', 100)],
    ],
    expected: ['HACK: 300000 at 3'],
    unattributed: 0,
  },
  {
    id: 'V21',
    name: 'a swap paid out, as far as the values agree',
    direction: 'sent',
    transfers: [
      [1, 'S', 'A', 300_000],
      [2, 'A', 'DEX', 300_000, log(0)],
      [2, 'DEX', 'B', 100_000, { ...of('ETH', 30), ...log(1) }],
      [3, 'B', 'CEX', 100_000, of('ETH', 30)],
    ],
    expected: ['DEX: 190000 at 2', 'CEX: 110000 at 3'],
    unattributed: 0,
  },
  {
    id: 'V22',
    name: 'a worthless token beside what was paid out',
    direction: 'sent',
    transfers: [
      [1, 'S', 'A', 300_000],
      [2, 'A', 'DEX', 300_000, log(0)],
      [2, 'DEX', 'A', null, { ...of('TOKEN', 1), ...log(1) }],
      [2, 'DEX', 'B', 300_000, { ...of('ETH', 100), ...log(2) }],
      [3, 'B', 'CEX', 300_000, of('ETH', 100)],
    ],
    expected: ['CEX: 300000 at 3'],
    unattributed: 0,
  },
  {
    id: 'V23',
    name: 'several payers of one payout, by their dollars, after their own swaps',
    transfers: [
      [1, 'HACK', 'A', 100],
      [1, 'MIX', 'C', 400],
      [2, 'A', 'DEX', 100, log(0)],
      [2, 'C', 'DEX', 400, log(1)],
      [2, 'DEX', 'C', 100, { ...of('WBTC', '0.001'), ...log(2) }],
      [2, 'DEX', 'B', 390, { ...of('ETH', '0.1'), ...log(3) }],
      [3, 'B', 'S', 390, of('ETH', '0.1')],
    ],
    // C's own swap explains 110 of its 400.
    expected: ['MIX: 290 at 3', 'HACK: 100 at 3'],
    unattributed: 0,
  },
  {
    id: 'V24',
    name: 'an exchange in two transactions, first in first out',
    transfers: [
      [1, 'HACK', 'A', 100],
      [2, 'A', 'DEX', 100],
      [3, 'CEX', 'A', 60, of('WBTC', '0.002')],
      [4, 'A', 'DEX', 60, of('WBTC', '0.002')],
      [5, 'DEX', 'A', 150, of('ETH', 3)],
      [6, 'A', 'S', 150, of('ETH', 3)],
    ],
    expected: ['HACK: 100 at 2', 'CEX: 50 at 2'],
    unattributed: 0,
  },
  {
    id: 'V25',
    name: 'no more than was put in',
    transfers: [
      [1, 'HACK', 'A', 100],
      [2, 'A', 'DEX', 100],
      [3, 'DEX', 'A', 150, of('ETH', 3)],
      [4, 'A', 'S', 150, of('ETH', 3)],
    ],
    expected: ['HACK: 100 at 2', 'DEX: 50 at 2'],
    unattributed: 0,
  },
  {
    id: 'V26',
    name: 'a deposit that came back in part',
    direction: 'sent',
    transfers: [
      [1, 'S', 'A', 100],
      [2, 'A', 'DEX', 100],
      [3, 'DEX', 'A', 40, of('ETH', 1)],
      [4, 'A', 'CEX', 40, of('ETH', 1)],
    ],
    expected: ['DEX: 60 at 2', 'CEX: 40 at 2'],
    unattributed: 0,
  },
  {
    id: 'V27',
    name: 'a contract in two transactions, as an exchange',
    transfers: [
      [1, 'HACK', 'A', 100],
      [2, 'A', 'vault', 100],
      [3, 'vault', 'A', 60, of('ETH', 2)],
      [4, 'A', 'S', 60, of('ETH', 2)],
    ],
    expected: ['HACK: 60 at 2'],
    unattributed: 0,
  },
  {
    id: 'V28',
    name: 'what the own replay of a contract explains comes first',
    transfers: [
      [1, 'HACK', 'A', 100],
      [2, 'A', 'vault', 100],
      [2, 'CEX', 'vault', 40, of('ETH', 1)],
      [3, 'vault', 'A', 80, of('ETH', 2)],
      [4, 'A', 'S', 80, of('ETH', 2)],
    ],
    expected: ['CEX: 40 at 3', 'HACK: 40 at 2'],
    unattributed: 0,
  },
  {
    id: 'V29',
    name: 'a deposit at a contract that came back in part, after what the contract paid on',
    direction: 'sent',
    transfers: [
      [1, 'S', 'A', 100],
      [2, 'A', 'vault', 100],
      [3, 'vault', 'MIX', 50],
      [4, 'vault', 'A', 30, of('ETH', 1)],
      [5, 'A', 'CEX', 30, of('ETH', 1)],
    ],
    expected: ['MIX: 50 at 3', 'CEX: 30 at 2'],
    unattributed: 20,
  },
  {
    id: 'V30',
    name: 'what a thief pays back is the own money of his victim',
    transfers: [
      [1, 'CEX', 'S', 9],
      [2, 'S', 'THIEF', 9],
      [3, 'THIEF', 'S', 8],
    ],
    expected: ['CEX: 9 at 1'],
    unattributed: 8,
  },
  {
    id: 'V31',
    name: 'money paid back goes on from what was lost',
    transfers: [
      [1, 'CEX', 'A', 9],
      [2, 'A', 'THIEF', 9],
      [3, 'MIX', 'THIEF', 9],
      [4, 'THIEF', 'A', 8],
      [5, 'A', 'S', 8],
    ],
    expected: ['CEX: 8 at 2'],
    unattributed: 0,
  },
  {
    id: 'V32',
    name: 'what the thief spent before cannot come back',
    transfers: [
      [1, 'CEX', 'A', 9],
      [2, 'A', 'THIEF', 9],
      [3, 'THIEF', 'MIX', 9],
      [4, 'HACK', 'THIEF', 9],
      [5, 'THIEF', 'A', 9],
      [6, 'A', 'S', 9],
    ],
    expected: ['THIEF: 9 at 2'],
    unattributed: 0,
  },
  {
    id: 'V33',
    name: 'paid back by a wallet that passes on his money alone, to two that he took from',
    transfers: [
      [1, 'CEX', 'A', 40],
      [2, 'A', 'THIEF', 40],
      [3, 'b', 'THIEF', 60],
      [4, 'THIEF', 'fund', 100],
      [5, 'fund', 'b', 60],
      [6, 'fund', 'A', 40],
      [7, 'A', 'S', 40],
    ],
    expected: ['CEX: 40 at 2'],
    unattributed: 0,
  },
  {
    id: 'V34',
    name: 'a loss that came back in part is the own money of that part',
    direction: 'sent',
    transfers: [
      [1, 'S', 'A', 100],
      [2, 'A', 'THIEF', 100],
      [3, 'THIEF', 'DEX', 50, log(0)],
      [3, 'DEX', 'THIEF', 50, { ...of('ETH', 2), ...log(1) }],
      [4, 'THIEF', 'A', 25, of('ETH', 1)],
      [5, 'A', 'CEX', 25, of('ETH', 1)],
    ],
    expected: ['THIEF: 75 at 2', 'CEX: 25 at 2'],
    unattributed: 0,
  },
  {
    id: 'V35',
    name: 'shares given back to their vault, which pays another',
    direction: 'sent',
    transfers: [
      [1, 'S', 'A', 100],
      [2, 'A', 'DEX', 100, log(0)],
      [2, NOBODY, 'A', null, { ...shares('DEX'), ...log(1) }],
      [3, 'A', NOBODY, null, { ...shares('DEX'), ...log(0, 'U') }],
      [3, 'DEX', 'B', 120, { ...of('ETH', 1), ...log(1, 'U') }],
      [4, 'B', 'CEX', 120, of('ETH', 1)],
    ],
    expected: ['CEX: 100 at 3'],
    unattributed: 0,
  },
  {
    id: 'V36',
    name: 'shares that a vault issued to another than who paid',
    transfers: [
      [1, 'HACK', 'A', 100],
      [2, 'A', 'DEX', 100, log(0)],
      [2, NOBODY, 'B', null, { ...shares('DEX'), ...log(1) }],
      [3, 'B', NOBODY, null, { ...shares('DEX'), ...log(0, 'U') }],
      [3, 'DEX', 'B', 120, { ...of('ETH', 1), ...log(1, 'U') }],
      [4, 'B', 'S', 120, of('ETH', 1)],
    ],
    expected: ['HACK: 120 at 3'],
    unattributed: 0,
  },
];
