import { expect, it } from 'vitest';
import { askedTransfers, isAskedFor } from '../../src/domain/calldata/asked-transfers.ts';

const [SIGNER, TOKEN, FRIEND, LISTED] = ['51', '70', 'f1', '1d'].map((of) => `0x${of.repeat(20)}`) as [
  string,
  string,
  string,
  string,
];
const word = (value: string | number) =>
  (typeof value === 'number' ? value.toString(16) : value.slice(2)).padStart(64, '0');
const call = (selector: string, ...words: (string | number)[]) => `0x${selector}${words.map(word).join('')}`;
const hexOf = (address: string) => address.slice(2);

const isAsked = (
  input: string,
  to: string,
  { amountRaw = '5', tokenId = null as string | null, contract = TOKEN } = {},
) =>
  isAskedFor(askedTransfers(SIGNER, contract, input)!, { token: TOKEN, from: SIGNER, to, amountRaw, tokenId }, hexOf);

it('finds the transfer that each standard call asks for', () => {
  expect(isAsked(call('a9059cbb', FRIEND, 5), FRIEND)).toBe(true);
  expect(isAsked(call('23b872dd', SIGNER, FRIEND, 5), FRIEND)).toBe(true);
  for (const selector of ['42842e0e', 'b88d4fde', 'f242432a']) {
    expect(isAsked(call(selector, SIGNER, FRIEND, 7, 1, 0), FRIEND, { amountRaw: '1', tokenId: '7' })).toBe(true);
  }
  const batch = call('2eb2c2d6', SIGNER, FRIEND, 160, 256, 352, 2, 7, 8, 2, 1, 1, 0);
  expect(['7', '8', '9'].map((tokenId) => isAsked(batch, FRIEND, { amountRaw: '1', tokenId }))).toEqual([
    true,
    true,
    false,
  ]);
});

it('lets a token keep a fee, and nothing else that was not asked for', () => {
  const sent = call('a9059cbb', FRIEND, 5);
  expect(isAsked(sent, FRIEND, { amountRaw: '4' })).toBe(true);
  expect(isAsked(sent, FRIEND, { amountRaw: '6' })).toBe(false);
  expect(isAsked(sent, LISTED)).toBe(false);
  expect(isAsked(sent, FRIEND, { contract: LISTED })).toBe(false);
  expect(isAsked(call('23b872dd', LISTED, FRIEND, 5), FRIEND)).toBe(false);
  expect(isAsked(call('42842e0e', SIGNER, FRIEND, 7), FRIEND, { tokenId: '8' })).toBe(false);
  // A claim, a swap, and what is cut off or no call at all.
  for (const input of [call('4e71d92d'), call('38ed1739', 5, 5, 160), '0xa9059cbb', 'deprecated', '0x']) {
    expect(isAsked(input, FRIEND)).toBe(false);
  }
  expect(askedTransfers(SIGNER, null, sent)).toBeNull();
});
