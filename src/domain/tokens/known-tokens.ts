import type { Chain } from '../chain.ts';

export interface VerifiedToken {
  symbol: string;
  decimals: number;
  /** Asset name under which prices are looked up: WETH is priced as ETH. */
  priceAs: string;
  /** Worth 1 US dollar by design. */
  stable: boolean;
}

type TokenRow = [symbol: string, decimals: number, token: string, priceAs?: string];

/** Contracts that bear their symbol by right. What is not in this list is never priced. */
const ROWS: Partial<Record<Chain, TokenRow[]>> = {
  ethereum: [
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
  polygon: [
    ['USDT', 6, '0xc2132d05d31c914a87c6611c10748aeb04b58e8f'],
    ['USDC', 6, '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359'],
    ['USDC.e', 6, '0x2791bca1f2de4661ed88a30c99a7a9449aa84174', 'USDC'],
    ['DAI', 18, '0x8f3cf7ad23cd3cadbd9735aff958023239c6a063'],
    ['WPOL', 18, '0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270', 'POL'],
    ['WETH', 18, '0x7ceb23fd6bc0add59e62ac25578270cff1b9f619', 'ETH'],
    ['WBTC', 8, '0x1bfd67037b42cf73acf2047067bd4f2c47d9bfd6', 'BTC'],
  ],
  bsc: [
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
  base: [
    ['USDC', 6, '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'],
    ['USDbC', 6, '0xd9aaec86b65d86f6a7b5b1b0c42ffa531710b6ca', 'USDC'],
    ['USDT', 6, '0xfde4c96c8593536e31f229ea8f37b2ada2699bb2'],
    ['DAI', 18, '0x50c5725949a6f0c72e6c4a641f24049a917db0cb'],
    ['WETH', 18, '0x4200000000000000000000000000000000000006', 'ETH'],
    ['cbBTC', 8, '0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf', 'BTC'],
  ],
  arbitrum: [
    ['USDT', 6, '0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9'],
    ['USDC', 6, '0xaf88d065e77c8cc2239327c5edb3a432268e5831'],
    ['USDC.e', 6, '0xff970a61a04b1ca14834a43f5de4533ebddb5cc8', 'USDC'],
    ['DAI', 18, '0xda10009cbd5d07dd0cecc66161fc93d7c9000da1'],
    ['WETH', 18, '0x82af49447d8a07e3bd95bd0d56f35241523fbab1', 'ETH'],
    ['WBTC', 8, '0x2f2a2543b76a4166549f7aab2e75bef0aefc5b0f', 'BTC'],
    ['ARB', 18, '0x912ce59144191c1204e64559fe8253a0e49e6548'],
  ],
  optimism: [
    ['USDT', 6, '0x94b008aa00579c1307b0ef2c499ad98a8ce58e58'],
    ['USDC', 6, '0x0b2c639c533813f4aa9d7837caf62653d097ff85'],
    ['USDC.e', 6, '0x7f5c764cbc14f9669b88837ca1490cca17c31607', 'USDC'],
    ['DAI', 18, '0xda10009cbd5d07dd0cecc66161fc93d7c9000da1'],
    ['WETH', 18, '0x4200000000000000000000000000000000000006', 'ETH'],
    ['WBTC', 8, '0x68f180fcce6836688e9084f035309e29bf0a2095', 'BTC'],
    ['OP', 18, '0x4200000000000000000000000000000000000042'],
  ],
  avalanche: [
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
  kaia: [
    ['USDT', 6, '0xd077a400968890eacc75cdc901f0356c943e4fdb'],
    // Its bridge was robbed: no longer worth a dollar.
    ['oUSDT', 6, '0xcee8faf64bb97a73bb51e115aa89c17ffa8dd167'],
    ['WKAIA', 18, '0x19aac5f612f524b754ca7e7c41cbfa2e981a4432', 'KAIA'],
    ['WKLAY', 18, '0xe4f05a66ec68b54a58b17c22107b02e0232cc817', 'KAIA'],
  ],
  tron: [
    ['USDT', 6, 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
    ['USDC', 6, 'TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8'],
    ['WTRX', 6, 'TNUC9Qb1rRpS5CbWLmNMxXBjyFoydXjWFR', 'TRX'],
  ],
  solana: [
    ['USDC', 6, 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'],
    ['USDT', 6, 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'],
    ['PYUSD', 6, '2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo'],
    ['WSOL', 9, 'So11111111111111111111111111111111111111112', 'SOL'],
    ['mSOL', 9, 'mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So'],
    ['BONK', 5, 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263'],
  ],
  // Issued currencies have no smallest unit: 15 is the number of digits that the ledger keeps.
  xrp: [
    ['RLUSD', 15, 'RLUSD.rMxCKbEDwqr76QuheSUMdEGf4B9xJ8m5De'],
    ['RLUSD', 15, '524C555344000000000000000000000000000000.rMxCKbEDwqr76QuheSUMdEGf4B9xJ8m5De'],
  ],
};

const STABLE = new Set([
  'USDT',
  'USDC',
  'DAI',
  'BUSD',
  'TUSD',
  'USDP',
  'GUSD',
  'FRAX',
  'LUSD',
  'PYUSD',
  'FDUSD',
  'RLUSD',
]);

/** By `<chain>:<token>`, the token in its canonical form. */
export const KNOWN_TOKENS: ReadonlyMap<string, VerifiedToken> = new Map(
  Object.entries(ROWS).flatMap(([chain, rows]) =>
    rows.map(([symbol, decimals, token, priceAs = symbol]): [string, VerifiedToken] => [
      `${chain}:${token}`,
      { symbol, decimals, priceAs, stable: STABLE.has(priceAs) },
    ]),
  ),
);

/**
 * Contracts through which the coin itself is also moved and logged like a token. Of the other scanned chains none has one:
 * Arbitrum, Base, Ethereum, BNB Smart Chain, Avalanche and Kaia know their coin by its wrapped form alone.
 */
const COIN_CONTRACTS: ReadonlySet<string> = new Set([
  'polygon:0x0000000000000000000000000000000000001010',
  // Before June 2023 every balance of ETH was kept there.
  'optimism:0xdeaddeaddeaddeaddeaddeaddeaddeaddead0000',
  // Wrapped SOL is SOL of the owner that lies in an account of his.
  'solana:So11111111111111111111111111111111111111112',
]);

/** True for a contract whose token is the chain's own coin, not a claim on coin that the contract holds. */
export function isCoinContract(chain: Chain, token: string | null): boolean {
  return token !== null && COIN_CONTRACTS.has(`${chain}:${token}`);
}
