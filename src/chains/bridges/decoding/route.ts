import type { RouteEnd } from '../../../domain/bridges/message.ts';
import { type Chain, EVM_CHAIN_IDS } from '../../../domain/chain.ts';

/** How a protocol numbers the chains. */
export type ChainNumbers = Partial<Record<Chain, number | string>>;

/** The end of a route by the number that the protocol writes. */
export function endOf(numbers: ChainNumbers, raw: bigint | string): RouteEnd {
  const text = String(raw);
  const found = Object.entries(numbers).find(([, number]) => String(number) === text);
  return { chain: (found?.[0] as Chain | undefined) ?? null, raw: text };
}

/** The end of a route that lies on one of the twelve chains. */
export function endOn(numbers: ChainNumbers, chain: Chain): RouteEnd {
  return { chain, raw: String(numbers[chain] ?? chain) };
}

export const EVM_NUMBERS: ChainNumbers = EVM_CHAIN_IDS;
/** Across and deBridge number the chains of other kinds themselves. */
export const ACROSS_NUMBERS: ChainNumbers = { ...EVM_CHAIN_IDS, solana: '34268394551451', tron: 728_126_428 };
export const DLN_NUMBERS: ChainNumbers = { ...EVM_CHAIN_IDS, solana: 7_565_164 };
export const CCTP_DOMAINS: ChainNumbers = {
  ethereum: 0,
  avalanche: 1,
  optimism: 2,
  arbitrum: 3,
  solana: 5,
  base: 6,
  polygon: 7,
};
export const LAYERZERO_IDS: ChainNumbers = {
  ethereum: 30101,
  bsc: 30102,
  avalanche: 30106,
  polygon: 30109,
  arbitrum: 30110,
  optimism: 30111,
  kaia: 30150,
  solana: 30168,
  base: 30184,
};
export const WORMHOLE_IDS: ChainNumbers = {
  solana: 1,
  ethereum: 2,
  bsc: 4,
  polygon: 5,
  avalanche: 6,
  kaia: 13,
  arbitrum: 23,
  optimism: 24,
  base: 30,
};
