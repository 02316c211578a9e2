import { sha256 } from '@noble/hashes/sha2.js';
import { expect, it } from 'vitest';
import { proveTron, type TronHeader, type TronProof, type TronStated } from '../../src/proofs/tron.ts';
import { faultOf, shownBy } from '../../src/proofs/verify.ts';

const digest = (...parts: Uint8Array[]) => Buffer.from(sha256(Buffer.concat(parts)));

/** A block of the public chain, as a full node states it. */
const RECORDED = {
  blockId: '000000000203c375c7521ef953106e9a112e1902664a91becc5f40371a7397d7',
  header: {
    number: 33801077,
    txTrieRoot: '30fe6502e11e110fa389d5c17e1cf53fa8df93f26297d9f27cd8c07d3558d722',
    witness_address: '41e71c365c9dbf284ca8c1eed2d7877638941b9011',
    parentHash: '000000000203c3741f9a08f594934bd26df95cc6c49b475d118e3a87aed5a4a4',
    version: 27,
    timestamp: 1684509309000,
  },
  transactions: [
    {
      ret: [{ contractRet: 'SUCCESS' }],
      signature: [
        '95874b4774ba56125dfd7bf2a99a0652d4abda98c6977e3f417852b7ea6f2b81ff2f260df473d186be9586b6bbeb74b5382d7f058593fd72fb60da5d0f77f77100',
      ],
      txID: '31370141e3345421bdb92eff72f0d69aba8d04e636317ed52745d3f97e9faabb',
      raw_data_hex:
        '0a02c36222084ddf60f936a910d940f0add4a483315a8e01081f1289010a31747970652e676f6f676c65617069732e636f6d2f70726f746f636f6c2e54726967676572536d617274436f6e747261637412540a1541fcf7ab2a2fb29362babd41647a22b223f7fbedec121541c3c5115bd3f5cfe5559c634eeb250f339ae3e29c222437383d0e00000000000000000000000000000000000000000000000000000188349354c970b8e0d0a48331900180a3c347',
    },
  ],
};

type Block = { blockId: string; header: TronHeader; transactions: TronStated[] };

function proofIn({ blockId, header, transactions }: Block, hash: string): TronProof | string {
  const built = proveTron(header, transactions, { hash, blockId });
  if (typeof built === 'string') return built;
  const bare = { chain: 'tron', tx_hash: hash, block_hash: blockId, kind: 'transaction_tree' as const, ...built };
  const proof: TronProof = { ...bare, proves: [], not_proved: [] };
  return { ...proof, ...shownBy(proof) };
}

const field = (number: number, bytes: Uint8Array) => Buffer.concat([Buffer.of(number * 8 + 2, bytes.length), bytes]);
const account = (byte: number) => Buffer.concat([Buffer.of(0x41), Buffer.alloc(20, byte)]);

/** A block of transfers of one to `count` sun, the second of which failed. */
function ownBlock(count: number): Block {
  const transactions = Array.from({ length: count }, (_, i): TronStated => {
    const value = Buffer.concat([field(1, account(7)), field(2, account(9)), Buffer.of(3 * 8, i + 1)]);
    const contract = Buffer.concat([
      Buffer.of(8, 1),
      field(2, Buffer.concat([field(1, Buffer.from('t')), field(2, value)])),
    ]);
    const raw = field(11, contract);
    const contractRet = i === 1 ? 'OUT_OF_ENERGY' : 'SUCCESS';
    return {
      ...{ txID: digest(raw).toString('hex'), raw_data_hex: raw.toString('hex') },
      ...{ signature: [Buffer.alloc(65, i).toString('hex')], ret: [{ contractRet }] },
    };
  });
  let level = transactions.map(({ raw_data_hex, signature: [signature = ''] }, i) =>
    digest(
      field(1, Buffer.from(raw_data_hex, 'hex')),
      field(2, Buffer.from(signature, 'hex')),
      field(5, Buffer.of(3 * 8, i === 1 ? 10 : 1)),
    ),
  );
  while (level.length > 1)
    level = Array.from({ length: Math.ceil(level.length / 2) }, (_, i) => {
      const pair = level.slice(2 * i, 2 * i + 2);
      return pair.length === 2 ? digest(...pair) : pair[0]!;
    });
  const root = level[0]!;
  const parts = [
    Buffer.of(8, 5),
    field(2, root),
    field(3, Buffer.alloc(32, 1)),
    Buffer.of(7 * 8, 99),
    field(9, account(3)),
  ];
  const id = `${(99).toString(16).padStart(16, '0')}${digest(...parts)
    .toString('hex')
    .slice(16)}`;
  const header = { timestamp: 5, txTrieRoot: root.toString('hex'), parentHash: '01'.repeat(32), number: 99 };
  return { blockId: id, header: { ...header, witness_address: account(3).toString('hex') }, transactions };
}

