import { type Config, hasSource } from '../../config.ts';
import type { Chain } from '../../domain/chain.ts';
import type { Limits } from '../../fairness/limits/port.ts';
import type { Metrics } from '../../http/metrics/metrics.ts';
import type { OutboundUse } from '../../outbound/use.ts';
import { guardSource, type SourceGuards } from '../guarded-source.ts';
import { openListener } from '../live/open-listener.ts';
import type { Listener } from '../live/port.ts';
import { Paces } from '../pace.ts';
import type { ChainSource } from '../port.ts';

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
