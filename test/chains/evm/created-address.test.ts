import { getCreateAddress } from 'ethers';
import { expect, it } from 'vitest';
import { createdAddress } from '../../../src/chains/evm/format/rlp.ts';

it.each([0, 1, 127, 128, 255, 256, 65_536, Number.MAX_SAFE_INTEGER])(
  'a contract of nonce %i has the address that ethers computes',
  (nonce) => {
    const from = '0x28c6c06298d514db089934071355e5743bf21d60';
    expect(createdAddress(from, nonce)).toBe(getCreateAddress({ from, nonce }).toLowerCase());
  },
);
