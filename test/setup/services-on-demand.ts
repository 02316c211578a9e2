import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { SERVICES, type ServiceName } from '../servers/all.ts';
import { startNeo4j } from '../servers/neo4j.ts';
import type { Service } from '../servers/service.ts';
import { buildProduct } from './build-product.ts';

declare module 'vitest' {
  interface ProvidedContext {
    servicesUrl: string;
  }
}

const STARTS = { ...SERVICES, neo4j: () => startNeo4j({ isShortLived: true }) };

/** What a suite receives: the settings of a running server, or why there is none. */
export type Lease = { settings: Record<string, string> } | { missing: string };

/** Of each server: as many as the suites that two cores can run. */
const SERVERS_MAX = 2;

/** A server that runs, or the reason why none does. */
type Started = Lease & { stop?: Service['stop'] };

const startOne = (start: () => Promise<Service>): Promise<Started> =>
  start().catch((error: Error) => ({ missing: error.message }));

/** The servers of one kind: whoever asks gets one that nobody has, a new one, or the next one that is given back. */
function createPool(start: () => Promise<Service>) {
  const started: Promise<Started>[] = [];
  const idle: Started[] = [];
  const waiting: ((server: Started) => void)[] = [];
  return {
    started,
    take: async (): Promise<Started> => {
      const server = idle.pop();
      if (server) return server;
      if (started.length === SERVERS_MAX) return new Promise((resolve) => waiting.push(resolve));
      const starting = startOne(start);
      started.push(starting);
      return starting;
    },
    give: (server: Started) => {
      const next = waiting.shift();
      if (next) next(server);
      else idle.push(server);
    },
  };
}

/**
 * Starts a real server when a suite asks for one and those that run are taken, and stops all after the last suite. A
 * suite asks with `GET /<service>` and holds the server as long as it keeps the answer open: it is one suite's at a time.
 * `GET /build` answers with the folder of the built product, one for all.
 */
export default async function servicesOnDemand(project: TestProject): Promise<() => Promise<void>> {
  const pools = new Map<ServiceName, ReturnType<typeof createPool>>();
  let build: Promise<Started> | undefined;
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const released = once(response, 'close');
    const send = (lease: Lease) => response.write(`${JSON.stringify(lease)}\n`);
    if (request.url === '/build') {
      build ??= startOne(buildProduct);
      return response.end(JSON.stringify(await build));
    }
    if (process.env.TRACEFLOW_TEST_SERVERS === '0') return send({ missing: 'TRACEFLOW_TEST_SERVERS=0' });
    const name = request.url!.slice(1) as ServiceName;
    const pool = pools.get(name) ?? createPool(STARTS[name]);
    pools.set(name, pool);
    const server = await pool.take();
    // A suite that gave up meanwhile receives nothing.
    send(server);
    await released;
    pool.give(server);
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  project.provide('servicesUrl', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);

  return async () => {
    server.closeAllConnections();
    server.close();
    const started = await Promise.all([...pools.values()].flatMap((pool) => pool.started));
    await Promise.all([...started, await build].map((one) => one?.stop?.()));
  };
}
