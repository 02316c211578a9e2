import { MINUTE_MS } from './time.ts';

/** The lists in which sources keep the history of an address. */
export const HISTORY_LISTS = ['coin', 'internal', 'tokens'] as const;
export type HistoryList = (typeof HISTORY_LISTS)[number];

/** All that is stated of one chain that is scanned; only its adapter is elsewhere. */
export interface ChainRecord {
  /** Name that a reader knows, in every language. */
  name: string;
  /** EIP-155 id of a chain that shares Ethereum's address form. */
  evmId?: number;
  /** CAIP-2 id of another chain, by the namespace that is registered for it. */
  caip2?: string;
  coin: NativeCoin;
  /**
   * How long until a transaction is final at the latest, so that no bridge delivers what the chain may drop: six blocks of
   * Bitcoin, two epochs of Ethereum, as also for what rolls up to it, and a minute or two elsewhere.
   */
  finalAfterMs: number;
  /** The pages of a public block explorer. */
  explorer: { address: string; tx: string };
  /** The lists that its sources keep; default: all three. */
  lists?: readonly HistoryList[];
  /** Sources that others run for everybody, in the order in which they are offered. A rate is absent where its keeper publishes none. */
  sources: readonly OfferedSource[];
  /** Names that exports give to it beside its own, in lower case without separators: of coins, token standards, networks. */
  otherNames: string;
  /** Its name at DefiLlama, where that is another. */
  llama?: string;
  /**
   * The contract through which the coin itself is also moved and logged like a token. Most chains have none: they know their
   * coin by its wrapped form alone.
   */
  coinContract?: string;
  /** Contracts that bear their symbol by right. What is not in this list is never priced. */
  tokens: readonly TokenRow[];
}

interface NativeCoin {
  /** Symbol that answers show. */
  symbol: string;
  /** Decimals of its smallest unit. */
  decimals: number;
  /** Whole coins of which there will never be more: no transfer can move as many. */
  supplyMax: bigint;
  /** About a US dollar of it, in whole coins: a difference between balances that is smaller says nothing. */
  dust: string;
  /** Its id at CoinGecko. */
  coingecko: string;
}

/** The wrapped coin is recognised by being priced as the coin of its chain. */
type TokenRow = readonly [symbol: string, decimals: number, token: string, priceAs?: string];

/** A source as its keeper describes it. Not asked before `traceflow sources` does. */
export interface OfferedSource {
  /** Kind in the name of its setting: `<CHAIN>_<kind>_URL`. */
  kind: 'ESPLORA' | 'RPC' | 'EXPLORER' | 'API';
  url: string;
  style?: 'etherscan' | 'blockscout';
  /** Left out where it takes none. */
  key?: { needed: boolean; from: string };
  /** Requests a second that its keeper publishes for callers without a paid plan. */
  perSecond?: number;
}

const ETHER: NativeCoin = {
  ...{ symbol: 'ETH', decimals: 18, supplyMax: 200_000_000n, dust: '0.0003' },
  coingecko: 'ethereum',
};
const ETHERSCAN: OfferedSource = {
  kind: 'EXPLORER',
  url: 'https://api.etherscan.io/v2/api',
  style: 'etherscan',
  key: { needed: true, from: 'https://etherscan.io/apidashboard' },
  perSecond: 3,
};

