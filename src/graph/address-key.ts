import type { Chain } from '../domain/chain.ts';

/** The `key` of an address node: `<chain>:<address>`, the address in its canonical form. */
export function addressKey(chain: Chain, address: string): string {
  return `${chain}:${address}`;
}

/** One string for two address keys in this order: the key of the `$flow` map of ingest/update-flows. Keys contain no space. */
export function pairName({ from, to }: { from: string; to: string }): string {
  return `${from} ${to}`;
}

export function parseAddressKey(key: string): { chain: Chain; address: string } {
  const colon = key.indexOf(':');
  return { chain: key.slice(0, colon) as Chain, address: key.slice(colon + 1) };
}
