import { CHAINS, type Chain } from '../domain/chain.ts';
import { CHAIN_RECORDS, type OfferedSource } from '../domain/chains.ts';

/** A source that others run for everybody. */
export interface PublicSource extends OfferedSource {
  chain: Chain;
  /** The day on which its row was written. */
  noted: string;
}

const NOTED = '2026-11-24';

/** In the order in which they are offered for each chain. */
export const PUBLIC_SOURCES: readonly PublicSource[] = CHAINS.flatMap((chain) =>
  CHAIN_RECORDS[chain].sources.map((source) => ({ chain, ...source, noted: NOTED })),
);

/** The source that others run at the host of a URL; undefined where it is one's own or not known. */
export function publicSource(url: string): PublicSource | undefined {
  if (!URL.canParse(url)) return undefined;
  const { host } = new URL(url);
  return PUBLIC_SOURCES.find((one) => new URL(one.url).host === host);
}

/** Requests a second that the keeper of a source publishes, by its host; undefined where that is not known. */
export function publishedRate(url: string): number | undefined {
  return publicSource(url)?.perSecond;
}
