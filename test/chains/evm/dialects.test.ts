import { afterEach, describe, expect, it } from 'vitest';
import { openEvm } from '../../../src/chains/evm/evm.ts';
import type { EvmChain } from '../../../src/domain/chain.ts';
import { POLYGON_LOG_TRANSFER_TOPIC } from '../../../src/domain/transfers/evm-log.ts';
import { type ServedUpstream, serveUpstream, type Upstream } from '../../contract/upstream.ts';
import { nodeUpstream, result, type TestNode } from './test-node.ts';
import {
  addressOf,
  busyWorld,
  hashOf,
  ME,
  PEER,
  TOKEN,
  topic,
  transaction,
  transferLog,
  type World,
  word,
} from './world.ts';

const servers: ServedUpstream[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function open(upstream: Upstream, { chain = 'ethereum' as EvmChain } = {}) {
  const node = await serveUpstream(upstream);
  servers.push(node);
  return { source: openEvm(chain, { rpcUrl: node.url }, { pageLimit: 50 }) };
}

const world = busyWorld();

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
    const { source } = await open(nodeUpstream(polygon, { chain: 'polygon' }), { chain: 'polygon' });
    const expected = [
      ['native', 'native', 'POL', '0.000000000000000007'],
      ['log:1', 'internal', 'POL', '0.000000000000000002'],
      ['log:2', 'token', 'X', '3'],
    ];
    const history = await source.history(ME);
    const ordered = history.transfers.toSorted((a, b) => a.seq! - b.seq! || (a.index! < b.index! ? -1 : 1));
    expect(ordered.map((one) => [one.index, one.kind, one.asset, one.amount])).toEqual(expected);
    expect(history.coverage.reasons).toEqual(['failed_not_listed']);
    const seen = await source.transaction(hashOf('polygon'));
    expect(seen?.transfers.map((one) => [one.index, one.kind, one.asset, one.amount])).toEqual(expected);
  });

  it('Kaia: type and fee payer come from its own method where the node has it', async () => {
    const kaia = {
      kaia_getTransactionByHash: () => result({ type: 'TxTypeFeeDelegatedValueTransfer', feePayer: TOKEN }),
    };
    const { source } = await open(nodeUpstream(world, { chain: 'kaia', methods: kaia }), { chain: 'kaia' });
    expect(await source.transaction(hashOf('mixed 1'))).toMatchObject({
      type: 'TxTypeFeeDelegatedValueTransfer',
      accounts: [TOKEN],
    });
    const [paid] = (await source.transaction(hashOf('mixed 1')))!.transfers;
    expect(paid).toMatchObject({ txSender: expect.not.stringContaining(TOKEN), feePayer: TOKEN });
    const shared = {
      kaia_getTransactionByHash: () =>
        result({ type: 'TxTypeFeeDelegatedValueTransferWithRatio', feePayer: TOKEN, feeRatio: 30 }),
    };
    const halves = await open(nodeUpstream(world, { chain: 'kaia', methods: shared }), { chain: 'kaia' });
    const [part] = (await halves.source.transaction(hashOf('mixed 1')))!.transfers;
    expect(part).toMatchObject({ fee: paid!.fee, feePayer: TOKEN });
    expect(Number(part!.feeShare)).toBeCloseTo(0.7 * Number(paid!.fee), 12);
    const plain = await open(nodeUpstream(world, { chain: 'kaia' }), { chain: 'kaia' });
    expect(await plain.source.transaction(hashOf('mixed 1'))).toMatchObject({ type: 'dynamic_fee', accounts: [] });
  });

  it.each([
    ['what the layer below costs', { l1Fee: '0x64' }, '0.0000000000000211'],
    // Since Jovian the OP stack states the footprint of the data in the field of blobs.
    ['no blobs of a rollup', { l1Fee: '0x64', blobGasUsed: '0x5dc0' }, '0.0000000000000211'],
    [
      'no blobs of a rollup, priced',
      { l1Fee: '0x64', blobGasUsed: '0x5dc0', blobGasPrice: '0x1' },
      '0.0000000000000211',
    ],
    ['its blobs', { type: '0x3', blobGasUsed: '0x20000', blobGasPrice: '0x3' }, '0.000000000000414216'],
    ['blobs of an unknown price', { type: '0x3', blobGasUsed: '0x20000' }, null],
    [
      'an operator without a share',
      { l1Fee: '0x64', operatorFeeScalar: '0x0', operatorFeeConstant: '0x0' },
      '0.0000000000000211',
    ],
    // The formula is of the rollup's release: what cannot be computed is not known.
    ['an operator with a share', { l1Fee: '0x64', operatorFeeScalar: '0x0', operatorFeeConstant: '0x5' }, null],
    ['nothing else of a deposit', { type: '0x7e' }, '0.000000000000021'],
  ])('the fee holds %s', async (_what, { type = '0x2', ...parts }: Record<string, string>, fee) => {
    const methods: TestNode['methods'] = {
      eth_getTransactionReceipt: ([hash]) =>
        result({
          transactionHash: hash,
          from: ME,
          status: '0x1',
          gasUsed: '0x5208',
          effectiveGasPrice: '0x1',
          ...parts,
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
          type,
        }),
    };
    const { source } = await open(nodeUpstream(world, { chain: 'base', methods }), { chain: 'base' });
    const seen = await source.transaction(hashOf('rollup'));
    const names: Record<string, string> = { '0x2': 'dynamic_fee', '0x3': 'blob', '0x7e': 'deposit' };
    expect(seen).toMatchObject({ type: names[type], status: 'success' });
    expect(seen?.transfers[0]?.fee).toBe(fee);
  });

  it('a pending transaction is not a fact yet', async () => {
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

  it('what a contract held that destroyed itself is read from flat traces where the call tree does not say it', async () => {
    const tree = { type: 'CALL', from: ME, to: TOKEN, value: '0x0', calls: [{ type: 'SELFDESTRUCT', from: TOKEN }] };
    const flat = [
      { type: 'call', action: { callType: 'call', from: ME, to: TOKEN, value: '0x0' }, traceAddress: [] },
      { type: 'suicide', action: { address: TOKEN, refundAddress: PEER, balance: '0x9' }, traceAddress: [0] },
    ];
    const methods = { debug_traceTransaction: () => result(tree), trace_transaction: () => result(flat) };
    const { source } = await open(nodeUpstream(world, { methods }));
    const seen = await source.transaction(hashOf('mixed 1'));
    expect(seen?.transfers.filter(({ kind }) => kind === 'internal')).toMatchObject([
      { from: TOKEN, to: PEER, amountRaw: '9', index: 'trace:0' },
    ]);
  });

  it.each([
    ['nothing that the tree leaves out', { to: PEER, value: '0x0' }, 0],
    ['what the node then fails to say', {}, 1],
  ])('a call tree stands beside the self-destruction of %s', async (_, sides, asked) => {
    const calls = [
      { type: 'CALL', from: TOKEN, to: PEER, value: '0x5' },
      { type: 'SELFDESTRUCT', from: TOKEN, ...sides },
    ];
    const tree = { type: 'CALL', from: ME, to: TOKEN, value: '0x0', calls };
    let flat = 0;
    const trace_transaction = () => {
      flat += 1;
      return { json: result([{ type: 'call' }]) };
    };
    const methods = { debug_traceTransaction: () => result(tree), trace_transaction };
    const { source } = await open(nodeUpstream(world, { methods }));
    const seen = await source.transaction(hashOf('mixed 1'));
    expect(seen?.transfers.filter(({ kind }) => kind === 'internal')).toMatchObject([{ to: PEER, amountRaw: '5' }]);
    expect(flat).toBe(asked);
  });

  it('a call tree as deep as the EVM allows is read to its end', async () => {
    const depth = 1_024;
    let frame: object = { type: 'CALL', from: TOKEN, to: PEER, value: '0x5' };
    for (let level = 1; level < depth; level++)
      frame = { type: 'CALL', from: ME, to: TOKEN, value: '0x0', calls: [frame] };
    const { source } = await open(nodeUpstream(world, { methods: { debug_traceTransaction: () => result(frame) } }));
    const seen = await source.transaction(hashOf('mixed 1'));
    const inner = seen?.transfers.filter(({ kind }) => kind === 'internal');
    expect(inner).toMatchObject([
      {
        index: `trace:${Array(depth - 1)
          .fill(0)
          .join('_')}`,
        amountRaw: '5',
        failed: false,
      },
    ]);
  });
});
