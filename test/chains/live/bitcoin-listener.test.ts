import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bech32, bech32m } from '@scure/base';
import { Block, Transaction } from 'bitcoinjs-lib';
import { expect, it, onTestFinished } from 'vitest';
import { openBitcoinListener } from '../../../src/chains/live/bitcoin-listener.ts';
import { BitcoinMempool } from '../../../src/chains/live/bitcoin-mempool.ts';
import type { Heard, Listener } from '../../../src/chains/live/port.ts';
import { scriptAddress } from '../../../src/domain/address/script-address.ts';
import { SourceError } from '../../../src/errors.ts';
import { answerPage, PAGE_STATUSES, type PageStatus } from './page-instead.ts';
import { startSocketServer } from './socket-server.ts';

const GENESIS = '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f';
const program = (fill: number, size = 20) => Buffer.alloc(size, fill);
const segwit = (fill: number) => bech32.encode('bc', [0, ...bech32.toWords(program(fill))]);
const taproot = (fill: number) => bech32m.encode('bc', [1, ...bech32.toWords(program(fill, 32))]);
const [ME, YOU, OTHER] = [segwit(1), taproot(2), segwit(3)];
const BARE = Buffer.from('51', 'hex');
const scripts: Record<string, Buffer> = {
  [ME]: Buffer.concat([Buffer.from([0, 20]), program(1)]),
  [YOU]: Buffer.concat([Buffer.from([0x51, 32]), program(2, 32)]),
  [OTHER]: Buffer.concat([Buffer.from([0, 20]), program(3)]),
  [scriptAddress(BARE.toString('hex'))]: BARE,
};

/** A transaction that spends outputs of others and pays addresses. */
function pay(spent: [txid: string, output: number][], ...to: string[]): Transaction {
  const transaction = new Transaction();
  for (const [txid, output] of spent) transaction.addInput(Buffer.from(txid, 'hex').reverse(), output);
  for (const [place, address] of to.entries()) transaction.addOutput(scripts[address]!, BigInt(1_000 + place));
  return transaction;
}

function blockOf(salt: number, transactions: Transaction[]): Block {
  const block = new Block();
  block.version = 2;
  block.prevHash = Buffer.alloc(32);
  block.timestamp = 1_700_000_000;
  block.bits = 0x1d00ffff;
  block.nonce = salt;
  // The first one is the coinbase.
  block.transactions = [pay([['00'.repeat(32), 0xffffffff]], OTHER), ...transactions];
  block.merkleRoot = Block.calculateMerkleRoot(block.transactions);
  return block;
}

