import { life, rounds, stock, theft } from './lines.ts';
import { type Pattern, pattern } from './pattern-world.ts';

const HACKED = 'thief theft, Hack theft';
/** People with money from an exchange. */
const people = (count: number, usd: number, asset: string, name = 'man', day = 10) =>
  rounds(count, (i) => `${day + i / 3} cex>${name}${i} ${usd} ${asset}`);

/** Lawful business of Ethereum next to crime, each by a rule of docs/risk.md that keeps it below HIGH. */
export const EVM_BUSINESS: readonly Pattern[] = [
  // What a provider puts into a pool and takes out again is his own, in whatever asset it comes out.
  pattern('liquidity just in time for a thief', { labels: HACKED, innocent: 'jit Pool pool3' }, [
    ...stock('Pool', 60, 'USDC'),
    ...theft(40, 200, 'WETH'),
    ...people(8, 60, 'WETH'),
    '5 cex>jit 400 USDC',
    '5.2 cex>jit 400 WETH',
    ...rounds(8, (i) => [
      `${30 + i / 4} jit@Pool: jit>Pool 200 USDC; 0>jit 1 POS`,
      `man${i}@Router: man${i}>Router 50 WETH; Router>Pool all WETH; Pool>Router 49.8 USDC; Router>man${i} all USDC`,
      'jit@Pool: jit>0 1 POS; Pool>jit 160.1 USDC; Pool>jit 40 WETH',
      'jit@Swap: jit>Swap 40 WETH; cex>Swap 40 USDC; Swap>cex all WETH; Swap>jit all USDC',
    ]),
    '41 jit@Pool: jit>Pool 300 USDC; 0>jit 1 POS',
    'thief@Router: thief>Router 190 WETH; Router>Pool all WETH; Pool>Router 189 USDC; Router>thief all USDC',
    'jit@Pool: jit>0 1 POS; Pool>jit 151 USDC; Pool>jit 150 WETH',
    '42 jit>cex 150 WETH',
  ]),
  // Within one transaction: legs are paired; who pays for what he gets trades.
  pattern('filler of orders whose contract sells at once', { labels: HACKED, innocent: 'filler Filler Pool pool7' }, [
    ...stock('Pool', 60, 'USDC'),
    ...theft(40, 100, 'WETH'),
    ...people(12, 40, 'WETH'),
    ...rounds(12, (i) => [
      `${20 + i} filler@Reactor: man${i}>Filler 35 WETH; Filler>Pool all WETH; Pool>Filler 34.8 USDC; Filler>Reactor 34.7 USDC; Reactor>man${i} all USDC`,
    ]),
    '44 filler@Reactor: thief>Filler 95 WETH; Filler>Pool all WETH; Pool>Filler 94.6 USDC; Filler>Reactor 94.3 USDC; Reactor>thief all USDC',
    '50 filler@Filler: Filler>filler all USDC',
  ]),
  pattern('resolver with stock of his own', { labels: HACKED, innocent: 'resolver man3' }, [
    ...theft(40, 60, 'WETH'),
    ...people(40, 40, 'WETH'),
    '5 cex>resolver 900 USDC',
    ...rounds(40, (i) => [
      `${20 + i / 2} resolver@Fusion: man${i}>resolver 35 WETH; resolver>man${i} 34.8 USDC`,
      `resolver>cex 34 WETH`,
      `cex>resolver 34 USDC`,
    ]),
    '41 resolver@Fusion: thief>resolver 58 WETH; resolver>thief 57.5 USDC',
    '42 resolver>cex 57 WETH',
  ]),
  pattern('buyer of shares that a thief sold at a pool', { labels: HACKED, innocent: 'buyer Pair Yearn yearn4' }, [
    ...stock('Yearn', 60, 'USDC', 'yUSDC'),
    ...theft(40, 200, 'USDC'),
    ...rounds(12, (i) => [`${20 + i / 2} yearn${i}@Pair: yearn${i}>Pair 90 yUSDC; 0>yearn${i} 1 LPT`]),
    '18 cex>maker 400 USDC',
    '19 maker@Pair: maker>Pair 400 USDC; 0>maker 2 LPT',
    '41 thief@Yearn: thief>Yearn 190 USDC; 0>thief 190 yUSDC',
    '42 thief@Pair: thief>Pair 190 yUSDC; Pair>thief 185 USDC',
    '43 cex>buyer 100 USDC',
    '44 buyer@Pair: buyer>Pair 98 USDC; Pair>buyer 100 yUSDC',
    '60 buyer@Yearn: buyer>0 100 yUSDC; Yearn>buyer 101 USDC',
    '61 buyer>cex all USDC',
  ]),
  pattern('keeper at the auction of a thief', { labels: HACKED, innocent: 'keeper Dog dog2' }, [
    ...stock('Dog', 40, 'DAI'),
    ...theft(40, 200, 'WETH'),
    ...people(10, 100, 'WETH'),
    '5 cex>keeper 600 DAI',
    ...rounds(10, (i) => [
      `${15 + i} man${i}@Dog: man${i}>Dog 90 WETH; Dog>man${i} 60 DAI`,
      `${50 + i} keeper@Dog: keeper>Dog 80 DAI; Dog>keeper 86 WETH`,
      `keeper>cex 85 WETH`,
      `cex>keeper 85 DAI`,
    ]),
    '41 thief@Dog: thief>Dog 190 WETH; Dog>thief 120 DAI',
    '70 keeper@Dog: keeper>Dog 175 DAI; Dog>keeper 188 WETH',
    '71 keeper>cex all WETH',
  ]),
  pattern('flash arbitrage between a pool and a vault', { labels: HACKED, innocent: 'bot Aave Yearn Pair aave9' }, [
    ...stock('Aave', 60, 'USDC'),
    ...stock('Yearn', 60, 'USDC', 'yUSDC'),
    ...theft(40, 200, 'USDC'),
    ...rounds(12, (i) => [`${20 + i / 2} yearn${i}@Pair: yearn${i}>Pair 90 yUSDC; 0>yearn${i} 1 LPT`]),
    '18 cex>maker 400 USDC',
    '19 maker@Pair: maker>Pair 400 USDC; 0>maker 2 LPT',
    '41 thief@Yearn: thief>Yearn 190 USDC; 0>thief 190 yUSDC',
    '42 thief@Pair: thief>Pair 190 yUSDC; Pair>thief 180 USDC',
    '42.1 bot@Arb: Aave>Arb 180 USDC; Arb>Pair 180 USDC; Pair>Arb 188 yUSDC; Arb>0 188 yUSDC; Yearn>Arb 188 USDC; Arb>Aave 180.1 USDC; Arb>bot all USDC',
    '44 bot>cex all USDC',
  ]),
  // Shares: fees of one customer among many are a small part.
  pattern('royalties of sales, one of them to a thief', { labels: HACKED, innocent: 'creator Market man5' }, [
    ...theft(40, 100),
    ...people(40, 12, 'ETH'),
    ...rounds(40, (i) => [
      `9 0>seller${i} 1 ART`,
      `${24 + i / 2} man${i}@Market: man${i}>Market 10; Market>seller${i} 9.2; Market>creator all; seller${i}>man${i} 1 ART`,
    ]),
    '9 0>last 1 ART',
    '41 thief@Market: thief>Market 10; Market>last 9.2; Market>creator all; last>thief 1 ART',
    '80 creator>cex 80%',
  ]),
  // Accomplices: who carries the transactions of many is none.
  pattern(
    'bundler whose customers include a thief',
    { labels: 'Bad theft', criminal: 'w1', innocent: 'bundler Entry Acct3' },
    [
      ...stock('Vault', 8, 'USDC'),
      ...rounds(30, (i) => [
        `${2 + i / 3} cex>Acct${i} 10 USDC`,
        `${3 + i / 3} cex>Acct${i} 1`,
        `${25 + i} bundler@Entry: Acct${i}>shop${i % 4} 5 USDC; Acct${i}>Entry 0.05; Entry>bundler all`,
        `bundler@Entry: Acct${i}>friend${i} 2 USDC; Acct${i}>Entry 0.04; Entry>bundler all`,
      ]),
      '39 cex>Bad 1',
      '40 bundler@Entry: Vault>Bad 300 USDC; Bad>Entry 0.05; Entry>bundler all',
      '41 bundler@Entry: Bad>w1 290 USDC; Bad>Entry 0.05; Entry>bundler all',
      '70 bundler>cex 50%',
    ],
  ),
  pattern(
    'shop of gas that thieves use too',
    { labels: 't0 theft, t1 drainer, t2 scam, t3 theft', innocent: 'gas man9' },
    [
      ...people(45, 1, 'USDC'),
      '5 cex>gas 20',
      ...rounds(45, (i) => [`${30 + i / 2} man${i}>gas 0.1 USDC`, `gas>man${i} 0.09`]),
      ...rounds(4, (i) => [
        `${32 + 3 * i} cex>mule${i} 0.2 USDC`,
        `mule${i}>gas 0.1 USDC`,
        `gas>t${i} 0.09`,
        `${33 + 3 * i} cex>prey${i} 12 USDC`,
        `${33.5 + 3 * i} prey${i}>t${i} 10 USDC`,
      ]),
      '60 gas>cex all USDC',
    ],
  ),
  // Restitution goes on as the loss does.
  pattern(
    'loot returned over a rescue fund to the vault that repays depositors',
    { labels: HACKED, innocent: 'vault7 vault20 staff' },
    [
      ...stock('Vault', 20, 'USDC'),
      '40 thief@Hack: Vault>thief all USDC',
      '46 thief>fund 90% USDC',
      '48 fund>Vault all USDC',
      ...rounds(45, (i) => `${50 + i / 9} vault${i}@Vault: Vault>vault${i} 17.5 USDC`),
      ...life('staff', 4),
      '70 vault7>staff 3 USDC',
      '71 vault7>cex 10 USDC',
    ],
  ),
  // Within one transaction: a tool of all taints none of them.
  pattern(
    'payroll over a batch contract that a drainer uses',
    { labels: 'drain drainer', innocent: 'boss3 staff2 staff4 Disperse' },
    [
      ...rounds(60, (i) => [
        `${10 + 2 * i} cex>boss${i % 10} 21 USDC`,
        `boss${i % 10}@Disperse: boss${i % 10}>Disperse 20 USDC; ${rounds(5, (j) => `Disperse>staff${j} 4 USDC`).join('; ')}`,
      ]),
      ...rounds(12, (i) => [`${40 + i} cex>prey${i} 12 USDC`, `prey${i}>drain 11 USDC`]),
      '60 drain@Disperse: drain>Disperse 120 USDC; Disperse>x0 40 USDC; Disperse>x1 40 USDC; Disperse>x2 40 USDC',
    ],
  ),
  // Pools of many: graded by share, MEDIUM at most below 10 %.
  pattern('streams of a DAO beside the stream of a thief', { labels: HACKED, innocent: 'worker Sablier sablier8' }, [
    ...stock('Sablier', 20, 'USDC'),
    ...theft(40, 60, 'USDC'),
    '41 thief@Sablier: thief>Sablier 55 USDC',
    ...rounds(6, (i) => `${50 + 14 * i} worker@Sablier: Sablier>worker 8 USDC`),
    '140 worker>cex 40 USDC',
  ]),
  pattern('sale of tokens with a thief among sixty', { labels: HACKED, innocent: 'founder Sale sale4' }, [
    ...stock('Sale', 20, 'USDC', 'NEW'),
    ...theft(40, 60, 'USDC'),
    '41 thief@Sale: thief>Sale 55 USDC; 0>thief 50 NEW',
    '50 founder@Sale: Sale>founder all USDC',
    ...rounds(4, (i) => `${60 + 20 * i} founder>cex 15% USDC`),
  ]),
  pattern('winner at a market of futures where a thief lost', { labels: HACKED, innocent: 'winner Perp perp6' }, [
    ...stock('Perp', 20, 'USDC'),
    ...theft(40, 200, 'USDC'),
    '30 cex>winner 22 USDC',
    '31 winner@Perp: winner>Perp 20 USDC',
    '41 thief@Perp: thief>Perp 60 USDC',
    '55 winner@Perp: Perp>winner 35 USDC',
    '56 winner>cex all USDC',
  ]),
  // Victims: what was taken by approval is a loss; own wallets take no part in it.
  pattern('batch of permits, and the rest brought to safety', { labels: 'drain drainer', innocent: 'prey safe cold' }, [
    '10 cex>prey 60 USDC',
    '10.5 cex>prey 40 WETH',
    '11 cex>prey 30 DAI',
    '12 cex>prey 25 WBTC',
    '40 drain@Permit: prey>drain 60 USDC; prey>drain 30 DAI; prey>drain 20 WETH',
    '40.1 prey>safe all WETH',
    '40.2 prey>safe all WBTC',
    '50 safe>cold all WETH',
    '51 safe>cex 20 WBTC',
  ]),
  pattern('ransom over a negotiator', { labels: 'gang ransomware', innocent: 'firm board' }, [
    '10 cex>firm 150 USDC',
    '20 firm>broker 100 USDC',
    '20.2 broker>gang 95 USDC',
    '30 firm>board 20 USDC',
    '31 board>cex 10 USDC',
  ]),
  pattern('donor of a charity that was a scam', { labels: 'charity scam', innocent: 'donor child' }, [
    ...life('donor', 6),
    '100 donor>charity 3 USDC',
    '130 donor>child 5 USDC',
  ]),
  // Amounts need shares: little frames no one.
  pattern('saver who gets a little from a thief after a year', { labels: HACKED, innocent: 'saver friend' }, [
    ...theft(40, 100, 'USDC'),
    ...life('saver', 3),
    '250 thief>saver 0.35 USDC',
    '255 saver>friend 2 USDC',
  ]),
  // Distance by money: a small part of a tenant's money is a smaller part of the landlord's.
  pattern('landlord of one who works for a scammer too', { labels: 'scammer scam', innocent: 'landlord' }, [
    ...rounds(8, (i) => [`${10 + i} cex>prey${i} 5 USDC`, `${10.5 + i} prey${i}>scammer 4 USDC`]),
    ...rounds(8, (i) => [
      `${20 + 30 * i} cex>tenant0 5 USDC`,
      `${20.5 + 30 * i} scammer>tenant0 0.9 USDC`,
      ...rounds(3, (j) => [
        `${21 + 30 * i + j / 9} cex>tenant${j} 1.6 USDC`,
        `${22 + 30 * i + j / 9} tenant${j}>landlord 1.5 USDC`,
      ]),
    ]),
    '262 landlord>cex 60% USDC',
  ]),
  pattern(
    'fees of a router that thieves trade over',
    { labels: `${HACKED}, Router dex_router`, innocent: 'fees Router Pool' },
    [
      ...stock('Pool', 60, 'USDC'),
      ...theft(40, 300, 'WETH'),
      ...people(30, 30, 'WETH'),
      ...rounds(30, (i) => [
        `${30 + i} man${i}@Router: man${i}>Router 25 WETH; Router>fees 0.2 WETH; Router>Pool all WETH; Pool>Router 24 USDC; Router>man${i} all USDC`,
      ]),
      '41.5 thief@Router: thief>Router 30 WETH; Router>fees 0.24 WETH; Router>Pool all WETH; Pool>Router 29 USDC; Router>thief all USDC',
      '90 fees>cex all WETH',
    ],
  ),
  // Within one transaction and shares: one of sixty customers.
  pattern('shop with forwarders of one use', { labels: HACKED, innocent: 'shop man8' }, [
    ...theft(40, 60, 'USDC'),
    ...people(40, 8, 'USDC'),
    ...rounds(40, (i) => [`${25 + i} man${i}>Fwd${i}a 5 USDC`, `shopkeeper@Fwd${i}a: Fwd${i}a>shop all USDC`]),
    '44 thief>Fwd99a 4 USDC',
    'shopkeeper@Fwd99a: Fwd99a>shop all USDC',
    '80 shop>cex 90% USDC',
  ]),
  pattern('trader from person to person, one seller with loot', { labels: HACKED, innocent: 'trader man3' }, [
    ...theft(40, 30, 'USDT'),
    ...people(40, 6, 'USDT'),
    '41 thief>mule 20 USDT',
    ...rounds(40, (i) => `${25 + i} man${i}>trader 5 USDT`),
    '45 mule>trader 8 USDT',
    ...rounds(5, (i) => `${30 + 9 * i} trader>cex 60% USDT`),
  ]),
  pattern(
    'treasury that changes wallets, drainer pays five per cent',
    { labels: 'drain drainer', innocent: 'w5 w15 w20' },
    [
      ...rounds(8, (i) => [`${20 + i} cex>prey${i} 5 USDC`, `${20.5 + i} prey${i}>drain 4 USDC`]),
      '30 cex>w0 300 USDC',
      ...rounds(20, (i) => `${31 + 6 * i} w${i}>w${i + 1} all USDC`),
      '46 drain>w3 14 USDC',
    ],
  ),
  pattern('staff of a payroll contract that was robbed later', { labels: HACKED, innocent: 'Payroll staff2 boss' }, [
    ...rounds(5, (i) => [
      `${5 + 28 * i} cex>boss 60 USDC`,
      `boss@Payroll: boss>Payroll 50 USDC`,
      `boss@Payroll: ${rounds(4, (j) => `Payroll>staff${j} 5 USDC`).join('; ')}`,
    ]),
    '150 thief@Hack: Payroll>Hack all USDC; Hack>thief all USDC',
    '160 cex>boss 60 USDC',
    'boss@Payroll: boss>Payroll 50 USDC',
    `boss@Payroll: ${rounds(4, (j) => `Payroll>staff${j} 5 USDC`).join('; ')}`,
    '170 staff2>cex 15 USDC',
  ]),
  pattern(
    'provider of a bridge that a thief leaves by',
    { labels: `${HACKED}, Span bridge`, innocent: 'lender Span span9' },
    [
      ...stock('Span', 40, 'USDC'),
      ...theft(40, 300, 'USDC'),
      '20 cex>lender 100 USDC',
      '21 lender@Span: lender>Span 95 USDC; 0>lender 95 sUSDC',
      '41 thief@Span: thief>Span 60 USDC',
      '55 lender@Span: lender>0 95 sUSDC; Span>lender 97 USDC',
      '56 lender>cex all USDC',
    ],
  ),
  // Gas links: three collectors, all listed; a wallet service pays first coins of many.
  pattern(
    'sponsor of first coins for a wallet of many',
    { labels: 't0 scam, t1 scam, t2 drainer', innocent: 'sponsor man4' },
    [
      '5 cex>sponsor 20',
      ...rounds(45, (i) => [
        `${10 + i / 2} sponsor>man${i} 0.03`,
        `${11 + i / 2} cex>man${i} 6 USDC`,
        `man${i}>shop${i % 6} 3 USDC`,
      ]),
      ...rounds(3, (i) => [
        `${20 + i} sponsor>t${i} 0.03`,
        ...rounds(5, (j) => [`${22 + i + j / 9} cex>prey${i}x${j} 8 USDC`, `prey${i}x${j}>t${i} 7 USDC`]),
      ]),
    ],
  ),
];
