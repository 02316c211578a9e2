import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { id as keccak, zeroPadValue } from 'ethers';
import { expect, it, onTestFinished } from 'vitest';
import { openEvmListener } from '../../../src/chains/live/evm-listener.ts';
import type { Heard } from '../../../src/chains/live/port.ts';
import { SourceError } from '../../../src/errors.ts';
import { answerPage, PAGE_STATUSES, type PageStatus } from './page-instead.ts';

const ME = `0x${'11'.repeat(20)}`;
const OTHER = `0x${'22'.repeat(20)}`;
const THIRD = `0x${'33'.repeat(20)}`;
const FALSE_HEAD = 90_000_000;

/** A transfer of a token. */
const logTo = (topic: string, block: number) => ({
  address: OTHER,
  topics: [keccak('Transfer(address,address,uint256)'), zeroPadValue(OTHER, 32), topic],
  data: '0x',
  blockNumber: `0x${block.toString(16)}`,
  blockHash: `0x${'00'.repeat(32)}`,
  transactionHash: `0x${'ab'.repeat(32)}`,
  transactionIndex: '0x0',
  logIndex: '0x0',
  removed: false,
});

const hashOf = (payee: string) => keccak(`coin for ${payee}`);

/** A node whose blocks a test counts; it may state one far ahead, once. */
async function startNode() {
  const node = {
    head: 1_000,
    balance: 5,
    sent: 0,
    sentIn: 0,
    flooded: 0,
    isLate: false,
    stated: null as number | null,
    paid: [] as { to: string; block: number }[],
    withheld: null as number | null,
    /** It has no state before this block. */
    stateFrom: 0,
    /** It has no block before this one. */
    blocksFrom: 0,
    /** It has not the newest block that another stated, nor its logs. */
    isOtherBehind: false,
    page: null as PageStatus | null,
    blocksRead: 0,
    /** Blocks of which it lists logs at once, as its refusal says. */
    rangeMax: Number.POSITIVE_INFINITY,
    ranges: [] as number[],
  };
  const block = (number: number) => ({
    number: `0x${number.toString(16)}`,
    hash: `0x${number.toString(16).padStart(64, '0')}`,
  });
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (node.page !== null) return answerPage(response, node.page);
    const asked = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    if (Array.isArray(asked)) return void response.end(JSON.stringify(asked.map(answer)));
    response.end(JSON.stringify(answer(asked)));
  });
  const answer = ({ id, method, params }: { id: number; method: string; params: string[] }) => {
    const asksOldState = /^eth_get(Balance|TransactionCount)$/.test(method) && Number(params[1]) < node.stateFrom;
    if (asksOldState) return { jsonrpc: '2.0', id, error: { code: -32000, message: 'missing trie node' } };
    if (node.isOtherBehind && method === 'eth_getLogs') {
      return {
        jsonrpc: '2.0',
        id,
        error: { code: -32000, message: 'One of the blocks specified in filter cannot be found' },
      };
    }
    if (method === 'eth_getLogs') {
      const { fromBlock, toBlock, topics } = params[0] as unknown as {
        fromBlock: string;
        toBlock: string;
        topics: string[][];
      };
      const range = Number(toBlock) - Number(fromBlock) + 1;
      node.ranges.push(range);
      if (range > node.rangeMax) {
        const message = `block range is limited to ${node.rangeMax / 1_000}k`;
        return { jsonrpc: '2.0', id, error: { code: -32602, message } };
      }
      const isMet = !node.isLate && Number(fromBlock) <= node.flooded && node.flooded <= Number(toBlock);
      const paid = isMet ? (topics[2] ?? []) : [];
      const error = { code: -32005, message: 'query returned more than 10000 results' };
      if (paid.some((topic) => topic.endsWith(ME.slice(2)))) return { jsonrpc: '2.0', id, error };
      return { jsonrpc: '2.0', id, result: paid.map((topic) => logTo(topic, node.flooded)) };
    }
    const results: Record<string, () => unknown> = {
      eth_chainId: () => '0x1',
      eth_call: () => '0x',
      eth_getBalance: () => {
        const got = node.paid.filter(({ to, block }) => to === params[0]?.toLowerCase() && block <= Number(params[1]));
        return `0x${(node.balance + got.length).toString(16)}`;
      },
      eth_getTransactionCount: () => `0x${(Number(params[1]) < node.sentIn ? 0 : node.sent).toString(16)}`,
      eth_getBlockByNumber: () => {
        if (params[0] === 'latest') return block(node.stated ?? node.head);
        const number = Number(params[0]);
        const isWhole = (params[1] as unknown) === true;
        if (isWhole) node.blocksRead += 1;
        if (isWhole && number === node.withheld) return null;
        if (node.isOtherBehind) return null;
        const transactions = [
          ...(number === node.sentIn ? [{ hash: block(7).hash, from: ME, to: OTHER }] : []),
          ...node.paid.filter((one) => one.block === number).map(({ to }) => ({ hash: hashOf(to), from: OTHER, to })),
        ];
        return number > node.head || number < node.blocksFrom ? null : { ...block(number), transactions };
      },
    };
    return { jsonrpc: '2.0', id, result: results[method]!() };
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const listener = openEvmListener({ endpoint: { chain: 'ethereum', name: 'live', baseUrl }, chain: 'ethereum' });
  onTestFinished(() => listener.close());
  const marks = new Map<string, string | null>([[ME, null]]);
  let heard: Heard | null = null;
  const step = async () => {
    heard = await listener.step({ watched: marks, place: heard?.place ?? null, signal: new AbortController().signal });
    for (const [address, mark] of heard.marks) marks.set(address, mark);
    return heard;
  };
  return { node, step, marks };
}

