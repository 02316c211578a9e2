import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { inject } from 'vitest';
import type { ServiceName } from '../servers/all.ts';
import type { Lease } from './services-on-demand.ts';

export interface LeasedServer {
  /** Empty where the server is missing. */
  settings: Record<string, string>;
  /** Null, or why there is no server. */
  missing: string | null;
  release(): void;
}

/**
 * A real server for this suite alone until it is released, or the reason why there is none. Call it in a beforeAll
 * of ten minutes: other suites may hold the server, and the first start of all fetches it. In CI a server that
 * cannot be had is an error.
 */
export async function leaseServer(name: ServiceName): Promise<LeasedServer> {
  const request = get(`${inject('servicesUrl')}/${name}`, { agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.on('error', () => undefined);
  const [line] = await once(response, 'data');
  const lease = JSON.parse(String(line)) as Lease;
  if ('missing' in lease && process.env.CI) throw new Error(`${name} is needed in CI: ${lease.missing}`);
  return { settings: {}, missing: null, ...lease, release: () => request.destroy() };
}

/** The folder of the product as `npm ci` builds it, with the processes of the tests; built once for all suites of a run. */
export async function builtProduct(): Promise<string> {
  const lease = (await (await fetch(`${inject('servicesUrl')}/build`)).json()) as Lease;
  if ('missing' in lease) throw new Error(lease.missing);
  return lease.settings.BUILT!;
}
