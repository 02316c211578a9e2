import { createRequire } from 'node:module';
import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { computeAddress } from 'ethers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deriveAddress } from 'xrpl';
import { canonicalAddress } from '../../src/domain/address/address.ts';
import { addressesOfKey, addressesOfWallet } from '../../src/domain/address/public-key.ts';
import { EVM_CHAINS } from '../../src/domain/chain.ts';

/** Solana's own library, which the virtual machine of the tests brings along. */
const solana = createRequire(createRequire(import.meta.url).resolve('litesvm'))('@solana/kit');

const fromHex = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'));
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const secret = fc.uint8Array({ minLength: 32, maxLength: 32 }).filter((key) => secp256k1.utils.isValidSecretKey(key));

const addressesOn = (chain: string, key: Uint8Array) =>
  addressesOfKey(key).flatMap((one) => (one.chain === chain ? [one.address] : []));

describe('the addresses of a public key', () => {
  it('are those of the generator that the standards of Bitcoin publish', () => {
    expect(addressesOn('bitcoin', secp256k1.Point.BASE.toBytes())).toEqual([
      '1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH',
      '1EHNa6Q4Jz2uvNExL497mE43ikXhwF6kZm',
      '3JvL6Ymt8MVWiCNHC7oWU6nLeHNJKLZGLN',
      'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
      'bc1pmfr3p9j00pfxjh0zmgp99y8zftmd3s5pmedqhyptwy6lm87hf5sspknck9',
    ]);
  });

  it('are those of the wallets in BIP 84 and BIP 86, whatever the sign of the second coordinate', () => {
    const native = fromHex('0330d54fd0dd420a6e5f8d3624f5f3482cae350f79d5f0753bf5beef9c2d91af3c');
    expect(addressesOn('bitcoin', native)).toContain('bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu');
    for (const sign of ['02', '03']) {
      const internal = fromHex(`${sign}cc8a4bc64d897bddc5fbc2f670f7a8ba0b386779106cf1223c6fc5d7cd6fc115`);
      expect(addressesOn('bitcoin', internal)).toContain(
        'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr',
      );
    }
  });

  it('are what the libraries of Ethereum and the XRP Ledger compute, from either form of the key', () => {
    fc.assert(
      fc.property(secret, (key) => {
        const [short, long] = [secp256k1.getPublicKey(key, true), secp256k1.getPublicKey(key, false)];
        const found = addressesOfKey(short);
        expect(addressesOfKey(long)).toEqual(found);
        const evm = computeAddress(`0x${hex(short)}`).toLowerCase();
        for (const chain of EVM_CHAINS) expect(found).toContainEqual({ chain, address: evm });
        expect(found).toContainEqual({ chain: 'xrp', address: deriveAddress(hex(short).toUpperCase()) });
        for (const one of found) expect(canonicalAddress(one.chain, one.address)).toEqual({ address: one.address });
      }),
      { numRuns: 20 },
    );
  });

  it('of ed25519 are what the libraries of Solana and the XRP Ledger compute', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (key) => {
        const point = ed25519.getPublicKey(key);
        const expected = [
          { chain: 'solana', address: solana.getAddressDecoder().decode(point) },
          { chain: 'xrp', address: deriveAddress(`ED${hex(point).toUpperCase()}`) },
        ];
        expect(addressesOfKey(point)).toEqual(expected);
        expect(addressesOfKey(Uint8Array.of(0xed, ...point))).toEqual(expected);
      }),
      { numRuns: 20 },
    );
  });

  it('are none for other bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 70 }), (some) => {
        const isKey = some.length === 32 || (some.length === 33 && some[0]! >= 2) || some.length === 65;
        if (!isKey) expect(addressesOfKey(some)).toEqual([]);
      }),
    );
    expect(addressesOfKey(fromHex(`02${'ff'.repeat(32)}`))).toEqual([]);
    expect(addressesOfKey(fromHex(`04${'11'.repeat(64)}`))).toEqual([]);
  });
});

describe('the addresses of a wallet', () => {
  it('are the same on every EVM chain and TRON, from any of them', () => {
    const [address, tron] = ['0x7e5f4552091a69125d5dfcb7b8c2659029395bdf', 'TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC'];
    const found = addressesOfWallet('polygon', address);
    expect(found).toEqual(addressesOfWallet('tron', tron));
    expect(found).toContainEqual({ chain: 'ethereum', address });
    expect(found).toHaveLength(EVM_CHAINS.length + 1);
  });

  it('are one where nothing but its public key leads to others', () => {
    const address = '1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH';
    expect(addressesOfWallet('bitcoin', address)).toEqual([{ chain: 'bitcoin', address }]);
  });
});
