import { afterEach, describe, expect, it } from 'vitest';
import { openEvm } from '../../../src/chains/evm/evm.ts';
import { namedRange } from '../../../src/chains/evm/node/log-scan.ts';
import type { EvmChain } from '../../../src/domain/chain.ts';
import { SourceError } from '../../../src/errors.ts';
import { type ServedUpstream, serveUpstream, type Upstream, type UpstreamRequest } from '../../contract/upstream.ts';
import { error, nodeUpstream, result, type TestNode } from './test-node.ts';
import { busyWorld, hashOf, ME, MIXED, PEER, TOKEN, TOKEN_PAYMENTS, timeOf } from './world.ts';

const servers: ServedUpstream[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function open(upstream: Upstream, { chain = 'ethereum' as EvmChain, pageLimit = 50 } = {}) {
  const node = await serveUpstream(upstream);
  servers.push(node);
  return { source: openEvm(chain, { rpcUrl: node.url }, { pageLimit }), node };
}

const world = busyWorld();
const logRanges = (requests: UpstreamRequest[]) =>
  requests
    .map(({ body }) => body as { method: string; params: { fromBlock: string; toBlock: string }[] })
    .filter(({ method }) => method === 'eth_getLogs')
    .map(({ params }) => [Number(params[0]!.fromBlock), Number(params[0]!.toBlock)] as const);
const sizes = (requests: UpstreamRequest[]) => logRanges(requests).map(([from, to]) => to - from + 1);

describe('ranges of blocks for logs', () => {
  const refusals: [string, TestNode['rangeError']][] = [
    ['a number in words', undefined],
    ['no number', { code: -32_602, message: 'Block range is too large' }],
    ['the code of rate limits', { code: -32_005, message: 'block range limit exceeded' }],
    [
      'a range in data',
      { code: -32_005, message: 'query returned more than 10000 results', data: { from: '0x0', to: '0x3e7' } },
    ],
    [
      'a range in words',
      { code: -32_005, message: 'more than 10000 results. Try a smaller block range [0x0, 0x3e7].' },
    ],
    [
      'thousands of blocks, and of logs',
      {
        code: -32_602,
        message: 'Log response size exceeded: up to a 1K block range, or any block range with a cap of 10K logs',
      },
    ],
  ];
  it.each([
    ['block range is limited to 10k', 10_000],
    ['eth_getLogs block range is too large, limit: 5k', 5_000],
    ['exceeds the range limit of 2,000', 2_000],
    ['ranges over 10K blocks are not supported', 10_000],
    ['maximum block range: 500', 500],
    ['any block range with a cap of 10K logs', null],
    ['block range too wide: more than 10000 results', null],
    ['block range is limited to 100k', null],
    ['response size exceeded', null],
  ])('of 50,000 that a node refuses with "%s" become %s', (message, size) => {
    expect(namedRange({ code: -32_005, message, data: null }, 50_000)).toBe(size);
  });

  it.each(refusals)('shrink to what the node takes when its refusal holds %s', async (_, rangeError) => {
    const { source, node } = await open(nodeUpstream(world, { rangeMax: 1_000, rangeError }), { pageLimit: 100 });
    const history = await source.history(ME);
    expect(history.transfers).toHaveLength(2 * TOKEN_PAYMENTS);
    expect(history.coverage.reasons).not.toContain('page_limit');
    const covered = logRanges(node.requests).filter(([from, to]) => to - from + 1 <= 1_000);
    expect(Math.min(...covered.map(([from]) => from))).toBe(0);
    expect(Math.max(...covered.map(([, to]) => to))).toBe(world.head);
  });

  it('shrink on HTTP 413 and on answers with too many results, and grow again', async () => {
    const honest = nodeUpstream(world, { logsMax: 8 });
    let refusals = 0;
    const { source, node } = await open((request) =>
      (request.body as { method: string }).method === 'eth_getLogs' && refusals++ === 0
        ? { status: 413, text: 'Payload Too Large' }
        : honest(request),
    );
    expect((await source.history(ME)).transfers).toHaveLength(2 * TOKEN_PAYMENTS);
    const asked = sizes(node.requests);
    expect(asked.some((size, place) => place > 0 && size < asked[place - 1]!)).toBe(true);
    expect(asked.some((size, place) => place > 0 && size > asked[place - 1]!)).toBe(true);
  });

  it('end in an error when a single block is refused', async () => {
    const { source, node } = await open(
      nodeUpstream(world, { rangeMax: 0, rangeError: { code: -32_005, message: 'response size exceeded' } }),
    );
    await expect(source.history(ME)).rejects.toMatchObject({ reason: expect.stringContaining('single block') });
    expect(logRanges(node.requests).length).toBeLessThan(20);
  });

  it('never reach beyond the newest block', async () => {
    const { source, node } = await open(nodeUpstream(world));
    await source.history(ME);
    for (const [from, to] of logRanges(node.requests)) {
      expect(from).toBeLessThanOrEqual(to);
      expect(to).toBeLessThanOrEqual(world.head);
    }
  });

  it('begin at the newest block: a page limit leaves out the oldest', async () => {
    const { source } = await open(nodeUpstream(world, { rangeMax: 5_000 }), { pageLimit: 3 });
    const history = await source.history(ME);
    expect(Math.min(...history.transfers.map(({ block }) => block!))).toBeGreaterThan(30_000);
    expect(history.coverage.reasons).toContain('page_limit');
  });

  it('are not confused with rate limits, which are waited out', async () => {
    const honest = nodeUpstream(world);
    let refusals = 0;
    const { source, node } = await open((request) =>
      (request.body as { method: string }).method === 'eth_getLogs' && refusals++ < 2
        ? error(-32_005, 'project ID request rate exceeded')
        : honest(request),
    );
    expect((await source.history(ME)).transfers).toHaveLength(2 * TOKEN_PAYMENTS);
    expect(sizes(node.requests).slice(0, 3)).toEqual([10_000, 10_000, 10_000]);
  });
});

describe('a node that cannot be trusted', () => {
  const lies: [string, TestNode['methods']][] = [
    ['answers with another transaction', { eth_getTransactionByHash: () => result({ ...tx, hash: hashOf('other') }) }],
    [
      'answers with the receipt of another transaction',
      { eth_getTransactionReceipt: () => result({ ...receipt, transactionHash: hashOf('other') }) },
    ],
    [
      'answers with another block',
      { eth_getBlockByNumber: () => result({ number: '0x1', hash: hashOf('b'), timestamp: '0x65920000' }) },
    ],
    [
      'sends junk for a number',
      { eth_getBlockByNumber: () => result({ number: '0x', hash: hashOf('b'), timestamp: '0x65920000' }) },
    ],
    [
      'dates a block in the year 9999',
      { eth_getBlockByNumber: ([number]) => result({ number, hash: hashOf('b'), timestamp: '0x3afff44180' }) },
    ],
    ['sends a negative value', { eth_getTransactionByHash: () => result({ ...tx, value: '-0x1' }) }],
    [
      'sends a value beyond 256 bits',
      { eth_getTransactionByHash: () => result({ ...tx, value: `0x1${'0'.repeat(64)}` }) },
    ],
    ['has mined a transaction without a receipt', { eth_getTransactionReceipt: () => result(null) }],
  ];
  const wanted = hashOf('mixed 3');
  const tx = {
    hash: wanted,
    blockNumber: '0x9ab2',
    blockHash: hashOf('block'),
    transactionIndex: '0x0',
    from: PEER,
    to: TOKEN,
    value: '0x0',
    input: '0x',
  };
  const receipt = { transactionHash: wanted, from: PEER, status: '0x1', gasUsed: '0x1', logs: [] };

  it.each(lies)('%s: source error', async (_, methods) => {
    const { source } = await open(nodeUpstream(world, { methods }));
    await expect(source.transaction(wanted)).rejects.toBeInstanceOf(SourceError);
  });

  it('gives nothing until it has said which chain it serves', async () => {
    let isSilent = true;
    const methods = { eth_chainId: () => (isSilent ? error(-32_000, 'not now') : result('0x1')) };
    const { source, node } = await open(nodeUpstream(world, { methods }));
    const query = { token: TOKEN, from: timeOf(3_000), to: timeOf(4_000), limit: 500 };
    for (const asked of [
      source.account(ME),
      source.history(ME),
      source.transaction(wanted),
      source.tokenTransfers(query),
    ]) {
      await expect(asked).rejects.toMatchObject({ reason: expect.stringContaining('eth_chainId') });
    }
    await expect(source.endpoints[0]!.check()).rejects.toBeInstanceOf(SourceError);
    expect(JSON.stringify(node.requests.map(({ body }) => body))).not.toMatch(/getLogs|getTransaction|getCode/);
    isSilent = false;
    expect((await source.history(ME)).transfers).toHaveLength(2 * TOKEN_PAYMENTS);
  });

  it('is read where it lacks the method that states the chain', async () => {
    const methods = { eth_chainId: () => error(-32_601, 'the method eth_chainId does not exist') };
    const { source } = await open(nodeUpstream(world, { methods }));
    expect((await source.history(ME)).transfers).toHaveLength(2 * TOKEN_PAYMENTS);
  });

  it('is refused logs of another address', async () => {
    const { source } = await open((request) => {
      const body = request.body as { method: string; params: { topics: unknown[] }[] };
      if (body.method === 'eth_getLogs') body.params[0]!.topics = [];
      return nodeUpstream(world)(request);
    });
    await expect(source.history(MIXED)).rejects.toBeInstanceOf(SourceError);
  });

  it('that fails to read a token leaves no amount shifted by a wrong number of decimals', async () => {
    const { source } = await open(
      nodeUpstream(world, { methods: { eth_call: () => error(-32_000, 'missing trie node') } }),
    );
    await expect(source.history(MIXED)).rejects.toBeInstanceOf(SourceError);
  });

  it('may say that a contract has neither decimals nor symbol', async () => {
    const { source } = await open(nodeUpstream(world, { methods: { eth_call: () => error(3, 'execution reverted') } }));
    const token = (await source.history(MIXED)).transfers.find(({ kind }) => kind === 'token');
    expect(token).toMatchObject({ asset: 'UNKNOWN', decimals: null, amount: '5' });
  });
});

describe('a span of time on a node', () => {
  it('is found though many blocks share one timestamp', async () => {
    const slow = { ...world, transactions: world.transactions.filter(({ block }) => block < 20_000) };
    const shared = nodeUpstream(slow, {
      chain: 'arbitrum',
      methods: {
        eth_getBlockByNumber: ([number]) =>
          result({
            number,
            hash: hashOf(String(number)),
            timestamp: `0x${(timeOf(Math.floor(Number(number) / 1_000) * 1_000) / 1_000).toString(16)}`,
          }),
      },
    });
    const { source } = await open(shared, { chain: 'arbitrum' });
    const found = await source.tokenTransfers({ token: TOKEN, from: timeOf(3_000), to: timeOf(4_000), limit: 500 });
    // Blocks 3000 to 4999 lie in the span: transfers every 300 blocks from 150 on.
    expect(found.transfers.map(({ block }) => block)).toEqual([4_950, 4_650, 4_350, 4_050, 3_750, 3_450, 3_150]);
    expect(found).toMatchObject({ symbol: 'FAB', reasons: [] });
  });

  it('outside the life of the chain holds nothing', async () => {
    const { source } = await open(nodeUpstream(world));
    const query = { token: TOKEN, limit: 500 };
    expect(await source.tokenTransfers({ ...query, from: timeOf(-900), to: timeOf(-1) })).toEqual({
      symbol: null,
      transfers: [],
      reasons: [],
    });
    expect((await source.tokenTransfers({ ...query, from: timeOf(40_001), to: timeOf(50_000) })).transfers).toEqual([]);
    expect((await source.tokenTransfers({ ...query, from: 2, to: 1 })).transfers).toEqual([]);
  });
});
