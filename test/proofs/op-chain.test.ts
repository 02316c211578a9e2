import { expect, it } from 'vitest';
import { proveEvm, UnprovableError } from '../../src/proofs/evm-block.ts';
import { type AnyProof, faultOf, shownBy } from '../../src/proofs/verify.ts';

/*
 * Block 35,535,698 of Unichain Sepolia, a chain of the OP stack (id 1301), with all of its transactions and receipts, as
 * its node stated them. The record stands in the tests of reth (MIT or Apache-2.0).
 */
/** Its hex digits that are not zero, by place; all receipts with a log have the same. */
const SET: Record<number, string> = { 118: '2', 127: '1', 271: '4', 387: '4', 439: '4', 441: '4' };
const BLOOM = `0x${Array.from({ length: 512 }, (_, at) => SET[at] ?? '0').join('')}`;
const NO_BLOOM = `0x${'00'.repeat(256)}`;
const SENDER = '0xc0043c50ba044a5f948d32faed806913d781d428';
const COUNTER = '0xf878f0340bf132c28f3211e8b46c569edf817495';
const COUNTED = '0xfaddd0b06e793a583e92393ad3f98637e560462ee98db1f2888f141124ee64ca';

const HEADER = {
  hash: '0xc463a3120c35268f610d969f5608b479332ef10953af77c7a6be806195831196',
  parentHash: '0x06ff95a9cd23b0328da74a984aa986b2e01d377dab1825f1029e39ece6c4a3ea',
  sha3Uncles: '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347',
  miner: '0x4200000000000000000000000000000000000011',
  stateRoot: '0x5615e4342d231c352438f0ba6a8f0f641459f67961961764b781a909969b28ad',
  transactionsRoot: '0x3dc5956bbd482687508f25d0e057282192067bb0eb80b2ac869320ef7f45cdeb',
  receiptsRoot: '0x588e1d47b0618d7e935b20c3945cba3b7b8c00141904f79ceed20312ea502e63',
  difficulty: '0x0',
  number: '0x21e3b52',
  gasLimit: '0x3938700',
  gasUsed: '0x32138',
  timestamp: '0x690be89e',
  extraData: '0x00000000320000000c',
  mixHash: '0x8beee738d20a9d77c5f27e9cb799ebe5b536f0985efad5f7d77ebff47f092c4a',
  nonce: '0x0000000000000000',
  baseFeePerGas: '0x33',
  withdrawalsRoot: '0x62ed62e0391b081bf172f287fbbe75e87d8a6c22f1d3b1f1aef4788c134633d2',
  blobGasUsed: '0x0',
  excessBlobGas: '0x0',
  parentBeaconBlockRoot: '0xf6d335a6b2b4fd8fb539cd51a49769df4d53c31a90c54dd270e54542638ff101',
  requestsHash: '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
};

/** What the chain itself puts first into each block: the state of the chain below. */
const DEPOSIT = {
  ...{ type: '0x7e', hash: '0x613834aaeeb676fb45e312531c0cac40485a2c1b7b8ad8d648e5034dddfb5f03' },
  ...{ from: '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001', to: '0x4200000000000000000000000000000000000015' },
  ...{ mint: '0x0', value: '0x0', gas: '0xf4240', gasPrice: '0x0', nonce: '0x21e3b52', v: '0x0', r: '0x0', s: '0x0' },
  sourceHash: '0x35dd2ec802504a143048c7830f8f570e0d6cf5147217af869939c6b4ba710a36',
  input:
    '0x098999be000007d0000dbba0000000000000000800000000690be848000000000092042e' +
    '0000000000000000000000000000000000000000000000000000000000000009' +
    '0000000000000000000000000000000000000000000000000000000000000001' +
    '0ffd7e2fb2c36e5f27c015872ce733a7b4f3fc0f4ee668d7469c557c48f8250f' +
    '0000000000000000000000004ab3387810ef500bfe05a49dc53a44c222cbab3e000000000000000000000000',
};

