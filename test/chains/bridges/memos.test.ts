import { expect, it, onTestFinished } from 'vitest';
import { openBitcoin } from '../../../src/chains/bitcoin/bitcoin.ts';
import { addressInBytes } from '../../../src/chains/bridges/decoding/address.ts';
import { recognise } from '../../../src/chains/bridges/recognise.ts';
import { knownContracts, registryOf } from '../../../src/chains/bridges/registry.ts';
import { openEvm } from '../../../src/chains/evm/evm.ts';
import type { BridgeMessage } from '../../../src/domain/bridges/message.ts';
import { serveUpstream } from '../../contract/upstream.ts';
import { nodeUpstream } from '../evm/test-node.ts';
import { hashOf, ME, PEER, transaction, transferLog, type WorldTransaction } from '../evm/world.ts';

const A = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';
const B = '12c6DSiU4Rq3P4ZxziKxzrL5LmMBrzjrJX';
const VAULT = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT';
const ETHEREUM = `0x${'ab'.repeat(20)}`;
const HASH = 'c1'.repeat(32);
const registry = registryOf(knownContracts());

const push = (text: string) => {
  const bytes = Buffer.from(text);
  return `6a${bytes.length > 75 ? '4c' : ''}${bytes.length.toString(16).padStart(2, '0')}${bytes.toString('hex')}`;
};

/** One Bitcoin transaction of two senders, with change, as Esplora gives it. */
async function messagesOf(scripts: string[], paid = VAULT): Promise<BridgeMessage[]> {
  const input = (address: string, value: number) => ({
    is_coinbase: false,
    prevout: { scriptpubkey_address: address, value },
  });
  const upstream = await serveUpstream(() => ({
    json: {
      txid: HASH,
      vin: [input(A, 60_000), input(B, 40_000)],
      vout: [
        { scriptpubkey: '76a914', scriptpubkey_address: paid, value: 50_000 },
        ...scripts.map((scriptpubkey) => ({ scriptpubkey, value: 0 })),
        { scriptpubkey: '76a914', scriptpubkey_address: A, value: 49_000 },
      ],
      status: { confirmed: true, block_height: 900_000, block_hash: '00'.repeat(32), block_time: 1_750_000_000 },
    },
  }));
  onTestFinished(() => upstream.close());
  const source = openBitcoin({ esploraUrl: upstream.url }, { pageLimit: 1 });
  return recognise('bitcoin', (await source.evidence(HASH))!, registry);
}

it('a payment to a vault with a swap memo is a source, with all that its senders paid', async () => {
  const [message, ...more] = await messagesOf([push(`=:ETH.ETH:${ETHEREUM}:0/1/0:aff:10`)]);
  expect(more).toEqual([]);
  expect(message).toMatchObject({
    protocol: 'thorchain',
    side: 'source',
    id: HASH.toUpperCase(),
    route: { from: { chain: 'bitcoin', raw: 'BTC' }, to: { chain: 'ethereum', raw: 'ETH' } },
    recipient: ETHEREUM,
    // The change goes back to A, so B gave most.
    sender: B,
    asset: 'BTC',
    amount: '0.0005',
  });
  expect(message!.explains.length).toBe(2);
});

it('a payout names the hash that it is for, and its receiver', async () => {
  const other = 'D2'.repeat(32);
  const [message] = await messagesOf([push(`OUT:${other}`)]);
  expect(message).toMatchObject({ side: 'destination', id: other, recipient: VAULT, amount: '0.0005' });
});

it.each([
  ['a short name of the asset', `s:e:${ETHEREUM}`, 'ethereum', ETHEREUM],
  ['another chain than the twelve', '=:DOGE.DOGE:D7Y55r6Yoc1G8EECxkQ6SuSjTgGJJ7M6yD', null, null],
  ['an address of another chain', `=:ETH.ETH:${VAULT}`, 'ethereum', null],
])('a memo with %s', async (_, memo, chain, recipient) => {
  const [message] = await messagesOf([push(memo)]);
  expect([message!.route.to.chain, message!.recipient]).toEqual([chain, recipient]);
});

