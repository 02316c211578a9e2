import { describe, expect, it } from 'vitest';
import { InvalidInputError } from '../../src/errors.ts';
import { parseAddress, parseAddressPair } from '../../src/questions/parse-address.ts';

const BITCOIN = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';
const EVM = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

describe('parseAddress', () => {
  it('detects the chain where none is given', () => {
    expect(parseAddress(BITCOIN, undefined)).toEqual({ chain: 'bitcoin', address: BITCOIN });
    expect(parseAddress(EVM, undefined)).toEqual({ chain: 'ethereum', address: EVM.toLowerCase() });
    expect(parseAddress(EVM, '')).toEqual({ chain: 'ethereum', address: EVM.toLowerCase() });
  });

  it('keeps the chain that is given and fits', () => {
    expect(parseAddress(EVM, 'kaia')).toEqual({ chain: 'kaia', address: EVM.toLowerCase() });
  });

  it('gives the tag of an X-address', () => {
    expect(parseAddress('X7AcgcsBL6XDcUb289X4mJ8djcdyKaGZMhc9YTE92ehJ2Fu', undefined)).toEqual({
      chain: 'xrp',
      address: 'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59',
      tag: 1,
    });
  });

  it.each([
    [undefined, undefined, 'Address is required'],
    ['', 'bitcoin', 'Address is required'],
    ['  ', 'nonsense', 'Address is required'],
    ['hello', undefined, 'Unrecognized address format'],
    ['hello', 'bitcoin', 'Unrecognized address format'],
    [`${BITCOIN}x`, undefined, 'Unrecognized address format'],
    [EVM, 'bitcoin', 'Address does not match chain bitcoin'],
    [BITCOIN, 'ethereum', 'Address does not match chain ethereum'],
    [EVM, 'dogecoin', 'Unsupported chain: dogecoin'],
    [EVM, 'Ethereum', 'Unsupported chain: Ethereum'],
    [EVM, 'constructor', 'Unsupported chain: constructor'],
    [EVM, 'bnb', "Unsupported chain: bnb. BNB Smart Chain is 'bsc'"],
  ])('refuses %s on %s', (address, chain, text) => {
    expect(() => parseAddress(address, chain)).toThrow(InvalidInputError);
    expect(() => parseAddress(address, chain)).toThrow(expect.objectContaining({ message: text }));
  });
});

describe('what cannot be read as an address', () => {
  const hex = EVM.slice(2).toLowerCase();

  it.each([
    ['vitalik.eth', /^Names are not looked up/],
    [hex, new RegExp(`: 0x${hex}$`)],
    [`0X${hex.toUpperCase()}`, new RegExp(`: 0x${hex}$`)],
    [`ethereum:0x${hex}@1`, new RegExp(`: 0x${hex}$`)],
    [`https://explorer.example/address/${BITCOIN}#txs`, new RegExp(`: ${BITCOIN}$`)],
    [EVM.replace('aA', 'AA'), /^The checksum/],
    [`0x${hex.slice(1)}`, /has 39$/],
    [`0x${'ab'.repeat(32)}`, /^It has the length of a transaction hash/],
    [`\u200b${EVM}`, new RegExp(`: 0x${hex}$`)],
    [`${EVM.slice(0, 20)}\u00ad\n${EVM.slice(20)}`, new RegExp(`: 0x${hex}$`)],
    ['please look at this address for me and say who has it', /^It is an address of none of/],
    [`0x41${hex}`, /^Send an address of TRON in its base58 form/],
    [`41${hex}`, /^Send an address of TRON in its base58 form/],
    ['tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', /^Addresses of test networks/],
    ['DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L', /^It is an address of none of: bitcoin, ethereum/],
  ])('%s is refused with what to send instead', (text, hint) => {
    expect(() => parseAddress(text, undefined)).toThrow(
      expect.objectContaining({
        message: 'Unrecognized address format',
        fields: { hint: expect.stringMatching(hint) },
      }),
    );
  });
});

describe('parseAddressPair', () => {
  const OTHER = '0x00000000000000000000000000000000000000aa';
  const TRON = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';

  it.each([
    [EVM, undefined, OTHER, undefined, 'ethereum', 'ethereum'],
    [EVM, undefined, BITCOIN, undefined, 'ethereum', 'bitcoin'],
    [BITCOIN, '', TRON, ' ', 'bitcoin', 'tron'],
    [EVM, 'arbitrum', OTHER, undefined, 'arbitrum', 'arbitrum'],
    [EVM, 'arbitrum', TRON, 'tron', 'arbitrum', 'tron'],
    [EVM, 'arbitrum', OTHER, 'base', 'arbitrum', 'base'],
    [EVM, 'arbitrum', EVM, 'base', 'arbitrum', 'base'],
  ])('reads %s (%s) and %s (%s) as of %s and %s', (one, chain, other, otherChain, first, second) => {
    const pair = parseAddressPair({ address: one, chain }, { address: other, chain: otherChain });
    expect([pair.first.chain, pair.second.chain]).toEqual([first, second]);
  });

  it.each([
    [EVM, 'ethereum', EVM.toLowerCase(), undefined, 'Addresses must differ'],
    [EVM, undefined, BITCOIN, 'base', 'Address does not match chain base'],
    [EVM, 'base', TRON, undefined, 'Address does not match chain base'],
    [EVM, 'base', 'hello', undefined, 'Unrecognized address format'],
  ])('refuses %s (%s) and %s (%s)', (one, chain, other, otherChain, text) => {
    const pair = () => parseAddressPair({ address: one, chain }, { address: other, chain: otherChain });
    expect(pair).toThrow(expect.objectContaining({ message: text }));
  });
});