it.each([
  ['as its first answer', 0],
  ['later', 2],
])('lets go of a far block that a node stated %s, and hears what moves from then on', async (_, before) => {
  const { node, step } = await startNode();
  for (let n = 0; n < before; n++) {
    await step();
    node.head += 1;
  }
  node.stated = FALSE_HEAD;
  await step();
  node.stated = null;
  for (let n = 0; n < 30; n++) {
    node.head += 1;
    await step();
  }
  node.head += 1;
  node.balance = 3;
  expect(await step()).toMatchObject({
    lastBlock: node.head,
    head: node.head,
    touches: [{ address: ME, block: node.head }],
  });
});

it('forgets nothing where a node is behind another for a few steps', async () => {
  const { node, step } = await startNode();
  await step();
  node.head += 10;
  const { place } = await step();
  node.head -= 3;
  for (let n = 0; n < 5; n++) expect((await step()).place).toBe(place);
  node.head += 4;
  expect(await step()).toMatchObject({ touches: [], reorganisedFrom: null, lastBlock: node.head });
});

it('hears logs, once, that a node had not yet when it stated their block', async () => {
  const { node, step, marks } = await startNode();
  marks.delete(ME);
  marks.set(THIRD, null);
  await step();
  node.head += 2;
  Object.assign(node, { flooded: node.head, isLate: true });
  expect((await step()).touches).toEqual([]);
  node.isLate = false;
  expect((await step()).touches).toEqual([]);
  node.head += 1;
  const touch = { address: THIRD, txHash: `0x${'ab'.repeat(32)}`, block: node.flooded };
  expect((await step()).touches).toEqual([touch]);
  node.head += 1;
  expect((await step()).touches).toEqual([]);
  Object.assign(node, { head: node.head + 1, flooded: node.head + 1 });
  expect((await step()).touches).toEqual([{ ...touch, block: node.flooded }]);
  node.head += 1;
  expect((await step()).touches).toEqual([]);
});

