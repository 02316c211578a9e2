import { publicHost } from '../../http/public-host.ts';
import { isUrl } from '../../outbound/places.ts';
import type { ShownList } from '../../questions/sources/kept-lists.ts';

/** A source as tenants see it: by the host of a public service alone. */
export function sourceForTenants<Source extends { host: string }>(
  source: Source,
): Omit<Source, 'host'> & { host: string | null } {
  return { ...source, host: publicHost(source.host) };
}

/** The same of a list, whose failures are shown without their texts. */
export function listForTenants({ place, problem, ...list }: ShownList) {
  return { ...list, place: isUrl(place) ? publicHost(new URL(place).host) : null };
}
