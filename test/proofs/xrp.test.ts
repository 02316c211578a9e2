import { sha512 } from '@noble/hashes/sha2.js';
import fc from 'fast-check';
import { decode, encode } from 'ripple-binary-codec';
import { expect, it } from 'vitest';
import { nodesTo, transactionId, verifyXrp } from '../../src/proofs/xrp.ts';
import '../setup/seed.ts';

const FROM = 'rf1BiGeXwwQoi8Z2ueFYTEXSwuJYfV2Jpn';
const TO = 'rG1QQv2nh2gr7RCZ1P8YYcBUKCCN633jCn';
const ID = `0000000B${'5A'.repeat(20)}`;

/** What the proof of a payment in a ledger of its own shows. */
function shown(amount: unknown, delivered: unknown = null, result = 'tesSUCCESS') {
  const pay = { TransactionType: 'Payment', Account: FROM, Destination: TO, Amount: amount, Sequence: 7, Fee: '12' };
  const meta = { TransactionIndex: 3, AffectedNodes: [], TransactionResult: result };
  const transaction = encode({ ...pay, SigningPubKey: '' }).toLowerCase();
  const metadata = encode({ ...meta, ...(delivered !== null && { DeliveredAmount: delivered }) }).toLowerCase();
  const hash = transactionId(transaction);
  const nodes = nodesTo(hash, [{ transaction, metadata }])!;
  const half = (name: string, hex: string) =>
    Buffer.from(sha512(Buffer.concat([Buffer.from(`${name}\0`), Buffer.from(hex, 'hex')]))).toString('hex', 0, 32);
  const header = `0000002a${'00'.repeat(40)}${half('MIN', nodes[0]!)}${'00'.repeat(42)}`;
  const proof = { header, transaction, metadata, nodes };
  const named = { chain: 'xrp', tx_hash: hash.toUpperCase(), block_hash: half('LWR', header), height: 42 };
  const open = { proves: [], not_proved: [] };
  return { proves: verifyXrp({ ...named, kind: 'ledger_tree', data: proof, ...open }), metadata };
}

it('a payment delivered its amount, whole or in part, of any currency', () => {
  const issued = (currency: string) =>
    fc
      .record({ mantissa: fc.bigInt(1n, 10n ** 15n), exponent: fc.integer({ min: -60, max: 40 }) })
      .map(({ mantissa, exponent }) => ({ currency, issuer: TO, value: `${mantissa}e${exponent}` }));
  const amounts = fc.oneof(
    fc.bigInt(1n, 10n ** 17n).map(String),
    ...['USD', 'a$1', '0158415500000000C1F76FF6ECB0BAC600000000'].map(issued),
    fc.bigInt(1n, 2n ** 63n - 1n).map((value) => ({ mpt_issuance_id: ID, value: String(value) })),
  );
  fc.assert(
    fc.property(amounts, fc.boolean(), (amount, isPart) => {
      const { proves, metadata } = isPart ? shown('5', amount) : shown(amount);
      const written = isPart
        ? decode(metadata).DeliveredAmount
        : (decode(encode({ Amount: amount })).Amount as unknown);
      const { value, currency, issuer, mpt_issuance_id } = Object(written);
      const token = mpt_issuance_id ?? (currency ? `${currency}.${issuer}` : null);
      expect(proves).toEqual([{ from: FROM, to: TO, amount_raw: value ?? written, token }]);
    }),
    { numRuns: 100 },
  );
});

it('a payment that failed delivered nothing', () => {
  expect(shown('5', null, 'tecPATH_DRY').proves).toEqual([]);
  expect(shown('5').proves).toHaveLength(1);
});
