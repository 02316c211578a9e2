import { chain, rounds } from './lines.ts';
import { type Pattern, pattern } from './pattern-world.ts';

const paid = (count: number, to: string, usd: number, asset: string, day = 10) =>
  rounds(count, (i) => [
    `${day + i / 3} cex>from${i} ${1.2 * usd} ${asset}`,
    `${day + 1 + i / 3} from${i}>${to} ${usd} ${asset}`,
  ]);

/** The same on chains of other families. */
export const OTHER_CHAINS: readonly Pattern[] = [
  pattern('Bitcoin peel chain of 22', { chain: 'bitcoin', labels: 'thief theft', criminal: 'w22 w10' }, [
    ...paid(6, 'thief', 60, 'BTC'),
    ...chain({ day: 41, from: 'thief', length: 22, asset: 'BTC' }, (i) => [`w${i}>peel${i} 0.4 BTC`]),
  ]),
  pattern(
    'Bitcoin ransom merged and cashed out',
    { chain: 'bitcoin', labels: 'gang ransomware', criminal: 'merge w2', innocent: 'from2' },
    [
      ...paid(6, 'gang', 40, 'BTC'),
      ...rounds(3, (i) => `${40 + i} gang>s${i} ${[33, 50, 100][i]}% BTC`),
      ...rounds(3, (i) => `${44 + i} s${i}>merge all BTC`),
      '48 merge>w2 all BTC',
      '49 w2>cex all BTC',
    ],
  ),
  pattern(
    'Bitcoin payouts of a pool with a market on it',
    { chain: 'bitcoin', labels: 'market darknet', innocent: 'miner3 miner10' },
    [
      ...paid(6, 'market', 8, 'BTC'),
      ...rounds(8, (i) => [
        `${20 + 10 * i} cex>pool 300 BTC`,
        `${21 + 10 * i} ${rounds(20, (n) => `pool>miner${n} 8 BTC`).join('; ')}; pool>market 1 BTC`,
      ]),
      '120 miner3>cex all BTC',
    ],
  ),
  pattern('Bitcoin savings consolidated', { chain: 'bitcoin', innocent: 'saver cold' }, [
    ...rounds(12, (i) => `${10 + 9 * i} cex>saver 5 BTC`),
    '150 saver>cold all BTC',
    '170 cold>cex 40% BTC',
  ]),
  pattern('TRON dollars over eighteen wallets', { chain: 'tron', labels: 'thief theft', criminal: 'w18 w9' }, [
    ...paid(5, 'thief', 80, 'USDT'),
    ...chain({ day: 41, from: 'thief', length: 18, asset: 'USDT' }, (i) => [`w${i}>peel${i} 1% USDT`]),
  ]),
  pattern(
    'TRON approvals with an affiliate',
    { chain: 'tron', labels: 'drain drainer', criminal: 'aff w1', innocent: 'prey3' },
    [
      ...rounds(14, (i) => [
        `${20 + i} cex>prey${i} 6 USDT`,
        `${20.5 + i} aff@Multi: prey${i}>drain 1 USDT; prey${i}>aff 4 USDT`,
      ]),
      '40 aff>w1 all USDT',
    ],
  ),
  pattern('TRON desk with a bad customer', { chain: 'tron', labels: 'bad scam', innocent: 'desk from3' }, [
    ...paid(40, 'desk', 10, 'USDT'),
    ...rounds(5, (i) => [`${15 + i} cex>mark${i} 2 USDT`, `${15.5 + i} mark${i}>bad 1.8 USDT`]),
    '30 bad>desk 7 USDT',
    ...rounds(5, (i) => `${20 + 10 * i} desk>cex 80% USDT`),
  ]),
  pattern('XRP over ten wallets', { chain: 'xrp', labels: 'thief theft', criminal: 'w10 w5' }, [
    ...paid(5, 'thief', 60, 'XRP'),
    ...chain({ day: 41, from: 'thief', length: 10, asset: 'XRP' }),
  ]),
  pattern('XRP shop that a scammer paid once', { chain: 'xrp', labels: 'bad scam', innocent: 'shop from3 mark2' }, [
    ...paid(40, 'shop', 1, 'XRP'),
    ...rounds(5, (i) => [`${15 + i} cex>mark${i} 2 XRP`, `${15.5 + i} mark${i}>bad 1.8 XRP`]),
    '30 bad>shop 0.9 XRP',
    '40 shop>cex 80% XRP',
  ]),
  pattern(
    'Solana drainer that splits',
    { chain: 'solana', labels: 'drain drainer', criminal: 'aff w1', suspect: 'w2', innocent: 'prey3' },
    [
      ...rounds(14, (i) => [
        `${20 + i} cex>prey${i} 6`,
        `${20.5 + i} prey${i}@Claim: prey${i}>drain 1; prey${i}>aff 4`,
      ]),
      '40 aff>w1 95%',
      '41 w1>w2 95%',
    ],
  ),
  pattern('Solana chain of 16', { chain: 'solana', labels: 'thief theft', criminal: 'w16 w8' }, [
    ...paid(5, 'thief', 60, 'SOL'),
    ...chain({ day: 41, from: 'thief', length: 16, asset: 'SOL' }),
  ]),
  pattern('Solana wallet in dust', { chain: 'solana', labels: 'drain drainer', innocent: 'star' }, [
    ...paid(12, 'star', 3, 'SOL'),
    ...rounds(5, (i) => [`${15 + i} cex>mark${i} 2`, `${15.5 + i} mark${i}>drain 1.8`]),
    ...rounds(30, (i) => `${40 + i} drain>star 0.0008`),
    '100 star>cex 20',
  ]),
];