it('a block of the public chain proves its transaction', () => {
  const proof = proofIn(RECORDED, RECORDED.transactions[0]!.txID) as TronProof;
  expect(faultOf(proof)).toBeNull();
  // A call of a contract: what its tokens logged stands in no header.
  expect(proof).toMatchObject({ proves: [], not_proved: ['internal_call', 'token_events', 'price', 'label'] });
});

it.each([1, 2, 3, 5, 8, 13])(
  'each of %d transactions is proved at its place, and no bit of its proof may differ',
  (count) => {
    const block = ownBlock(count);
    for (const [place, { txID }] of block.transactions.entries()) {
      const proof = proofIn(block, txID) as TronProof;
      expect(faultOf(proof)).toBeNull();
      expect(proof.proves.map(({ amount_raw }) => amount_raw)).toEqual(place === 1 ? [] : [String(place + 1)]);
      const { data } = proof;
      for (const changed of [
        ...(['header', 'transaction'] as const).flatMap((name) =>
          [0, 0.3, 0.6, 0.99].map((part) => ({ ...data, [name]: flipped(data[name], part) })),
        ),
        ...data.branch.map((one, i) => ({ ...data, branch: data.branch.with(i, flipped(one, 0.5)) })),
        ...data.branch.map((_, i) => ({ ...data, position: data.position ^ (1 << i) })),
        { ...data, branch: data.branch.slice(1) },
      ]) {
        if (JSON.stringify(changed) !== JSON.stringify(data))
          expect(faultOf({ ...proof, data: changed })).not.toBeNull();
      }
    }
  },
);

it('a node whose words do not lead to the block proves nothing', () => {
  const block = ownBlock(3);
  const hash = block.transactions[0]!.txID;
  const [first, ...others] = block.transactions as [TronStated, ...TronStated[]];
  const outcome = (contractRet: string) => ({
    ...block,
    transactions: [{ ...first, ret: [{ contractRet }] }, ...others],
  });
  expect(proofIn({ ...block, header: { ...block.header, timestamp: 6 } }, hash)).toBe('other_header_form');
  expect(proofIn(outcome('REVERT'), hash)).toBe('other_roots');
  expect(proofIn(outcome('NEW_OUTCOME'), hash)).toBe('other_transaction_form');
  expect(proofIn(block, '0'.repeat(64))).toBe('not_in_block');
});

function flipped(hex: string, part: number): string {
  const at = Math.floor(part * hex.length);
  return hex.slice(0, at) + (Number.parseInt(hex[at]!, 16) ^ 1).toString(16) + hex.slice(at + 1);
}

it('a transaction that repeats one field a million times is refused as any other', () => {
  const { blockId, header, transactions } = RECORDED;
  const proof = proofIn({ blockId, header, transactions }, transactions[0]!.txID) as TronProof;
  const repeated = `${proof.data.transaction}${'3801'.repeat(1_000_000)}`;
  const given = { ...proof, data: { ...proof.data, transaction: repeated } };
  let thrown: unknown;
  try {
    shownBy(given);
  } catch (error) {
    thrown = error;
  }
  // Shows what was thrown, and where, if it is another error.
  expect((thrown as Error).stack).toContain('The proof does not hold: not_in_block');
  expect(faultOf(given)).toBe('not_in_block');
});
