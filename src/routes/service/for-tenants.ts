import { LIST_TERMS } from '../../../graph-loaders/list-terms.ts';
import { PUBLIC_SOURCES } from '../../chains/public-sources.ts';
import { isUrl } from '../../outbound/places.ts';
import type { ShownList } from '../../questions/sources/kept-lists.ts';

const PRICE_APIS = ['https://coins.llama.fi', 'https://api.coingecko.com', 'https://pro-api.coingecko.com'];
const LISTS = Object.values(LIST_TERMS).flatMap(({ url }) => (url === null ? [] : [url]));
const PUBLIC_HOSTS = new Set(
  [...PUBLIC_SOURCES.map(({ url }) => url), ...LISTS, ...PRICE_APIS].map((url) => new URL(url).host),
);

type Shown<Place> = Omit<Place, 'host'> & { host: string | null };

/**
 * A source as tenants see it: null for a host that is not one of the public services known here. The operator's machines,
 * and accounts at providers, are the operator's to know.
 */
export function sourceForTenants<Source extends { host: string }>(source: Source): Shown<Source> {
  return { ...source, host: publicHost(source.host) };
}

/** The same of a list, whose failures are told without their texts. */
export function listForTenants({ place, problem, ...list }: ShownList) {
  return { ...list, place: isUrl(place) ? publicHost(new URL(place).host) : null };
}

function publicHost(host: string): string | null {
  return PUBLIC_HOSTS.has(host) ? host : null;
}
