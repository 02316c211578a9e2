import type { Chain } from '../domain/chain.ts';
import type { ChainEndpoint } from './port.ts';

/** A source that others run for everybody, as its keeper describes it. Not asked before `traceflow sources` does. */
export interface PublicSource {
  chain: Chain;
  kind: ChainEndpoint['kind'];
  url: string;
  style?: 'etherscan' | 'blockscout';
  /** Left out where it takes none. */
  key?: { needed: boolean; from: string };
  /** Requests a second that its keeper publishes for callers without a paid plan. */
  perSecond?: number;
  /** The day on which this row was written. */
  noted: string;
}

const NOTED = '2026-11-24';
const ETHERSCAN = {
  url: 'https://api.etherscan.io/v2/api',
  style: 'etherscan',
  key: { needed: true, from: 'https://etherscan.io/apidashboard' },
  perSecond: 3,
} as const;
const blockscout = (chain: Chain, host: string): PublicSource => ({
  ...{ chain, kind: 'EXPLORER', url: `https://${host}/api`, style: 'blockscout', perSecond: 5, noted: NOTED },
});
const routescan = (chain: Chain, chainId: number): PublicSource => ({
  ...{ chain, kind: 'EXPLORER', style: 'etherscan', perSecond: 2, noted: NOTED },
  url: `https://api.routescan.io/v2/network/mainnet/evm/${chainId}/etherscan/api`,
});
const node = (chain: Chain, url: string, more: Partial<PublicSource> = {}): PublicSource => ({
  ...{ chain, kind: 'RPC', url, noted: NOTED },
  ...more,
});

/** In the order in which they are offered for each chain. A rate is left out where its keeper publishes none. */
export const PUBLIC_SOURCES: readonly PublicSource[] = [
  { chain: 'bitcoin', kind: 'ESPLORA', url: 'https://blockstream.info/api', noted: NOTED },
  { chain: 'bitcoin', kind: 'ESPLORA', url: 'https://mempool.space/api', noted: NOTED },
  node('ethereum', 'https://ethereum-rpc.publicnode.com'),
  blockscout('ethereum', 'eth.blockscout.com'),
  { chain: 'ethereum', kind: 'EXPLORER', ...ETHERSCAN, noted: NOTED },
  node('polygon', 'https://polygon-bor-rpc.publicnode.com'),
  blockscout('polygon', 'polygon.blockscout.com'),
  { chain: 'polygon', kind: 'EXPLORER', ...ETHERSCAN, noted: NOTED },
  node('bsc', 'https://bsc-rpc.publicnode.com'),
  routescan('bsc', 56),
  node('base', 'https://mainnet.base.org'),
  blockscout('base', 'base.blockscout.com'),
  node('arbitrum', 'https://arb1.arbitrum.io/rpc'),
  blockscout('arbitrum', 'arbitrum.blockscout.com'),
  { chain: 'arbitrum', kind: 'EXPLORER', ...ETHERSCAN, noted: NOTED },
  node('optimism', 'https://mainnet.optimism.io'),
  blockscout('optimism', 'explorer.optimism.io'),
  node('avalanche', 'https://api.avax.network/ext/bc/C/rpc'),
  routescan('avalanche', 43_114),
  node('kaia', 'https://public-en.node.kaia.io'),
  node('solana', 'https://api.mainnet-beta.solana.com', { perSecond: 10 }),
  {
    ...{ chain: 'tron', kind: 'API', url: 'https://api.trongrid.io', noted: NOTED },
    key: { needed: false, from: 'https://www.trongrid.io' },
  },
  node('xrp', 'https://xrplcluster.com'),
  node('xrp', 'https://s1.ripple.com:51234'),
];

/** Requests a second that the keeper of a source publishes, by its host; undefined where that is not known. */
export function publishedRate(url: string): number | undefined {
  if (!URL.canParse(url)) return undefined;
  const { host } = new URL(url);
  return PUBLIC_SOURCES.find((one) => new URL(one.url).host === host)?.perSecond;
}
