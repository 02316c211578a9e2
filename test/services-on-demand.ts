import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { SERVICES, type ServiceName } from '../scripts/services/all.ts';
import type { Service } from '../scripts/services/service.ts';

declare module 'vitest' {
  interface ProvidedContext {
    servicesUrl: string;
  }
}

/** What a suite is told: the settings of a running server, or why there is none. */
export type Lease = { settings: Record<string, string> } | { missing: string };

/**
 * Starts a real server when the first suite of a run asks for it, and stops it after the last. A suite asks with
 * `GET /<service>` and holds the server as long as it keeps the answer open: a server is one suite's at a time.
 */
export default async function servicesOnDemand(project: TestProject): Promise<() => Promise<void>> {
  const started = new Map<string, Promise<Service>>();
  const queues = new Map<string, Promise<unknown>>();

  const lease = async (name: ServiceName): Promise<Lease> => {
    if (process.env.TRACEFLOW_TEST_SERVERS === '0') return { missing: 'TRACEFLOW_TEST_SERVERS=0' };
    if (!started.has(name)) started.set(name, SERVICES[name]());
    return started.get(name)!.then(
      ({ settings }) => ({ settings }),
      (error: Error) => ({ missing: error.message }),
    );
  };
  const server = createServer((request, response) => {
    const name = request.url!.slice(1) as ServiceName;
    const released = new Promise<void>((resolve) => {
      response.once('close', resolve);
    });
    const turn = (queues.get(name) ?? Promise.resolve()).then(async () => {
      if (response.closed) return;
      response.write(`${JSON.stringify(await lease(name))}\n`);
      await released;
    });
    queues.set(name, turn);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  project.provide('servicesUrl', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);

  return async () => {
    server.closeAllConnections();
    server.close();
    await Promise.all(
      [...started.values()].map((service) => service.then(({ stop }) => stop()).catch(() => undefined)),
    );
  };
}
