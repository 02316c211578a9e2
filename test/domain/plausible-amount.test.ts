import { describe, expect, it } from 'vitest';
import { formatUnits } from '../../src/domain/amount.ts';
import type { Chain } from '../../src/domain/chain.ts';
import { amountPlausibility } from '../../src/domain/transfers/plausible-amount.ts';

const USDT = '0xdac17f958d2ee523a2206206994597c13d831ec7';
const SPAM = '0x00000000000000000000000000000000000000aa';

function judge(chain: Chain, token: string | null, raw: bigint, decimals: number, failed = false) {
  return amountPlausibility({ chain, token, amount: formatUnits(raw, decimals), amountRaw: String(raw), failed });
}

describe('what an asset can have', () => {
  it.each<[string, Chain, string | null, bigint, number, string]>([
    ['all bitcoin', 'bitcoin', null, 21_000_000n * 10n ** 8n, 8, 'plausible'],
    ['one bitcoin more', 'bitcoin', null, 21_000_001n * 10n ** 8n, 8, 'impossible'],
    ['ten times all ether', 'ethereum', null, 10n ** 27n, 18, 'impossible'],
    ['a payment of 78 digits', 'ethereum', null, 10n ** 77n, 18, 'impossible'],
    ['all USDT', 'ethereum', USDT, 200_000_000_000n * 10n ** 6n, 6, 'plausible'],
    ['ten trillion USDT', 'ethereum', USDT, 10n ** 13n * 10n ** 6n, 6, 'impossible'],
    ['a spam token of any number', 'ethereum', SPAM, 2n ** 255n - 1n, 18, 'plausible'],
    ['a spam token that overflows', 'ethereum', SPAM, 2n ** 255n, 18, 'overflow'],
  ])('%s', (_, chain, token, raw, decimals, expected) => {
    expect(judge(chain, token, raw, decimals)).toBe(expected);
  });

  it('does not judge what failed: a call without the money for it can name any amount', () => {
    expect(judge('ethereum', null, 10n ** 60n, 18, true)).toBe('plausible');
  });

  it.each([
    ['-5', null],
    ['Infinity', null],
    ['NaN', null],
    ['1e3', null],
    ['', null],
    ['5', '-5'],
  ])('takes %s (%s in smallest units) for no amount of anything, failed or not', (amount, amountRaw) => {
    for (const failed of [false, true]) {
      const claimed = { chain: 'xrp', token: 'EUR.rIssuer', amount, amountRaw, failed } as const;
      expect(amountPlausibility(claimed)).toBe('impossible');
    }
  });

  it('knows no bound for issued currencies without a smallest unit', () => {
    const issued = {
      chain: 'xrp',
      token: 'EUR.rIssuer',
      amount: '9'.repeat(90),
      amountRaw: null,
      failed: false,
    } as const;
    expect(amountPlausibility(issued)).toBe('plausible');
  });
});
