import { int } from 'neo4j-driver';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { MINUTE_MS } from '../../src/domain/time.ts';
import { GraphError, GraphTimeoutError } from '../../src/errors.ts';
import { ingestTransfers } from '../../src/graph/ingest/ingest.ts';
import { openNeo4j } from '../../src/graph/neo4j/neo4j.ts';
import { inOneMap } from '../../src/graph/neo4j/values.ts';
import { hurry } from '../setup/hurry.ts';
import { type LeasedServer, leaseServer } from '../setup/services.ts';
import { openWire } from '../setup/wire.ts';
import { transfer } from './world.ts';

let server: LeasedServer;
beforeAll(async () => {
  server = await leaseServer('neo4j');
}, 600_000);
afterAll(() => server?.release());

/** How the server is reached, by itself or through a wire that can be cut. */
function account(port?: number) {
  const { NEO4J_URI, NEO4J_USER, NEO4J_PASSWORD } = server.settings;
  const uri = port === undefined ? NEO4J_URI! : `bolt://127.0.0.1:${port}`;
  return { uri, user: NEO4J_USER!, password: NEO4J_PASSWORD! };
}

it('no list is a parameter of its own, so that one plan of a statement serves lists of every size', () => {
  expect(inOneMap('UNWIND $keys AS key RETURN key LIMIT $most', { keys: ['a', 'b'], most: 2 })).toEqual([
    'UNWIND $p.keys AS key RETURN key LIMIT $p.most',
    { p: { keys: ['a', 'b'], most: int(2) } },
  ]);
});

it('a server that is not there is a clear error in each use, not at the start, nor a timeout', async () => {
  const graph = await openNeo4j({ uri: 'bolt://127.0.0.1:1', user: 'neo4j', password: 'x' });
  const uses: (() => Promise<unknown>)[] = [
    () => graph.ping(),
    () => graph.read('stats/ping', {}, { timeoutMs: 2_000 }),
    () => graph.write([ping]),
  ];
  for (const use of uses) {
    // A write is tried again for ten seconds.
    const error = await hurry(use).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(GraphError);
    expect(error).not.toBeInstanceOf(GraphTimeoutError);
    expect(String((error as GraphError).cause)).toContain('graph unavailable');
  }
  await graph.close();
});

it('a refused password is an error at the start', async (ctx) => {
  if (server.missing !== null) return ctx.skip(server.missing);
  await expect(openNeo4j({ ...account(), password: 'wrong' })).rejects.toThrow(GraphError);
});

it('after a lost connection the same graph works again', async (ctx) => {
  if (server.missing !== null) return ctx.skip(server.missing);
  const wire = await openWire(Number(new URL(account().uri).port));
  const graph = await openNeo4j(account(wire.port));
  await graph.ping();
  await wire.cut();
  await expect(graph.ping()).rejects.toThrow(GraphError);
  await expect(graph.read('stats/ping', {}, { timeoutMs: 1_000 })).rejects.toThrow(GraphError);
  await wire.restore();
  await graph.ping();
  expect(await graph.read('stats/ping', {})).toEqual([{ alive: true }]);
  await graph.close();
  await wire.cut();
});

it('a server that has not begun to answer in time is slow, not away', async (ctx) => {
  if (server.missing !== null) return ctx.skip(server.missing);
  const wire = await openWire(Number(new URL(account().uri).port));
  const graph = await openNeo4j(account(wire.port));
  await graph.read('stats/ping', {});
  wire.stall();
  await expect(graph.read('stats/ping', {}, { timeoutMs: 1_000 })).rejects.toThrow(GraphTimeoutError);
  await wire.cut();
  await graph.close();
});

it('asks by no connection that a balancer may have dropped while it was idle', async (ctx) => {
  if (server.missing !== null) return ctx.skip(server.missing);
  const wire = await openWire(Number(new URL(account().uri).port));
  const graph = await openNeo4j(account(wire.port));
  await graph.read('stats/ping', {});
  wire.stall();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 4 * MINUTE_MS });
  onTestFinished(() => void vi.useRealTimers());
  expect(await graph.read('stats/ping', {}, { timeoutMs: 60_000 })).toEqual([{ alive: true }]);
  await wire.cut();
  await graph.close();
});

it('a query beyond its time ends with a timeout, and the graph goes on', { timeout: 120_000 }, async (ctx) => {
  if (server.missing !== null) return ctx.skip(server.missing);
  const graph = await openNeo4j(account());
  const many = Array.from({ length: 2_000 }, (_, i) => transfer({ from: 'hub', to: `r${i}` }, i));
  await ingestTransfers(graph, many);
  const pairs = many.map(({ from, to }) => [`ethereum:${from}`, `ethereum:${to}`]);
  const slow = graph.read('ingest/read-facts', { pairs: [...pairs, ...pairs] }, { timeoutMs: 2 });
  await expect(slow).rejects.toThrow(GraphTimeoutError);
  expect(await graph.read('stats/ping', {})).toEqual([{ alive: true }]);
  await graph.close();
});

it('a write that fails in the middle leaves nothing behind', async (ctx) => {
  if (server.missing !== null) return ctx.skip(server.missing);
  const graph = await openNeo4j(account());
  const mark = { key: 'ethereum:half', chain: 'ethereum', address: 'half', at: 1, complete: true };
  const steps = [
    { statement: 'ingest/mark-scanned', params: mark },
    { statement: 'ingest/create-addresses', params: { key: ['x'] } },
  ];
  await expect(graph.write(steps)).rejects.toThrow(GraphError);
  const rows = await graph.read<{ properties: { key: string } }>('export/addresses', {
    after: 'ethereum:h',
    limit: 100,
  });
  expect(rows.map((row) => row.properties.key)).not.toContain('ethereum:half');
  await graph.close();
});

const ping = { statement: 'stats/ping', params: {} };
