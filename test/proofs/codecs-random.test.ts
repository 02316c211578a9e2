import { createHash } from 'node:crypto';
import { address as bitcoinAddress, networks, payments, Transaction } from 'bitcoinjs-lib';
import fc from 'fast-check';
import { utils } from 'tronweb';
import { expect, it } from 'vitest';
import { tronAddressOf } from '../../src/domain/address/base58-check.ts';
import { outputsOf, writeTransaction } from '../../src/proofs/bitcoin.ts';
import { proveTron, type TronProof } from '../../src/proofs/tron.ts';
import { shownBy } from '../../src/proofs/verify.ts';
import { seed } from '../setup/seed.ts';

const bytes = (min: number, max = min) =>
  fc.uint8Array({ minLength: min, maxLength: max }).map((one) => Buffer.from(one));
const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();

const SUN_MAX = 2n ** 53n - 1n;
const sun = fc.bigInt(1n, SUN_MAX).map(Number);
/** The parameter of a contract with what it sends, as tronweb names the fields. */
const tronContract = fc
  .record({
    kind: fc.constantFrom('TransferContract', 'TransferAssetContract', 'TriggerSmartContract'),
    owner: bytes(20),
    to: bytes(20),
    amount: sun,
    isFree: fc.boolean(),
    token: fc.integer({ min: 1_000_001, max: 9_999_999 }),
    tokens: fc.option(sun),
    data: bytes(0, 70),
  })
  .map(({ kind, owner, to, amount, isFree, token, tokens, data }) => {
    const [owner_address, other] = [owner, to].map((one) => `41${one.toString('hex')}`);
    const [from, party] = [owner, to].map((one) => tronAddressOf(one));
    const sent = (amount: number, token: string | null) => ({ from, to: party, amount_raw: String(amount), token });
    if (kind === 'TransferContract')
      return { kind, value: { owner_address, to_address: other, amount }, proves: [sent(amount, null)] };
    if (kind === 'TransferAssetContract') {
      const asset_name = Buffer.from(String(token)).toString('hex');
      return {
        kind,
        value: { owner_address, to_address: other, amount, asset_name },
        proves: [sent(amount, String(token))],
      };
    }
    const coin = isFree ? {} : { call_value: amount };
    const asset = tokens === null ? {} : { call_token_value: tokens, token_id: token };
    const value = { owner_address, contract_address: other, data: data.toString('hex'), ...coin, ...asset };
    const proves = [...(isFree ? [] : [sent(amount, null)]), ...(tokens === null ? [] : [sent(tokens, String(token))])];
    return { kind, value, proves };
  });
const tron = fc.record({
  contract: tronContract,
  ref: fc.tuple(bytes(2), bytes(8)),
  at: fc.integer({ min: 1_530_000_000_000, max: 1_900_000_000_000 }),
  memo: fc.option(bytes(1, 40)),
  feeLimit: fc.option(fc.integer({ min: 1, max: 15_000_000_000 })),
  signature: bytes(65),
  fee: fc.integer({ min: 0, max: 2 ** 40 }),
});

it('reads what tronweb writes of payments in coin, of TRC-10 tokens, and to contracts', () => {
  fc.assert(
    fc.property(tron, ({ contract: { kind, value, proves }, ref, at, memo, feeLimit, signature, fee }) => {
      const raw_data = {
        contract: [{ type: kind, parameter: { type_url: `type.googleapis.com/protocol.${kind}`, value } }],
        ...{ ref_block_bytes: ref[0].toString('hex'), ref_block_hash: ref[1].toString('hex') },
        ...{ expiration: at + 60_000, timestamp: at },
        ...(memo && { data: memo.toString('hex') }),
        ...(feeLimit && { fee_limit: feeLimit }),
      };
      const written = utils.transaction.txJsonToPb({ raw_data } as never);
      const raw_data_hex = utils.transaction.txPbToRawDataHex(written).toLowerCase();
      const txID = utils.transaction.txPbToTxID(written).replace('0x', '');
      const stated = {
        txID,
        raw_data_hex,
        signature: [signature.toString('hex')],
        ret: [{ fee, contractRet: 'SUCCESS' }],
      };
      const header = { timestamp: at, parentHash: '00'.repeat(32), number: 7, witness_address: `41${'0b'.repeat(20)}` };
      // The root of a tree of one transaction is its digest: taken from what is written for a root of nothing.
      const outcome = Buffer.concat([
        fee ? Buffer.concat([Buffer.of(8), varint(fee)]) : Buffer.alloc(0),
        Buffer.of(24, 1),
      ]);
      const whole = [field(1, Buffer.from(raw_data_hex, 'hex')), field(2, signature), field(5, outcome)];
      const txTrieRoot = sha256(...whole).toString('hex');
      const head = [
        Buffer.concat([Buffer.of(8), varint(at)]),
        ...[field(2, Buffer.from(txTrieRoot, 'hex')), field(3, Buffer.alloc(32)), Buffer.of(56, 7)],
        field(9, Buffer.from(header.witness_address, 'hex')),
      ];
      const blockId = `${'7'.padStart(16, '0')}${sha256(...head)
        .toString('hex')
        .slice(16)}`;
      const built = proveTron({ ...header, txTrieRoot }, [stated], { hash: txID, blockId });
      if (typeof built === 'string') throw new Error(built);
      const named = { chain: 'tron', tx_hash: txID, block_hash: blockId, kind: 'transaction_tree' as const };
      const proof: TronProof = { ...named, ...built, proves: [], not_proved: [] };
      expect(shownBy(proof).proves).toEqual(proves);
    }),
    { seed, numRuns: 100 },
  );
});

