import type { Chain, ChainAddress } from '../chain.ts';

/** The `key` of an address node: `<chain>:<address>`, the address in its canonical form. A bare address is not a key. */
export type AddressKey = `${Chain}:${string}`;

export function addressKey(chain: Chain, address: string): AddressKey {
  return `${chain}:${address}`;
}

export function parseAddressKey(key: string): ChainAddress {
  return { chain: chainOf(key), address: addressOf(key) };
}

/** Returns the bare address of a key. */
export function addressOf(key: string): string {
  return key.slice(key.indexOf(':') + 1);
}

/** Returns the chain of a key. */
export function chainOf(key: string): Chain {
  return key.slice(0, key.indexOf(':')) as Chain;
}

/** One string for two address keys in this order: the key of the `$flow` map of ingest/update-flows. Keys contain no space. */
export function pairName({ from, to }: { from: string; to: string }): string {
  return `${from} ${to}`;
}
