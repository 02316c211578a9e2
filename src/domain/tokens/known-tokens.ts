import type { AddressKey } from '../address/address-key.ts';
import { CHAINS, type Chain } from '../chain.ts';
import { CHAIN_RECORDS, type ChainRecord } from '../chains.ts';

export interface VerifiedToken {
  symbol: string;
  decimals: number;
  /** Asset name under which prices are looked up: WETH is priced as ETH. */
  priceAs: string;
  /** Worth 1 US dollar by design. */
  stable: boolean;
}

const STABLE = new Set([
  'USDT',
  'USDC',
  'DAI',
  'BUSD',
  'TUSD',
  'USDP',
  'GUSD',
  'FRAX',
  'LUSD',
  'PYUSD',
  'FDUSD',
  'RLUSD',
]);

/** Maps `<chain>:<token>`, the token in its canonical form, to the verified token. */
export const KNOWN_TOKENS: ReadonlyMap<AddressKey, VerifiedToken> = new Map(
  CHAINS.flatMap((chain) =>
    CHAIN_RECORDS[chain].tokens.map(([symbol, decimals, token, priceAs = symbol]): [AddressKey, VerifiedToken] => [
      `${chain}:${token}`,
      { symbol, decimals, priceAs, stable: STABLE.has(priceAs) },
    ]),
  ),
);

/** True for a contract whose token is the chain's own coin, not a claim on coin that the contract holds. */
export function isCoinContract(chain: Chain, token: string | null): boolean {
  const { coinContract }: ChainRecord = CHAIN_RECORDS[chain];
  return coinContract !== undefined && token === coinContract;
}