/** The chains that are scanned, in the order in which the documents name them. */
export const CHAIN_RECORDS = {
  bitcoin: defineChain({
    name: 'Bitcoin',
    lists: ['coin'],
    caip2: 'bip122:000000000019d6689c085ae165831e93',
    coin: { symbol: 'BTC', decimals: 8, supplyMax: 21_000_000n, dust: '0.00001', coingecko: 'bitcoin' },
    finalAfterMs: 90 * MINUTE_MS,
    explorer: { address: 'https://mempool.space/address/', tx: 'https://mempool.space/tx/' },
    sources: [
      { kind: 'ESPLORA', url: 'https://blockstream.info/api' },
      { kind: 'ESPLORA', url: 'https://mempool.space/api' },
    ],
    otherNames: 'btc xbt',
    tokens: [],
  }),
  ethereum: defineChain({
    name: 'Ethereum',
    evmId: 1,
    coin: ETHER,
    finalAfterMs: 20 * MINUTE_MS,
    explorer: ofEtherscan('etherscan.io'),
    sources: [node('https://ethereum-rpc.publicnode.com'), blockscout('eth.blockscout.com'), ETHERSCAN],
    otherNames: 'eth mainnet erc20',
    tokens: [
      ['USDT', 6, '0xdac17f958d2ee523a2206206994597c13d831ec7'],
      ['USDC', 6, '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'],
      ['DAI', 18, '0x6b175474e89094c44da98b954eedeac495271d0f'],
      ['BUSD', 18, '0x4fabb145d64652a948d72533023f6e7a623c7c53'],
      ['TUSD', 18, '0x0000000000085d4780b73119b644ae5ecd22b376'],
      ['USDP', 18, '0x8e870d67f660d95d5be530380d0ec0bd388289e1'],
      ['GUSD', 2, '0x056fd409e1d7a124bd7017459dfea2f387b6d5cd'],
      ['FRAX', 18, '0x853d955acef822db058eb8505911ed77f175b99e'],
      ['LUSD', 18, '0x5f98805a4e8be255a32880fdec7f6728c6568ba0'],
      ['PYUSD', 6, '0x6c3ea9036406852006290770bedfcaba0e23a0e8'],
      ['FDUSD', 18, '0xc5f0f7b66764f6ec8c8dff7ba683102295e16409'],
      ['RLUSD', 18, '0x8292bb45bf1ee4d140127049757c2e0ff06317ed'],
      ['WETH', 18, '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2', 'ETH'],
      ['WBTC', 8, '0x2260fac5e5542a773aa44fbcfedf7c193bc2c599', 'BTC'],
      ['stETH', 18, '0xae7ab96520de3a18e5e111b5eaab095312d7fe84'],
      ['LINK', 18, '0x514910771af9ca656af840dff83e8264ecf986ca'],
      ['UNI', 18, '0x1f9840a85d5af5bf1d1762f925bdaddc4201f984'],
      ['AAVE', 18, '0x7fc66500c84a76ad7e9c93437bfc5ac33e2ddae9'],
      ['MKR', 18, '0x9f8f72aa9304c8b593d555f12ef6589cc3a579a2'],
      ['SHIB', 18, '0x95ad61b0a150d79219dcf64e1e6cc01f0b64c4ce'],
      ['MATIC', 18, '0x7d1afa7b718fb893db30a3abc0cfc608aacfebb0'],
    ],
  }),
  polygon: defineChain({
    name: 'Polygon',
    evmId: 137,
    coin: {
      ...{ symbol: 'POL', decimals: 18, supplyMax: 20_000_000_000n, dust: '2' },
      coingecko: 'polygon-ecosystem-token',
    },
    finalAfterMs: 2 * MINUTE_MS,
    explorer: ofEtherscan('polygonscan.com'),
    sources: [node('https://polygon-bor-rpc.publicnode.com'), blockscout('polygon.blockscout.com'), ETHERSCAN],
    otherNames: 'matic pol polygonpos',
    coinContract: '0x0000000000000000000000000000000000001010',
    tokens: [
      ['USDT', 6, '0xc2132d05d31c914a87c6611c10748aeb04b58e8f'],
      ['USDC', 6, '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359'],
      ['USDC.e', 6, '0x2791bca1f2de4661ed88a30c99a7a9449aa84174', 'USDC'],
      ['DAI', 18, '0x8f3cf7ad23cd3cadbd9735aff958023239c6a063'],
      ['WPOL', 18, '0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270', 'POL'],
      ['WETH', 18, '0x7ceb23fd6bc0add59e62ac25578270cff1b9f619', 'ETH'],
      ['WBTC', 8, '0x1bfd67037b42cf73acf2047067bd4f2c47d9bfd6', 'BTC'],
    ],
  }),
  bsc: defineChain({
    name: 'BNB Smart Chain',
    evmId: 56,
    coin: { symbol: 'BNB', decimals: 18, supplyMax: 250_000_000n, dust: '0.001', coingecko: 'binancecoin' },
    finalAfterMs: 2 * MINUTE_MS,
    explorer: ofEtherscan('bscscan.com'),
    sources: [node('https://bsc-rpc.publicnode.com'), routescan(56)],
    otherNames: 'bnb bep20 binance bnbchain binancesmartchain bnbsmartchain',
    tokens: [
      ['USDT', 18, '0x55d398326f99059ff775485246999027b3197955'],
      ['USDC', 18, '0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d'],
      ['BUSD', 18, '0xe9e7cea3dedca5984780bafc599bd69add087d56'],
      ['DAI', 18, '0x1af3f329e8be154074d8769d1ffa4ee058b1dbc3'],
      ['FDUSD', 18, '0xc5f0f7b66764f6ec8c8dff7ba683102295e16409'],
      ['WBNB', 18, '0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c', 'BNB'],
      ['ETH', 18, '0x2170ed0880ac9a755fd29b2688956bd959f933f8'],
      ['BTCB', 18, '0x7130d2a12b9bcbfae4f2634d864a1ee1ce3ead9c', 'BTC'],
      ['CAKE', 18, '0x0e09fabb73bd3ade0a17ecc321fd13a19e81ce82'],
    ],
  }),
  base: defineChain({
    name: 'Base',
    evmId: 8_453,
    coin: ETHER,
    finalAfterMs: 30 * MINUTE_MS,
    explorer: ofEtherscan('basescan.org'),
    sources: [node('https://mainnet.base.org'), blockscout('base.blockscout.com')],
    otherNames: '',
    tokens: [
      ['USDC', 6, '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'],
      ['USDbC', 6, '0xd9aaec86b65d86f6a7b5b1b0c42ffa531710b6ca', 'USDC'],
      ['USDT', 6, '0xfde4c96c8593536e31f229ea8f37b2ada2699bb2'],
      ['DAI', 18, '0x50c5725949a6f0c72e6c4a641f24049a917db0cb'],
      ['WETH', 18, '0x4200000000000000000000000000000000000006', 'ETH'],
      ['cbBTC', 8, '0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf', 'BTC'],
    ],
  }),
  arbitrum: defineChain({
    name: 'Arbitrum',
    evmId: 42_161,
    coin: ETHER,
    finalAfterMs: 30 * MINUTE_MS,
    explorer: ofEtherscan('arbiscan.io'),
    sources: [node('https://arb1.arbitrum.io/rpc'), blockscout('arbitrum.blockscout.com'), ETHERSCAN],
    otherNames: 'arb arbitrumone',
    tokens: [
      ['USDT', 6, '0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9'],
      ['USDC', 6, '0xaf88d065e77c8cc2239327c5edb3a432268e5831'],
      ['USDC.e', 6, '0xff970a61a04b1ca14834a43f5de4533ebddb5cc8', 'USDC'],
      ['DAI', 18, '0xda10009cbd5d07dd0cecc66161fc93d7c9000da1'],
      ['WETH', 18, '0x82af49447d8a07e3bd95bd0d56f35241523fbab1', 'ETH'],
      ['WBTC', 8, '0x2f2a2543b76a4166549f7aab2e75bef0aefc5b0f', 'BTC'],
      ['ARB', 18, '0x912ce59144191c1204e64559fe8253a0e49e6548'],
    ],
  }),
  optimism: defineChain({
    name: 'Optimism',
    evmId: 10,
    coin: ETHER,
    finalAfterMs: 30 * MINUTE_MS,
    explorer: ofEtherscan('optimistic.etherscan.io'),
    sources: [node('https://mainnet.optimism.io'), blockscout('explorer.optimism.io')],
    otherNames: 'op opmainnet',
    // Before June 2023 every balance of ETH was kept there.
    coinContract: '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0000',
    tokens: [
      ['USDT', 6, '0x94b008aa00579c1307b0ef2c499ad98a8ce58e58'],
      ['USDC', 6, '0x0b2c639c533813f4aa9d7837caf62653d097ff85'],
      ['USDC.e', 6, '0x7f5c764cbc14f9669b88837ca1490cca17c31607', 'USDC'],
      ['DAI', 18, '0xda10009cbd5d07dd0cecc66161fc93d7c9000da1'],
      ['WETH', 18, '0x4200000000000000000000000000000000000006', 'ETH'],
      ['WBTC', 8, '0x68f180fcce6836688e9084f035309e29bf0a2095', 'BTC'],
      ['OP', 18, '0x4200000000000000000000000000000000000042'],
    ],
  }),
  avalanche: defineChain({
    name: 'Avalanche',
    evmId: 43_114,
    coin: { symbol: 'AVAX', decimals: 18, supplyMax: 720_000_000n, dust: '0.04', coingecko: 'avalanche-2' },
    finalAfterMs: MINUTE_MS,
    explorer: ofEtherscan('snowtrace.io'),
    sources: [node('https://api.avax.network/ext/bc/C/rpc'), routescan(43_114)],
    otherNames: 'avax avalanchec',
    llama: 'avax',
    tokens: [
      ['USDT', 6, '0x9702230a8ea53601f5cd2dc00fdbc13d4df4a8c7'],
      ['USDT.e', 6, '0xc7198437980c041c805a1edcba50c1ce5db95118', 'USDT'],
      ['USDC', 6, '0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e'],
      ['USDC.e', 6, '0xa7d7079b0fead91f3e65f86e8915cb59c1a4c664', 'USDC'],
      ['DAI.e', 18, '0xd586e7f844cea2f87f50152665bcbc2c279d8d70', 'DAI'],
      ['WAVAX', 18, '0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7', 'AVAX'],
      ['WETH.e', 18, '0x49d5c2bdffac6ce2bfdb6640f4f80f226bc10bab', 'ETH'],
      ['WBTC.e', 8, '0x50b7545627a5162f82a992c33b87adc75187b218', 'BTC'],
      ['BTC.b', 8, '0x152b9d0fdc40c096757f570a51e494bd4b943e50', 'BTC'],
    ],
  }),
  kaia: defineChain({
    name: 'Kaia',
    evmId: 8_217,
    coin: { symbol: 'KAIA', decimals: 18, supplyMax: 20_000_000_000n, dust: '5', coingecko: 'kaia' },
    finalAfterMs: MINUTE_MS,
    explorer: ofEtherscan('kaiascan.io'),
    sources: [node('https://public-en.node.kaia.io')],
    otherNames: 'klaytn klay',
    llama: 'klaytn',
    tokens: [
      ['USDT', 6, '0xd077a400968890eacc75cdc901f0356c943e4fdb'],
      // Its bridge was robbed: no longer worth a dollar.
      ['oUSDT', 6, '0xcee8faf64bb97a73bb51e115aa89c17ffa8dd167'],
      ['WKAIA', 18, '0x19aac5f612f524b754ca7e7c41cbfa2e981a4432', 'KAIA'],
      ['WKLAY', 18, '0xe4f05a66ec68b54a58b17c22107b02e0232cc817', 'KAIA'],
    ],
  }),
  solana: defineChain({
    name: 'Solana',
    lists: ['coin', 'tokens'],
    caip2: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    coin: { symbol: 'SOL', decimals: 9, supplyMax: 2_000_000_000n, dust: '0.005', coingecko: 'solana' },
    finalAfterMs: MINUTE_MS,
    explorer: { address: 'https://solscan.io/account/', tx: 'https://solscan.io/tx/' },
    sources: [{ ...node('https://api.mainnet-beta.solana.com'), perSecond: 10 }],
    otherNames: 'sol spl',
    // Wrapped SOL is SOL of the owner that lies in an account of his.
    coinContract: 'So11111111111111111111111111111111111111112',
    tokens: [
      ['USDC', 6, 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'],
      ['USDT', 6, 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'],
      ['PYUSD', 6, '2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo'],
      ['WSOL', 9, 'So11111111111111111111111111111111111111112', 'SOL'],
      ['mSOL', 9, 'mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So'],
      ['BONK', 5, 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263'],
    ],
  }),
  tron: defineChain({
    name: 'TRON',
    caip2: 'tron:0x2b6653dc',
    coin: { symbol: 'TRX', decimals: 6, supplyMax: 200_000_000_000n, dust: '3', coingecko: 'tron' },
    finalAfterMs: 2 * MINUTE_MS,
    explorer: { address: 'https://tronscan.org/#/address/', tx: 'https://tronscan.org/#/transaction/' },
    sources: [{ kind: 'API', url: 'https://api.trongrid.io', key: { needed: false, from: 'https://www.trongrid.io' } }],
    otherNames: 'trx trc20',
    tokens: [
      ['USDT', 6, 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
      ['USDC', 6, 'TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8'],
      ['WTRX', 6, 'TNUC9Qb1rRpS5CbWLmNMxXBjyFoydXjWFR', 'TRX'],
    ],
  }),
  xrp: defineChain({
    name: 'XRP Ledger',
    lists: ['coin', 'tokens'],
    caip2: 'xrpl:0',
    coin: { symbol: 'XRP', decimals: 6, supplyMax: 100_000_000_000n, dust: '0.4', coingecko: 'ripple' },
    finalAfterMs: MINUTE_MS,
    explorer: { address: 'https://xrpscan.com/account/', tx: 'https://xrpscan.com/tx/' },
    sources: [node('https://xrplcluster.com'), node('https://s1.ripple.com:51234')],
    otherNames: 'ripple xrpl xrpledger',
    // Issued currencies have no smallest unit: 15 is the number of digits that the ledger keeps.
    tokens: [
      ['RLUSD', 15, 'RLUSD.rMxCKbEDwqr76QuheSUMdEGf4B9xJ8m5De'],
      ['RLUSD', 15, '524C555344000000000000000000000000000000.rMxCKbEDwqr76QuheSUMdEGf4B9xJ8m5De'],
    ],
  }),
};

function defineChain<const Chain extends ChainRecord>(chain: Chain): Chain {
  return chain;
}

function ofEtherscan(host: string) {
  return { address: `https://${host}/address/`, tx: `https://${host}/tx/` };
}

function node(url: string): OfferedSource {
  return { kind: 'RPC', url };
}

function blockscout(host: string): OfferedSource {
  return { kind: 'EXPLORER', url: `https://${host}/api`, style: 'blockscout', perSecond: 5 };
}

function routescan(chainId: number): OfferedSource {
  const url = `https://api.routescan.io/v2/network/mainnet/evm/${chainId}/etherscan/api`;
  return { kind: 'EXPLORER', url, style: 'etherscan', perSecond: 2 };
}