it('hears nothing of who is newly watched from the blocks before, which are asked for again', async () => {
  const { node, step, marks } = await startNode();
  marks.delete(ME);
  marks.set(THIRD, null);
  await step();
  node.head += 2;
  node.flooded = node.head;
  expect((await step()).touches).toMatchObject([{ address: THIRD }]);
  const added = `0x${'44'.repeat(20)}`;
  marks.set(added, null);
  node.head += 1;
  expect((await step()).touches).toEqual([]);
  Object.assign(node, { head: node.head + 1, flooded: node.head + 1 });
  const touched = (await step()).touches.map(({ address }) => address);
  expect(touched.toSorted()).toEqual([THIRD, added]);
});

it('hears who passes on what he got within one step, by what he sent', async () => {
  const { node, step } = await startNode();
  await step();
  node.head += 6;
  [node.sent, node.sentIn] = [1, node.head - 2];
  const touch = { address: ME, txHash: `0x${'7'.padStart(64, '0')}`, block: node.sentIn };
  expect((await step()).touches).toEqual([touch]);
  node.head += 6;
  expect((await step()).touches).toEqual([]);
});

it('names who has more logs in one block than an answer holds, and hears the others', async () => {
  const { node, step, marks } = await startNode();
  marks.set(THIRD, null);
  await step();
  node.head += 3;
  node.flooded = node.head - 1;
  const { touches, lastBlock } = await step();
  const flooded = { address: ME, txHash: null, block: node.flooded };
  expect(touches).toEqual([flooded, { address: THIRD, txHash: expect.any(String), block: node.flooded }]);
  expect(lastBlock).toBe(node.head);
});

it.each([
  ['in a block each', 48],
  ['in one block', 1],
])('names the transaction of each of 48 addresses that are paid coin %s of one step', async (_, span) => {
  const { node, step, marks } = await startNode();
  const payees = Array.from({ length: 48 }, (_, nth) => `0x${(nth + 1).toString(16).padStart(40, '0')}`);
  for (const payee of payees) marks.set(payee, null);
  await step();
  const paid = payees.map((to, nth) => ({ to, block: node.head + 1 + (nth % span) }));
  node.paid.push(...paid);
  node.head += span;
  const { touches } = await step();
  const expected = paid.map(({ to, block }) => ({ address: to, txHash: hashOf(to), block }));
  expect(touches.toSorted((a, b) => (a.address < b.address ? -1 : 1))).toEqual(expected);
  expect(node.blocksRead).toBe(span);
  node.head += 1;
  expect((await step()).touches).toEqual([]);
});

it('hears a payment once in a block that one of the nodes behind a URL has not yet', async () => {
  const { node, step } = await startNode();
  await step();
  node.head += 1;
  node.paid.push({ to: ME, block: node.head });
  node.withheld = node.head;
  await expect(step()).rejects.toMatchObject({ reason: `live: it has no block ${node.head}` });
  node.withheld = null;
  expect((await step()).touches).toEqual([{ address: ME, txHash: hashOf(ME), block: node.head }]);
  node.head += 1;
  expect((await step()).touches).toEqual([]);
});

it.each([
  ['30th', 30, 29],
  ['first', 1, 50],
])('hears each payment once where the %s of 50 blocks cannot be read', async (_, nth, heard) => {
  const { node, step, marks } = await startNode();
  const payees = Array.from({ length: 50 }, (_, n) => `0x${(n + 1).toString(16).padStart(40, '0')}`);
  for (const payee of payees) marks.set(payee, null);
  await step();
  const paid = payees.map((to, n) => ({ to, block: node.head + 1 + n }));
  node.paid.push(...paid);
  node.withheld = node.head + nth;
  const first = node.head + heard;
  node.head += 50;
  const touches = [];
  for (const lastBlock of heard < 50 ? [first, node.head] : [node.head]) {
    const one = await step();
    expect(one.lastBlock).toBe(lastBlock);
    touches.push(...one.touches);
    node.withheld = null;
  }
  expect(touches.map(({ address }) => address).toSorted()).toEqual(payees);
  if (heard < 50) {
    expect(touches).toEqual(paid.map(({ to, block }) => ({ address: to, txHash: hashOf(to), block })));
    // Those read before are not asked for again; the one that was not is asked for twice.
    expect(node.blocksRead).toBe(51);
  }
  node.head += 1;
  expect((await step()).touches).toEqual([]);
});

