import { afterEach, describe, expect, it } from 'vitest';
import { openEvm } from '../../../src/chains/evm/evm.ts';
import { type ServedUpstream, serveUpstream, type UpstreamRequest } from '../../contract/upstream.ts';
import { recordedNode } from '../bridges/recorded-node.ts';

const CONTRACT = `0x${'ab'.repeat(20)}`;
const EVENT = `0x${'e1'.repeat(32)}`;
const OLD_EVENT = `0x${'e2'.repeat(32)}`;
const TOPIC = `0x${'0'.repeat(62)}2a`;
const hash = (n: number) => `0x${n.toString(16).padStart(64, '0')}`;
const AT = 1_750_000_000_000;
const query = {
  order: 'oldest' as const,
  contract: CONTRACT,
  events: [EVENT, OLD_EVENT],
  topics: [null, TOPIC],
  from: AT,
  to: AT + 86_400_000,
};
const log = (n: number, given: object = {}) => ({
  address: CONTRACT,
  topics: [EVENT, hash(9), TOPIC],
  data: '0x',
  blockNumber: `0x${(100 + n).toString(16)}`,
  timeStamp: '0x684eae80',
  logIndex: '0x1',
  transactionHash: hash(n),
  ...given,
});

describe.each(['etherscan', 'blockscout'] as const)('logs from an explorer (%s)', (style) => {
  let served: ServedUpstream;
  afterEach(() => served.close());
  const ask = async (rows: (request: UpstreamRequest) => unknown) => {
    served = await serveUpstream((request) => {
      const { searchParams } = request.url;
      if (searchParams.get('module') === 'block') {
        const block = searchParams.get('closest') === 'after' ? '100' : '900';
        return { json: { status: '1', message: 'OK', result: style === 'etherscan' ? block : { blockNumber: block } } };
      }
      return { json: rows(request) };
    });
    return openEvm('base', { explorerUrl: served.url, explorerStyle: style }, { pageLimit: 5 }).findLogs(query);
  };
  const found = (result: unknown[]) =>
    result.length > 0
      ? { status: '1', message: 'OK', result }
      : { status: '0', message: 'No records found', result: [] };

  it('asks for each event with its topics and gives the transactions oldest first', async () => {
    const answer = await ask(({ url }) => found(url.searchParams.get('topic0') === EVENT ? [log(7), log(3)] : []));
    expect(answer).toEqual({ txHashes: [hash(3), hash(7)], complete: true });
    const asked = served.requests.filter(({ url }) => url.searchParams.get('module') === 'logs');
    expect(asked.map(({ url }) => url.searchParams.get('topic0'))).toEqual([EVENT, OLD_EVENT]);
    for (const { url } of asked) {
      expect(url.searchParams.get('address')).toBe(CONTRACT);
      expect([url.searchParams.get('fromBlock'), url.searchParams.get('toBlock')]).toEqual(['100', '900']);
      expect([url.searchParams.get('topic2'), url.searchParams.get('topic0_2_opr')]).toEqual([TOPIC, 'and']);
      expect(url.searchParams.has('topic1')).toBe(false);
    }
  });

  it('keeps the twenty oldest of many and says that there are more', async () => {
    const many = Array.from({ length: 100 }, (_, n) => log(100 - n));
    const answer = await ask(({ url }) => found(url.searchParams.get('topic0') === EVENT ? many : []));
    expect(answer!.complete).toBe(false);
    expect(answer!.txHashes).toEqual(Array.from({ length: 20 }, (_, n) => hash(n + 1)));
  });

  it.each([
    ['of another contract', { address: `0x${'cd'.repeat(20)}` }],
    ['of another event', { topics: [hash(1), hash(9), TOPIC] }],
    ['with another topic', { topics: [EVENT, hash(9), hash(8)] }],
    ['with a topic beyond 256 bits', { topics: [EVENT, hash(9), `${TOPIC}00`] }],
  ])('refuses logs %s', async (_, given) => {
    await expect(ask(() => found([log(1, given)]))).rejects.toThrow(/base data source unavailable/);
  });

  it('says that it is not complete where the explorer has no logs to search', async () => {
    const answer = await ask(() => ({ status: '0', message: 'Error! Missing Or invalid Action name', result: null }));
    expect(answer).toEqual({ txHashes: [], complete: false });
  });
});

it('a node that gives logs which were not asked for is refused', async () => {
  const tx = {
    hash: hash(1),
    blockNumber: '0x64',
    blockHash: hash(5),
    transactionIndex: '0x0',
    from: CONTRACT,
    to: null,
  };
  const stray = { ...log(1, { topics: [EVENT, hash(9), hash(8)] }), blockHash: hash(5), transactionIndex: '0x0' };
  const node = recordedNode({ chain: 'base', transactions: [{ tx, receipt: { logs: [stray] } }], atS: AT / 1_000 });
  const served = await serveUpstream((request) => {
    const { method } = request.body as { method: string };
    return method === 'eth_getLogs' ? { json: { jsonrpc: '2.0', id: 1, result: [stray] } } : node(request);
  });
  const source = openEvm('base', { rpcUrl: served.url }, { pageLimit: 5 });
  await expect(source.findLogs(query)).rejects.toThrow(/base data source unavailable/);
  await served.close();
});
