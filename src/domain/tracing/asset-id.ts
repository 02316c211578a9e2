import { addressOf, chainOf } from '../address/address-key.ts';
import { type Chain, NATIVE_COIN } from '../chain.ts';
import { NULL_ADDRESSES } from '../null-addresses.ts';
import { isCoinContract, KNOWN_TOKENS } from '../tokens/known-tokens.ts';
import type { Transfer } from '../transfers/transfer.ts';

/**
 * By `<chain>:<contract>`, the known tokens that are priced as the coin of their own chain: its wrapped form, the same asset,
 * since the contract holds one coin for each.
 */
const WRAPPERS = new Set<string>(
  [...KNOWN_TOKENS].flatMap(([key, { priceAs }]) => {
    return priceAs === NATIVE_COIN[chainOf(key)].symbol ? [key] : [];
  }),
);

const CONTRACT_BY_SYMBOL = new Map(
  [...KNOWN_TOKENS].map(([key, { symbol }]) => [`${chainOf(key)}:${symbol.toUpperCase()}`, key]),
);

/** The id of a chain's own coin, wrapped or not. */
export const COIN = 'coin';

/**
 * Returns what counts as one asset: the contract (with the id of a collectible), else the coin by its symbol, else the known
 * contract of the symbol, else the symbol itself in upper case.
 */
export function assetId(
  chain: Chain,
  { token, tokenId, symbol }: { token: string | null; tokenId: string | null; symbol: string },
): string {
  // A file may name a token by its symbol alone, which then stands for the contract too.
  if (token !== null && token !== symbol) {
    if (WRAPPERS.has(`${chain}:${token}`) || isCoinContract(chain, token)) return COIN;
    return tokenId === null ? token : `${token}#${tokenId}`;
  }
  const folded = symbol.normalize('NFKC').toUpperCase();
  if (folded === NATIVE_COIN[chain].symbol) return COIN;
  const known = CONTRACT_BY_SYMBOL.get(`${chain}:${folded}`);
  if (known === undefined) return `symbol:${folded}`;
  return WRAPPERS.has(known) ? COIN : known.slice(chain.length + 1);
}

export function assetIdOf({ chain, token, tokenId, asset }: Transfer): string {
  return assetId(chain, { token, tokenId, symbol: asset });
}

/** True for the contract that wraps a chain's coin: what goes there or comes from there changes its form alone. */
export function isWrapper(key: string): boolean {
  return WRAPPERS.has(key);
}

/** True for a graph key behind which there is no party: the zero address, `coinbase`, known burn addresses. */
export function isNullAddress(key: string): boolean {
  return NULL_ADDRESSES.has(addressOf(key));
}

/** True when a transfer only wraps or unwraps the coin: the money stays with the address. */
export function changesForm({ assetId, asset }: { assetId: string; asset: string }, other: string): boolean {
  return assetId === COIN && (isWrapper(other) || (asset.startsWith('W') && isNullAddress(other)));
}
