import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { inject } from 'vitest';
import type { ServiceName } from '../scripts/services/all.ts';
import type { Lease } from './services-on-demand.ts';

export type Server =
  | { settings: Record<string, string>; missing: null; release(): void }
  | { missing: string; release(): void };

/**
 * A real server for this suite alone until it is released, or the reason why there is none. Call it in a beforeAll
 * of ten minutes: other suites may hold the server, and the first start of all fetches it. In CI a server that
 * cannot be had is an error.
 */
export async function leaseServer(name: ServiceName): Promise<Server> {
  const request = get(`${inject('servicesUrl')}/${name}`, { agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const [line] = await once(response, 'data');
  const lease = JSON.parse(String(line)) as Lease;
  const release = () => request.destroy();
  response.on('error', () => undefined);
  if ('settings' in lease) return { settings: lease.settings, missing: null, release };
  release();
  if (process.env.CI) throw new Error(`${name} is needed in CI: ${lease.missing}`);
  return { missing: lease.missing, release };
}
