import type { Chain } from '../domain/chain.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { ChainSource } from './port.ts';

/** The same source, each of whose calls is timed. */
export function measuredSource(chain: Chain, source: ChainSource, metrics: Metrics): ChainSource {
  return new Proxy(source, {
    get: (target, name) => {
      const value = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        const result = value.apply(target, args);
        return result instanceof Promise ? metrics.timeSource(chain, result) : result;
      };
    },
  });
}