/** Esplora over a chain that a test writes; heights begin at 100. */
async function startEsplora(mempoolUrl?: string) {
  const chain = [blockOf(0, [])];
  const unspent: Record<string, { txid: string; vout: number }[]> = {};
  const counts: Record<string, number> = {};
  const door = {
    fault: null as 'cut' | 'other' | 'huge' | 'lie' | 'no blocks' | PageStatus | null,
    asked: [] as string[],
    refused: '',
    missing: '',
  };
  const tip = () => 99 + chain.length;
  const server = createServer((request, response) => {
    const path = String(request.url);
    door.asked.push(path);
    if (door.fault === 'cut') return void request.socket.destroy();
    if (typeof door.fault === 'number') return answerPage(response, door.fault);
    const [, first, second, third] = path.split('/');
    const answer = (text: string | Buffer) => void response.end(text);
    if (path === '/block-height/0') return answer(door.fault === 'other' ? 'f'.repeat(64) : GENESIS);
    if (path === '/blocks/tip/height') return answer(String(tip()));
    if (path === '/blocks/tip/hash') return answer(chain.at(-1)!.getId());
    if (first === 'block-height') {
      const block = chain[Number(second) - 100];
      return block ? answer(block.getId()) : void response.writeHead(404).end();
    }
    const block = chain.find((one) => one.getId() === second);
    if (first === 'block' && third === 'raw') {
      if (door.fault === 'no blocks' || door.missing === second) return void response.writeHead(404).end('Not found');
      if (door.fault === 'huge') return answer(Buffer.alloc(16 * 1024 * 1024));
      return answer(Buffer.from((door.fault === 'lie' ? chain[0]! : block!).toBuffer()));
    }
    if (first === 'block') return answer(JSON.stringify({ height: tip(), timestamp: 1_700_000_000 }));
    if (second === door.refused) return void response.writeHead(404).end('no such thing');
    const outputs = unspent[second!] ?? [];
    if (third === 'utxo') return answer(JSON.stringify(outputs));
    const none = { tx_count: 0 };
    answer(JSON.stringify({ chain_stats: { tx_count: counts[second!] ?? outputs.length }, mempool_stats: none }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const listener = openBitcoinListener({ endpoint: { chain: 'bitcoin', name: 'live', baseUrl: url }, mempoolUrl });
  onTestFinished(() => listener.close());
  return { chain, unspent, counts, door, listener };
}

const ADDRESSES = [ME, YOU, scriptAddress(BARE.toString('hex'))];
/** A step after others, with what these left. */
async function stepOn(listener: Listener, before: Heard | null, marks: Map<string, string | null>) {
  const heard = await listener.step({
    watched: marks,
    place: before?.place ?? null,
    signal: new AbortController().signal,
  });
  for (const [address, mark] of heard.marks) marks.set(address, mark);
  return heard;
}
const unmarked = () => new Map<string, string | null>(ADDRESSES.map((address) => [address, null]));
const named = ({ touches }: Heard) => touches.map(({ address, txHash }) => [address, txHash]);

it('hears what is paid to an address of any kind, and what spends its outputs', async () => {
  const { chain, unspent, listener } = await startEsplora();
  unspent[ME] = [{ txid: 'ab'.repeat(32), vout: 1 }];
  const marks = unmarked();
  const first = await stepOn(listener, null, marks);
  expect(first).toMatchObject({ touches: [], lastBlock: 100, head: 100 });
  const spending = pay([['ab'.repeat(32), 1]], OTHER);
  const paying = pay([['cd'.repeat(32), 0]], OTHER, YOU);
  const burning = pay([['cd'.repeat(32), 1]], ADDRESSES[2]!);
  const foreign = pay([['cd'.repeat(32), 2]], OTHER);
  chain.push(blockOf(1, [spending, paying, burning, foreign]));
  const second = await stepOn(listener, first, marks);
  expect(named(second)).toEqual([
    [ME, spending.getId()],
    [YOU, paying.getId()],
    [ADDRESSES[2], burning.getId()],
  ]);
  // An output of a block that was heard, spent in a later one.
  const onward = pay([[paying.getId(), 1]], OTHER);
  chain.push(blockOf(2, [onward]));
  const third = await stepOn(listener, second, marks);
  expect(named(third)).toEqual([[YOU, onward.getId()]]);
  expect(named(await stepOn(listener, third, marks))).toEqual([]);
});

it('names each address once in a block that floods one, and hears the next block', async () => {
  const { chain, listener } = await startEsplora();
  const marks = unmarked();
  const first = await stepOn(listener, null, marks);
  const flood = Array.from({ length: 1_001 }, (_, n) => pay([['cd'.repeat(32), n]], ME));
  chain.push(blockOf(1, [...flood, pay([['cd'.repeat(32), 2_000]], YOU)]));
  const second = await stepOn(listener, first, marks);
  expect(second.touches).toEqual([ME, YOU].map((address) => ({ address, txHash: null, block: 101 })));
  const paying = pay([['ef'.repeat(32), 0]], ME);
  chain.push(blockOf(2, [paying]));
  expect(named(await stepOn(listener, second, marks))).toEqual([[ME, paying.getId()]]);
});

it('goes on where it was after a cut, and catches up block by block', async () => {
  const { chain, door, listener } = await startEsplora();
  const marks = unmarked();
  const first = await stepOn(listener, null, marks);
  door.fault = 'cut';
  await expect(stepOn(listener, first, marks)).rejects.toMatchObject({ problem: 'no_answer' });
  const paid = Array.from({ length: 5 }, (_, n) => pay([['cd'.repeat(32), n]], ME));
  for (const [n, transaction] of paid.entries()) chain.push(blockOf(n + 1, [transaction]));
  door.fault = null;
  const second = await stepOn(listener, first, marks);
  expect([second.lastBlock, second.head]).toEqual([103, 105]);
  const third = await stepOn(listener, second, marks);
  expect([...named(second), ...named(third)]).toEqual(paid.map((transaction) => [ME, transaction.getId()]));
});

it.each(PAGE_STATUSES)('hears once what came while the source answered a page with %i', async (status) => {
  const { chain, door, listener } = await startEsplora();
  const marks = unmarked();
  const first = await stepOn(listener, null, marks);
  const paid = pay([['cd'.repeat(32), 0]], ME);
  chain.push(blockOf(1, [paid]));
  door.fault = status;
  await expect(stepOn(listener, first, marks)).rejects.toBeInstanceOf(SourceError);
  door.fault = null;
  const second = await stepOn(listener, first, marks);
  expect(named(second)).toEqual([[ME, paid.getId()]]);
  expect(named(await stepOn(listener, second, marks))).toEqual([]);
});

it('is not held by an address whose outputs are refused, and looks at it once they are known', async () => {
  const { chain, unspent, door, listener } = await startEsplora();
  const marks = unmarked();
  unspent[YOU] = [{ txid: 'ab'.repeat(32), vout: 1 }];
  door.refused = ME;
  let heard = await stepOn(listener, null, marks);
  const paying = pay([['cd'.repeat(32), 0]], ME);
  const spending = pay([['ab'.repeat(32), 1]], OTHER);
  chain.push(blockOf(1, [paying, spending]));
  heard = await stepOn(listener, heard, marks);
  expect(named(heard)).toEqual([
    [ME, paying.getId()],
    [YOU, spending.getId()],
  ]);
  door.refused = '';
  const again = await stepOn(listener, heard, marks);
  expect(named(again)).toEqual([[ME, null]]);
  expect(named(await stepOn(listener, again, marks))).toEqual([]);
  const onward = pay([[paying.getId(), 0]], OTHER);
  chain.push(blockOf(2, [onward]));
  expect(named(await stepOn(listener, again, marks))).toEqual([[ME, onward.getId()]]);
});

it('looks at addresses whose outputs are others where the source gives no block whole', async () => {
  const { chain, unspent, door, listener } = await startEsplora();
  door.fault = 'no blocks';
  const marks = unmarked();
  unspent[ME] = [{ txid: 'ab'.repeat(32), vout: 1 }];
  let heard = await stepOn(listener, null, marks);
  const blocks = (...salts: number[]) => chain.push(...salts.map((salt) => blockOf(salt, [])));
  blocks(1, 2, 3, 4, 5);
  heard = await stepOn(listener, heard, marks);
  expect([named(heard), heard.lastBlock, heard.head]).toEqual([[], 100, 100]);
  heard = await stepOn(listener, heard, marks);
  expect([named(heard), heard.lastBlock, heard.head]).toEqual([[], 105, 105]);
  unspent[YOU] = [{ txid: 'cd'.repeat(32), vout: 0 }];
  unspent[ME] = [];
  expect(named(await stepOn(listener, heard, marks))).toEqual([]);
  blocks(6);
  heard = await stepOn(listener, await stepOn(listener, heard, marks), marks);
  expect(named(heard).sort()).toEqual(
    [
      [ME, null],
      [YOU, null],
    ].sort(),
  );
  blocks(7);
  heard = await stepOn(listener, await stepOn(listener, heard, marks), marks);
  expect(named(heard)).toEqual([]);
});

it('hears whole a block that a server behind lacked at first, and asks no address how it stands', async () => {
  const { chain, door, listener } = await startEsplora();
  const marks = unmarked();
  let heard = await stepOn(listener, null, marks);
  const paying = pay([['cd'.repeat(32), 0]], ME);
  chain.push(blockOf(1, [paying]));
  door.missing = chain[1]!.getId();
  const asked = () => door.asked.filter((path) => /^\/(?:address|scripthash)/.test(path)).length;
  const before = asked();
  heard = await stepOn(listener, heard, marks);
  expect([named(heard), heard.lastBlock, heard.head]).toEqual([[], 100, 100]);
  door.missing = '';
  heard = await stepOn(listener, heard, marks);
  expect([named(heard), heard.lastBlock]).toEqual([[[ME, paying.getId()]], 101]);
  expect(asked()).toBe(before);
});

it('passes one block that the source never gives, and hears the next ones whole', async () => {
  const { chain, door, listener } = await startEsplora();
  const marks = unmarked();
  let heard = await stepOn(listener, null, marks);
  chain.push(blockOf(1, []));
  door.missing = chain[1]!.getId();
  for (let n = 0; n < 2; n++) heard = await stepOn(listener, heard, marks);
  expect(heard.lastBlock).toBe(101);
  const paying = pay([['cd'.repeat(32), 0]], ME);
  chain.push(blockOf(2, [paying]));
  expect(named(await stepOn(listener, heard, marks))).toEqual([[ME, paying.getId()]]);
});

it('where the source gives no blocks, looks at what was received and spent at once, and asks for blocks again after some', async () => {
  const { chain, counts, door, listener } = await startEsplora();
  const marks = unmarked();
  let heard = await stepOn(listener, null, marks);
  door.fault = 'no blocks';
  let salt = 0;
  const onward = async (steps: number) => {
    chain.push(blockOf(++salt, []));
    for (let n = 0; n < steps; n++) heard = await stepOn(listener, heard, marks);
  };
  for (let n = 0; n < 3; n++) await onward(2);
  counts[ME] = 1;
  const raw = () => door.asked.filter((path) => path.endsWith('/raw')).length;
  const before = raw();
  await onward(1);
  expect([named(heard), heard.lastBlock]).toEqual([[[ME, null]], 104]);
  for (let n = 0; n < 5; n++) await onward(1);
  expect([named(heard), raw()]).toEqual([[], before + 1]);
  door.fault = null;
  for (let n = 0; n < 5; n++) await onward(1);
  const paying = pay([['cd'.repeat(32), 0]], ME);
  chain.push(blockOf(++salt, [paying]));
  expect(named(await stepOn(listener, heard, marks))).toEqual([[ME, paying.getId()]]);
});

it('asks how some addresses stand a step, and hears blocks meanwhile', async () => {
  const { chain, door, listener } = await startEsplora();
  const many = Array.from({ length: 60 }, (_, n) => bech32.encode('bc', [0, ...bech32.toWords(program(100 + n))]));
  const marks = new Map<string, string | null>([...many, ME].map((address) => [address, null]));
  const asked = () => door.asked.filter((path) => /^\/address\/[^/]+$/.test(path)).length;
  const first = await stepOn(listener, null, marks);
  expect([first.hasMore, asked()]).toEqual([true, 50]);
  const paying = pay([['cd'.repeat(32), 0]], ME);
  chain.push(blockOf(1, [paying]));
  const second = await stepOn(listener, first, marks);
  expect([second.hasMore, asked()]).toEqual([false, 61]);
  expect(named(second)).toEqual([[ME, paying.getId()]]);
  await stepOn(listener, second, marks);
  expect(asked()).toBe(61);
});

it('says where the chain was reorganised, and hears what came in its place', async () => {
  const { chain, listener } = await startEsplora();
  const marks = unmarked();
  let heard = await stepOn(listener, null, marks);
  chain.push(blockOf(1, []), blockOf(2, [pay([['cd'.repeat(32), 0]], ME)]));
  heard = await stepOn(listener, heard, marks);
  expect(heard.touches).toHaveLength(1);
  chain.pop();
  const other = pay([['cd'.repeat(32), 0]], YOU);
  chain.push(blockOf(3, [other]), blockOf(4, []));
  heard = await stepOn(listener, heard, marks);
  expect(heard).toMatchObject({ reorganisedFrom: 102, lastBlock: 103 });
  expect(named(heard)).toEqual([[YOU, other.getId()]]);
});

it('hears what is in no block yet where a mempool is configured, and what it says of no known form harms nothing', async () => {
  const tracked: unknown[] = [];
  const socket = await startSocketServer((_, message) => tracked.push(message['track-addresses']));
  const { chain, listener } = await startEsplora(socket.url);
  const marks = unmarked();
  let heard = await stepOn(listener, null, marks);
  const until = async (condition: () => boolean) => {
    while (!condition()) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      heard = await stepOn(listener, heard, marks);
    }
  };
  await until(() => tracked.length > 0);
  expect(tracked).toEqual([[ME, YOU]]);
  const paying = pay([['cd'.repeat(32), 0]], ME);
  for (const message of [null, [], { 'multi-address-transactions': { [ME]: { mempool: [null, { txid: 1 }] } } }]) {
    socket.broadcast(message as object);
  }
  const listed = { mempool: [{ txid: paying.getId() }], confirmed: [], removed: [] };
  socket.broadcast({ 'multi-address-transactions': { [ME]: listed, [OTHER]: listed } });
  await until(() => heard.touches.length > 0);
  expect(heard.touches).toEqual([{ address: ME, txHash: paying.getId(), block: null }]);
  socket.cut();
  chain.push(blockOf(1, [paying]));
  expect((await stepOn(listener, heard, marks)).touches).toEqual([{ address: ME, txHash: paying.getId(), block: 101 }]);
});

it('ends a connection to a mempool that answers not even a ping', async () => {
  const socket = await startSocketServer(() => {}, { answersPings: false });
  const mempool = new BitcoinMempool(socket.url, 20);
  onTestFinished(() => mempool.close());
  const until = async (connections: number) => {
    while (socket.connections() !== connections) {
      mempool.hear(new Map([[ME, null]]));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  await until(1);
  await until(0);
});

it('keeps a connection to a mempool that answers, however late the next step', async () => {
  const socket = await startSocketServer(() => {});
  const mempool = new BitcoinMempool(socket.url, 20);
  onTestFinished(() => mempool.close());
  while (socket.pings() === 0) {
    mempool.hear(new Map([[ME, null]]));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const answered = socket.pings();
  await new Promise((resolve) => setTimeout(resolve, 100));
  mempool.hear(new Map([[ME, null]]));
  await expect.poll(() => socket.pings()).toBe(answered + 1);
  expect(socket.connections()).toBe(1);
});

it('knows what was reorganised where the node was behind meanwhile', async () => {
  const { chain, listener } = await startEsplora();
  const marks = unmarked();
  let heard = await stepOn(listener, null, marks);
  for (let n = 1; n <= 3; n++) chain.push(blockOf(n, [pay([['cd'.repeat(32), n]], ME)]));
  heard = await stepOn(listener, heard, marks);
  expect(heard.touches).toHaveLength(3);
  chain.splice(2, 2);
  heard = await stepOn(listener, heard, marks);
  expect(heard).toMatchObject({ touches: [], reorganisedFrom: null, head: 101 });
  chain.push(blockOf(7, []), blockOf(8, []));
  expect(await stepOn(listener, heard, marks)).toMatchObject({ touches: [], reorganisedFrom: 102, lastBlock: 103 });
});

it('refuses another network, a block that is not the one asked for, and one that is too large', async () => {
  const { chain, door, listener } = await startEsplora();
  const marks = unmarked();
  door.fault = 'other';
  await expect(stepOn(listener, null, marks)).rejects.toMatchObject({ problem: 'other_network' });
  door.fault = null;
  const first = await stepOn(listener, null, marks);
  chain.push(blockOf(1, []));
  for (const fault of ['lie', 'huge'] as const) {
    door.fault = fault;
    await expect(stepOn(listener, first, marks)).rejects.toMatchObject({ problem: 'unusable_answer' });
  }
});
