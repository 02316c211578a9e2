import { afterEach, describe, expect, it } from 'vitest';
import { openEvm } from '../../src/chains/evm.ts';
import type { EvmChain } from '../../src/domain/chain.ts';
import { POLYGON_LOG_TRANSFER_TOPIC } from '../../src/domain/evm-log.ts';
import { SourceError } from '../../src/errors.ts';
import { type ServedUpstream, serveUpstream, type Upstream, type UpstreamRequest } from '../contract/upstream.ts';
import { error, nodeUpstream, result, type TestNode } from './evm-test-node.ts';
import {
  addressOf,
  busyWorld,
  hashOf,
  ME,
  MIXED,
  PEER,
  TOKEN,
  TOKEN_PAYMENTS,
  timeOf,
  topic,
  transaction,
  transferLog,
  type World,
  word,
} from './evm-world.ts';

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
  ];
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
    expect(token).toMatchObject({ asset: 'UNKNOWN', decimals: 0, amount: '5' });
  });
});

describe('a span of time on a node', () => {
  it('is found though many blocks share one timestamp', async () => {
    const slow = { ...world, transactions: world.transactions.filter(({ block }) => block < 20_000) };
    const shared = nodeUpstream(slow, {
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
    expect(found).toMatchObject({ symbol: 'FAB', truncated: false });
  });

  it('outside the life of the chain holds nothing', async () => {
    const { source } = await open(nodeUpstream(world));
    const query = { token: TOKEN, limit: 500 };
    expect(await source.tokenTransfers({ ...query, from: timeOf(-900), to: timeOf(-1) })).toEqual({
      symbol: null,
      transfers: [],
      truncated: false,
    });
    expect((await source.tokenTransfers({ ...query, from: timeOf(40_001), to: timeOf(50_000) })).transfers).toEqual([]);
    expect((await source.tokenTransfers({ ...query, from: 2, to: 1 })).transfers).toEqual([]);
  });
});

describe('dialects', () => {
  const coin = '0x0000000000000000000000000000000000001010';
  const polygonLog = (index: number, from: string, to: string, value: bigint) => ({
    index,
    address: coin,
    topics: [POLYGON_LOG_TRANSFER_TOPIC, topic(coin), topic(from), topic(to)],
    data: `0x${word(value)}${word(0n).repeat(4)}`,
  });
  const contract = addressOf('contract');
  const polygon: World = {
    head: 10,
    tokens: { [contract]: { symbol: 'X', decimals: 0 } },
    transactions: [
      transaction({
        hash: hashOf('polygon'),
        block: 5,
        to: contract,
        value: 7n,
        logs: [
          polygonLog(0, ME, contract, 7n),
          polygonLog(1, contract, ME, 2n),
          transferLog(2, contract, ME, 3n, contract),
        ],
      }),
    ],
  };

  it('Polygon: moves of coin come from its logs, the own payment once', async () => {
    const { source } = await open(nodeUpstream(polygon), { chain: 'polygon' });
    const expected = [
      ['native', 'native', 'POL', '0.000000000000000007'],
      ['log:1', 'internal', 'POL', '0.000000000000000002'],
      ['log:2', 'token', 'X', '3'],
    ];
    const history = await source.history(ME);
    const ordered = history.transfers.toSorted((a, b) => a.seq - b.seq || (a.index < b.index ? -1 : 1));
    expect(ordered.map((one) => [one.index, one.kind, one.asset, one.amount])).toEqual(expected);
    expect(history.coverage.reasons).toEqual(['failed_not_listed']);
    const seen = await source.transaction(hashOf('polygon'));
    expect(seen?.transfers.map((one) => [one.index, one.kind, one.asset, one.amount])).toEqual(expected);
  });

  it('Kaia: type and fee payer come from its own method where the node has it', async () => {
    const kaia = {
      kaia_getTransactionByHash: () => result({ type: 'TxTypeFeeDelegatedValueTransfer', feePayer: TOKEN }),
    };
    const { source } = await open(nodeUpstream(world, { methods: kaia }), { chain: 'kaia' });
    expect(await source.transaction(hashOf('mixed 1'))).toMatchObject({
      type: 'TxTypeFeeDelegatedValueTransfer',
      accounts: [TOKEN],
    });
    const plain = await open(nodeUpstream(world), { chain: 'kaia' });
    expect(await plain.source.transaction(hashOf('mixed 1'))).toMatchObject({ type: 'dynamic_fee', accounts: [] });
  });

  it('rollups: the fee holds what the layer below costs', async () => {
    const methods: TestNode['methods'] = {
      eth_getTransactionReceipt: ([hash]) =>
        result({
          transactionHash: hash,
          from: ME,
          status: '0x1',
          gasUsed: '0x5208',
          effectiveGasPrice: '0x1',
          l1Fee: '0x64',
          logs: [],
        }),
      eth_getTransactionByHash: ([hash]) =>
        result({
          hash,
          blockNumber: '0x5',
          blockHash: hashOf('x'),
          transactionIndex: '0x0',
          from: ME,
          to: PEER,
          value: '0x1',
          input: '0x',
          type: '0x7e',
        }),
    };
    const { source } = await open(nodeUpstream(world, { methods }), { chain: 'base' });
    const seen = await source.transaction(hashOf('deposit'));
    expect(seen).toMatchObject({ type: 'deposit', status: 'success' });
    expect(seen?.transfers[0]?.fee).toBe('0.0000000000000211');
  });

  it('a pending transaction is no fact yet', async () => {
    const pending = {
      hash: hashOf('pending'),
      blockNumber: null,
      blockHash: null,
      from: ME,
      to: PEER,
      value: '0x5',
      input: '0x',
    };
    const { source } = await open(
      nodeUpstream(world, { methods: { eth_getTransactionByHash: () => result(pending) } }),
    );
    const seen = await source.transaction(hashOf('pending'));
    expect(seen).toMatchObject({ status: 'pending', block: null, at: null });
    expect(seen?.transfers).toMatchObject([
      { index: 'native', block: null, amount: '0.000000000000000005', failed: false },
    ]);
  });
});
