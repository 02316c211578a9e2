import { Resolver } from 'node:dns/promises';

/** All addresses of a host name; none where it has none or cannot be resolved in time. */
export type ResolveHost = (host: string) => Promise<string[]>;

export interface ResolverSettings {
  /** Name servers as `address:port`; those of the system where left out. */
  servers?: string[];
  timeoutMs?: number;
  /** Names resolved at once; further ones are refused. */
  atOnceMax?: number;
}

const QUERY_MS = 1_000;
const QUERY_TRIES = 2;

/**
 * Asks DNS directly, so that a name server that hangs holds none of the process's few threads, as the system's own
 * look-up would. The hosts file and search domains are not used; `localhost` is 127.0.0.1.
 */
export function createHostResolver({
  servers,
  timeoutMs = 5_000,
  atOnceMax = 128,
}: ResolverSettings = {}): ResolveHost {
  let open = 0;
  return async (host) => {
    if (/^(.+\.)?localhost$/i.test(host)) return ['127.0.0.1'];
    if (open >= atOnceMax) return [];
    const resolver = new Resolver({ timeout: QUERY_MS, tries: QUERY_TRIES });
    if (servers) resolver.setServers(servers);
    const timer = setTimeout(() => resolver.cancel(), timeoutMs);
    open += 1;
    try {
      const families = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
      return families.flatMap((found) => (found.status === 'fulfilled' ? found.value : []));
    } finally {
      open -= 1;
      clearTimeout(timer);
    }
  };
}
