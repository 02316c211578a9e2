import { expect, it, onTestFinished } from 'vitest';
import { eventOf } from '../../../src/chains/bridges/decoding/event.ts';
import { READERS, recognise } from '../../../src/chains/bridges/recognise.ts';
import { knownContracts, registryOf } from '../../../src/chains/bridges/registry.ts';
import { openEvm } from '../../../src/chains/evm/evm.ts';
import type { TransactionEvidence } from '../../../src/chains/port.ts';
import { match } from '../../../src/domain/bridges/match.ts';
import type { EvmChain } from '../../../src/domain/chain.ts';
import { serveUpstream } from '../../contract/upstream.ts';
import { nodeTransaction } from '../evm/test-explorer.ts';
import { nodeUpstream } from '../evm/test-node.ts';
import { hashOf, PEER, topic, transaction, type World, type WorldTransaction, word } from '../evm/world.ts';

const PORTAL = '0xbeb5fc579115071764c7423a4f12edde41f106ed';
const MESSENGER_ALIAS = `0x${((BigInt('0x25ace71c97b33cc4729cf772ae268934f7ab5fa1') + BigInt('0x1111000000000000000000000000000000001111')) % 2n ** 160n).toString(16).padStart(40, '0')}`;
const DEPOSITED = eventOf(
  'TransactionDeposited(address indexed from, address indexed to, uint256 indexed version, bytes opaqueData)',
).topic;
const SENDER = `0x${'5e'.repeat(20)}`;
const registry = registryOf(knownContracts());
const MINT = 6n * 10n ** 18n;

const opaque = (mint: bigint, value: bigint) => {
  const data = `${word(mint)}${word(value)}${(100_000).toString(16).padStart(16, '0')}00`;
  return `0x${word(32n)}${word(BigInt(data.length / 2))}${data.padEnd(Math.ceil(data.length / 64) * 64, '0')}`;
};

async function evidenceOf(chain: EvmChain, tx: WorldTransaction, more: object = {}): Promise<TransactionEvidence> {
  const world: World = { head: 100, tokens: {}, transactions: [tx] };
  const methods = {
    eth_getTransactionByHash: () => ({ json: { jsonrpc: '2.0', id: 1, result: { ...nodeTransaction(tx), ...more } } }),
  };
  const node = await serveUpstream(nodeUpstream(world, { chain, methods }));
  onTestFinished(() => node.close());
  return (await openEvm(chain, { rpcUrl: node.url }, { pageLimit: 1 }).evidence(tx.hash))!;
}

const deposit = (from: string, to: string, { mint = MINT, value = MINT } = {}) =>
  evidenceOf(
    'ethereum',
    transaction({
      hash: hashOf('deposit'),
      block: 7,
      from: SENDER,
      to: PORTAL,
      value: mint,
      logs: [
        {
          index: 3,
          address: PORTAL,
          topics: [DEPOSITED, topic(from), topic(to), `0x${word(0n)}`],
          data: opaque(mint, value),
        },
      ],
    }),
  );
const mintedAs = (hash: string, from: string, to: string, { mint = MINT, value = MINT } = {}) =>
  evidenceOf('optimism', transaction({ hash, block: 9, from, to, value }), {
    type: '0x7e',
    mint: `0x${mint.toString(16)}`,
  });

it('coin that a party sends through the portal is one message, joined with its mint by the hash that follows from it', async () => {
  const [source] = recognise('ethereum', await deposit(SENDER, PEER), registry);
  expect(source).toMatchObject({ side: 'source', sender: SENDER, recipient: PEER, amount: '6', asset: 'ETH' });
  const reader = READERS.optimism_native;
  expect(reader.lookUp(source!, registry)).toEqual([{ by: 'transaction', chains: ['optimism'], hash: source!.id }]);
  const [destination] = recognise('optimism', await mintedAs(source!.id!, SENDER, PEER), registry);
  expect(destination).toMatchObject({ side: 'destination', recipient: PEER, amount: '6' });
  expect(match(source!, destination!)).toBe('id');
  expect(reader.lookUp(destination!, registry)).toEqual([
    { by: 'logs', chain: 'ethereum', contract: PORTAL, events: [DEPOSITED], topics: [topic(SENDER), topic(PEER)] },
  ]);
});

it('the minted coin comes from nobody, not from the namesake of who deposited it, who pays what is more alone', async () => {
  const moves = async (amounts: { mint: bigint; value: bigint }) =>
    (await mintedAs(hashOf('l2'), SENDER, PEER, amounts)).transaction.transfers.map(({ from, to, amount }) => [
      from,
      to,
      amount,
    ]);
  expect(await moves({ mint: MINT, value: MINT })).toEqual([['coinbase', PEER, '6']]);
  expect(await moves({ mint: MINT, value: MINT / 3n })).toEqual(
    expect.arrayContaining([
      ['coinbase', PEER, '2'],
      ['coinbase', SENDER, '4'],
    ]),
  );
  expect(await moves({ mint: MINT / 3n, value: MINT })).toEqual(
    expect.arrayContaining([
      ['coinbase', PEER, '2'],
      [SENDER, PEER, '4'],
    ]),
  );
});

it('a deposit of the messenger is read from its own messages alone', async () => {
  expect(recognise('ethereum', await deposit(MESSENGER_ALIAS, PEER), registry)).toEqual([]);
  expect(recognise('optimism', await mintedAs(hashOf('relay'), MESSENGER_ALIAS, PEER), registry)).toEqual([]);
});
