import { chain, rounds } from './lines.ts';
import { type Pattern, pattern } from './pattern-world.ts';

const paid = (count: number, to: string, usd: number, asset: string, day = 10) =>
  rounds(count, (i) => [
    `${day + i / 3} cex>from${i} ${1.2 * usd} ${asset}`,
    `${day + 1 + i / 3} from${i}>${to} ${usd} ${asset}`,
  ]);
/** One transaction in which these spend together and each gets the same sum at a fresh address. */
const joined = (day: number, who: readonly string[], each: number) =>
  `${day} ${who.map((name, i) => `${name}>${name}out ${each} BTC${i === 0 ? '' : `; ${name}>${name} all BTC`}`).join('; ')}`;
const names = (count: number, name: string) => Array.from({ length: count }, (_, i) => `${name}${i}`);

/** Lawful and criminal business on chains of other families. */
export const MORE_OTHER_CHAINS: readonly Pattern[] = [
  // CoinJoin: the honest member stays at MEDIUM however few coins the pot holds.
  pattern(
    'Bitcoin join of nine with one thief',
    { chain: 'bitcoin', labels: 'thief theft', innocent: 'man3out man5out man3 shop' },
    [
      ...paid(5, 'thief', 12, 'BTC'),
      ...rounds(8, (i) => `${20 + i / 9} cex>man${i} 12 BTC`),
      joined(30, ['man0', 'man1', 'man2', 'man3', 'thief', ...names(8, 'man').slice(4)], 10),
      '40 man3out>shop 3 BTC',
      '41 man5out>cex all BTC',
    ],
  ),
  // CoinJoin: half or more of the known money is adverse, it hides no one.
  pattern(
    'Bitcoin join of a thief with himself',
    {
      chain: 'bitcoin',
      labels: `${names(4, 'thief')
        .map((name) => `${name} theft`)
        .join(', ')}`,
      criminal: 'thief1out w2',
    },
    [
      ...rounds(4, (i) => [`${10 + i} cex>prey${i} 14 BTC`, `${10.5 + i} prey${i}>thief${i} 12 BTC`]),
      ...rounds(2, (i) => `${20 + i / 9} cex>man${i} 12 BTC`),
      joined(30, ['man0', ...names(4, 'thief'), 'man1'], 10),
      '40 thief1out>w2 all BTC',
    ],
  ),
  pattern('Bitcoin node of a payment network', { chain: 'bitcoin', labels: 'thief theft', innocent: 'node chan3' }, [
    ...paid(5, 'thief', 6, 'BTC'),
    ...rounds(25, (i) => [
      `${15 + i} cex>peer${i} 11 BTC`,
      `${15.5 + i} peer${i}>chan${i} 10 BTC`,
      `${60 + i} chan${i}>node 5 BTC; chan${i}>back${i} all BTC`,
    ]),
    '41 thief>chan99 10 BTC',
    '70 chan99>node 5 BTC; chan99>back99 all BTC',
    '120 node>cex 60% BTC',
  ]),
  pattern(
    'Bitcoin channel between wallets of a thief',
    { chain: 'bitcoin', labels: 'thief theft', criminal: 'chan w2' },
    [...paid(5, 'thief', 40, 'BTC'), '41 thief>chan all BTC', '50 chan>w1 40% BTC; chan>w2 all BTC'],
  ),
  pattern('Bitcoin peels gathered again', { chain: 'bitcoin', labels: 'thief theft', criminal: 'coll peel4 w10 w2x' }, [
    ...paid(6, 'thief', 60, 'BTC'),
    ...chain({ day: 41, from: 'thief', length: 10, asset: 'BTC' }, (i) => [`w${i}>peel${i} 8% BTC`]),
    `50 ${rounds(10, (i) => `peel${i + 1}>coll ${i === 0 ? '99%' : 'all'} BTC`).join('; ')}`,
    '52 coll>w2x all BTC',
  ]),
  pattern(
    'Bitcoin ransoms at fresh addresses, spent together',
    { chain: 'bitcoin', labels: 'gang ransomware', suspect: 'fresh2 fresh4', innocent: 'firm2' },
    [
      ...rounds(6, (i) => [`${10 + i} cex>firm${i} 34 BTC`, `${10.5 + i} firm${i}>fresh${i} 30 BTC`]),
      `20 ${rounds(6, (i) => `fresh${i}>gang ${i === 0 ? '99%' : 'all'} BTC`).join('; ')}`,
      '25 gang>cex 90% BTC',
    ],
  ),
  pattern('TRON shop of energy', { chain: 'tron', labels: 'bad scam', innocent: 'rent seller2 from5' }, [
    ...rounds(50, (i) => [`${10 + i / 3} cex>from${i} 0.2 TRX`, `${11 + i / 3} from${i}>rent 0.1 TRX`]),
    ...rounds(4, (i) => [`${15 + i} cex>mark${i} 12 USDT`, `${15.5 + i} mark${i}>bad 10 USDT`]),
    ...rounds(3, (i) => [`${19 + i} cex>bad 0.2 TRX`, `bad>rent 0.1 TRX`]),
    ...rounds(4, (i) => `${32 + i} rent>seller${i} 0.9 TRX`),
  ]),
  pattern(
    'TRON parlour that collects over two wallets',
    { chain: 'tron', labels: 'boss scam', criminal: 'c1', suspect: 'c2', innocent: 'from3' },
    [
      ...rounds(20, (i) => [
        `${10 + i} cex>from${i} 12 USDT`,
        `${10.3 + i} from${i}>c1 10 USDT`,
        'c1>c2 9.9 USDT',
        'c2>boss 9.8 USDT',
      ]),
    ],
  ),
  pattern(
    'TRON loot that gathers clean money at each of twelve',
    { chain: 'tron', labels: 'thief theft', criminal: 'w12 w6' },
    [
      ...paid(5, 'thief', 60, 'USDT'),
      '41 thief>w0 all USDT',
      ...rounds(12, (i) => [`${42 + i / 2} cex>w${i} 12 USDT`, `${42.2 + i / 2} w${i}>w${i + 1} all USDT`]),
    ],
  ),
  pattern(
    'TRON wages from a firm that lost to a scam',
    { chain: 'tron', labels: 'bad scam', innocent: 'firm staff1' },
    [
      ...rounds(6, (i) => [
        `${10 + 28 * i} cex>firm 40 USDT`,
        ...rounds(3, (j) => `${11 + 28 * i + j / 9} firm>staff${j} 5 USDT`),
      ]),
      '70 firm>bad 30 USDT',
      '150 staff1>cex 60% USDT',
    ],
  ),
  pattern('XRP charity with one gift of a thief', { chain: 'xrp', labels: 'thief theft', innocent: 'charity school' }, [
    ...paid(40, 'charity', 2, 'XRP'),
    ...rounds(4, (i) => [`${15 + i} cex>mark${i} 5 XRP`, `${15.5 + i} mark${i}>thief 4 XRP`]),
    '30 thief>charity 0.9 XRP',
    '40 charity>school 40 XRP',
    '45 school>cex 50% XRP',
  ]),
  pattern('XRP loot over eight wallets that meet', { chain: 'xrp', labels: 'thief theft', criminal: 'meet w2 s5' }, [
    ...paid(6, 'thief', 60, 'XRP'),
    ...rounds(8, (i) => [`${41 + i / 3} thief>s${i} 40 XRP`, `${45 + i / 3} s${i}>meet all XRP`]),
    '50 meet>w2 all XRP',
  ]),
  pattern('Solana account of tips', { chain: 'solana', labels: 'drain drainer', innocent: 'tips desk' }, [
    ...rounds(40, (i) => [`${10 + i / 3} cex>man${i} 3`, `${11 + i / 3} man${i}@Swap: man${i}>tips 0.08`]),
    ...rounds(4, (i) => [`${15 + i} cex>prey${i} 12`, `${15.2 + i} prey${i}@Claim: prey${i}>drain 10`]),
    ...rounds(2, (i) => `${22 + i} drain@Swap: drain>tips 0.08`),
    '40 tips>desk 90%',
  ]),
  pattern(
    'Solana loot paid out to ten in one transaction, and gathered',
    { chain: 'solana', labels: 'thief theft', criminal: 'm4 meet w2' },
    [
      ...paid(6, 'thief', 60, 'SOL'),
      `41 thief@Batch: ${rounds(10, (i) => `thief>m${i} 33`).join('; ')}`,
      ...rounds(10, (i) => `${43 + i / 3} m${i}>meet all`),
      '50 meet>w2 all',
    ],
  ),
  pattern(
    'Solana payroll with dust of a drainer',
    { chain: 'solana', labels: 'drain drainer', innocent: 'boss staff2' },
    [
      ...rounds(4, (i) => [`${15 + i} cex>prey${i} 12`, `${15.2 + i} prey${i}@Claim: prey${i}>drain 10`]),
      ...rounds(5, (i) => [
        `${10 + 28 * i} cex>boss 40`,
        `boss@Batch: ${rounds(5, (j) => `boss>staff${j} 6`).join('; ')}`,
        `${20 + 28 * i} drain>staff2 0.0005`,
      ]),
    ],
  ),
];