it.each([
  ['a refund', push(`REFUND:${HASH}`)],
  ['a synthetic asset, which stays on THORChain', push(`=:ETH/ETH:${ETHEREUM}`)],
  ['a hash of another length', push(`OUT:${HASH}ff`)],
  ['bytes that are not text', '6a04ff0102fe'],
  ['a push that claims more than it has', '6a4cff3d3a'],
  ['another script', '76a9143d3a'],
])('no message is read from %s', async (_, script) => {
  expect(await messagesOf([script])).toEqual([]);
});

it.each([
  [`=:e:${ETHEREUM}`, 'ETH', ETHEREUM],
  [`=:ETH:${ETHEREUM}`, 'ETH', ETHEREUM],
  [`=<:ETH.ETH:${ETHEREUM}:1e8/1/0`, 'ETH', ETHEREUM],
  [`SWAP:BSC.BNB:${ETHEREUM}/${A}`, 'BSC', ETHEREUM],
  ['=:l:LU4a7LeMmfDStUE8hCDfTRmyUzyruXPTmH', 'LTC', null],
  ['=:c:bitcoincash:qz0eq6q07e77hjvn7ehrc60dq32qg4jj3uappp3ljl', 'BCH', null],
  ['=:r:thor1kzpfhzvakahg4x0fvr5fzfn8s4ku3cjttyseec', 'THOR', null],
])('reads the chain and the receiver of %s', async (memo, raw, recipient) => {
  const [message] = await messagesOf([push(memo)]);
  expect(message).toMatchObject({ side: 'source', route: { to: { raw } }, recipient });
});

it.each(['=:USDC:x', '=:ETH~ETH:thor1', '=:ETH/ETH:thor1', '+:BTC.BTC:thor1', 'm=<:ETH.ETH:1', '=:e.ETH:x'])(
  'is not a swap to another chain: %s',
  async (memo) => {
    expect(await messagesOf([push(memo)])).toEqual([]);
  },
);

/** The messages of a payment on Ethereum with bytes in place of a call. */
async function sentOnEthereum(memo: string, more: Partial<WorldTransaction> = {}) {
  const input = `0x${Buffer.from(memo).toString('hex')}`;
  const value = 3n * 10n ** 18n;
  const paid = transaction({ hash: hashOf('bare'), block: 7, from: ME, to: PEER, value, input, ...more });
  const node = await serveUpstream(
    nodeUpstream({ head: 100, tokens: {}, transactions: [paid] }, { chain: 'ethereum' }),
  );
  onTestFinished(() => node.close());
  const source = openEvm('ethereum', { rpcUrl: node.url }, { pageLimit: 1 });
  return recognise('ethereum', (await source.evidence(paid.hash))!, registry);
}

it('a payment on an EVM chain with a swap memo in place of a call is a source, past the router', async () => {
  expect(await sentOnEthereum(`=:b:${A}:0/1/0`)).toMatchObject([
    { protocol: 'thorchain', side: 'source', sender: ME, recipient: A, asset: 'ETH', amount: '3' },
  ]);
});

it.each([
  ['a payment of nothing', `=:b:${A}`, { value: 0n }],
  ['a contract that logs', `=:b:${A}`, { logs: [transferLog(1, ME, PEER, 5n)] }],
  ['a greeting', 'hello: world', {}],
])('no memo is read in place of a call from %s', async (_, memo, more) => {
  expect(await sentOnEthereum(memo, more)).toEqual([]);
});

it('reads a receiver on TRON with and without the byte that names the network', () => {
  const [bare, address] = ['a614f803b6fd780986a42c78ec9c7f77e6ded13c', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'];
  expect([addressInBytes('tron', bare), addressInBytes('tron', `41${bare}`)]).toEqual([address, address]);
  expect(addressInBytes('ethereum', `41${bare}`)).toBeNull();
});
