import type { Chain, EvmChain } from '../domain/chain.ts';

/** A public data source that anyone may try. None of them is ours: its keeper changes limits and address at will. */
export interface PublicSource {
  chain: Chain;
  /** The setting that names it, without the chain. */
  setting: 'ESPLORA_URL' | 'RPC_URL' | 'EXPLORER_URL' | 'API_URL';
  url: string;
  style?: 'etherscan' | 'blockscout';
  key: 'none' | 'optional' | 'required';
  /** Page that gives out keys. */
  keyAt?: string;
  /** Requests a second that its keeper publishes for those without a paid plan; null where none is published. */
  perSecond: number | null;
  /** Day on which this row was last looked at. `traceflow sources` asks the source itself. */
  asOf: string;
}

const asOf = '2026-11-24';

const ETHERSCAN = 'https://api.etherscan.io/v2/api';
const ETHERSCAN_KEYS = 'https://etherscan.io/apidashboard';
const routescan = (chainId: number) => `https://api.routescan.io/v2/network/mainnet/evm/${chainId}/etherscan/api`;

/** The first source of a chain and setting is the one that `traceflow init --yes` writes. */
export const PUBLIC_SOURCES: readonly PublicSource[] = [
  ...esplora('https://blockstream.info/api', 'https://mempool.space/api'),
  ...blockscout('ethereum', 'https://eth.blockscout.com'),
  ...blockscout('polygon', 'https://polygon.blockscout.com'),
  ...blockscout('base', 'https://base.blockscout.com'),
  ...blockscout('arbitrum', 'https://arbitrum.blockscout.com'),
  ...blockscout('optimism', 'https://explorer.optimism.io'),
  ...etherscanLike('bsc', routescan(56)),
  ...etherscanLike('avalanche', routescan(43_114)),
  ...(['ethereum', 'polygon', 'arbitrum'] as const).map(
    (chain): PublicSource => ({
      chain,
      setting: 'EXPLORER_URL',
      url: ETHERSCAN,
      style: 'etherscan',
      key: 'required',
      keyAt: ETHERSCAN_KEYS,
      perSecond: 3,
      asOf,
    }),
  ),
  ...node('ethereum', 'https://ethereum-rpc.publicnode.com'),
  ...node('polygon', 'https://polygon-bor-rpc.publicnode.com'),
  ...node('bsc', 'https://bsc-rpc.publicnode.com'),
  ...node('base', 'https://base-rpc.publicnode.com'),
  ...node('arbitrum', 'https://arbitrum-one-rpc.publicnode.com'),
  ...node('optimism', 'https://optimism-rpc.publicnode.com'),
  ...node('avalanche', 'https://api.avax.network/ext/bc/C/rpc'),
  ...node('kaia', 'https://public-en.node.kaia.io'),
  { ...node('solana', 'https://api.mainnet-beta.solana.com')[0]!, perSecond: 10 },
  {
    chain: 'tron',
    setting: 'API_URL',
    url: 'https://api.trongrid.io',
    key: 'optional',
    keyAt: 'https://www.trongrid.io/dashboard/keys',
    perSecond: null,
    asOf,
  },
  ...node('xrp', 'https://xrplcluster.com'),
  ...node('xrp', 'https://s1.ripple.com:51234'),
];

/** The published rate of the source behind a URL; undefined where none is known. */
export function publishedRate(url: string): number | undefined {
  const host = URL.canParse(url) ? new URL(url).host : '';
  const known = PUBLIC_SOURCES.find((source) => new URL(source.url).host === host);
  return known?.perSecond ?? undefined;
}

function esplora(...urls: string[]): PublicSource[] {
  return urls.map((url) => ({
    chain: 'bitcoin',
    setting: 'ESPLORA_URL',
    url,
    key: 'none',
    perSecond: null,
    asOf,
  }));
}

function blockscout(chain: EvmChain, url: string): PublicSource[] {
  return [{ chain, setting: 'EXPLORER_URL', url, style: 'blockscout', key: 'optional', perSecond: 5, asOf }];
}

function etherscanLike(chain: EvmChain, url: string): PublicSource[] {
  return [{ chain, setting: 'EXPLORER_URL', url, style: 'etherscan', key: 'optional', perSecond: 2, asOf }];
}

function node(chain: Chain, url: string): PublicSource[] {
  return [{ chain, setting: 'RPC_URL', url, key: 'none', perSecond: null, asOf }];
}
