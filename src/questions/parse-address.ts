import { canonicalAddress, detectAddress } from '../domain/address/address.ts';
import { addressHint } from '../domain/address/loose-address.ts';
import { CHAINS, type Chain, isChain, isEvmChain } from '../domain/chain.ts';
import { canonicalTxHash } from '../domain/tx-hash.ts';
import { InvalidInputError } from '../errors.ts';

export interface ParsedAddress {
  chain: Chain;
  /** Canonical. */
  address: string;
  /** Destination tag that came with an XRP X-address. */
  tag?: number;
}

/**
 * Reads what a client sent as address and optional chain (detected by default).
 * Throws InvalidInputError with the contract's text for anything that is not an address of the chain.
 */
export function parseAddress(address: string | undefined, chain: string | null | undefined): ParsedAddress {
  if (!address?.trim()) throw new InvalidInputError('Address is required');
  const wanted = chain?.trim() ? parseChain(chain.trim()) : null;
  const canonical = wanted && canonicalAddress(wanted, address);
  if (canonical) return { chain: wanted, ...canonical };
  const found = detectAddress(address);
  if (!found) throw new InvalidInputError('Unrecognized address format', { hint: addressHint(address) });
  if (wanted === null) return found;
  const hint = `It has the form of an address of ${isEvmChain(found.chain) ? 'an EVM chain' : found.chain}`;
  throw new InvalidInputError(`Address does not match chain ${wanted}`, { hint });
}

/**
 * Two different addresses. A chain that is named for the first one alone is that of both; where none is named, each one's
 * form shows its own. Throws InvalidInputError.
 */
export function parseAddressPair(
  one: { address: string; chain: string | null | undefined },
  other: { address: string; chain: string | null | undefined },
): { first: ParsedAddress; second: ParsedAddress } {
  const first = parseAddress(one.address, one.chain);
  const second = parseAddress(other.address, other.chain?.trim() ? other.chain : one.chain);
  if (first.chain === second.chain && first.address === second.address) {
    throw new InvalidInputError('Addresses must differ');
  }
  return { first, second };
}

/** A chain identifier; throws InvalidInputError for every other value. */
export function parseChain(value: string): Chain {
  if (isChain(value)) return value;
  const other = value === 'bnb' ? ". BNB Smart Chain is 'bsc'" : '';
  const hint = `Chains: ${CHAINS.join(', ')}`;
  throw new InvalidInputError(`Unsupported chain: ${value.slice(0, 64)}${other}`, { hint });
}

/** Throws InvalidInputError for a value that is not a transaction hash of the chain. */
export function parseTxHash(text: string, chainText: string): { chain: Chain; hash: string } {
  const chain = parseChain(chainText.trim());
  const hash = canonicalTxHash(chain, text);
  if (!hash) throw new InvalidInputError(`Invalid transaction hash for ${chain}`);
  return { chain, hash };
}
