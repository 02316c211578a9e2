import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bridges, openBridges } from '../../../src/chains/bridges/bridges.ts';
import { knownContracts, registryOf } from '../../../src/chains/bridges/registry.ts';
import { openEvm } from '../../../src/chains/evm/evm.ts';
import { guardSource } from '../../../src/chains/guarded-source.ts';
import type { ChainSource } from '../../../src/chains/port.ts';
import { type ServedUpstream, serveUpstream } from '../../contract/upstream.ts';
import { noRecordings, recorded } from '../recordings.ts';
import { sourceGuards } from '../source-guards.ts';
import { recordedNode } from './recorded-node.ts';

const SENT_S = 1_700_000_000;
const DECIMALS = {
  '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48': 6,
  '0xaf88d065e77c8cc2239327c5edb3a432268e5831': 6,
  '0x7f5c764cbc14f9669b88837ca1490cca17c31607': 6,
};

/** What an owner sent over a bridge to the same address, computed by hand from the receipts of both sides. */
const PAIRS = [
  {
    name: 'cctp_v1',
    chains: ['ethereum', 'arbitrum'],
    protocol: 'cctp_v1',
    id: '62883',
    sent: ['USDC', '1839.726596'],
    received: ['USDC', '1839.726596'],
    owner: '0xd0adc5d079cc486b58f1b9a28b973355c4ec9e6f',
    explains: [2, 1],
  },
  {
    name: 'op_exit_usdc',
    chains: ['optimism', 'ethereum'],
    protocol: 'optimism_native',
    id: '398903fc0a6cae57b7f533c48d945a978126ab80e52af46d83ddcde465e02e88',
    sent: ['USDC.e', '2718.857536'],
    received: ['USDC', '2718.857536'],
    owner: '0x261fd12af4c4babb30f44c1b0fe20a718a39b04c',
    explains: [1, 1],
  },
  {
    name: 'arbitrum_deposit_eth',
    chains: ['ethereum', 'arbitrum'],
    protocol: 'arbitrum_native',
    id: '0x30505174f2f82a6513f21eb5177e59935a6da95d057e4c1972e65da90ea1c547',
    sent: ['ETH', '0.008374552015335015'],
    received: ['ETH', '0.008374552015335015'],
    owner: '0x4e7df0fda2d203f5dfbaa34b9fb64dde5133196e',
    explains: [1, 1],
  },
  {
    name: 'hop_l2_l1',
    chains: ['arbitrum', 'ethereum'],
    protocol: 'hop',
    id: 'f35871fe83fe4f160ae682ec23f6a6ad13f33600ddaab52a4f2101e31f000b80',
    sent: ['ETH', '0.199'],
    received: ['ETH', '0.194877831029822766'],
    owner: '0x32c885ece06ebc8f6bef6c2052e400226c087e08',
    explains: [3, 0],
  },
] as const;

describe.skipIf(noRecordings)('recorded bridge transfers (skipped where ../shared/data is absent)', () => {
  const nodes: ServedUpstream[] = [];
  const data = noRecordings ? null : recorded('bridges/recorded-pairs.json');
  const worlds = new Map<string, Bridges>();

  beforeAll(async () => {
    for (const { name, chains } of PAIRS) {
      const sources = new Map<string, ChainSource>();
      for (const [i, chain] of chains.entries()) {
        const transactions = [data.transactions[data.pairs[name][i]]];
        const atS = SENT_S + i * 600;
        const node = await serveUpstream(recordedNode({ chain, transactions, atS, decimals: DECIMALS }));
        nodes.push(node);
        const source = openEvm(chain, { rpcUrl: node.url }, { pageLimit: 5 });
        sources.set(chain, guardSource(source, sourceGuards()));
      }
      worlds.set(
        name,
        openBridges({
          chainSource: async (chain) => sources.get(chain) ?? null,
          registry: async () => registryOf(knownContracts()),
          now: () => (SENT_S + 86_400) * 1_000,
        }),
      );
    }
  });
  afterAll(() => Promise.all(nodes.map((node) => node.close())));

  it.each(PAIRS)('$name: both sides are recognised and found from each other', async (pair) => {
    const bridges = worlds.get(pair.name)!;
    const [sourceHash, destinationHash] = data.pairs[pair.name];
    const [source, ...more] = await bridges.recognise(pair.chains[0], sourceHash);
    const [destination, ...others] = await bridges.recognise(pair.chains[1], destinationHash);
    expect([more, others]).toEqual([[], []]);
    expect(source).toMatchObject({
      protocol: pair.protocol,
      side: 'source',
      id: pair.id,
      sender: pair.owner,
      recipient: pair.owner,
      asset: pair.sent[0],
      amount: pair.sent[1],
    });
    expect(destination).toMatchObject({
      side: 'destination',
      id: pair.id,
      recipient: pair.owner,
      asset: pair.received[0],
      amount: pair.received[1],
    });
    expect([source!.explains.length, destination!.explains.length]).toEqual(pair.explains);
    const forward = await bridges.findOtherSide(source!);
    expect(forward).toMatchObject({ status: 'matched', message: destination, ambiguous: false, others: [] });
  });
});
