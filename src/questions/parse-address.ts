import { canonicalAddress, detectChain } from '../domain/address/address.ts';
import { type Chain, isChain } from '../domain/chain.ts';
import { InvalidInputError } from '../errors.ts';

export interface ParsedAddress {
  chain: Chain;
  /** Canonical. */
  address: string;
  /** Destination tag that came with an XRP X-address. */
  tag?: number;
}

/**
 * Reads what a client sent as address and optional chain (detected where left out).
 * Throws InvalidInputError with the contract's text for everything that is no address of the chain.
 */
export function parseAddress(address: string | undefined, chain: string | undefined): ParsedAddress {
  if (!address?.trim()) throw new InvalidInputError('Address is required');
  const wanted = chain?.trim() ? parseChain(chain.trim()) : detectChain(address);
  const canonical = wanted && canonicalAddress(wanted, address);
  if (canonical) return { chain: wanted, ...canonical };
  if (detectChain(address)) throw new InvalidInputError(`Address does not match chain ${wanted}`);
  throw new InvalidInputError('Unrecognized address format');
}

/** A chain identifier; throws InvalidInputError for every other value. */
export function parseChain(value: string): Chain {
  if (isChain(value)) return value;
  const hint = value === 'bnb' ? ". BNB Smart Chain is 'bsc'" : '';
  throw new InvalidInputError(`Unsupported chain: ${value.slice(0, 64)}${hint}`);
}
