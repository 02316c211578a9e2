import { expect, it, onTestFinished } from 'vitest';
import { guardSource } from '../../src/chains/guarded-source.ts';
import { askSource, type Endpoint } from '../../src/chains/http.ts';
import { Paces } from '../../src/chains/pace.ts';
import type { ChainSource, RequestOptions } from '../../src/chains/port.ts';
import { openMemoryLimits } from '../../src/fairness/limits/memory.ts';
import { serveUpstream, type UpstreamReply } from '../contract/upstream.ts';
import { sourceGuards } from './source-guards.ts';

async function open(answer: () => UpstreamReply | Promise<UpstreamReply>) {
  const server = await serveUpstream(answer);
  onTestFinished(() => server.close());
  const endpoint: Endpoint = { chain: 'bitcoin', name: 'test', baseUrl: server.url };
  const paces = new Paces(openMemoryLimits(Date.now));
  const ask = (path: string, options?: RequestOptions) => askSource(endpoint, { path, paces, ...options });
  const expand = (path: string) => ask(path, { inBackground: true });
  return { server, ask, expand };
}

it('answers the requests of scans before those of an expansion', async () => {
  const waiting: (() => void)[] = [];
  const { server, ask, expand } = await open(async () => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return { json: {} };
  });
  const scan = ask('/scan');
  await expect.poll(() => waiting.length).toBe(1);
  const expansion = ['/a', '/b'].map(expand);
  const second = ask('/scan-2');
  await expect.poll(() => waiting.length).toBe(2);
  expect(server.requests.map(({ url }) => url.pathname)).toEqual(['/scan', '/scan-2']);
  for (const answer of waiting.splice(0)) answer();
  await Promise.all([scan, second]);
  await expect.poll(() => waiting.length).toBe(2);
  for (const answer of waiting.splice(0)) answer();
  await Promise.all(expansion);
});

it('does not let steady scans stop an expansion for good', async () => {
  const { server, ask, expand } = await open(async () => {
    await new Promise((resolve) => setTimeout(resolve, 60));
    return { json: {} };
  });
  let going = true;
  const scans = [0, 30].map(async (delay) => {
    await new Promise((resolve) => setTimeout(resolve, delay));
    while (going) await ask('/scan');
  });
  await expand('/expansion');
  going = false;
  await Promise.all(scans);
  expect(server.requests.some(({ url }) => url.pathname === '/expansion')).toBe(true);
});

it('leaves room for the requests of other accounts beside the many of one', async () => {
  const waiting: (() => void)[] = [];
  const { server, ask } = await open(async () => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return { json: {} };
  });
  const many = Array.from({ length: 100 }, (_, n) => ask(`/many/${n}`, { account: 'a' }));
  await expect.poll(() => waiting.length).toBe(32);
  const other = ask('/other', { account: 'b' });
  await expect.poll(() => server.requests.some(({ url }) => url.pathname === '/other')).toBe(true);
  const answering = setInterval(() => {
    for (const answer of waiting.splice(0)) answer();
  }, 5);
  await Promise.all([...many, other]);
  clearInterval(answering);
});

it('ends the wait of an expansion with its signal', async () => {
  const { ask } = await open(() => ({ hang: true }));
  const scan = new AbortController();
  const hanging = ask('/scan', { signal: scan.signal }).catch(() => {});
  const expansion = new AbortController();
  const waiting = ask('/a', { inBackground: true, signal: expansion.signal });
  const reason = new Error('enough');
  expansion.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  scan.abort();
  await hanging;
});

it('gives every request to a source the pace of that source, look-ups of bridges too', async () => {
  const guards = sourceGuards();
  const given: (RequestOptions | undefined)[] = [];
  const keep = async (...args: unknown[]) => {
    given.push(args.at(-1) as RequestOptions);
    throw new Error('asked');
  };
  const methods = { history: keep, historyAround: keep, transaction: keep, evidence: keep, findLogs: keep };
  const source = guardSource({ ...methods, endpoints: [], tokenTransfers: keep } as unknown as ChainSource, guards);
  const options = { inBackground: true };
  const asked = [
    source.history('a', options),
    source.historyAround('a', {} as never, options),
    source.transaction('h', options),
    source.evidence('h', options),
    source.findLogs({} as never, options),
    source.tokenTransfers({} as never, options),
  ];
  for (const one of asked) await expect(one).rejects.toThrow('asked');
  expect(given).toEqual(Array.from({ length: 6 }, () => ({ inBackground: true, paces: guards.paces })));
});

it('gives an account the next turn at a slow source beside the many requests of another', async () => {
  const pace = new Paces(openMemoryLimits(Date.now)).of('http://slow.invalid', 20);
  const answered: string[] = [];
  const ask = async (account: string) => {
    const leave = await pace.enter({ account });
    answered.push(account);
    leave();
  };
  const many = Array.from({ length: 32 }, () => ask('a'));
  await many[0];
  const other = Array.from({ length: 3 }, () => ask('b'));
  await Promise.all([...many, ...other]);
  expect(answered.slice(0, 8).filter((account) => account === 'b')).toHaveLength(3);
});

it('gives scans whose callers wait every second turn beside the jobs of all accounts', async () => {
  const turn = () => new Promise<number>((resolve) => setImmediate(resolve, 0));
  const pace = new Paces({ takeTurn: turn, slowDown: async () => {} }).of('http://source.test', 1);
  const order: string[] = [];
  const ask = async (account: string, isJob: boolean, inBackground = false) => {
    const leave = await pace.enter({ account, isJob, inBackground });
    order.push(isJob ? 'job' : account);
    leave();
  };
  const jobs = Array.from({ length: 60 }, (_, n) => ask('abc'[n % 3]!, true));
  await Promise.race(jobs);
  const begun = order.length;
  const scans = Array.from({ length: 6 }, (_, n) => ask('ad'[n % 2]!, false));
  await Promise.all(scans);
  // Of the three in turn (two accounts and the jobs) each has as many, with one that was about to begin.
  expect(order.slice(begun).filter((one) => one === 'job').length).toBeLessThanOrEqual(5);
  const expansions = Array.from({ length: 6 }, () => ask('d', false, true));
  await Promise.all(expansions);
  expect(order.filter((one) => one === 'job').length).toBeLessThan(60);
  await Promise.all(jobs);
  expect(order).toHaveLength(72);
});
