import type { ChainSettings } from '../../config.ts';
import { type Chain, isEvmChain } from '../../domain/chain.ts';
import type { SourcePaces } from '../port.ts';
import { publicSource, publishedRate } from '../public-sources.ts';
import type { Listener } from './port.ts';

/** Returns where a chain is listened to: its own setting, else the source that serves for it; undefined where none does. */
function liveUrl(chain: Chain, { liveUrl: own, rpcUrl, esploraUrl, apiUrl }: ChainSettings): string | undefined {
  if (chain === 'bitcoin') return own ?? esploraUrl;
  if (chain === 'tron') return own ?? apiUrl;
  // Its websocket stands beside it.
  if (chain === 'solana') return rpcUrl;
  return own ?? (isEvmChain(chain) ? rpcUrl : undefined);
}

/** Imports the SDK of a chain's family when it is first listened to; null where no source can serve. */
export async function openListener(
  chain: Chain,
  settings: ChainSettings,
  options: { paces: SourcePaces; everyMs?: number },
): Promise<Listener | null> {
  const baseUrl = liveUrl(chain, settings);
  if (baseUrl === undefined) return null;
  if (chain === 'xrp') {
    const { openXrpListener } = await import('./xrp-listener.ts');
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
    const { openBitcoinListener } = await import('./bitcoin-listener.ts');
    return openBitcoinListener({ endpoint, mempoolUrl: settings.mempoolUrl, ...options });
  }
  if (chain === 'solana') {
    const { openSolanaListener } = await import('./solana-listener.ts');
    return openSolanaListener({ endpoint, socketUrl: settings.liveUrl, ...options });
  }
  if (chain === 'tron') {
    const { openTronListener } = await import('./tron-listener.ts');
    const key = baseUrl === apiUrl ? apiKey : undefined;
    return openTronListener({ endpoint, key, readsBlocks: publicSource(baseUrl) === undefined, ...options });
  }
  const { openEvmListener } = await import('./evm-listener.ts');
  return openEvmListener({ endpoint, chain, ...options });
}
