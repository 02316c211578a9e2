import { sha256, sha512 } from '@noble/hashes/sha2.js';
import { encode } from 'ripple-binary-codec';
import { describe, expect, it } from 'vitest';
import { writeHeader, writeTransaction } from '../../src/proofs/bitcoin.ts';
import { proveEvm } from '../../src/proofs/evm-block.ts';
import { type AnyProof, faultOf, shownBy } from '../../src/proofs/verify.ts';
import { nodesTo, transactionId } from '../../src/proofs/xrp.ts';
import { noRecordings, recorded } from '../chains/recordings.ts';

/** The proof with what it shows. */
function whole(proof: object): AnyProof {
  const bare = { proves: [], not_proved: [], ...proof } as unknown as AnyProof;
  return { ...bare, ...shownBy(bare) };
}

/** Flips one bit of each string of hex in turn, at a place that differs by string. */
function* withOneBitFlipped(proof: AnyProof): Generator<{ where: string; proof: unknown }> {
  const text = JSON.stringify(proof);
  const strings = [...text.matchAll(/"(?:0x)?([0-9a-fA-F]{8,})"/g)];
  for (const [number, found] of strings.entries()) {
    const digits = found[1]!;
    for (const part of [0, 0.25, 0.5, 0.75, 1]) {
      const at = found.index + found[0].indexOf(digits) + Math.min(digits.length - 1, Math.floor(part * digits.length));
      const flipped = (Number.parseInt(text[at]!, 16) ^ 1).toString(16);
      yield {
        where: `string ${number} at ${part}`,
        proof: JSON.parse(text.slice(0, at) + flipped + text.slice(at + 1)),
      };
    }
  }
}

function holdsAndNoBitMayDiffer(proof: AnyProof): void {
  expect(faultOf(proof)).toBeNull();
  for (const changed of withOneBitFlipped(proof)) expect(faultOf(changed.proof), changed.where).not.toBeNull();
  const [first, ...others] = proof.proves;
  if (first) expect(faultOf({ ...proof, proves: [{ ...first, amount_raw: '1' }, ...others] })).toBe('other_transfers');
}