function varint(value: number): Buffer {
  return value < 128
    ? Buffer.of(value)
    : Buffer.concat([Buffer.of((value % 128) + 128), varint(Math.floor(value / 128))]);
}

function field(number: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.of(number * 8 + 2), varint(content.length), content]);
}

const network = networks.bitcoin;
const script = fc.oneof(
  bytes(20).map((hash) => payments.p2pkh({ hash, network }).output!),
  bytes(20).map((hash) => payments.p2sh({ hash, network }).output!),
  bytes(20).map((hash) => payments.p2wpkh({ hash, network }).output!),
  bytes(32).map((hash) => payments.p2wsh({ hash, network }).output!),
  // Scripts of no address: data, and what nobody can read.
  bytes(1, 75).map((data) => Buffer.concat([Buffer.of(0x6a, data.length), data])),
  bytes(0, 300),
);
const bitcoin = fc.record({
  version: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  locktime: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  inputs: fc.array(
    fc.record({
      hash: bytes(32),
      index: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
      script: bytes(0, 300),
      sequence: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
      witness: fc.array(bytes(0, 72), { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  outputs: fc.array(fc.record({ script, value: fc.bigInt(0n, 21n * 10n ** 14n) }), { minLength: 1, maxLength: 300 }),
});

it('writes and reads Bitcoin transactions as bitcoinjs-lib does, without their witnesses', () => {
  fc.assert(
    fc.property(bitcoin, ({ version, locktime, inputs, outputs }) => {
      const transaction = new Transaction();
      Object.assign(transaction, { version, locktime });
      for (const { hash, index, script, sequence, witness } of inputs) {
        const place = transaction.addInput(hash, index, sequence, script);
        transaction.setWitness(place, witness);
      }
      for (const { script, value } of outputs) transaction.addOutput(script, value);
      const written = writeTransaction({
        version,
        locktime,
        inputs: inputs.map(({ hash, index, script, sequence }) => ({
          ...{ txid: Buffer.from(hash).reverse().toString('hex'), vout: index },
          ...{ scriptsig: script.toString('hex'), sequence },
        })),
        outputs: outputs.map(({ script, value }) => ({ scriptpubkey: Buffer.from(script).toString('hex'), value })),
      });
      const id = sha256(sha256(Buffer.from(written, 'hex')))
        .reverse()
        .toString('hex');
      expect(id).toBe(transaction.getId());
      const read = outputsOf(Buffer.from(written, 'hex'));
      const paid = outputs.filter(({ value }) => value > 0n);
      expect(read.map(({ amount_raw }) => amount_raw)).toEqual(paid.map(({ value }) => String(value)));
      for (const [place, { to }] of read.entries()) {
        // Without an ECC library it names no taproot, and it names witness versions that have none yet.
        const named = addressIn(paid[place]!.script);
        if (named !== null) expect(to).toBe(named);
        else expect(to).toMatch(/^script:|^bc1p/);
      }
    }),
    { seed, numRuns: 60 },
  );
});

function addressIn(output: Uint8Array): string | null {
  try {
    return bitcoinAddress.fromOutputScript(output, network);
  } catch {
    return null;
  }
}
