import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalAddress, detectChain } from '../../src/domain/address/address.ts';
import { CHAINS, type Chain, EVM_CHAINS } from '../../src/domain/chain.ts';

const KNOWN: Record<Exclude<Chain, (typeof EVM_CHAINS)[number]>, string[]> & { ethereum: string[] } = {
  ethereum: [
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
    '0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED',
    '0x0000000000000000000000000000000000000000',
  ],
  bitcoin: [
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
    '1111111111111111111114oLvT2',
    '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
    'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
    'BC1QAR0SRRR7XFKVY5L643LYDNW9RE59GTZZWF5MDQ',
  ],
  tron: ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
  xrp: ['rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', 'rrrrrrrrrrrrrrrrrrrrrhoLvTp'],
  solana: [
    '11111111111111111111111111111111',
    'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
    'So11111111111111111111111111111111111111112',
    'rec5EKMGg6MxZYaMdyBfgwp4d5rB9T1VQH5pJv5LtFJ',
  ],
};

describe('detection', () => {
  it.each(Object.entries(KNOWN))('knows %s by form alone', (chain, addresses) => {
    for (const address of addresses) expect(detectChain(address), address).toBe(chain);
  });

  it('takes a Solana account for what it is though it begins like a Bitcoin, TRON or XRP address', () => {
    for (const first of '13Tr') {
      const account = KNOWN.solana.find((address) => address.startsWith(first));
      if (account) expect(detectChain(account)).toBe('solana');
    }
  });

  it('accepts each address on its own chain only', () => {
    for (const [owner, addresses] of Object.entries(KNOWN)) {
      for (const chain of CHAINS) {
        const own = owner === chain || (owner === 'ethereum' && (EVM_CHAINS as Chain[]).includes(chain));
        for (const address of addresses) expect(canonicalAddress(chain, address) !== null, chain).toBe(own);
      }
    }
  });
});

describe('canonical form', () => {
  it('is lower case for EVM and bech32 and untouched for Base58', () => {
    expect(canonicalAddress('kaia', KNOWN.ethereum[0]!)).toEqual({ address: KNOWN.ethereum[1] });
    expect(canonicalAddress('bitcoin', KNOWN.bitcoin[4]!)).toEqual({ address: KNOWN.bitcoin[3] });
    expect(canonicalAddress('bitcoin', KNOWN.bitcoin[0]!)).toEqual({ address: KNOWN.bitcoin[0] });
  });

  it('does not change when taken twice', () => {
    for (const [chain, addresses] of Object.entries(KNOWN)) {
      for (const address of addresses) {
        const once = canonicalAddress(chain as Chain, address)!;
        expect(canonicalAddress(chain as Chain, once.address)).toEqual(once);
      }
    }
  });

  it('ignores whitespace around an address', () => {
    expect(canonicalAddress('bitcoin', ` \t${KNOWN.bitcoin[0]}\n`)).toEqual({ address: KNOWN.bitcoin[0] });
    expect(detectChain(`\u00a0${KNOWN.tron[0]} `)).toBe('tron');
  });
});

describe('refusal', () => {
  it.each([
    ['an empty text', ''],
    ['only whitespace', '  \n'],
    ['a mixed-case EVM address with a wrong checksum', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD'],
    ['an EVM address with 0X', '0X5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED'],
    ['an EVM address of 39 digits', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beae'],
    ['hexadecimal TRON', '41a614f803b6fd780986a42c78ec9c7f77e6ded13c'],
    ['Base58Check with a changed character', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb'],
    ['a TRON address in the wrong case', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6T'],
    ['bech32 in mixed case', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdQ'],
    ['an XRP account with a changed character', 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTj'],
    ['an address with a space inside', '1A1zP1eP5QGefi2D PTfTL5SLmv7DivfNa'],
    ['full-width digits', '０x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
    ['a NUL behind it', `1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa\u0000`],
    ['a domain name', 'vitalik.eth'],
    ['a prototype key', '__proto__'],
  ])('holds for %s', (_name, text) => {
    expect(detectChain(text)).toBeNull();
    for (const chain of CHAINS) expect(canonicalAddress(chain, text), chain).toBeNull();
  });

  it('comes before any decoding for long text', () => {
    const long = '1'.repeat(2_000_000);
    expect(detectChain(long)).toBeNull();
    for (const chain of CHAINS) expect(canonicalAddress(chain, long)).toBeNull();
  });

  it('never throws, whatever the text', () => {
    const base58Like = fc.string({
      unit: fc.constantFrom(...'123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'),
      minLength: 20,
      maxLength: 60,
    });
    const start = fc.constantFrom('', '1', '3', 'bc1', 'bc1q', 'bc1p', 'T', 'r', 'X', '0x');
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 140 }),
      fc.tuple(start, base58Like).map((p) => p.join('')),
    );
    fc.assert(
      fc.property(text, (candidate) => {
        const chain = detectChain(candidate);
        for (const other of CHAINS) {
          const canonical = canonicalAddress(other, candidate);
          if (canonical)
            expect(chain === other || (chain === 'ethereum' && EVM_CHAINS.includes(other as never))).toBe(true);
        }
      }),
      { numRuns: 3_000 },
    );
  });

  it('holds for every single changed character of a Base58Check or bech32 address', () => {
    for (const [chain, address] of [
      ['bitcoin', KNOWN.bitcoin[0]!],
      ['bitcoin', KNOWN.bitcoin[3]!],
      ['tron', KNOWN.tron[0]!],
      ['xrp', KNOWN.xrp[0]!],
    ] as const) {
      for (let at = 4; at < address.length; at++) {
        const other = address[at] === 'q' ? 'p' : 'q';
        const changed = address.slice(0, at) + other + address.slice(at + 1);
        expect(canonicalAddress(chain, changed), changed).toBeNull();
      }
    }
  });
});

it('reads an account id of CAIP-10 on the chain that it names, and on no other', () => {
  const lower = `0x${'ab'.repeat(20)}`;
  expect(detectChain(`eip155:137:${lower}`)).toBe('polygon');
  expect(canonicalAddress('polygon', ` eip155:137:${lower}`)).toEqual({ address: lower });
  expect(canonicalAddress('ethereum', `eip155:137:${lower}`)).toBeNull();
  const tron = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
  expect(canonicalAddress('tron', `tron:0x2b6653dc:${tron}`)).toEqual({ address: tron });
  for (const wrong of [`eip155:424242:${lower}`, 'eip155:137:0x12', `tron:0x2b6653dc:${lower}`, 'eip155:137:']) {
    expect(detectChain(wrong)).toBeNull();
  }
});
