import { createRequire } from 'node:module';
import { base58, bech32, bech32m } from '@scure/base';
import { PublicKey } from '@solana/web3.js';
import { Transaction as BitcoinTransaction, address as bitcoinAddress, payments } from 'bitcoinjs-lib';
import { formatUnits as ethersFormat, parseUnits as ethersParse, getAddress } from 'ethers';
import fc from 'fast-check';
import { TronWeb } from 'tronweb';
import { describe, expect, it } from 'vitest';
import {
  classicAddressToXAddress,
  decode,
  decodeAccountID,
  dropsToXrp,
  encode,
  encodeAccountID,
  isValidClassicAddress,
  xAddressToClassicAddress,
} from 'xrpl';
import {
  associatedTokenAccount,
  isOnCurve,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../src/chains/solana/address.ts';
import { readTronAddress, tronHex } from '../../src/chains/tron/address.ts';
import { amountShape, readAmount } from '../../src/chains/xrp/asset.ts';
import { canonicalAddress } from '../../src/domain/address/address.ts';
import { base58Check, base58CheckXrp } from '../../src/domain/address/base58-check.ts';
import { formatUnits, parseUnits } from '../../src/domain/amount.ts';
import { XRP_TAG_MAX } from '../../src/domain/transfers/tags.ts';
import { canonicalTxHash } from '../../src/domain/tx-hash.ts';

/** Solana's own library, which the virtual machine of the tests brings along. */
const solana = createRequire(createRequire(import.meta.url).resolve('litesvm'))('@solana/kit');

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
/** Random bytes of which the first may all be 0, as in signatures shorter than 88 characters. */
const leadingZeros = (length: number) =>
  fc.tuple(bytes(length), fc.integer({ min: 0, max: length })).map(([all, zeros]) => all.fill(0, 0, zeros));
const character = fc.constantFrom(...'123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz');

/** A witness program of version 1 that is not taproot: no script of the library has its form. */
function isLaterWitness(text: string): boolean {
  try {
    const { prefix, words } = bech32m.decode(text as `bc1${string}`);
    const [version, ...program] = words;
    const { length } = bech32m.fromWords(program);
    return prefix === 'bc' && version === 1 && length !== 32 && length >= 2 && length <= 40;
  } catch {
    return false;
  }
}

/** A valid text, and the same with one character replaced. */
function spoilt(valid: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(valid, fc.nat(), character).chain(([text, at, other]) => {
    const place = at % text.length;
    return fc.constantFrom(text, text.slice(0, place) + other + text.slice(place + 1));
  });
}

describe("texts are taken and refused as the chains' own libraries do", () => {
  it('Solana: signatures', () => {
    const texts = spoilt(
      fc.oneof(...[63, 64, 64, 64, 65].map(leadingZeros)).map((signature) => base58.encode(signature)),
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect(canonicalTxHash('solana', text)).toBe(solana.isSignature(text) ? text : null);
      }),
      { numRuns: 2_000 },
    );
  });

  it('Solana: addresses', () => {
    const texts = spoilt(fc.oneof(...[31, 32, 32, 33].map(leadingZeros)).map((key) => base58.encode(key)));
    fc.assert(
      fc.property(texts, (text) => {
        expect(canonicalAddress('solana', text)?.address ?? null).toBe(solana.isAddress(text) ? text : null);
      }),
      { numRuns: 2_000 },
    );
  });

  it('XRP Ledger: classic addresses, and those that carry a tag', () => {
    const classic = leadingZeros(20).map((account) => encodeAccountID(account));
    fc.assert(
      fc.property(spoilt(classic), (text) => {
        expect(canonicalAddress('xrp', text) !== null).toBe(isValidClassicAddress(text));
      }),
      { numRuns: 2_000 },
    );
    const tag = fc.option(fc.integer({ min: 0, max: XRP_TAG_MAX }), { nil: false as const });
    fc.assert(
      fc.property(classic, tag, fc.boolean(), (address, tag, isTest) => {
        expect(decodeAccountID(address)).toHaveLength(20);
        const carried = classicAddressToXAddress(address, tag, isTest);
        expect(canonicalAddress('xrp', carried)).toEqual(
          isTest ? null : { address, ...(tag === false ? {} : { tag }) },
        );
      }),
    );
  });

  it('XRP Ledger: a tag above 32 bits is refused, of which the library ignores the upper half', () => {
    const account = new Uint8Array(20).fill(9);
    fc.assert(
      fc.property(bytes(8), fc.constantFrom(0, 1, 2), (tag, flag) => {
        const payload = Uint8Array.of(0x05, 0x44, ...account, flag, ...tag);
        const text = base58CheckXrp.encode(payload);
        const value = new DataView(tag.buffer, tag.byteOffset, 8).getBigUint64(0, true);
        const isFit = flag === 1 ? value <= BigInt(XRP_TAG_MAX) : flag === 0 && value === 0n;
        const expected = isFit
          ? { address: encodeAccountID(account), ...(flag === 1 ? { tag: Number(value) } : {}) }
          : null;
        expect(canonicalAddress('xrp', text)).toEqual(expected);
        if (expected) expect(xAddressToClassicAddress(text)).toMatchObject({ classicAddress: expected.address });
      }),
    );
  });

  it('Bitcoin: addresses of every kind', () => {
    const program = (version: number, length: number, other = false) =>
      leadingZeros(length).map((hash) => {
        const coder = (version === 0) === other ? bech32m : bech32;
        const text = coder.encode('bc', [version, ...coder.toWords(hash)]);
        return hash[0]! % 2 === 0 ? text : text.toUpperCase();
      });
    const based = fc
      .tuple(fc.constantFrom(0, 5, 5, 0, 111), leadingZeros(20))
      .map(([kind, hash]) => base58Check.encode(Uint8Array.of(kind, ...hash)));
    const texts = spoilt(
      fc.oneof(
        based,
        program(0, 20),
        program(0, 32),
        program(0, 20, true),
        program(0, 24),
        program(1, 32),
        program(1, 2),
        program(16, 40),
      ),
    );
    const outcome = (text: string): boolean | 'no_library' | 'no_script' => {
      try {
        return bitcoinAddress.toOutputScript(text).length > 0;
      } catch (error) {
        const { message } = error as Error;
        if (/No ECC Library/.test(message)) return 'no_library';
        return isLaterWitness(text) ? 'no_script' : false;
      }
    };
    // Where the library says nothing of itself: taproot without a library of curves, and witnesses of version 1 that are not
    // taproot (pay to anchor), which BIP 350 allows and which are in use.
    fc.assert(
      fc.property(texts, (text) => {
        const theirs = outcome(text);
        expect([text, canonicalAddress('bitcoin', text) !== null]).toEqual([text, theirs !== false]);
      }),
      { numRuns: 1_000 },
    );
  });

  it('Bitcoin: transactions keep their id and outputs through the bytes of a block', () => {
    const output = fc.tuple(leadingZeros(20), fc.bigInt({ min: 0n, max: 21_000_000n * 10n ** 8n }));
    fc.assert(
      fc.property(
        fc.array(output, { minLength: 1, maxLength: 5 }),
        bytes(32),
        fc.nat(1_000),
        (outputs, spent, index) => {
          const transaction = new BitcoinTransaction();
          transaction.addInput(spent, index);
          for (const [hash, value] of outputs) transaction.addOutput(payments.p2wpkh({ hash }).output!, value);
          const read = BitcoinTransaction.fromBuffer(transaction.toBuffer());
          expect(canonicalTxHash('bitcoin', read.getId().toUpperCase())).toBe(transaction.getId());
          const named = read.outs.map(({ script }) => bitcoinAddress.fromOutputScript(script));
          expect(named.map((text) => canonicalAddress('bitcoin', text)?.address)).toEqual(named);
        },
      ),
    );
  });

  it('TRON: addresses, in base58 and in hex', () => {
    const texts = spoilt(
      fc
        .tuple(fc.constantFrom(0x41, 0x41, 0x41, 0xa0, 0), leadingZeros(20))
        .map(([kind, account]) => base58Check.encode(Uint8Array.of(kind, ...account))),
    );
    fc.assert(
      fc.property(texts, (text) => {
        // The library takes hex too, which none of these is.
        expect([text, canonicalAddress('tron', text) !== null]).toEqual([text, TronWeb.isAddress(text)]);
      }),
      { numRuns: 1_000 },
    );
    fc.assert(
      fc.property(leadingZeros(20), (account) => {
        const hex = `41${Buffer.from(account).toString('hex')}`;
        const text = TronWeb.address.fromHex(hex);
        expect([readTronAddress(hex), tronHex(text)]).toEqual([text, TronWeb.address.toHex(text)]);
      }),
    );
  });

  it('Solana: keys on the curve and off it, and the accounts in which wallets keep tokens', () => {
    const taken = (text: string) => {
      try {
        return new PublicKey(text).toBase58() === text;
      } catch {
        return false;
      }
    };
    const texts = spoilt(fc.oneof(...[31, 32, 32, 33].map(leadingZeros)).map((key) => base58.encode(key)));
    fc.assert(
      fc.property(texts, (text) => {
        expect(canonicalAddress('solana', text) !== null).toBe(taken(text));
        if (taken(text)) expect(isOnCurve(text)).toBe(PublicKey.isOnCurve(text));
      }),
    );
    const associated = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');
    fc.assert(
      fc.property(bytes(32), bytes(32), fc.constantFrom(TOKEN_PROGRAM, TOKEN_2022_PROGRAM), (owner, mint, program) => {
        const seeds = [owner, new PublicKey(program).toBytes(), mint];
        const [theirs] = PublicKey.findProgramAddressSync(seeds, associated);
        expect(associatedTokenAccount(base58.encode(owner), base58.encode(mint), program)).toBe(theirs.toBase58());
      }),
      { numRuns: 30 },
    );
  });

  it.each([
    ['bare hex', 'f39fd6e51aad88f6f4ce6ab8827279cfffb92266'],
    ['ICAP', 'XE65GB6LDNXYOFTX0NSV3FUWKOWIXAMJK36'],
  ])('EVM chains: %s, which the library takes, is not taken as an address here', (_, text) => {
    expect(getAddress(text)).toMatch(/^0x/);
    expect(canonicalAddress('ethereum', text)).toBeNull();
  });

  it('EVM chains: addresses in every mixture of cases', () => {
    const mixed = fc
      .tuple(bytes(20), fc.constantFrom('checksum', 'lower', 'upper', 'random'), fc.infiniteStream(fc.boolean()))
      .map(([account, way, coins]) => {
        const lower = `0x${Buffer.from(account).toString('hex')}`;
        if (way === 'checksum') return getAddress(lower);
        if (way === 'lower') return lower;
        const upper = [...lower.slice(2)].map((digit) =>
          way === 'upper' || coins.next().value ? digit.toUpperCase() : digit,
        );
        return `0x${upper.join('')}`;
      });
    fc.assert(
      fc.property(mixed, (text) => {
        let expected: string | null = null;
        try {
          expected = getAddress(text).toLowerCase();
        } catch {
          // Not an address for the library either.
        }
        expect(canonicalAddress('ethereum', text)?.address ?? null).toBe(expected);
      }),
    );
  });
});

