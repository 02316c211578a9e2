import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { openEvmListener } from '../../../src/chains/live/evm-listener.ts';
import type { Heard } from '../../../src/chains/live/port.ts';

const ME = `0x${'11'.repeat(20)}`;
const FALSE_HEAD = 90_000_000;

/** A node whose blocks a test counts; it may state one far ahead, once. */
async function startNode() {
  const node = { head: 1_000, balance: 5, stated: null as number | null };
  const block = (number: number) => ({
    number: `0x${number.toString(16)}`,
    hash: `0x${number.toString(16).padStart(64, '0')}`,
  });
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    const results: Record<string, () => unknown> = {
      eth_chainId: () => '0x1',
      eth_getLogs: () => [],
      eth_call: () => '0x',
      eth_getBalance: () => `0x${node.balance.toString(16)}`,
      eth_getBlockByNumber: () => {
        if (params[0] === 'latest') return block(node.stated ?? node.head);
        return Number(params[0]) > node.head ? null : { ...block(Number(params[0])), transactions: [] };
      },
    };
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method]!() }));
  });
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
  return { node, step };
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
