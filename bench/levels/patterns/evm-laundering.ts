import { rounds, stock, theft } from './lines.ts';
import { type Pattern, pattern } from './pattern-world.ts';

const HACKED = 'thief theft, Hack theft';
const prey = (count: number, day: number, pays: (who: string, i: number) => string, asset = 'USDC') =>
  rounds(count, (i) => [`${day + i / 2} cex>prey${i} 6 ${asset}`, `${day + 0.3 + i / 2} ${pays(`prey${i}`, i)}`]);

/** Wallets of Ethereum behind crime, each by a rule of docs/risk.md that makes it HIGH, or MEDIUM at least. */
export const EVM_LAUNDERING: readonly Pattern[] = [
  // Accomplices: where a listed taker signs, what is taken goes to his own.
  pattern(
    'sinks of permits that a listed drainer signs',
    { labels: 'op drainer', criminal: 'sink next', suspect: 'deep', innocent: 'prey4' },
    [
      ...prey(14, 30, (who) => `op@Permit: ${who}>sink 4 USDC; ${who}>share 1 USDC`),
      '45 sink>next 95% USDC',
      '46 next>deep 95% USDC',
    ],
  ),
  pattern('sink of one use for each victim', { labels: 'drain drainer', suspect: 'sink5 sink9', innocent: 'prey5' }, [
    ...prey(14, 30, (who, i) => `aff@Permit: ${who}>sink${i} 5 USDC`),
    ...rounds(14, (i) => `${31 + i / 2} sink${i}>drain all USDC`),
  ]),
  pattern('owner who empties the pot into a fresh wallet', { labels: 'dev scam', suspect: 'd1', innocent: 'pot3' }, [
    ...stock('Pot', 10, 'USDC'),
    '38 cex>dev 0.5',
    '40 dev@Pot: Pot>d1 all USDC',
    '41 d1>d2 95% USDC',
  ]),
  // Within one transaction: contracts hand on what they take.
  pattern(
    'exploit that stores its loot in a second contract',
    { labels: 'Attack theft', criminal: 'Store w1 w2', innocent: 'vault5' },
    [
      ...stock('Vault', 20, 'USDC'),
      '39 cex>op 0.5',
      '40 op@Attack: Vault>Attack 800 USDC; Attack>Store all USDC',
      '44 op@Store: Store>w1 all USDC',
      '45 w1>w2 all USDC',
    ],
  ),
  pattern(
    'approvals to a lawful router abused',
    { labels: 'thief theft, Router dex_router', criminal: 'w1', innocent: 'prey3 Router' },
    [...prey(14, 30, (who) => `thief@Router: ${who}>thief 5 USDC`), '45 thief>w1 all USDC'],
  ),
  pattern(
    'claim that takes coins, withdrawn by its owner',
    { labels: 'Claim scam', criminal: 'own w2', innocent: 'prey6' },
    [...prey(20, 30, (who) => `${who}@Claim: ${who}>Claim 5`, 'ETH'), '45 own@Claim: Claim>own all', '46 own>w2 95%'],
  ),
  // Second collectors and accomplices.
  pattern(
    'forwarders to a collector that pays a drainer a fifth',
    { labels: 'boss drainer', criminal: 'collect', suspect: 'w2', innocent: 'prey3' },
    [
      ...prey(24, 30, (who, i) => `${who}>Fwd${i}a 5 USDC`),
      ...rounds(24, (i) => [
        `${30.5 + i / 2} collect@Fwd${i}a: Fwd${i}a>collect all USDC`,
        'collect>boss 1 USDC',
        'collect>w2 3.9 USDC',
      ]),
    ],
  ),
  pattern('early investor of a pyramid', { labels: 'Scheme scam', criminal: 'early w2', innocent: 'late7' }, [
    '10 cex>early 3 USDC',
    '11 early@Scheme: early>Scheme 2 USDC',
    ...rounds(20, (i) => [`${14 + i} cex>late${i} 6 USDC`, `late${i}@Scheme: late${i}>Scheme 5 USDC`]),
    ...rounds(6, (i) => `${20 + 2 * i} early@Scheme: Scheme>early 6 USDC`),
    '40 early>w2 90% USDC',
  ]),
  // Conversions: only as far as the values agree; what is brought to a contract and taken by a second party.
  pattern('stolen coin paid into a market of a worthless token', { labels: HACKED, criminal: 'mate w2' }, [
    ...theft(40, 200, 'WETH'),
    '35 cex>mate 22 WETH',
    '36 mate@Fake: 0>mate 900 FAKE',
    '36.5 mate@Pair: mate>Pair 800 FAKE; mate>Pair 20 WETH; 0>mate 1 LPT',
    '41 thief@Pair: thief>Pair 195 WETH; Pair>thief 700 FAKE',
    '42 mate@Pair: mate>0 1 LPT; Pair>mate all WETH; Pair>mate all FAKE',
    '43 mate>w2 all WETH',
  ]),
  pattern('shares of a vault minted to a mate', { labels: HACKED, suspect: 'mate', innocent: 'Yearn yearn1' }, [
    ...stock('Yearn', 60, 'USDC', 'yUSDC'),
    ...theft(40, 200, 'USDC'),
    '41 thief@Yearn: thief>Yearn 190 USDC; 0>mate 190 yUSDC',
    '50 mate@Yearn: mate>0 190 yUSDC; Yearn>mate 191 USDC',
    '51 mate>w2 all USDC',
  ]),
  pattern('shares of shares of a vault', { labels: HACKED, criminal: 'w1 w2', innocent: 'Yearn yearn1' }, [
    ...stock('Yearn', 60, 'USDC', 'yUSDC'),
    ...theft(40, 200, 'USDC'),
    '41 thief@Yearn: thief>Yearn 190 USDC; 0>thief 190 yUSDC',
    '42 thief@Gauge: thief>Gauge all yUSDC; 0>thief 190 gUSDC',
    '43 thief>w1 all gUSDC',
    '44 w1@Gauge: w1>0 all gUSDC; Gauge>w1 all yUSDC',
    '45 w1@Yearn: w1>0 190 yUSDC; Yearn>w1 191 USDC',
    '46 w1>w2 all USDC',
  ]),
  pattern('loot paid as the fee of a loan in a flash', { labels: HACKED, criminal: 'lord w2' }, [
    ...theft(40, 200, 'USDC'),
    '35 cex>lord 12 USDC',
    '36 lord@Lend: lord>Lend 11 USDC',
    '41 thief>w1 all USDC',
    '42 w1@Borrow: Lend>Borrow 10 USDC; Borrow>Lend 10 USDC; w1>Lend all USDC',
    '43 lord@Lend: Lend>lord all USDC',
    '44 lord>w2 all USDC',
  ]),
  pattern('private market where a mate liquidates the thief', { labels: HACKED, criminal: 'mate w2' }, [
    ...theft(40, 200, 'WETH'),
    '35 cex>mate 60 USDC',
    '36 mate@Mkt: mate>Mkt 30 USDC',
    '41 thief@Mkt: thief>Mkt 195 WETH; Mkt>thief 20 USDC',
    '43 mate@Mkt: mate>Mkt 21 USDC; Mkt>mate all WETH',
    '44 mate>w2 all WETH',
  ]),
  pattern(
    'stolen token without a price, two wallets before the sale',
    { labels: HACKED, criminal: 'w2 w3', innocent: 'pool1 Pool' },
    [
      ...stock('Pool', 60, 'USDC'),
      '2 0>Vault 900 GEM',
      '3 0>Pool 900 GEM',
      '40 thief@Hack: Vault>Hack all GEM; Hack>thief all GEM',
      '41 thief>w1 all GEM',
      '41.5 w1>w2 all GEM',
      '42 w2@Pool: w2>Pool all GEM; Pool>w2 150 USDC',
      '43 w2>w3 all USDC',
    ],
  ),
  // Far money.
  pattern('tree of three, four deep, that one collects', { labels: HACKED, criminal: 'n1 n11 n111 collect w2' }, [
    ...theft(40, 400, 'USDC'),
    '40.5 thief>n all USDC',
    ...rounds(3, (i) => `${41 + i / 9} n>n${i} ${[33, 50, 100][i]}% USDC`),
    ...rounds(
      9,
      (i) => `${42 + i / 20} n${i % 3}>n${i % 3}${(i - (i % 3)) / 3} ${[33, 50, 100][(i - (i % 3)) / 3]}% USDC`,
    ),
    ...rounds(27, (i) => {
      const from = `n${i % 3}${((i - (i % 3)) / 3) % 3}`;
      const part = (i - (i % 9)) / 9;
      return `${43 + i / 60} ${from}>${from}${part} ${[33, 50, 100][part]}% USDC`;
    }),
    ...rounds(27, (i) => `${45 + i / 30} n${i % 3}${((i - (i % 3)) / 3) % 3}${(i - (i % 9)) / 9}>collect all USDC`),
    '47 collect>w2 all USDC',
  ]),
  pattern(
    'chain of twenty that swaps at every third wallet',
    { labels: HACKED, criminal: 'w20 w10', innocent: 'Pool pool1' },
    [
      ...stock('Pool', 60, 'USDC'),
      ...rounds(45, (i) => [`${6 + i / 9} cex>lp${i} 66 WETH`, `${12 + i / 9} lp${i}@Pool: lp${i}>Pool 60 WETH`]),
      ...theft(40, 200, 'USDC'),
      '40.5 thief>w0 all USDC',
      ...rounds(20, (i) => {
        const asset = ((i - (i % 3)) / 3) % 2 === 0 ? 'USDC' : 'WETH';
        const other = asset === 'USDC' ? 'WETH' : 'USDC';
        const worth = 195 * 0.995 ** i;
        const swap = `${41.2 + i / 2} w${i + 1}@Pool: w${i + 1}>Pool all ${asset}; Pool>w${i + 1} ${worth} ${other}`;
        return [`${41 + i / 2} w${i}>w${i + 1} all ${asset}`, ...(i % 3 === 2 ? [swap] : [])];
      }),
    ],
  ),
  pattern('ten wallets, a month at each', { labels: HACKED, criminal: 'w10 w4' }, [
    ...theft(40, 200, 'USDC'),
    '41 thief>w0 all USDC',
    ...rounds(10, (i) => `${70 + 13 * i} w${i}>w${i + 1} all USDC`),
  ]),
  pattern('chain in which each wallet cashes out a twentieth', { labels: HACKED, criminal: 'w18 w9' }, [
    ...theft(40, 300, 'USDC'),
    '40.5 thief>w0 all USDC',
    ...rounds(18, (i) => [`${41 + i / 2} w${i}>w${i + 1} 95% USDC`, `${41.2 + i / 2} w${i}>cex all USDC`]),
  ]),
  // Mixers.
  pattern(
    'ten withdrawals of a mixer gathered and swapped',
    { labels: 'Tornado mixer, thief theft', criminal: 'coll w2 f3', innocent: 'pool1 Pool' },
    [
      ...stock('Pool', 60, 'USDC'),
      ...stock('Tornado', 12, 'ETH'),
      ...theft(40, 125),
      ...rounds(10, (i) => `${41 + i / 9} thief@Tornado: thief>Tornado 12`),
      ...rounds(10, (i) => [
        `${50 + i} relayer@Tornado: Tornado>f${i} 11.9; Tornado>relayer 0.1`,
        `${60 + i / 9} f${i}>coll all`,
      ]),
      '63 coll@Pool: coll>Pool 110; Pool>coll 109 USDC',
      '64 coll>w2 all USDC',
    ],
  ),
  pattern('small pool without a label, filled by a thief', { labels: HACKED, criminal: 'fresh w2' }, [
    ...theft(40, 400),
    ...rounds(10, (i) => [`${20 + i} cex>man${i} 11`, `man${i}@Mix: man${i}>Mix 10`]),
    ...rounds(8, (i) => `${41 + i / 9} thief@Mix: thief>Mix 48`),
    ...rounds(4, (i) => `${50 + i} relayer@Mix: Mix>fresh 49; Mix>relayer 1`),
    '56 fresh>w2 95%',
  ]),
  // Batches.
  pattern(
    'forty mules paid by a batch contract that staff use too',
    { labels: HACKED, criminal: 'm5 m30', innocent: 'boss staff1' },
    [
      ...theft(40, 400, 'USDC'),
      ...rounds(4, (i) => [
        `${10 + 28 * i} cex>boss 21 USDC`,
        `boss@Disperse: boss>Disperse 20 USDC; ${rounds(4, (j) => `Disperse>staff${j} 5 USDC`).join('; ')}`,
      ]),
      `41 thief@Disperse: thief>Disperse 390 USDC; ${rounds(39, (i) => `Disperse>m${i} 10 USDC`).join('; ')}`,
      ...rounds(39, (i) => `${42 + i / 20} m${i}>cex all USDC`),
    ],
  ),
  pattern('loot handed out as claims of an airdrop', { labels: HACKED, criminal: 'm5 m12' }, [
    ...theft(40, 400, 'USDC'),
    '41 thief@Drop: thief>Drop 390 USDC',
    ...rounds(30, (i) => [`${42 + i / 9} m${i}@Drop: Drop>m${i} 12 USDC`, `${46 + i / 9} m${i}>cex all USDC`]),
  ]),
  pattern(
    'stream of a DAO contract from a thief to a mate',
    { labels: HACKED, suspect: 'mate w2', innocent: 'sablier8' },
    [
      ...stock('Sablier', 8, 'USDC'),
      ...theft(40, 200, 'USDC'),
      '41 thief@Sablier: thief>Sablier 190 USDC',
      ...rounds(5, (i) => `${45 + 3 * i} mate@Sablier: Sablier>mate 37 USDC`),
      '62 mate>w2 all USDC',
    ],
  ),
  // Direct dealings and their base.
  pattern('desk of which a fifth is loot', { labels: HACKED, criminal: 'desk' }, [
    ...theft(40, 120, 'USDC'),
    ...rounds(20, (i) => [`${20 + i} cex>man${i} 22 USDC`, `man${i}>desk 20 USDC`]),
    '41 thief>desk 110 USDC',
    '42 desk>w1 105 USDC',
    ...rounds(4, (i) => `${44 + i} desk>cex 40% USDC`),
  ]),
  pattern('loot that a friend repays with clean money', { labels: HACKED, criminal: 'w2', suspect: 'friend' }, [
    ...theft(40, 200, 'USDC'),
    '41 thief>friend 190 USDC',
    '42 friend>w2 all USDC',
    '50 cex>friend 195 USDC',
    '51 friend>thief 190 USDC',
  ]),
  pattern('vendor paid by a wallet of a sanctioned party', { labels: 'regime sanctioned', criminal: 'Safe vendor' }, [
    '10 cex>regime 200 USDC',
    '20 regime>Safe 150 USDC',
    ...rounds(4, (i) => `${25 + 5 * i} clerk@Safe: Safe>vendor 30 USDC`),
    '50 vendor>cex 80% USDC',
  ]),
];
