import { PUBLISHED_LISTS } from '../../graph-loaders/sources.ts';
import { PUBLIC_SOURCES } from '../chains/public-sources.ts';

const PRICE_APIS = ['https://coins.llama.fi', 'https://api.coingecko.com', 'https://pro-api.coingecko.com'];
const LISTS = PUBLISHED_LISTS.map(({ url }) => url);
const PUBLIC_HOSTS = new Set(
  [...PUBLIC_SOURCES.map(({ url }) => url), ...LISTS, ...PRICE_APIS].map((url) => new URL(url).host),
);

/**
 * A host as tenants see it: null unless it is one of the public services known here. The operator's machines, and accounts at
 * providers, are the operator's to know.
 */
export function publicHost(host: string): string | null {
  return PUBLIC_HOSTS.has(host) ? host : null;
}
