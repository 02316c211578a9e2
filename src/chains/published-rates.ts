/** Requests a second that keepers of public sources publish for callers without a paid plan, as of November 2026, by host. */
const PUBLISHED: Record<string, number> = {
  'api.etherscan.io': 3,
  'eth.blockscout.com': 5,
  'polygon.blockscout.com': 5,
  'base.blockscout.com': 5,
  'arbitrum.blockscout.com': 5,
  'explorer.optimism.io': 5,
  'api.routescan.io': 2,
  'api.mainnet-beta.solana.com': 10,
};

/** Undefined for a source whose rate is not known. */
export function publishedRate(url: string): number | undefined {
  return URL.canParse(url) ? PUBLISHED[new URL(url).host] : undefined;
}
