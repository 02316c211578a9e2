import { describe, expect, it } from 'vitest';
import { canonicalAddress } from '../../src/domain/address/address.ts';
import { legacyForm } from '../../src/domain/address/cash-address.ts';

/** The pairs of the CashAddr specification. */
const PAIRS = [
  ['qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a', '1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu'],
  ['qr95sy3j9xwd2ap32xkykttr4cvcu7as4y0qverfuy', '1KXrWXciRDZUpQwQmuM1DbwsKDLYAYsVLR'],
  ['qqq3728yw0y47sqn6l2na30mcw6zm78dzqre909m2r', '16w1D5WRVKJuZUsSRzdLp9w3YGcgoxDXb'],
  ['ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq', '3CWFddi6m4ndiGyKqzYvsFYagqDLPVMTzC'],
  ['pr95sy3j9xwd2ap32xkykttr4cvcu7as4yc93ky28e', '3LDsS579y7sruadqu11beEJoTjdFiFCdX4'],
  ['pqq3728yw0y47sqn6l2na30mcw6zm78dzq5ucqzc37', '31nwvkZwyPdgzjBJZXfDmSWsC4ZLKpYyUw'],
] as const;

describe('an address of Bitcoin Cash', () => {
  it.each(PAIRS)('%s has the legacy form %s, with and without prefix, in either case', (cash, legacy) => {
    for (const text of [cash, `bitcoincash:${cash}`, cash.toUpperCase(), `BITCOINCASH:${cash.toUpperCase()}`]) {
      expect(legacyForm(text)).toBe(legacy);
    }
    expect(canonicalAddress('bitcoin', legacy)).toEqual({ address: legacy });
  });

  // The first two stand in the specification of token-aware addresses, and in a change to Bitcoin Cash Node.
  it.each([
    ['zr7fzmep8g7h7ymfxy74lgc0v950j3r295z4y4gq0v', 'qr7fzmep8g7h7ymfxy74lgc0v950j3r2959lhtxxsl'],
    ['zr6m7j9njldwwzlg9v7v53unlr4jkmx6eycnjehshe', 'qr6m7j9njldwwzlg9v7v53unlr4jkmx6eylep8ekg2'],
    ['rpm2qsznhks23z7629mms6s4cwef74vcwv59yeyr7n', 'ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq'],
  ])('that takes tokens (%s) has the legacy form of the same key or script', (aware, plain) => {
    expect(legacyForm(plain)).toMatch(/^[13]/);
    expect(legacyForm(aware)).toBe(legacyForm(plain));
    expect(legacyForm(`bitcoincash:${aware}`)).toBe(legacyForm(plain));
  });

  it('of a script hashed to 32 bytes has none: Bitcoin has no such script', () => {
    expect(legacyForm('pvqqxpsfps83y9gcrv0zzfp89gknqvek8y7r7sj9fp95u5252ad967nj556p4')).toBeNull();
    expect(legacyForm('rvqqxpsfps83y9gcrv0zzfp89gknqvek8y7r7sj9fp95u5252ad96vqw4dmc7')).toBeNull();
  });

  it('with any one character changed has none', () => {
    const [cash] = PAIRS[0];
    for (let i = 0; i < cash.length; i++) {
      const changed = cash.slice(0, i) + (cash[i] === 'q' ? 'p' : 'q') + cash.slice(i + 1);
      expect(legacyForm(changed)).toBeNull();
    }
  });

  it('in mixed case, of another network or of another kind has none', () => {
    const [cash, legacy] = PAIRS[0];
    expect(legacyForm(cash.replace('q', 'Q'))).toBeNull();
    for (const text of [`bchtest:${cash}`, `ecash:${cash}`, legacy, '', `${cash}${cash}`, 'zzzz']) {
      expect(legacyForm(text)).toBeNull();
    }
  });
});
