import type { ChainSettings } from '../../config.ts';
import { type Chain, isEvmChain } from '../../domain/chain.ts';
import type { SourcePaces } from '../port.ts';
import { publishedRate } from '../public-sources.ts';
import type { Listener } from './port.ts';

/** Returns where a chain is listened to: its own setting, else the source that serves for it; undefined where none does. */
function liveUrl(chain: Chain, { liveUrl: own, rpcUrl, esploraUrl }: ChainSettings): string | undefined {
  if (chain === 'bitcoin') return own ?? esploraUrl;
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
  const { rpcUrl, rpcRps, esploraUrl, esploraRps } = settings;
  const perSecond = baseUrl === rpcUrl ? rpcRps : baseUrl === esploraUrl ? esploraRps : undefined;
  const endpoint = { chain, name: 'live', baseUrl, perSecond: perSecond ?? publishedRate(baseUrl) };
  if (chain === 'bitcoin') {
    const { openBitcoinListener } = await import('./bitcoin-listener.ts');
    return openBitcoinListener({ endpoint, ...options });
  }
  if (!isEvmChain(chain)) return null;
  const { openEvmListener } = await import('./evm-listener.ts');
  return openEvmListener({ endpoint, chain, ...options });
}
