import { type ChainSettings, type Config, hasSource } from '../../config.ts';
import { type Chain, isEvmChain } from '../../domain/chain.ts';
import type { Limits } from '../../fairness/limits/port.ts';
import type { Metrics } from '../../http/metrics/metrics.ts';
import type { OutboundUse } from '../../outbound/use.ts';
import { guardSource, type SourceGuards } from '../guarded-source.ts';
import type { Listener } from '../live/port.ts';
import { Paces } from '../pace.ts';
import type { ChainSource, SourcePaces } from '../port.ts';
import { publicSource, publishedRate } from '../public-sources.ts';

export interface ChainSources {
  /** Null where no source is configured for the chain. */
  chainSource: (chain: Chain) => Promise<ChainSource | null>;
  uses: ReadonlyMap<Chain, OutboundUse>;
  /** A new listener, at the pace of the chain's sources; null where none is configured. */
  openListener: (chain: Chain, options?: { everyMs?: number }) => Promise<Listener | null>;
}

interface Parts {
  metrics: Metrics;
  limits: Limits;
  now: () => number;
}

/** Imports each adapter on the first use of its chain: the chain packages are most of the cold start time. */
export function openChainSources(config: Config, { metrics, limits, now }: Parts): ChainSources {
  const opened = new Map<Chain, Promise<ChainSource | null>>();
  const guards: SourceGuards = { uses: new Map(), metrics, paces: new Paces(limits), now };
  const options = { pageLimit: config.SCAN_PAGE_LIMIT };
  const open = async (chain: Chain): Promise<ChainSource | null> => {
    const settings = config.chains[chain];
    if (!hasSource(settings)) return null;
    if (chain === 'bitcoin') return (await import('../bitcoin/bitcoin.ts')).openBitcoin(settings, options);
    if (chain === 'solana') return (await import('../solana/solana.ts')).openSolana(settings, options);
    if (chain === 'tron') return (await import('../tron/tron.ts')).openTron(settings, options);
    if (chain === 'xrp') return (await import('../xrp/xrp.ts')).openXrp(settings, options);
    return (await import('../evm/evm.ts')).openEvm(chain, settings, options);
  };
  const openGuarded = async (chain: Chain) => {
    const source = await open(chain);
    const { explorerKey, apiKey } = config.chains[chain];
    const keys = [explorerKey, apiKey].filter((key) => key !== undefined);
    return source && guardSource(source, { ...guards, keys });
  };
  const chainSource = (chain: Chain) => {
    const known = opened.get(chain);
    if (known) return known;
    const opening = openGuarded(chain);
    opened.set(chain, opening);
    // Tried again at the next use.
    opening.catch(() => opened.delete(chain));
    return opening;
  };
  return {
    chainSource,
    uses: guards.uses,
    openListener: (chain, listening) =>
      openListener(chain, config.chains[chain], { ...listening, paces: guards.paces }),
  };
}

/** Returns where a chain is listened to: its own setting, else the source that serves for it; undefined where none does. */
function liveUrl(chain: Chain, { liveUrl: own, rpcUrl, esploraUrl, apiUrl }: ChainSettings): string | undefined {
  if (chain === 'bitcoin') return own ?? esploraUrl;
  if (chain === 'tron') return own ?? apiUrl;
  // Its websocket stands beside it.
  if (chain === 'solana') return rpcUrl;
  return own ?? (isEvmChain(chain) ? rpcUrl : undefined);
}

/** Imports the SDK of a chain's family when it is first listened to; null where no source can serve. */
async function openListener(
  chain: Chain,
  settings: ChainSettings,
  options: { paces: SourcePaces; everyMs?: number },
): Promise<Listener | null> {
  const baseUrl = liveUrl(chain, settings);
  if (baseUrl === undefined) return null;
  if (chain === 'xrp') {
    const { openXrpListener } = await import('../live/xrp-listener.ts');
    return openXrpListener({ url: baseUrl, perSecond: publishedRate(baseUrl), ...options });
  }
  const { rpcUrl, rpcRps, esploraUrl, esploraRps, apiUrl, apiRps, apiKey } = settings;
  const stated = new Map([
    [rpcUrl, rpcRps],
    [esploraUrl, esploraRps],
    [apiUrl, apiRps],
  ]);
  const perSecond = stated.get(baseUrl);
  const endpoint = { chain, name: 'live', baseUrl, perSecond: perSecond ?? publishedRate(baseUrl) };
  if (chain === 'bitcoin') {
    const { openBitcoinListener } = await import('../live/bitcoin-listener.ts');
    return openBitcoinListener({ endpoint, mempoolUrl: settings.mempoolUrl, ...options });
  }
  if (chain === 'solana') {
    const { openSolanaListener } = await import('../live/solana-listener.ts');
    return openSolanaListener({ endpoint, socketUrl: settings.liveUrl, ...options });
  }
  if (chain === 'tron') {
    const { openTronListener } = await import('../live/tron-listener.ts');
    const key = baseUrl === apiUrl ? apiKey : undefined;
    return openTronListener({ endpoint, key, readsBlocks: publicSource(baseUrl) === undefined, ...options });
  }
  const { openEvmListener } = await import('../live/evm-listener.ts');
  return openEvmListener({ endpoint, chain, ...options });
}
