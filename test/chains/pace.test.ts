import { expect, it, onTestFinished } from 'vitest';
import { askSource, type Endpoint } from '../../src/chains/http.ts';
import { paced } from '../../src/chains/pace.ts';
import type { AddressHistory, ChainSource } from '../../src/chains/port.ts';
import { serveUpstream, type UpstreamReply } from '../contract/upstream.ts';

/** Work as that of a source which reads an address in the background. */
function asExpansion(work: () => Promise<unknown>): Promise<unknown> {
  const history = async () => (await work()) as AddressHistory;
  return paced({ history } as unknown as ChainSource).history('', { inBackground: true });
}

async function open(answer: () => UpstreamReply | Promise<UpstreamReply>) {
  const server = await serveUpstream(answer);
  onTestFinished(() => server.close());
  const endpoint: Endpoint = { chain: 'bitcoin', name: 'test', baseUrl: server.url };
  const ask = (path: string) => askSource(endpoint, { path });
  return { server, ask };
}

it('answers the requests of scans before those of an expansion', async () => {
  const waiting: (() => void)[] = [];
  const { server, ask } = await open(async () => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return { json: {} };
  });
  const scan = ask('/scan');
  await expect.poll(() => waiting.length).toBe(1);
  const expansion = asExpansion(() => Promise.all(['/a', '/b'].map(ask)));
  const second = ask('/scan-2');
  await expect.poll(() => waiting.length).toBe(2);
  expect(server.requests.map(({ url }) => url.pathname)).toEqual(['/scan', '/scan-2']);
  for (const answer of waiting.splice(0)) answer();
  await Promise.all([scan, second]);
  await expect.poll(() => waiting.length).toBe(2);
  for (const answer of waiting.splice(0)) answer();
  await expansion;
});

it('does not let steady scans stop an expansion for good', async () => {
  const { server, ask } = await open(async () => {
    await new Promise((resolve) => setTimeout(resolve, 60));
    return { json: {} };
  });
  let going = true;
  const scans = [0, 30].map(async (delay) => {
    await new Promise((resolve) => setTimeout(resolve, delay));
    while (going) await ask('/scan');
  });
  await asExpansion(() => ask('/expansion'));
  going = false;
  await Promise.all(scans);
  expect(server.requests.some(({ url }) => url.pathname === '/expansion')).toBe(true);
});

it('ends the wait of an expansion with its signal', async () => {
  const { server } = await open(() => ({ hang: true }));
  const endpoint: Endpoint = { chain: 'bitcoin', name: 'test', baseUrl: server.url };
  const scan = new AbortController();
  const hanging = askSource(endpoint, { path: '/scan', signal: scan.signal }).catch(() => {});
  const reason = new Error('enough');
  const given = AbortSignal.abort(reason);
  await expect(asExpansion(() => askSource(endpoint, { path: '/a', signal: given }))).rejects.toBe(reason);
  scan.abort();
  await hanging;
});