describe.skipIf(noRecordings)('proofs of recorded blocks (need shared/data)', () => {
  it('Bitcoin: each transaction of a block by its branch, its header and its proof of work', async () => {
    const block = recorded(
      'bitcoin-etl/test_export_blocks_job/bitcoin/block_with_transactions/rpc_response_getblock_000000001c920d495e1eeef2452b6d1c6c229a919b28196c103ecffebabee141_2.json',
    );
    const header = writeHeader({
      ...block,
      merkle_root: block.merkleroot,
      timestamp: block.time,
      bits: Number.parseInt(block.bits, 16),
    });
    const ids: string[] = block.tx.map(({ txid }: { txid: string }) => txid);
    expect(ids.length).toBeGreaterThan(2);
    for (const [position, tx] of block.tx.entries()) {
      const transaction = writeTransaction({
        ...tx,
        inputs: tx.vin.map(
          ({ txid = '00'.repeat(32), vout = 0xffffffff, coinbase, scriptSig, sequence }: BitcoinInput) => ({
            ...{ txid, vout, sequence },
            scriptsig: coinbase ?? scriptSig?.hex,
          }),
        ),
        outputs: tx.vout.map(({ scriptPubKey, value }: BitcoinOutput) => ({
          scriptpubkey: scriptPubKey.hex,
          value: BigInt(Math.round(value * 1e8)),
        })),
      });
      const data = { transaction, branch: branchOf(ids, position), position, header };
      const proof = whole({
        ...{ chain: 'bitcoin', tx_hash: tx.txid, block_hash: block.hash, height: block.height },
        ...{ kind: 'merkle_branch', data },
      });
      const paid = proof.proves.reduce((sum, { amount_raw }) => sum + BigInt(amount_raw), 0n);
      expect(paid).toBe(
        tx.vout.reduce((sum: bigint, { value }: BitcoinOutput) => sum + BigInt(Math.round(value * 1e8)), 0n),
      );
      holdsAndNoBitMayDiffer(proof);
      // Another place of the same tree is another transaction's.
      expect(faultOf({ ...proof, data: { ...data, position: position ^ 1 } })).not.toBeNull();
    }
  });

  it('Ethereum: a block of before the first forks, by both of its tries', async () => {
    const folder = 'ethereum-etl/test_stream/blocks_1755634_1755635/web3_response.';
    const block = recorded(`${folder}eth_getBlockByNumber_0x1ac9f3_true.json`).result;
    const receipts = block.transactions.map(
      ({ hash }: { hash: string }) => recorded(`${folder}eth_getTransactionReceipt_${hash}.json`).result,
    );
    for (const { hash } of block.transactions) {
      const built = await proveEvm(block, receipts, { hash, rawOf: async () => null });
      holdsAndNoBitMayDiffer(whole({ chain: 'ethereum', tx_hash: hash, kind: 'tries', ...built }));
    }
    const lied = receipts.map((receipt: object, i: number) =>
      i === 0 ? { ...receipt, cumulativeGasUsed: '0x1' } : receipt,
    );
    const asked = { hash: block.transactions[0].hash, rawOf: async () => null };
    await expect(proveEvm(block, lied, asked)).rejects.toMatchObject({ reason: 'other_roots' });
  });

  it('XRP Ledger: transactions of a ledger with their outcome', async () => {
    const ledger = recorded('rpc-xrpl-js/rippled/ledgerFull7501326.json');
    const transactions = ledger.transactions.map(({ hash: _, metaData, ...tx }: Record<string, object>) => ({
      transaction: encode(tx).toLowerCase(),
      metadata: encode(metaData!).toLowerCase(),
    }));
    const digest: string = ledger.ledger_hash.toLowerCase();
    // The recording leaves out when the ledger before closed, which its hash digests: one of the seconds before fits.
    const header = Array.from({ length: 120 }, (_, before) => headerOf(ledger, before)).find(
      (one) => hashOfLedger(one) === digest,
    );
    // Each of them builds the whole tree.
    for (const [place, one] of transactions.slice(0, 10).entries()) {
      const hash = transactionId(one.transaction);
      const proof = whole({
        ...{ chain: 'xrp', tx_hash: hash.toUpperCase(), block_hash: digest, height: Number(ledger.ledger_index) },
        ...{ kind: 'ledger_tree', data: { header, ...one, nodes: nodesTo(hash, transactions) } },
      });
      expect(faultOf(proof)).toBeNull();
      if (place < 3) holdsAndNoBitMayDiffer(proof);
    }
  });
});

function hashOfLedger(header: string): string {
  const bytes = Buffer.concat([Buffer.from('LWR\0'), Buffer.from(header, 'hex')]);
  return Buffer.from(sha512(bytes)).toString('hex', 0, 32);
}

interface BitcoinInput {
  txid?: string;
  vout?: number;
  coinbase?: string;
  scriptSig?: { hex: string };
  sequence: number;
}

interface BitcoinOutput {
  scriptPubKey: { hex: string };
  value: number;
}

/** The hashes beside the way to the root, made from the ids of all transactions of the block. */
function branchOf(ids: readonly string[], position: number): string[] {
  const branch: string[] = [];
  let level = ids.map((id) => Buffer.from(id, 'hex').reverse());
  for (let at = position; level.length > 1; at >>= 1) {
    if (level.length % 2 === 1) level.push(level.at(-1)!);
    branch.push(
      Buffer.from(level[at ^ 1]!)
        .reverse()
        .toString('hex'),
    );
    level = Array.from({ length: level.length / 2 }, (_, i) =>
      Buffer.from(sha256(sha256(Buffer.concat([level[2 * i]!, level[2 * i + 1]!])))),
    );
  }
  return branch;
}

function headerOf(ledger: Record<string, string | number>, secondsBefore: number): string {
  const number = (value: string | number | undefined, bytes: number) =>
    BigInt(value ?? 0)
      .toString(16)
      .padStart(2 * bytes, '0');
  return [
    ...[number(ledger.ledger_index, 4), number(ledger.total_coins, 8)],
    ...[ledger.parent_hash, ledger.transaction_hash, ledger.account_hash],
    ...[number(Number(ledger.close_time) - secondsBefore, 4), number(ledger.close_time, 4)],
    ...[number(ledger.close_time_resolution, 1), number(ledger.close_flags, 1)],
  ]
    .join('')
    .toLowerCase();
}
