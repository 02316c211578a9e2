import { expect, it, onTestFinished } from 'vitest';
import { openEvm } from '../../../src/chains/evm/evm.ts';
import type { EvmChain } from '../../../src/domain/chain.ts';
import { serveUpstream, type Upstream } from '../../contract/upstream.ts';
import { explorerUpstream, hex } from './test-explorer.ts';
import { nodeUpstream } from './test-node.ts';
import { balanceOf, hashOf, ME, PEER, TOKEN, timeOf, transaction, type World } from './world.ts';

const ETH = 10n ** 18n;

async function open(
  chain: EvmChain,
  upstream: Upstream,
  { node, style = 'etherscan' as const }: { node?: Upstream; style?: 'etherscan' | 'blockscout' } = {},
) {
  const serve = async (one: Upstream) => {
    const server = await serveUpstream(one);
    onTestFinished(() => server.close());
    return server;
  };
  const [explorer, rpc] = [await serve(upstream), node && (await serve(node))];
  const settings = { explorerUrl: `${explorer.url}/api`, explorerStyle: style, rpcUrl: rpc?.url };
  const asked = () =>
    explorer.requests.map(({ url }) => url.searchParams.get('action') ?? url.pathname.split('/').at(-1));
  return { source: openEvm(chain, settings, { pageLimit: 5 }), asked };
}

const spending = (gifts: World['gifts'], received = 1n * ETH): World => ({
  head: 9_000,
  tokens: {},
  gifts,
  transactions: [
    transaction({ hash: hashOf('in'), block: 10, from: PEER, to: ME, value: received }),
    transaction({ hash: hashOf('out'), block: 50, to: PEER, value: ETH / 2n }),
  ],
});

it.each(['etherscan', 'blockscout'] as const)(
  'reads withdrawals of validators as coin without a payer (%s)',
  async (style) => {
    const world = spending([
      { kind: 'withdrawal', block: 20, to: ME, value: 7n * ETH },
      { kind: 'withdrawal', block: 30, to: PEER, value: 5n * ETH },
    ]);
    const { source } = await open('ethereum', explorerUpstream(world, { style }), { style });
    const { transfers, coverage } = await source.history(ME);
    expect(coverage).toMatchObject({ complete: true, reasons: [] });
    expect(transfers.find(({ from }) => from === 'coinbase')).toMatchObject({
      txHash: 'block:20',
      to: ME,
      amount: '7',
      asset: 'ETH',
      kind: 'native',
      at: timeOf(20),
    });
  },
);

it('reads rewards of mined blocks, and of those beside the chain', async () => {
  const world = spending([
    { kind: 'block', block: 21, to: ME, value: 2n * ETH },
    { kind: 'uncle', block: 22, to: ME, value: ETH },
    { kind: 'uncle', block: 22, to: ME, value: ETH },
  ]);
  const { source } = await open('bsc', explorerUpstream(world, { style: 'etherscan' }));
  const { transfers, coverage } = await source.history(ME);
  expect(coverage.complete).toBe(true);
  const mined = transfers.filter(({ from }) => from === 'coinbase');
  expect(mined.map(({ index, amount }) => [index, amount])).toEqual([
    ['reward', '2'],
    ['uncle', '1'],
    ['uncle:1', '1'],
  ]);
});

it('reads the balance that an address had in the first block', async () => {
  const world = spending([]);
  const upstream = explorerUpstream(world, { style: 'etherscan' });
  const row = {
    hash: `GENESIS_${ME}`,
    from: 'GENESIS',
    to: ME,
    value: String(3n * ETH),
    blockNumber: '0',
    timeStamp: '1438269973',
  };
  const { source } = await open('ethereum', async (request) => {
    const reply = await upstream(request);
    const action = request.url.searchParams.get('action');
    if (action === 'balance')
      return { json: { status: '1', message: 'OK', result: String(balanceOf(world, ME) + 3n * ETH) } };
    const { result } = reply.json as { result: object[] };
    return action === 'txlist' ? { json: { status: '1', message: 'OK', result: [...result, row] } } : reply;
  });
  const { transfers, coverage } = await source.history(ME);
  expect(coverage.complete).toBe(true);
  expect(transfers.find(({ from }) => from === 'coinbase')).toMatchObject({ txHash: 'block:0', amount: '3' });
});

it('asks for such lists only where more coin is held than came', async () => {
  const plain = await open('ethereum', explorerUpstream(spending([]), { style: 'etherscan' }));
  await plain.source.history(ME);
  expect(plain.asked()).not.toEqual(expect.arrayContaining(['txsBeaconWithdrawal']));
  expect(plain.asked()).not.toEqual(expect.arrayContaining(['getminedblocks']));
});

// Atomic imports of Avalanche and state syncs of Polygon stand in no list of an explorer.
it.each([
  ['ethereum', 'ETH'],
  ['avalanche', 'AVAX'],
  ['polygon', 'POL'],
] as const)('says so where more coin is held than any list explains, on %s', async (chain, asset) => {
  const world = spending([]);
  const upstream = explorerUpstream(world, { style: 'etherscan' });
  const { source } = await open(chain, (request) =>
    request.url.searchParams.get('action') === 'balance'
      ? { json: { status: '1', message: 'OK', result: String(40n * ETH) } }
      : upstream(request),
  );
  const { coverage } = await source.history(ME);
  expect(coverage).toMatchObject({ complete: false, reasons: ['balance_unexplained'] });
  expect(coverage.unexplained).toEqual([{ asset, token: null, amount: '39.500042' }]);
});

