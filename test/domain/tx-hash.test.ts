import { describe, expect, it } from 'vitest';
import { CHAINS, EVM_CHAINS } from '../../src/domain/chain.ts';
import { canonicalTxHash } from '../../src/domain/tx-hash.ts';

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

  it('refuses empty, long and other text on every chain', () => {
    for (const chain of CHAINS) {
      for (const text of ['', 'abc', 'g'.repeat(64), '1'.repeat(1_000_000), '__proto__']) {
        expect(canonicalTxHash(chain, text)).toBeNull();
      }
    }
  });
});
