import { encodeRlp, keccak256, toBeHex } from 'ethers';
import { describe, expect, it } from 'vitest';
import { type NodeObject, proveEvm } from '../../src/proofs/evm-block.ts';
import { type AnyProof, faultOf, shownBy } from '../../src/proofs/verify.ts';

const ARB_OS = '0x00000000000000000000000000000000000a4b05';
const rawOf = async () => null;

/** Header of block 86,011,219 of Arbitrum One as its node stated it, on a page of a public provider. */
const HEADER = {
  baseFeePerGas: '0x5f5e100',
  difficulty: '0x1',
  extraData: '0xe31298ca6df96cb00d355ca9554878c19d39292b6a26eb9fc54b5df482851ef7',
  gasLimit: '0x4000000000000',
  gasUsed: '0x229dd8',
  hash: '0xf5524f0cf99ac6bc5905e95294ebed9007e2d978155f3457118eb7a26d97503a',
  l1BlockNumber: '0x105e046',
  miner: '0xa4b000000000000000000073657175656e636572',
  mixHash: '0x0000000000012069000000000105e046000000000000000a0000000000000000',
  nonce: '0x00000000000c7662',
  number: '0x5206d53',
  parentHash: '0xb458d44871af788992e51a89661eb28a6539cf9f33c0e9a30d0aab5f2e50e974',
  receiptsRoot: '0x184ea05480454e4c4fcf6406106a4cb13477af97d45752a126ee84de88695c7c',
  sendCount: '0x12069',
  sendRoot: '0xe31298ca6df96cb00d355ca9554878c19d39292b6a26eb9fc54b5df482851ef7',
  sha3Uncles: '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347',
  stateRoot: '0xea41be04084dc613cfbf8d1fef75d9a097fad2b222373669e42e2aa173175649',
  timestamp: '0x644f0242',
  totalDifficulty: '0x3cd900b',
  transactionsRoot: '0x22ef4159c9394a555af55a3ae5719bf15c1ff296838dd920f1566eeecb15aa1f',
  logsBloom: bloomOf({
    5: '1',
    15: '2',
    20: '1',
    33: '8',
    58: '1',
    64: '1',
    89: '1',
    91: '1',
    115: '1',
    117: '1',
    132: '1',
    148: '1',
    151: '8',
    155: '1',
    156: '2',
    161: '1',
    172: '1',
    176: '8',
    179: '1',
    184: '8',
    225: '2',
    226: '1',
    230: '2',
    236: '4',
    246: '1',
    256: '1',
    283: '8',
    295: '1',
    307: '8',
    318: '1',
    388: '8',
    391: '2',
    396: '4',
    397: '8',
    416: '2',
    419: '8',
    432: '1',
    456: '4',
    472: '8',
    480: '1',
    490: '4',
    492: '1',
    494: '4',
    510: '4',
  }),
};

function bloomOf(digits: Record<number, string>): string {
  return `0x${Array.from({ length: 512 }, (_, at) => digits[at] ?? '0').join('')}`;
}

const word = (value: number) => value.toString(16).padStart(64, '0');
/** What ArbOS itself puts first into each block: the block of the chain below, and its own. */
const internal = (hash: string, [below, own, passed]: [number, number, number]) => ({
  ...{ hash, type: '0x6a', chainId: '0xa4b1', from: ARB_OS, to: ARB_OS, gas: '0x0', gasPrice: '0x0', nonce: '0x0' },
  ...{
    value: '0x0',
    v: '0x0',
    r: '0x0',
    s: '0x0',
    input: `0x6bf6a42d${word(0)}${word(below)}${word(own)}${word(passed)}`,
  },
});
const RECEIPT = { type: '0x6a', status: '0x1', cumulativeGasUsed: '0x0', logs: [], logsBloom: bloomOf({}) };

/** Three transactions that public pages and tests show with their hashes. */
const INTERNAL = [
  internal('0x7144169eeaff9b4b9d0a1948fa6149784710e3f55da837f93201fcfb0a6c2450', [0x10924a4, 0x5bc407a, 1]),
  internal('0x26ae3f2abe865feb7927210b03f5137af48b5f2ee25e748cb411c0f5f9ebb9de', [0x174c876, 0x19adf086, 0]),
  internal('0x431a1c991fe68597f472ddd6e675570b5e1e0825ea90da5195709658e77bfede', [0x12c04c1, 0xc000000, 0]),
];

it('a recorded header and recorded transactions of ArbOS lead to their hashes', async () => {
  for (const one of INTERNAL) {
    const prove = (header: NodeObject, transaction: NodeObject) =>
      proveEvm({ ...header, transactions: [transaction] }, [RECEIPT], { hash: one.hash, rawOf });
    // Neither the header nor the transaction is at fault, but that the block holds others.
    await expect(prove(HEADER, one)).rejects.toMatchObject({ reason: 'other_roots' });
    await expect(prove({ ...HEADER, gasUsed: '0x1' }, one)).rejects.toMatchObject({ reason: 'other_header_form' });
    const other = { ...one, input: `${one.input.slice(0, -1)}2` };
    await expect(prove(HEADER, other)).rejects.toMatchObject({ reason: 'other_transaction_form' });
  }
});