it('takes no inner move for done whose transaction failed, whatever the list of its payee says', async () => {
  const failed = transaction({ hash: hashOf('void'), block: 20, from: PEER, to: TOKEN, failed: true });
  const world = { ...spending([]), transactions: [...spending([]).transactions, failed] };
  const upstream = explorerUpstream(world, { style: 'etherscan' });
  const row = { blockNumber: '20', timeStamp: String(timeOf(20) / 1_000), hash: failed.hash, from: TOKEN, to: ME };
  const inner = { ...row, contractAddress: '', value: String(3n * ETH), type: 'call', traceId: '0', isError: '0' };
  const { source } = await open(
    'ethereum',
    (request) =>
      request.url.searchParams.get('action') === 'txlistinternal'
        ? { json: { status: '1', message: 'OK', result: [inner] } }
        : upstream(request),
    { node: nodeUpstream(world) },
  );
  const { transfers, coverage } = await source.history(ME);
  expect(coverage).toMatchObject({ complete: true, reasons: [] });
  expect(transfers.find(({ kind }) => kind === 'internal')).toMatchObject({ amount: '3', failed: true });
});

it('does not take a payment that is too new for the lists as unexplained', async () => {
  const world = spending([]);
  const fresh = {
    ...world,
    transactions: [
      ...world.transactions,
      transaction({ hash: hashOf('new'), block: 8_990, from: PEER, to: ME, value: ETH }),
    ],
  };
  const methods = {
    eth_getBalance: ([address, tag]: unknown[]) => ({
      json: {
        jsonrpc: '2.0',
        id: 1,
        result: hex(balanceOf(tag === 'latest' || Number(tag) >= 8_990 ? fresh : world, String(address))),
      },
    }),
  };
  const node = nodeUpstream(world, { methods });
  const { source } = await open('ethereum', explorerUpstream(world, { style: 'etherscan' }), { node });
  expect((await source.history(ME)).coverage).toMatchObject({ complete: true, reasons: [] });
});

it('does not miss the fee for the chain below that a list of a rollup leaves out', async () => {
  const world = spending([]);
  const stated = balanceOf(world, ME) - ETH / 2_000n;
  const upstream = explorerUpstream(world, { style: 'etherscan' });
  const { source } = await open('optimism', (request) =>
    request.url.searchParams.get('action') === 'balance'
      ? { json: { status: '1', message: 'OK', result: String(stated) } }
      : upstream(request),
  );
  const { transfers, coverage } = await source.history(ME);
  expect(coverage.complete).toBe(true);
  expect(transfers.find(({ from }) => from === ME)).toMatchObject({ fee: null });
});

it('counts the fee for the chain below once where a list states it', async () => {
  const upstream = explorerUpstream(spending([]), { style: 'etherscan' });
  const { source } = await open('base', async (request) => {
    const reply = await upstream(request);
    if (request.url.searchParams.get('action') !== 'txlist') return reply;
    const { result, ...more } = (reply as { json: { result: object[] } }).json;
    const stated = { gasUsed: '21000', gasPrice: '1000', L1FeesPaid: '70000000' };
    return {
      ...reply,
      json: { ...more, result: Array.isArray(result) ? result.map((row) => ({ ...row, ...stated })) : result },
    };
  });
  const paid = (await source.history(ME)).transfers.find(({ from }) => from === ME);
  expect(paid?.fee).toBe('0.000000000091');
});

it('states no fee of a transaction whose fee for the chain below the explorer leaves out', async () => {
  const fees = ['optimism', 'polygon'].map(async (chain) => {
    const { source } = await open(chain as EvmChain, explorerUpstream(spending([]), { style: 'blockscout' }), {
      style: 'blockscout',
    });
    return (await source.transaction(hashOf('out')))?.transfers[0]?.fee;
  });
  expect(await Promise.all(fees)).toEqual([null, expect.stringMatching(/^0\.0/)]);
});

// Since Jovian the OP stack states the footprint of the data in the field of blobs, and no price of it.
it('reads the fee of a rollup whose receipt, passed on by an explorer, has the field of blobs', async () => {
  const upstream = explorerUpstream(spending([]), { style: 'etherscan' });
  const { source } = await open('base', async (request) => {
    const reply = await upstream(request);
    if (request.url.searchParams.get('action') !== 'eth_getTransactionReceipt') return reply;
    const { result, ...more } = (reply as { json: { result: object } }).json;
    const stated = { gasUsed: '0x5208', effectiveGasPrice: '0x1', l1Fee: '0x64', blobGasUsed: '0x5dc0' };
    return { ...reply, json: { ...more, result: { ...result, ...stated } } };
  });
  expect((await source.transaction(hashOf('out')))?.transfers[0]?.fee).toBe('0.0000000000000211');
});
