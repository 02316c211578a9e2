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

/** One name for all coins that stand for a dollar; the asset itself for others. */
export function dollarOrAsset(asset: string): string {
  return STABLECOINS.includes(asset) ? 'one dollar' : asset;
}
