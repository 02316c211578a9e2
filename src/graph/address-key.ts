import type { Chain } from '../domain/chain.ts';

/** The `key` of an address node: `<chain>:<address>`, the address in its canonical form. */
export function addressKey(chain: Chain, address: string): string {
  return `${chain}:${address}`;
}

export function parseAddressKey(key: string): { chain: Chain; address: string } {
  const colon = key.indexOf(':');
  return { chain: key.slice(0, colon) as Chain, address: key.slice(colon + 1) };
}
