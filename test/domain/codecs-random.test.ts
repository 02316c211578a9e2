import { createRequire } from 'node:module';
import { base58 } from '@scure/base';
import { formatUnits as ethersFormat, parseUnits as ethersParse, getAddress } from 'ethers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  classicAddressToXAddress,
  decode,
  decodeAccountID,
  dropsToXrp,
  encode,
  encodeAccountID,
  isValidClassicAddress,
} from 'xrpl';
import { amountShape, readAmount } from '../../src/chains/xrp/asset.ts';
import { canonicalAddress } from '../../src/domain/address/address.ts';
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