const [FROM, TO, OTHER] = ['11', '22', '33'].map((byte) => `0x${byte.repeat(20)}`) as [string, string, string];
const [ID, TICKET] = [`0x${'44'.repeat(32)}`, `0x${'55'.repeat(32)}`];
const CHAIN = '0xa4b1';
type Fields = Record<string, string>;
/** The fields of each type in the order in which Nitro digests them, by the names of its answers. */
const TYPES: [name: string, type: number, fields: Fields, sends: boolean][] = [
  ['a deposit', 0x64, { chainId: CHAIN, requestId: ID, from: FROM, to: TO, value: '0x2a' }, true],
  [
    'an unsigned message',
    0x65,
    {
      ...{ chainId: CHAIN, from: FROM, nonce: '0x7', maxFeePerGas: '0x5f5e100' },
      ...{ gas: '0x5208', to: TO, value: '0x2a', input: '0x0102' },
    },
    true,
  ],
  [
    'a message of a contract',
    0x66,
    {
      ...{ chainId: CHAIN, requestId: ID, from: FROM, maxFeePerGas: '0x5f5e100' },
      ...{ gas: '0x5208', to: TO, value: '0x2a', input: '0x' },
    },
    true,
  ],
  [
    'a retry',
    0x68,
    {
      ...{ chainId: CHAIN, nonce: '0x0', from: FROM, maxFeePerGas: '0x5f5e100', gas: '0x5208', to: TO, value: '0x2a' },
      ...{ input: '0x', ticketId: TICKET, refundTo: OTHER, maxRefund: '0x9', submissionFeeRefund: '0x0' },
    },
    true,
  ],
  [
    'a ticket',
    0x69,
    {
      ...{ chainId: CHAIN, requestId: ID, from: FROM, l1BaseFee: '0x3b9aca00', depositValue: '0x64' },
      ...{ maxFeePerGas: '0x5f5e100', gas: '0x5208', retryTo: TO, retryValue: '0x2a', beneficiary: OTHER },
      ...{ maxSubmissionFee: '0x10', refundTo: OTHER, retryData: '0x0102' },
    },
    false,
  ],
  ['a transaction of ArbOS', 0x6a, { chainId: CHAIN, input: '0x6bf6a42d' }, false],
];

const item = (value: string) => (value === '0x0' ? '0x' : value.length % 2 === 0 ? value : `0x0${value.slice(2)}`);
/** The root of a trie of one value, at index 0. */
const rootOf = (value: string) => keccak256(encodeRlp(['0x2080', value]));

/** A block that holds this transaction alone, with what its receipt logged. */
function blockOf(type: number, fields: Fields, status: '0x0' | '0x1') {
  const written = `${toBeHex(type)}${encodeRlp(Object.values(fields).map(item)).slice(2)}`;
  const hash = keccak256(written);
  const receipt = { ...RECEIPT, type: toBeHex(type), status, cumulativeGasUsed: '0x5208' };
  const body = encodeRlp([item(status), '0x5208', receipt.logsBloom, []]);
  const header = {
    ...{ parentHash: ID, sha3Uncles: ID, miner: FROM, stateRoot: ID, transactionsRoot: rootOf(written) },
    ...{ receiptsRoot: rootOf(`${receipt.type}${body.slice(2)}`), logsBloom: receipt.logsBloom, difficulty: '0x1' },
    ...{ number: '0x7', gasLimit: '0x4000000000000', gasUsed: '0x5208', timestamp: '0x65', extraData: TICKET },
    ...{ mixHash: TICKET, nonce: '0x00000000000d7b9a', baseFeePerGas: '0x5f5e100' },
  };
  const stated = { ...fields, hash, type: toBeHex(type), r: '0x0', s: '0x0', v: '0x0' };
  const block = { ...header, hash: keccak256(encodeRlp(Object.values(header).map(item))), transactions: [stated] };
  return { hash, prove: () => proveEvm(block, [receipt], { hash, rawOf }) };
}

/** Every value of hex with one of its digits changed, each digit in turn. */
function* changed(data: unknown): Generator<unknown> {
  const text = JSON.stringify(data);
  for (const found of text.matchAll(/"([0-9a-f]+)"/g)) {
    for (let at = found.index + 1; at < found.index + found[0].length - 1; at++) {
      const digit = (Number.parseInt(text[at]!, 16) ^ 1).toString(16);
      yield JSON.parse(text.slice(0, at) + digit + text.slice(at + 1));
    }
  }
}

describe.each(TYPES)('%s in a block that was made with its receipt', (_, type, fields, sends) => {
  it('is proved, with the coin that it sends itself, and no digit of it may differ', async () => {
    const { hash, prove } = blockOf(type, fields, '0x1');
    const bare = { chain: 'arbitrum', tx_hash: hash, kind: 'tries', ...(await prove()), proves: [], not_proved: [] };
    const proof = { ...bare, ...shownBy(bare as unknown as AnyProof) };
    expect(proof.proves).toEqual(sends ? [{ from: FROM, to: TO, amount_raw: '42', token: null }] : []);
    expect(faultOf(proof)).toBeNull();
    for (const data of changed(proof.data)) expect(faultOf({ ...proof, data })).not.toBeNull();
  });

  it('sends nothing where it failed', async () => {
    const { hash, prove } = blockOf(type, fields, '0x0');
    const bare = { chain: 'arbitrum', tx_hash: hash, kind: 'tries', ...(await prove()), proves: [], not_proved: [] };
    expect(shownBy(bare as unknown as AnyProof).proves).toEqual([]);
  });
});