describe("amounts are read as the chains' own libraries read them", () => {
  it('EVM chains: smallest units in any number of decimals, both ways', () => {
    const units = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
    fc.assert(
      fc.property(units, fc.integer({ min: 0, max: 77 }), (raw, decimals) => {
        const text = formatUnits(raw, decimals);
        expect(ethersParse(text, decimals)).toBe(raw);
        expect(parseUnits(ethersFormat(raw, decimals), decimals)).toBe(raw);
      }),
    );
  });

  it('XRP Ledger: drops', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 17n }), (drops) => {
        const [asText, asNumber] = [String(drops), Number(drops)];
        const value = String(dropsToXrp(asText));
        expect(Number(readAmount(amountShape.parse(asText)).value)).toBe(Number(value));
        if (Number.isSafeInteger(asNumber))
          expect(readAmount(amountShape.parse(asNumber)).value).toBe(readAmount(amountShape.parse(asText)).value);
      }),
    );
  });

  it('XRP Ledger: issued currencies, those of impossible values refused', () => {
    const issuer = encodeAccountID(new Uint8Array(20).fill(7));
    const payment = { TransactionType: 'Payment', Account: issuer, Destination: encodeAccountID(new Uint8Array(20)) };
    const ledgerValue = (value: string): string | null => {
      try {
        const blob = encode({ ...payment, Amount: { currency: 'USD', issuer, value } } as never);
        return (decode(blob).Amount as { value: string }).value;
      } catch {
        return null;
      }
    };
    const digits = fc.oneof(fc.bigInt({ min: 0n, max: 10n ** 17n }), fc.bigInt({ min: 0n, max: 10n ** 6n }));
    const values = fc
      .tuple(fc.constantFrom('', '', '', '-'), digits, fc.integer({ min: -120, max: 120 }))
      .map(([sign, mantissa, exponent]) => `${sign}${mantissa}e${exponent}`);
    fc.assert(
      fc.property(values, (value) => {
        const read = amountShape.safeParse({ currency: 'USD', issuer, value });
        const ledger = ledgerValue(value);
        if (ledger === null || ledger.startsWith('-')) expect([value, read.success]).toEqual([value, false]);
        else expect(Number(readAmount(read.data!).value)).toBe(Number(ledger));
      }),
      { numRuns: 500 },
    );
  });
});
