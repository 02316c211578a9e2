/** The twelve chains, in the order in which the documents name them. */
export const CHAINS = [
  'bitcoin',
  'ethereum',
  'polygon',
  'bsc',
  'base',
  'arbitrum',
  'optimism',
  'avalanche',
  'kaia',
  'solana',
  'tron',
  'xrp',
] as const;
export type Chain = (typeof CHAINS)[number];

/** The chains that share Ethereum's address form, with their EIP-155 ids. */
export const EVM_CHAIN_IDS = {
  ethereum: 1,
  polygon: 137,
  bsc: 56,
  base: 8453,
  arbitrum: 42161,
  optimism: 10,
  avalanche: 43114,
  kaia: 8217,
} as const satisfies Partial<Record<Chain, number>>;
export type EvmChain = keyof typeof EVM_CHAIN_IDS;
export const EVM_CHAINS = Object.keys(EVM_CHAIN_IDS) as EvmChain[];

/** The chain's own coin: the symbol in answers and the number of decimals of its smallest unit. */
export const NATIVE_COIN: Record<Chain, { symbol: string; decimals: number }> = {
  bitcoin: { symbol: 'BTC', decimals: 8 },
  ethereum: { symbol: 'ETH', decimals: 18 },
  polygon: { symbol: 'POL', decimals: 18 },
  bsc: { symbol: 'BNB', decimals: 18 },
  base: { symbol: 'ETH', decimals: 18 },
  arbitrum: { symbol: 'ETH', decimals: 18 },
  optimism: { symbol: 'ETH', decimals: 18 },
  avalanche: { symbol: 'AVAX', decimals: 18 },
  kaia: { symbol: 'KAIA', decimals: 18 },
  solana: { symbol: 'SOL', decimals: 9 },
  tron: { symbol: 'TRX', decimals: 6 },
  xrp: { symbol: 'XRP', decimals: 6 },
};

export function isChain(value: string): value is Chain {
  return (CHAINS as readonly string[]).includes(value);
}

export function isEvmChain(chain: Chain): chain is EvmChain {
  return chain in EVM_CHAIN_IDS;
}
