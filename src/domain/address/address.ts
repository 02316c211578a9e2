import { LRUCache } from 'lru-cache';
import { CHAINS, type Chain, type ChainAddress, type ChainFamily, caip2, chainFamily } from '../chain.ts';
import { ADDRESS_FORMATS, type CanonicalAddress } from './formats.ts';

/** Longer text is not an address of any chain; it is refused before anything is decoded. */
const LENGTH_MAX = 128;

/** The chain that an address belongs to by its form (`ethereum` for all EVM chains), or null. */
export function detectChain(address: string): Chain | null {
  return detectAddress(address)?.chain ?? null;
}

/** An address in its canonical form, with the chain that `detectChain` finds; null for what is none. */
export function detectAddress(address: string): ({ chain: Chain } & CanonicalAddress) | null {
  const account = accountOf(address);
  if (account) {
    const canonical = canonicalAddress(account.chain, account.address);
    return canonical && { chain: account.chain, ...canonical };
  }
  const text = bounded(address);
  if (text === null) return null;
  for (const family of Object.keys(ADDRESS_FORMATS) as ChainFamily[]) {
    const canonical = ADDRESS_FORMATS[family].canonical(text);
    if (canonical) return { chain: family === 'evm' ? 'ethereum' : family, ...canonical };
  }
  return null;
}

/** A history names few addresses in thousands of places, and a checksum takes as long as a hundred look-ups. */
const verified = new LRUCache<string, CanonicalAddress>({ max: 10_000 });

/**
 * The form in which an address of the chain is stored and compared, checksum verified; null for what is
 * no mainnet address of it. Whitespace around it does not count. The tag comes from an XRP X-address.
 */
export function canonicalAddress(chain: Chain, address: string): CanonicalAddress | null {
  const account = accountOf(address);
  if (account && account.chain !== chain) return null;
  const text = bounded(account?.address ?? address);
  if (text === null) return null;
  const family = chainFamily(chain);
  const key = `${family} ${text}`;
  const known = verified.get(key) ?? ADDRESS_FORMATS[family].canonical(text);
  if (known) verified.set(key, known);
  return known;
}

/** An account id of CAIP-10, such as `eip155:137:0x…`: the chain that it names and the address there; null for another text. */
export function accountOf(text: string): ChainAddress | null {
  const [, id, address] = /^\s*([a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}):([-.%a-zA-Z0-9]{1,128})\s*$/.exec(text) ?? [];
  const chain = id === undefined ? undefined : CHAIN_BY_ID.get(id);
  return chain === undefined ? null : { chain, address: address! };
}

const CHAIN_BY_ID = new Map(CHAINS.map((chain) => [caip2(chain), chain]));

function bounded(address: string): string | null {
  if (address.length > LENGTH_MAX) return null;
  const text = address.trim();
  return text === '' ? null : text;
}