it.each(PAGE_STATUSES)('hears once what came while the node answered a page with %i', async (status) => {
  const { node, step } = await startNode();
  await step();
  node.head += 1;
  node.paid.push({ to: ME, block: node.head });
  node.page = status;
  await expect(step()).rejects.toBeInstanceOf(SourceError);
  node.page = null;
  expect((await step()).touches).toEqual([{ address: ME, txHash: hashOf(ME), block: node.head }]);
  node.head += 1;
  expect((await step()).touches).toEqual([]);
});

it('names the transaction of each of many that were paid coin in a silence longer than a step reads, once', async () => {
  const { node, step, marks } = await startNode();
  const payees = Array.from({ length: 60 }, (_, n) => `0x${(n + 1).toString(16).padStart(40, '0')}`);
  for (const payee of payees) marks.set(payee, null);
  await step();
  const paid = payees.map((to, n) => ({ to, block: node.head + 1 + 2 * n }));
  node.paid.push(...paid);
  node.head += 120;
  node.stateFrom = node.head;
  const touches = [];
  for (const left of [70, 20, 0]) {
    const heard = await step();
    expect(heard.head - heard.lastBlock).toBe(left);
    touches.push(...heard.touches);
  }
  expect(touches).toEqual(paid.map(({ to, block }) => ({ address: to, txHash: hashOf(to), block })));
  node.head += 1;
  node.stateFrom = node.head;
  expect((await step()).touches).toEqual([]);
});

it('goes on after a silence longer than its node keeps the state of blocks', async () => {
  const { node, step } = await startNode();
  await step();
  node.paid.push({ to: ME, block: node.head + 100 });
  node.head += 2_400;
  node.stateFrom = node.head - 128;
  const touched = [];
  for (let heard = await step(); ; heard = await step()) {
    touched.push(...heard.touches.map(({ address }) => address));
    if (heard.lastBlock === node.head) break;
  }
  expect(touched).toEqual([ME]);
});

it('goes on after a silence longer than its node keeps blocks', async () => {
  const { node, step } = await startNode();
  await step();
  node.head += 30_000;
  node.blocksFrom = node.head - 1_000;
  expect(await step()).toMatchObject({ touches: [{ address: ME }], lastBlock: node.head, reorganisedFrom: null });
  node.head += 1;
  node.paid.push({ to: ME, block: node.head });
  expect((await step()).touches).toEqual([{ address: ME, txHash: hashOf(ME), block: node.head }]);
});

it('takes no block for reorganised that one of the nodes behind a URL has not yet', async () => {
  const { node, step } = await startNode();
  await step();
  node.head += 1;
  await step();
  node.head += 1;
  node.isOtherBehind = true;
  await expect(step()).rejects.toMatchObject({ reason: `live: it has no block 0x${(node.head - 1).toString(16)}` });
  node.isOtherBehind = false;
  expect(await step()).toMatchObject({ reorganisedFrom: null, touches: [], lastBlock: node.head });
});

it('hears many blocks in one step again after a node refused to list their logs', async () => {
  const { node, step } = await startNode();
  await step();
  node.head += 4;
  node.flooded = node.head - 1;
  await step();
  node.head += 100;
  expect((await step()).lastBlock).toBe(node.head);
});

it('asks for as many blocks as a refusal names, and for no more in later steps', async () => {
  const { node, step } = await startNode();
  await step();
  node.rangeMax = 1_000;
  node.head += 1_999;
  node.flooded = node.head - 5;
  const heard = await step();
  expect(heard).toMatchObject({ lastBlock: node.head, touches: [{ address: ME, block: node.flooded }] });
  expect(node.ranges.filter((range) => range > 1_000)).toHaveLength(1);
  node.head += 1_999;
  expect((await step()).lastBlock).toBeGreaterThan(heard.lastBlock!);
  expect(node.ranges.filter((range) => range > 1_000)).toHaveLength(1);
});
