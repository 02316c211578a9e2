/** Coins that stand for one US dollar. */
export const STABLECOINS: readonly string[] = [
  'USDT',
  'USDC',
  'DAI',
  'BUSD',
  'TUSD',
  'USDP',
  'FDUSD',
  'PYUSD',
  'USDD',
  'USDe',
  'RLUSD',
  'USDC.e',
  'USDT.e',
  'USDbC',
];
