import { secp256k1 } from '@noble/curves/secp256k1.js';
import { afterEach, describe, expect, it } from 'vitest';
import { openBitcoin } from '../../../src/chains/bitcoin/bitcoin.ts';
import { keyBesideSignature, letsOthersJoin } from '../../../src/chains/bitcoin/esplora.ts';
import { addressesOfKey } from '../../../src/domain/address/public-key.ts';
import { type ServedUpstream, serveUpstream } from '../../contract/upstream.ts';
import { type EsploraTx, esplora, hashOf, transaction, wallet } from './esplora-upstream.ts';

const served: ServedUpstream[] = [];
afterEach(async () => {
  for (const server of served.splice(0)) await server.close();
});

const keyOf = (n: number) => Buffer.from(secp256k1.getPublicKey(Uint8Array.from(Buffer.alloc(32, n)), true));
const KEY = keyOf(7);
const WHOLE_KEY = Buffer.from(secp256k1.getPublicKey(Uint8Array.from(Buffer.alloc(32, 7)), false));
const [LEGACY, LEGACY_WHOLE, NESTED, NATIVE] = addressesOfKey(KEY).map(({ address }) => address) as string[];

/** A signature in DER of the given type, with invented numbers. */
const signature = (type: number) =>
  `3044022011${'22'.repeat(31)}022011${'33'.repeat(31)}${Buffer.of(type).toString('hex')}`;
const push = (item: string) => Buffer.of(item.length / 2).toString('hex') + item;

async function historyOf(address: string, unlock: (tx: EsploraTx) => void, read = address) {
  const txs = [
    transaction(0xf00d, {}, { [address]: 90_000 }, 600_000),
    transaction(2, { [address]: 50_000 }, { [wallet(1)]: 40_000 }, 700_000),
    transaction(3, { [address]: 40_000 }, { [wallet(1)]: 30_000 }, 700_001),
  ];
  for (const tx of txs.slice(1)) unlock(tx);
  const server = await serveUpstream(esplora(txs));
  served.push(server);
  const history = await openBitcoin({ esploraUrl: `${server.url}/` }, { pageLimit: 50 }).history(read);
  return { history, requests: server.requests.length };
}

describe('a Bitcoin address reveals its key', () => {
  const native = (tx: EsploraTx) => {
    tx.vin[0]!.witness = [signature(1), KEY.toString('hex')];
  };
  const nested = (tx: EsploraTx) => {
    tx.vin[0]!.scriptsig = push(`0014${'44'.repeat(20)}`);
    native(tx);
  };
  const legacy = (key: Buffer) => (tx: EsploraTx) => {
    tx.vin[0]!.witness = [];
    tx.vin[0]!.scriptsig = push(signature(1)) + push(key.toString('hex'));
  };

  it.each([
    ['P2PKH', LEGACY, KEY, legacy(KEY)],
    ['P2PKH of an uncompressed key', LEGACY_WHOLE, WHOLE_KEY, legacy(WHOLE_KEY)],
    ['P2SH-P2WPKH', NESTED, KEY, nested],
    ['P2WPKH', NATIVE, KEY, native],
  ] as const)('by spending from %s: the earliest transaction proves it', async (_, address, key, unlock) => {
    const { history } = await historyOf(address!, unlock);
    const first = history.transfers.find(({ txHash }) => txHash === hashOf(2))!;
    expect(history.revealed).toEqual({ publicKey: key.toString('hex'), txHash: hashOf(2), at: first.at });
  });

  it('not by a key that hashes to another address', async () => {
    const { history } = await historyOf(wallet(9), native);
    expect(history.revealed).toBeUndefined();
  });

  it('to who reads its payee, unproven', async () => {
    const { history: ofPayee } = await historyOf(NATIVE!, native, wallet(1));
    expect(ofPayee.shown?.get(NATIVE!)?.publicKey).toBe(KEY.toString('hex'));
  });

  it('without a request more than the same history takes where nothing is revealed', async () => {
    const revealing = await historyOf(NATIVE!, native);
    const silent = await historyOf(NATIVE!, () => {});
    expect([silent.history.revealed, silent.requests]).toEqual([undefined, revealing.requests]);
  });
});

describe('the scripts of an input', () => {
  it('show no key of a multisig, of a script path or of nothing', () => {
    expect(keyBesideSignature({ witness: ['', signature(1), signature(1), KEY.toString('hex')] })).toBeNull();
    expect(keyBesideSignature({ witness: ['ab'.repeat(64)] })).toBeNull();
    expect(keyBesideSignature({ scriptsig: '', witness: [] })).toBeNull();
    expect(keyBesideSignature({ scriptsig: '4cff00', witness: null })).toBeNull();
  });

  it.each([
    ['all, as wallets sign', signature(0x01), false],
    ['one output with others beside it, as sellers on marketplaces sign', signature(0x83), true],
    ['all outputs with other inputs beside it', signature(0x81), true],
    ['one output and all inputs', signature(0x03), false],
  ])('let others join by the type of the signature: %s', (_, item, joins) => {
    expect(letsOthersJoin({ witness: [item, KEY.toString('hex')] })).toBe(joins);
    expect(letsOthersJoin({ scriptsig: push(item) + push(KEY.toString('hex')) })).toBe(joins);
  });

  it('of taproot let others join by the type of the signature, however it begins, and not where it has none', () => {
    const ofSeller = ['ab', '04'].map((first) => `${first}${'ab'.repeat(63)}83`);
    expect(ofSeller.map((item) => letsOthersJoin({ witness: [item] }))).toEqual([true, true]);
    expect(letsOthersJoin({ witness: ['ab'.repeat(64)] })).toBe(false);
  });

  it('of taproot show no signature in a script, a control block, an annex or of a type that is none', () => {
    const control = `c1${'ab'.repeat(63)}83`;
    const [script, closed, open] = [`20${'ab'.repeat(32)}ac`, 'ab'.repeat(64), `${'ab'.repeat(64)}81`];
    expect(letsOthersJoin({ witness: [closed, script, control] })).toBe(false);
    expect(letsOthersJoin({ witness: [closed, open, control] })).toBe(false);
    expect(letsOthersJoin({ witness: [closed, `50${'ab'.repeat(63)}83`] })).toBe(false);
    expect(letsOthersJoin({ witness: [`${'ab'.repeat(64)}80`] })).toBe(false);
    expect(letsOthersJoin({ witness: [open, script, control] })).toBe(true);
    expect(letsOthersJoin({ witness: [open, script, control, `50${'ab'.repeat(8)}`] })).toBe(true);
  });

  it('do not let others join by an uncompressed key that ends alike', () => {
    expect(letsOthersJoin({ scriptsig: push(signature(0x01)) + push(`04${'ab'.repeat(63)}83`) })).toBe(false);
  });
});
