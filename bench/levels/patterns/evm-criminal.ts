import { chain, life, rounds, stock, theft } from './lines.ts';
import { type Pattern, pattern } from './pattern-world.ts';

const HACKED = 'thief theft, Hack theft';
const prey = (count: number, day: number, pays: (who: string) => string, asset = 'USDC') =>
  rounds(count, (i) => [`${day + i / 2} cex>prey${i} 6 ${asset}`, `${day + 0.3 + i / 2} ${pays(`prey${i}`)}`]);

/** Wallets of Ethereum that hold or passed on what was stolen, and tried to look as if they did not. */
export const EVM_CRIMINAL: readonly Pattern[] = [
  pattern(
    'flash-loan exploit, proceeds to a fresh wallet',
    { labels: 'Hack theft', criminal: 'w1 w3', innocent: 'Aave vault1' },
    [
      ...stock('Aave', 900, 'USDC'),
      ...stock('Vault', 300, 'USDC'),
      '60 cex>w0 0.5',
      '60.2 w0@Hack: Aave>Hack 3000 USDC; Vault>Hack 900 USDC; Hack>Aave 3001.5 USDC; Hack>w1 all USDC',
      '61 w1>w2 60% USDC',
      '62 w2>w3 all USDC',
    ],
  ),
  pattern('proceeds swapped within the exploit', { labels: 'Hack theft', criminal: 'w1 w2', innocent: 'Pool pool1' }, [
    ...stock('Pool', 500, 'WETH'),
    ...stock('Vault', 300, 'DAI'),
    '60 cex>w0 0.5',
    '60.2 w0@Hack: Vault>Hack 900 DAI; Hack>Pool all DAI; Pool>Hack 890 WETH; Hack>w1 all WETH',
    '61 w1@Weth: w1>0 all WETH; Weth>w1 880',
    '62 w1>w2 all',
    ...stock('Weth', 400, 'ETH'),
  ]),
  pattern(
    'drainer with an affiliate',
    { labels: 'drain drainer', criminal: 'aff next', suspect: 'deep', innocent: 'prey3' },
    [
      ...prey(15, 50, (who) => `aff@Multi: ${who}>drain 1 USDC; ${who}>aff 4 USDC`),
      '60 aff>next all USDC',
      '61 next>deep 90% USDC',
    ],
  ),
  pattern(
    'drainer that splits in a contract',
    { labels: 'Drain drainer, boss drainer', criminal: 'part next', innocent: 'prey3' },
    [
      ...prey(15, 50, (who) => `aff@Drain: ${who}>Drain 5 USDC; Drain>boss 1 USDC; Drain>part all USDC`),
      '60 part>next all USDC',
      '61 next>cex all USDC',
    ],
  ),
  pattern(
    'permits drained straight to a fresh sink',
    { labels: 'Permit drainer, bot drainer', criminal: 'sink w2', innocent: 'prey5' },
    [...prey(20, 50, (who) => `bot@Permit: ${who}>sink 5.5 USDC`), '62 sink>w1 all USDC', '63 w1>w2 all USDC'],
  ),
  pattern(
    'drained coin over an affiliate contract',
    { labels: 'drain drainer', criminal: 'aff w2', innocent: 'prey4' },
    [
      ...prey(15, 50, (who) => `${who}@Claim: ${who}>Claim 5; Claim>drain 20%; Claim>aff all`, 'ETH'),
      '60 aff>w1 all',
      '60.5 w1>w2 all',
    ],
  ),
  pattern('peel chain of 14 with decoys', { labels: HACKED, criminal: 'w14 w6', innocent: 'vault2 vault9' }, [
    ...theft(40, 300),
    ...chain({ day: 41, from: 'thief', length: 14, asset: 'ETH' }, (i) => [
      `w${i}>peel${i} 1%`,
      `w${i}>decoy${i} 0.5%`,
      `cex>w${i} 0.3`,
    ]),
  ]),
  pattern('chain of 26 that bounces a third back', { labels: HACKED, criminal: 'w26 w12' }, [
    ...theft(40, 300, 'USDC'),
    '40.9 thief>w1 all USDC',
    ...rounds(25, (i) => [
      `${41 + 0.4 * i} w${i + 1}>w${i + 2} all USDC`,
      `w${i + 2}>w${i + 1} 33% USDC`,
      `w${i + 1}>w${i + 2} all USDC`,
    ]),
  ]),
  pattern('chain of 40 in dust', { labels: HACKED, criminal: 'w40 w20' }, [
    ...theft(40, 500),
    ...chain({ day: 41, from: 'thief', length: 40, asset: 'ETH' }, (i) => [
      ...rounds(3, (n) => `cex>w${i} 0.00${n + 1}`),
      `dust${i}@Spam: 0>w${i} 500 FREE`,
    ]),
  ]),
  pattern('five equal chains that meet again', { labels: HACKED, criminal: 'meet c2x18' }, [
    ...theft(40, 400, 'USDC'),
    ...rounds(5, (n) => [
      `41 thief>c${n}x1 ${[20, 25, 33.3, 50, 100][n]}% USDC`,
      ...rounds(17, (i) => `${42 + 0.4 * i} c${n}x${i + 1}>c${n}x${i + 2} all USDC`),
      `60 c${n}x18>meet all USDC`,
    ]),
    '62 meet>cex 90% USDC',
  ]),
  pattern('five chains that cross at every step', { labels: HACKED, suspect: 'x8y1 x11y2' }, [
    ...theft(40, 400, 'USDC'),
    ...rounds(5, (n) => `41 thief>x0y${n} ${[20, 25, 33.3, 50, 100][n]}% USDC`),
    ...rounds(11, (i) =>
      rounds(5, (n) =>
        rounds(5, (m) => `${42 + 0.6 * i + 0.05 * n} x${i}y${n}>x${i + 1}y${m} ${[20, 25, 33.3, 50, 100][m]}% USDC`),
      ),
    ),
  ]),
  pattern('chain of 18 with twenty decoys each', { labels: HACKED, criminal: 'w18 w9' }, [
    ...theft(40, 400, 'USDC'),
    ...chain({ day: 41, from: 'thief', length: 18, asset: 'USDC' }, (i) => [
      ...rounds(8, (n) => [`cex>d${i}x${n} 0.06 USDC`, `d${i}x${n}>w${i} 0.05 USDC`]),
      ...rounds(8, (n) => `w${i}>e${i}x${n} 0.05 USDC`),
    ]),
  ]),
  pattern('wrapped, swapped and unwrapped on the way', { labels: HACKED, criminal: 'w2 w4', innocent: 'pool3 Pool' }, [
    ...stock('Pool', 500, 'DAI'),
    ...theft(40, 200),
    '40.5 thief>w1 all',
    '41 w1@Weth: w1>Weth all; 0>w1 190 WETH',
    '42 w1>w2 all WETH',
    '43 w2@Pool: w2>Pool all WETH; Pool>w2 185 DAI',
    '44 w2>w3 all DAI',
    '45 w3>w4 all DAI',
  ]),
  pattern('two aggregators on a chain', { labels: HACKED, criminal: 'w6 w8 w9', innocent: 'poola1 PoolB' }, [
    ...stock('PoolA', 500, 'USDC'),
    ...stock('PoolB', 500, 'WETH'),
    ...theft(40, 200),
    ...chain({ day: 41, from: 'thief', length: 5, asset: 'ETH' }),
    '45 w5@Router: w5>Router 95%; Router>PoolA all; PoolA>Router 160 USDC; Router>w5 all USDC',
    '46 w5>w6 all USDC',
    '46.5 w6>w7 all USDC',
    '47 w7@Router: w7>Router all USDC; Router>PoolB all USDC; PoolB>Router 158 WETH; Router>w8 all WETH',
    '48 w8>w9 all WETH',
  ]),
  pattern('out of a mixer', { labels: 'Tornado mixer', criminal: 'fresh w2 w3 user1' }, [
    ...rounds(10, (i) => [`${5 + i} cex>user${i} 60`, `${6 + i} user${i}@Tornado: user${i}>Tornado 50`]),
    ...rounds(4, (i) => `${60 + i} rel@Tornado: Tornado>fresh 49.5; Tornado>rel 0.5`),
    '66 fresh>w2 all',
    '67 w2>w3 all',
  ]),
  pattern('shielded and unshielded', { labels: 'Railgun mixer', criminal: 'w1 out w2' }, [
    ...stock('Railgun', 100, 'USDC'),
    ...theft(40, 300, 'USDC'),
    '41 thief>w1 all USDC',
    '41.5 w1@Railgun: w1>Railgun all USDC; Railgun>fees 1 USDC',
    '50 broad@Railgun: Railgun>out 140 USDC; Railgun>broad 1 USDC',
    '51 out>w2 all USDC',
    '51.5 w2>cex all USDC',
  ]),
  pattern('rug pull', { labels: 'dev scam', criminal: 'w1 w3 w4', innocent: 'buyer5' }, [
    ...rounds(40, (i) => [
      `${20 + i / 4} cex>buyer${i} 4`,
      `${21 + i / 4} buyer${i}@Pair: buyer${i}>Pair 3; 0>buyer${i} 100 RUG`,
    ]),
    '40 dev@Pair: Pair>dev all',
    '41 dev>w1 all',
    '42 w1>w2 50%',
    '42.5 w1>w3 all',
    '43 w2>w4 all',
  ]),
  pattern('stolen money as shares of a vault', { labels: HACKED, criminal: 'w1 w2', innocent: 'Yearn yearn1' }, [
    ...stock('Yearn', 300, 'USDC', 'yUSDC'),
    ...theft(40, 200, 'USDC'),
    '41 thief@Yearn: thief>Yearn all USDC; 0>thief 200 yUSDC',
    '43 thief>w1 all yUSDC',
    '45 w1@Yearn: w1>0 all yUSDC; Yearn>w1 195 USDC',
    '46 w1>w2 all USDC',
  ]),
  pattern('borrowed against stolen coin', { labels: HACKED, criminal: 'w1 w3', innocent: 'Aave aave1' }, [
    ...stock('Aave', 500, 'USDC'),
    ...theft(40, 400, 'WETH'),
    '41 thief@Aave: thief>Aave 390 WETH; Aave>thief 260 USDC',
    '42 thief>w1 all USDC',
    '43 w1>w2 all USDC',
    '44 w2>w3 all USDC',
  ]),
  pattern('borrowed to a second wallet', { labels: HACKED, criminal: 'w1 w2', innocent: 'aave1' }, [
    ...stock('Aave', 500, 'USDC'),
    ...theft(40, 400, 'WETH'),
    '41 thief@Aave: thief>Aave 390 WETH; Aave>w1 260 USDC',
    '43 w1>w2 all USDC',
  ]),
  pattern('liquidity token handed over', { labels: HACKED, criminal: 'w1 w2', innocent: 'pool2' }, [
    ...stock('Pool', 300, 'WETH'),
    ...theft(40, 200, 'WETH'),
    '41 thief@Pool: thief>Pool all WETH; 0>thief 77 LP',
    '42 thief>w1 all LP',
    '43 w1@Pool: w1>0 all LP; Pool>w1 190 WETH',
    '44 w1>w2 all WETH',
  ]),
  pattern('share washed by own rounds', { labels: HACKED, criminal: 'w1' }, [
    ...theft(40, 60, 'USDC'),
    '41 thief>w1 all USDC',
    '20 cex>w1 40 USDC',
    ...rounds(20, (i) => [
      `${42 + i} w1>own 60% USDC`,
      `${42.3 + i} own>mine all USDC`,
      `${42.6 + i} mine>w1 all USDC`,
    ]),
  ]),
  pattern('share washed by flash loans', { labels: HACKED, criminal: 'w1 w2', innocent: 'Balancer balancer2' }, [
    ...stock('Balancer', 900, 'USDC'),
    ...theft(40, 60, 'USDC'),
    '41 thief>w1 all USDC',
    '20 cex>w1 40 USDC',
    ...rounds(30, (i) => `${42 + i} w1@Loop: Balancer>w1 3000 USDC; w1>Balancer 3000 USDC`),
    '80 w1>w2 all USDC',
  ]),
  pattern('thirty splits that one collects', { labels: HACKED, criminal: 'split4 collect w2' }, [
    ...theft(40, 300),
    `41 thief@Disperse: thief>Disperse 290; ${rounds(30, (i) => `Disperse>split${i} 9.6`).join('; ')}`,
    ...rounds(30, (i) => `${42 + i / 10} split${i}>collect all`),
    '50 collect>w2 all',
  ]),
  pattern('accomplice who takes stolen tokens in an escrow', { labels: HACKED, criminal: 'mate w2 w3' }, [
    ...theft(40, 200, 'WETH'),
    '30 cex>mate 200 USDC',
    '41 mate@Escrow: thief>Escrow all WETH; mate>Escrow 150 USDC; Escrow>mate all WETH; Escrow>thief all USDC',
    '42 mate>w2 all WETH',
    '42.5 thief>w3 all USDC',
  ]),
  pattern('worthless picture sold for stolen coin', { labels: HACKED, criminal: 'mate w2' }, [
    ...theft(40, 200),
    ...life('mate', 1, 'ETH'),
    '41 mate@Market: 0>mate 1 ART',
    '42 thief@Market: thief>Market 195; Market>mate 98%; Market>fees all; mate>thief 1 ART',
    '43 mate>w2 99%',
  ]),
  pattern('stolen money as a tip to a builder', { labels: HACKED, criminal: 'builder w2' }, [
    ...theft(40, 200),
    ...life('builder', 4, 'ETH'),
    '41 thief@Bundle: thief>Bundle 195; Bundle>builder all',
    '42 builder>w2 95%',
  ]),
  pattern('bait that caught a large payment', { labels: 'bait scam', criminal: 'w2 w3', innocent: 'prey' }, [
    '30 cex>prey 90 USDC',
    '40 prey>bait 80 USDC',
    '40.2 bait>w1 all USDC',
    '40.4 w1>w2 50% USDC',
    '40.5 w1>w3 all USDC',
    '41 w3>cex all USDC',
  ]),
  pattern('ransom that is cashed out', { labels: 'gang ransomware', criminal: 'w3 w4', innocent: 'firm1' }, [
    ...rounds(4, (i) => [`${20 + 5 * i} cex>firm${i} 60`, `${21 + 5 * i} firm${i}>gang 50`]),
    '50 gang>w1 all',
    '51 w1>w2 60%',
    '51.4 w1>w3 all',
    '52 w2>w4 all',
    '52.2 w4>cex all',
  ]),
  pattern('gift of clean money on the way', { labels: HACKED, criminal: 'w8 w13' }, [
    ...theft(40, 200, 'USDC'),
    '41 thief>w1 all USDC',
    ...rounds(12, (i) => [`${42 + 0.5 * i} cex>w${i + 1} 12 USDC`, `w${i + 1}>w${i + 2} all USDC`]),
  ]),
  pattern('same key on the next chain', { labels: `${HACKED}, Span bridge`, criminal: 'w1', innocent: 'span1' }, [
    ...stock('Span', 100, 'USDC'),
    ...theft(40, 200, 'USDC'),
    '41 thief>w1 all USDC',
    '42 w1@Span: w1>Span all USDC',
  ]),
  pattern('stolen token without a price', { labels: HACKED, criminal: 'w1 w2', innocent: 'pool1' }, [
    ...stock('Pool', 300, 'USDC'),
    '2 0>Vault 900 GEM',
    '3 0>Pool 900 GEM',
    '40 thief@Hack: Vault>Hack all GEM; Hack>thief all GEM',
    '41 thief>w1 all GEM',
    '42 w1@Pool: w1>Pool all GEM; Pool>w1 150 USDC',
    '43 w1>w2 all USDC',
  ]),
];
