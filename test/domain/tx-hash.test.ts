import { base58 } from '@scure/base';
import { describe, expect, it } from 'vitest';
import { CHAINS, EVM_CHAINS } from '../../src/domain/chain.ts';
import { canonicalTxHash, chainsOfHash } from '../../src/domain/tx-hash.ts';

const HEX = 'aB'.repeat(32);
const SIGNATURE = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';

describe('canonicalTxHash', () => {
  it('asks EVM hashes for 0x and lowers them', () => {
    for (const chain of EVM_CHAINS) {
      expect(canonicalTxHash(chain, ` 0x${HEX} `)).toBe(`0x${HEX.toLowerCase()}`);
      expect(canonicalTxHash(chain, HEX)).toBeNull();
      expect(canonicalTxHash(chain, `0x${HEX}0`)).toBeNull();
    }
  });

  it('takes Bitcoin, TRON and XRP hashes without 0x, XRP in upper case', () => {
    expect(canonicalTxHash('bitcoin', HEX)).toBe(HEX.toLowerCase());
    expect(canonicalTxHash('tron', HEX)).toBe(HEX.toLowerCase());
    expect(canonicalTxHash('xrp', HEX)).toBe(HEX.toUpperCase());
    for (const chain of ['bitcoin', 'tron', 'xrp'] as const) {
      expect(canonicalTxHash(chain, `0x${HEX}`)).toBeNull();
      expect(canonicalTxHash(chain, HEX.slice(1))).toBeNull();
    }
  });

  it('takes a Solana signature of 64 bytes as it is', () => {
    expect(canonicalTxHash('solana', SIGNATURE)).toBe(SIGNATURE);
    expect(canonicalTxHash('solana', SIGNATURE.slice(0, -2))).toBeNull();
    expect(canonicalTxHash('solana', 'z'.repeat(88))).toBeNull();
    expect(canonicalTxHash('solana', `${SIGNATURE.slice(0, -1)}0`)).toBeNull();
  });

  it('decides by the 64 bytes, which 86, 87 or 88 characters write', () => {
    const signatures = [[0, 3], [0, 200], [255]].map((first) =>
      base58.encode(new Uint8Array(64).fill(77).map((byte, n) => first[n] ?? byte)),
    );
    expect(signatures.map(({ length }) => length)).toEqual([86, 87, 88]);
    for (const signature of signatures) {
      expect(canonicalTxHash('solana', signature)).toBe(signature);
      expect(chainsOfHash(signature)).toEqual(['solana']);
    }
  });

  it('names the chains of a form: all EVM chains, or those of 64 hex digits', () => {
    expect(chainsOfHash(`0x${HEX}`)).toEqual(EVM_CHAINS);
    expect(chainsOfHash(HEX)).toEqual(['bitcoin', 'tron', 'xrp']);
    for (const text of ['So11111111111111111111111111111111111111112', 'kraken', '', SIGNATURE.slice(0, 85)]) {
      expect(chainsOfHash(text)).toEqual([]);
    }
  });

  it('refuses empty, long and other text on every chain', () => {
    for (const chain of CHAINS) {
      for (const text of ['', 'abc', 'g'.repeat(64), '1'.repeat(1_000_000), '__proto__']) {
        expect(canonicalTxHash(chain, text)).toBeNull();
      }
    }
  });
});
