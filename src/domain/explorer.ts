import type { Chain } from './chain.ts';

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
