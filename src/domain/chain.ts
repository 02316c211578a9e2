import { MINUTE_MS } from './time.ts';

/** The chains that are scanned, in the order in which the documents name them. */
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

/** As a reader knows them, in every language. */
const CHAIN_NAMES: Record<Chain, string> = {
  bitcoin: 'Bitcoin',
  ethereum: 'Ethereum',
  polygon: 'Polygon',
  bsc: 'BNB Smart Chain',
  base: 'Base',
  arbitrum: 'Arbitrum',
  optimism: 'Optimism',
  avalanche: 'Avalanche',
  kaia: 'Kaia',
  solana: 'Solana',
  tron: 'TRON',
  xrp: 'XRP Ledger',
};

/** The name of a chain as texts for readers write it; another code stays. */
export function chainName(chain: string): string {
  return isChain(chain) ? CHAIN_NAMES[chain] : chain;
}

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

/**
 * Chains that are not scanned and whose addresses have the form of a scanned one, `evm` for all EVM chains: the
 * same key holds both addresses.
 */
const SISTER_CHAINS = { bitcoin_cash: 'bitcoin', bitcoin_sv: 'bitcoin', ethereum_classic: 'evm' } as const;
export type SisterChain = keyof typeof SISTER_CHAINS;

/** Where a label may hold: a chain, all EVM chains, or a sister chain. */
export type LabelChain = Chain | 'evm' | SisterChain;

export function isSisterChain(chain: string): chain is SisterChain {
  return Object.hasOwn(SISTER_CHAINS, chain);
}

/** A scanned chain whose addresses have the form of the label's. */
export function chainOfForm(chain: LabelChain): Chain {
  const form = isSisterChain(chain) ? SISTER_CHAINS[chain] : chain;
  return form === 'evm' ? 'ethereum' : form;
}

/** Chains of one address space, whose sources speak the same protocol: who holds an EVM address holds it on all EVM chains. */
export type ChainFamily = Exclude<Chain, EvmChain> | 'evm';

export function chainFamily(chain: LabelChain): ChainFamily {
  const form = chainOfForm(chain);
  return isEvmChain(form) ? 'evm' : form;
}

/** Returns where else the address of a chain is held by the same key, beside the labels that hold on the chain itself. */
export function sisterChainsOf(chain: Chain): LabelChain[] {
  const form = isEvmChain(chain) ? 'evm' : chain;
  const unscanned = Object.entries(SISTER_CHAINS).flatMap(([sister, of]) =>
    of === form ? [sister as SisterChain] : [],
  );
  return isEvmChain(chain) ? [...EVM_CHAINS.filter((other) => other !== chain), ...unscanned] : unscanned;
}

interface NativeCoin {
  /** As answers show it. */
  symbol: string;
  /** Of its smallest unit. */
  decimals: number;
  /** Whole coins of which there will never be more: no transfer can move as many. */
  supplyMax: bigint;
  /** About a US dollar of it, in whole coins: a difference between balances that is smaller says nothing. */
  dust: string;
}

/** The chain's own coin. */
export const NATIVE_COIN: Record<Chain, NativeCoin> = {
  bitcoin: { symbol: 'BTC', decimals: 8, supplyMax: 21_000_000n, dust: '0.00001' },
  ethereum: { symbol: 'ETH', decimals: 18, supplyMax: 200_000_000n, dust: '0.0003' },
  polygon: { symbol: 'POL', decimals: 18, supplyMax: 20_000_000_000n, dust: '2' },
  bsc: { symbol: 'BNB', decimals: 18, supplyMax: 250_000_000n, dust: '0.001' },
  base: { symbol: 'ETH', decimals: 18, supplyMax: 200_000_000n, dust: '0.0003' },
  arbitrum: { symbol: 'ETH', decimals: 18, supplyMax: 200_000_000n, dust: '0.0003' },
  optimism: { symbol: 'ETH', decimals: 18, supplyMax: 200_000_000n, dust: '0.0003' },
  avalanche: { symbol: 'AVAX', decimals: 18, supplyMax: 720_000_000n, dust: '0.04' },
  kaia: { symbol: 'KAIA', decimals: 18, supplyMax: 20_000_000_000n, dust: '5' },
  solana: { symbol: 'SOL', decimals: 9, supplyMax: 2_000_000_000n, dust: '0.005' },
  tron: { symbol: 'TRX', decimals: 6, supplyMax: 200_000_000_000n, dust: '3' },
  xrp: { symbol: 'XRP', decimals: 6, supplyMax: 100_000_000_000n, dust: '0.4' },
};

/**
 * How long until a transaction is final at the latest, so that no bridge delivers what the chain may drop: six blocks of
 * Bitcoin, two epochs of Ethereum, as also for what rolls up to it, and a minute or two elsewhere.
 */
export const FINAL_AFTER_MS: Record<Chain, number> = {
  bitcoin: 90 * MINUTE_MS,
  ethereum: 20 * MINUTE_MS,
  polygon: 2 * MINUTE_MS,
  bsc: 2 * MINUTE_MS,
  base: 30 * MINUTE_MS,
  arbitrum: 30 * MINUTE_MS,
  optimism: 30 * MINUTE_MS,
  avalanche: MINUTE_MS,
  kaia: MINUTE_MS,
  solana: MINUTE_MS,
  tron: 2 * MINUTE_MS,
  xrp: MINUTE_MS,
};

export function isChain(value: string): value is Chain {
  return (CHAINS as readonly string[]).includes(value);
}

export function isEvmChain(chain: Chain): chain is EvmChain {
  return chain in EVM_CHAIN_IDS;
}

/** The page of a public block explorer for each chain. */
const EXPLORERS: Record<Chain, { address: string; tx: string }> = {
  ethereum: ofEtherscan('etherscan.io'),
  bsc: ofEtherscan('bscscan.com'),
  polygon: ofEtherscan('polygonscan.com'),
  arbitrum: ofEtherscan('arbiscan.io'),
  optimism: ofEtherscan('optimistic.etherscan.io'),
  base: ofEtherscan('basescan.org'),
  avalanche: ofEtherscan('snowtrace.io'),
  kaia: ofEtherscan('kaiascan.io'),
  bitcoin: { address: 'https://mempool.space/address/', tx: 'https://mempool.space/tx/' },
  solana: { address: 'https://solscan.io/account/', tx: 'https://solscan.io/tx/' },
  tron: { address: 'https://tronscan.org/#/address/', tx: 'https://tronscan.org/#/transaction/' },
  xrp: { address: 'https://xrpscan.com/account/', tx: 'https://xrpscan.com/tx/' },
};

function ofEtherscan(host: string) {
  return { address: `https://${host}/address/`, tx: `https://${host}/tx/` };
}

/** The address or transaction on a block explorer; null for a chain that has none here. */
export function explorerLink(chain: string, kind: 'address' | 'tx', value: string): string | null {
  const pages = (EXPLORERS as Partial<Record<string, { address: string; tx: string }>>)[chain];
  return pages ? pages[kind] + encodeURIComponent(value) : null;
}

/** The chains beside EVM by the CAIP-2 namespaces that are registered for them. */
const OTHER_CHAIN_IDS: Record<Exclude<Chain, EvmChain>, string> = {
  bitcoin: 'bip122:000000000019d6689c085ae165831e93',
  solana: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  tron: 'tron:0x2b6653dc',
  xrp: 'xrpl:0',
};

/** The CAIP-2 id of a chain. */
export function caip2(chain: Chain): string {
  return isEvmChain(chain) ? `eip155:${EVM_CHAIN_IDS[chain]}` : OTHER_CHAIN_IDS[chain];
}