const signed = (nonce: string, yParity: string, hash: string, r: string, s: string, call: object = {}) => ({
  ...{ type: '0x2', chainId: '0x515', from: SENDER, nonce, gas: '0x8809', to: COUNTER, value: '0x0' },
  ...{ input: '0x3fd553e8', maxFeePerGas: '0x33', maxPriorityFeePerGas: '0x0', gasPrice: '0x33', accessList: [] },
  ...{ hash, r, s, v: yParity, yParity, ...call },
});
const TRANSACTIONS = [
  DEPOSIT,
  signed(
    ...(['0x1c8ea91', '0x0', '0x89f7852587dca7dd2f31b02f3a93f47669a82784025d607ec7c336b66af84a19'] as const),
    '0x91f83058c881d9ad71c179ce680326501702eb68150d20b2bf7786e388f954a2',
    '0x180185d83e503f11bf3c265c1f9296ed8d3d7c04031cd8bb30509ad188ce7bbc',
    { gas: '0x5578', to: `0x${'00'.repeat(20)}`, input: '0x426c6f636b204e756d6265723a203335353335363938' },
  ),
  signed(
    ...(['0x1c8ea92', '0x1', '0x8416aa3bb024ea5dce8fc00d21a500df4e782743bdf245589b5aba920324df11'] as const),
    '0xd73ce313aafea312e0b7244767e45f8b05d50305e0f4e4c3c564ddc751666815',
    '0x2ee015ce2363311823c0b2e96bfb0e8090fd53c6cdd99be8cf343af123036dfc',
  ),
  signed(
    ...(['0x1c8ea93', '0x1', '0x9afeb04e8858ec2c17d1f6543fc3c00772ef05a7177733770c186cee02c67112'] as const),
    '0xf8cd94080642e116bc772f36a02d002505227aa542e1c13e5129ab40b8b037fb',
    '0x608318d3895388e39b218bcb275380cebc566e68f26d3d434e32b8b58366cdf',
  ),
  signed(
    ...(['0x1c8ea94', '0x0', '0x68e4cb3cafd045680f66411af5c22bd4f239972551c668fde34fb495a07c06e7'] as const),
    '0x4368492ec1d087703aaf6f5fefe4427b3bf382e5cd07133f638bb6701f15fe61',
    '0x5e28757fbdc7e744118be36d5a1548eb7c009eefcb5dc5c5040e09c2fc6de9d8',
  ),
  signed(
    ...(['0x1c8ea95', '0x0', '0x6d65b11050eee84c3f492106ca95057825d34274b5ca9bcf533885a7ff238d39'] as const),
    '0x802ba6d4f37e3b8de96095bd0b216144f276171d16dc62a004f1a89009af5dee',
    '0xf0c6250cfd1a062a1bc2bc353a5c227a980cac0f233b7be8932f2192342ec4f',
  ),
];

const counted = (cumulativeGasUsed: string, count: string) => ({
  ...{ type: '0x2', status: '0x1', cumulativeGasUsed, logsBloom: BLOOM },
  logs: [{ address: COUNTER, topics: [COUNTED], data: `0x${count.padStart(64, '0')}` }],
});
const RECEIPTS = [
  {
    ...{ type: '0x7e', status: '0x1', cumulativeGasUsed: '0xb41c', logs: [], logsBloom: NO_BLOOM },
    ...{ depositNonce: '0x21e3b52', depositReceiptVersion: '0x1' },
  },
  { type: '0x2', status: '0x1', cumulativeGasUsed: '0x10994', logs: [], logsBloom: NO_BLOOM },
  counted('0x18f7d', '29ac5c'),
  counted('0x21566', '29ac5d'),
  counted('0x29b4f', '29ac5e'),
  counted('0x32138', '29ac5f'),
];
const BLOCK = { ...HEADER, logsBloom: BLOOM, transactions: TRANSACTIONS };

const rawOf = async () => null;
const prove = (hash: string, receipts: readonly Record<string, unknown>[] = RECEIPTS) =>
  proveEvm(BLOCK, receipts, { hash, rawOf });

it("both tries of a recorded block of an OP chain are rebuilt, the chain's own deposit among them", async () => {
  for (const { hash } of TRANSACTIONS) {
    const built = await prove(hash);
    expect([built.block_hash, built.height]).toEqual([HEADER.hash, 35_535_698]);
  }
  // Without the fields that OP chains add to the receipt of a deposit, its trie is another one.
  const { depositNonce: _, ...bare } = RECEIPTS[0] as Record<string, unknown>;
  await expect(prove(DEPOSIT.hash, [bare, ...RECEIPTS.slice(1)])).rejects.toThrow(UnprovableError);
});

it('a deposit of a recorded block of an OP chain is proved, and no bit of it may differ', async () => {
  const bare = { chain: 'optimism', tx_hash: DEPOSIT.hash, kind: 'tries', ...(await prove(DEPOSIT.hash)) };
  const proof = { ...bare, ...shownBy(bare as unknown as AnyProof) } as unknown as Extract<AnyProof, { kind: 'tries' }>;
  expect(faultOf(proof)).toBeNull();
  expect(proof.proves).toEqual([]);
  const { header, transaction, receipt, index } = proof.data;
  const flipped = (hex: string, at: number) =>
    hex.slice(0, at) + (Number.parseInt(hex[at]!, 16) ^ 1).toString(16) + hex.slice(at + 1);
  const refused = (data: object) => expect(faultOf({ ...proof, data: { ...proof.data, ...data } })).not.toBeNull();
  for (let at = 0; at < header.length; at++) refused({ header: flipped(header, at) });
  for (const [name, branch] of Object.entries({ transaction, receipt })) {
    for (let at = 0; at < branch.value.length; at++)
      refused({ [name]: { ...branch, value: flipped(branch.value, at) } });
    for (const [depth, node] of branch.nodes.entries()) {
      for (let at = 0; at < node.length; at++)
        refused({ [name]: { ...branch, nodes: branch.nodes.with(depth, flipped(node, at)) } });
    }
  }
  refused({ index: index + 1 });
});

it('a transaction that was signed for another chain proves nothing of ours, though its block holds it', async () => {
  const { hash } = TRANSACTIONS[2]!;
  const proof = { chain: 'optimism', tx_hash: hash, kind: 'tries', ...(await prove(hash)), proves: [], not_proved: [] };
  expect(faultOf(proof)).toBe('other_chain');
});
