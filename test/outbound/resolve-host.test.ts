import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { expect, it, onTestFinished } from 'vitest';
import { createHostResolver } from '../../src/outbound/guard.ts';
import { startNameServer } from './name-server.ts';

/** A name server that never answers. */
async function startSilentServer() {
  const server = createSocket('udp4');
  let queries = 0;
  server.on('message', () => {
    queries += 1;
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { address: `127.0.0.1:${server.address().port}`, queries: () => queries };
}

it('leaves the threads of the process free while a name server hangs, and gives up in time', async () => {
  const server = await startSilentServer();
  const resolve = createHostResolver({ servers: [server.address] });
  let ended = 0;
  const hanging = Array.from({ length: 40 }, async (_, i) => {
    const found = await resolve(`${i}.example.com`);
    ended += 1;
    return found;
  });
  await expect.poll(server.queries, { interval: 5 }).toBeGreaterThanOrEqual(40);
  // Reading a file needs one of the few threads.
  await readFile(import.meta.filename);
  expect(ended).toBe(0);
  expect(await Promise.all(hanging)).toEqual(hanging.map(() => []));
});

it('asks for no more names at once than it may', async () => {
  const server = await startSilentServer();
  const resolve = createHostResolver({ servers: [server.address], timeoutMs: 1_000, atOnceMax: 2 });
  const hanging = [resolve('a.example.com'), resolve('b.example.com')];
  const before = server.queries();
  expect(await resolve('c.example.com')).toEqual([]);
  expect(server.queries()).toBe(before);
  expect(await Promise.all(hanging)).toEqual([[], []]);
});

it('finds the addresses of both families, none of a name without any, and 127.0.0.1 for localhost', async () => {
  const addresses: Record<string, string[]> = { 'both.example.com': ['93.184.216.34', '2606:2800:220:1::1'] };
  const resolve = await startNameServer((name) => addresses[name] ?? []);
  expect(await resolve('both.example.com')).toEqual(['93.184.216.34', '2606:2800:220:1::1']);
  expect(await resolve('none.example.com')).toEqual([]);
  expect(await resolve('localhost')).toEqual(['127.0.0.1']);
});
