import { keccak_256 } from '@noble/hashes/sha3.js';
import { encodeRlp, keccak256, Transaction, toBeHex, Wallet } from 'ethers';
import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { verifyEvm } from '../../src/proofs/evm.ts';
import { proveEvm } from '../../src/proofs/evm-block.ts';
import { seed } from '../setup/seed.ts';

const hex = (length: number, byte: string) => `0x${byte.repeat(length)}`;
const bytes = (min: number, max = min) =>
  fc.uint8Array({ minLength: min, maxLength: max }).map((found) => `0x${Buffer.from(found).toString('hex')}`);
const quantity = (value: bigint | number) => `0x${value.toString(16)}`;

const accessList = fc.array(fc.record({ address: bytes(20), storageKeys: fc.array(bytes(32), { maxLength: 3 }) }), {
  maxLength: 2,
});
const sent = fc.record({
  key: bytes(32).filter((key) => !/^0x(0+|f{16}.*)$/.test(key)),
  type: fc.constantFrom(0, 1, 2),
  /** Before EIP-155 a transaction of type 0 held none. */
  isOld: fc.boolean(),
  /** Before Homestead a signature could have either of its two forms. */
  isHigh: fc.boolean(),
  to: bytes(20),
  value: fc.bigInt(1n, 2n ** 96n),
  nonce: fc.integer({ min: 0, max: 2 ** 40 }),
  gasLimit: fc.bigInt(0n, 2n ** 40n),
  price: fc.bigInt(0n, 2n ** 60n),
  data: bytes(0, 80),
  accessList,
});

/** The root of a trie of one value, at index 0. */
const rootOf = (value: string) => keccak256(encodeRlp(['0x2080', value]));

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** The other signature of the same key over the same bytes, which blocks before Homestead hold too: `s` in the upper half. */
function withHighS(transaction: Transaction): Signed {
  const { nonce, gasPrice, gasLimit, to, value, data, signature } = transaction;
  const v = 27 + (1 - signature!.yParity);
  const s = quantity(ORDER - BigInt(signature!.s));
  const numbers = [nonce, gasPrice!, gasLimit, value].map((one) => (BigInt(one) === 0n ? '0x' : toBeHex(one)));
  const serialized = encodeRlp([...numbers.slice(0, 3), to!, numbers[3]!, data, toBeHex(v), toBeHex(signature!.r), s]);
  return { serialized, hash: keccak256(serialized), v, s };
}

interface Signed {
  serialized: string;
  hash: string;
  v: number;
  s: string;
}

function asSigned({ type, chainId, signature, serialized, hash }: Transaction): Signed {
  const v = signature!.yParity + (type !== 0 ? 0 : chainId === 0n ? 27 : 37);
  return { serialized, hash: hash!, v, s: signature!.s };
}

/** A block of one transaction, as a node states it. */
function blockOf(transaction: Transaction, { serialized, hash, v, s }: Signed) {
  const { type, signature } = transaction;
  const typed = type === 0 ? {} : { chainId: '0x1', accessList: transaction.accessList };
  const prices =
    type === 2
      ? {
          maxFeePerGas: quantity(transaction.maxFeePerGas!),
          maxPriorityFeePerGas: quantity(transaction.maxPriorityFeePerGas!),
        }
      : { gasPrice: quantity(transaction.gasPrice!) };
  const stated = {
    hash,
    type: quantity(type!),
    nonce: quantity(transaction.nonce),
    gas: quantity(transaction.gasLimit),
    to: transaction.to,
    value: quantity(transaction.value),
    input: transaction.data,
    v: quantity(v),
    r: signature!.r,
    s,
    ...typed,
    ...prices,
  };
  const receipt = {
    type: stated.type,
    status: '0x1',
    cumulativeGasUsed: '0x5208',
    logsBloom: hex(256, '00'),
    logs: [],
  };
  const written = encodeRlp(['0x01', '0x5208', receipt.logsBloom, []]);
  const roots = {
    transactionsRoot: rootOf(serialized),
    receiptsRoot: rootOf(type === 0 ? written : `0x0${type}${written.slice(2)}`),
  };
  const fields = {
    ...{
      parentHash: hex(32, '11'),
      sha3Uncles: hex(32, '22'),
      miner: hex(20, '33'),
      stateRoot: hex(32, '44'),
      ...roots,
    },
    ...{ logsBloom: hex(256, '00'), difficulty: '0x', number: '0x07', gasLimit: '0x5208', gasUsed: '0x5208' },
    ...{ timestamp: '0x65', extraData: '0x', mixHash: hex(32, '55'), nonce: hex(8, '00') },
  };
  return { block: { ...fields, hash: keccak256(encodeRlp(Object.values(fields))), transactions: [stated] }, receipt };
}

it('writes and reads signed transactions of types 0 to 2 as ethers does, with the address that signed them, by either signature', async () => {
  await fc.assert(
    fc.asyncProperty(sent, async ({ key, type, isOld, isHigh, price, accessList, ...more }) => {
      const wallet = new Wallet(key);
      const transaction = Transaction.from({
        ...more,
        type,
        ...(type === 0 && isOld ? {} : { chainId: 1 }),
        ...(type === 0 ? {} : { accessList }),
        ...(type === 2 ? { maxFeePerGas: price, maxPriorityFeePerGas: price } : { gasPrice: price }),
      });
      transaction.signature = wallet.signingKey.sign(transaction.unsignedHash);
      const signed = type === 0 && isOld && isHigh ? withHighS(transaction) : asSigned(transaction);
      const { block, receipt } = blockOf(transaction, signed);
      const { hash } = signed;
      const { block_hash, height, data } = await proveEvm(block, [receipt], { hash, rawOf: async () => null });
      const proof = { version: 1, kind: 'tries', chain: 'ethereum', tx_hash: hash, block_hash, height, data };
      expect(verifyEvm(proof as unknown as Parameters<typeof verifyEvm>[0])).toEqual([
        { from: wallet.address.toLowerCase(), to: more.to, amount_raw: String(more.value), token: null },
      ]);
    }),
    { seed, numRuns: 60 },
  );
});

it('refuses a header of many fields before it reads them, and keeps none of what it refuses', () => {
  const listOfEmpty = (count: number) => `${encodeRlp(Array(count).fill('0x')).slice(2)}`;
  const refused = (header: string) => {
    const data = { header, index: 0, transaction: {}, receipt: {} };
    const block_hash = keccak256(`0x${header}`);
    const proof = { version: 1, kind: 'tries', chain: 'ethereum', tx_hash: hex(32, '00'), block_hash, height: 0, data };
    return () => verifyEvm(proof as unknown as Parameters<typeof verifyEvm>[0]);
  };
  const digest = vi.spyOn(Object.getPrototypeOf(keccak_256.create()) as { digest: () => Uint8Array }, 'digest');
  const million = `fa0f4240${'80'.repeat(1_000_000)}`;
  expect(refused(million)).toThrow('malformed');
  expect(digest).not.toHaveBeenCalled();
  digest.mockRestore();
  const nested = encodeRlp([...Array(15).fill('0x'), Array(1_000).fill('0x')]).slice(2);
  for (const header of [listOfEmpty(65), nested]) {
    // What was kept would be read as one that is known.
    for (let n = 0; n < 2; n++) expect(refused(header)).toThrow('malformed');
  }
});
