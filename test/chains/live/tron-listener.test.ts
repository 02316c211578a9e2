import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import type { Heard, Listener } from '../../../src/chains/live/port.ts';
import { openTronListener } from '../../../src/chains/live/tron-listener.ts';
import { tronHex } from '../../../src/chains/tron/address.ts';
import { SourceError } from '../../../src/errors.ts';
import { send, TRANSFER, tronAccount, tronHash, tronTx, word } from '../tron/grid.ts';
import { answerPage, PAGE_STATUSES, type PageStatus } from './page-instead.ts';

const GENESIS = '00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc';
const [ME, YOU, OTHER, TOKEN] = ['me', 'you', 'other', 'token'].map(tronAccount) as [string, string, string, string];

interface Block {
  salt: number;
  transactions: ReturnType<typeof tronTx>[];
  infos?: { id: string; log?: object[]; internal_transactions?: object[] }[];
}

/** A full node from block 100 on, and TronGrid's lists beside it. */
async function startNode() {
  const state = {
    chain: [{ salt: 0, transactions: [] }] as Block[],
    lists: {} as Record<string, object[]>,
    fault: null as 'cut' | 'other' | 'huge' | 'deep' | 'behind' | PageStatus | null,
    refused: '',
    asked: [] as string[],
    /** It keeps none of the blocks before this one. */
    keptFrom: 0,
  };
  const shown = (place: number) => {
    const block = state.chain[place];
    if (!block || place < state.keptFrom) return {};
    const number = 100 + place;
    const blockID = `${number.toString(16).padStart(16, '0')}${tronHash(`${number} ${block.salt}`).slice(16)}`;
    return {
      blockID,
      block_header: { raw_data: { number, timestamp: 1_700_000_000_000 } },
      transactions: block.transactions,
    };
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}') as { num?: number };
    const path = request.url!.split('?')[0]!;
    state.asked.push(path);
    if (state.fault === 'cut') return void request.socket.destroy();
    if (typeof state.fault === 'number') return answerPage(response, state.fault);
    if (state.fault === 'huge') return void response.end(Buffer.alloc(20 * 1024 * 1024, '1'));
    if (state.fault === 'deep') return void response.end(`{"blockID":${'['.repeat(10_000)}`);
    const answer = (json: object) => void response.end(JSON.stringify(json));
    if (path === '/wallet/getnowblock') return answer(shown(state.chain.length - 1));
    if (path === '/wallet/gettransactioninfobyblocknum') {
      const { transactions = [], infos = [] } = state.chain[body.num! - 100] ?? {};
      if (state.fault === 'behind') return answer([]);
      return answer(transactions.map(({ txID }) => infos.find((one) => one.id === txID) ?? { id: txID }));
    }
    if (path === '/wallet/getblockbynum' && body.num === 0) {
      const blockID = state.fault === 'other' ? 'f'.repeat(64) : GENESIS;
      return answer({ blockID, block_header: { raw_data: {} } });
    }
    if (path === '/wallet/getblockbynum') return answer(shown(body.num! - 100));
    const [, , , address, ...list] = path.split('/');
    if (address === state.refused) return void response.writeHead(400).end('{}');
    const data = state.lists[`${address}/${list.join('/')}`] ?? [];
    answer({ success: true, data, meta: {} });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const listen = (readsBlocks = true) => {
    const listener = openTronListener({ endpoint: { chain: 'tron', name: 'live', baseUrl }, readsBlocks });
    onTestFinished(() => listener.close());
    return listener;
  };
  return { state, listen };
}

function watching(listener: Listener, ...addresses: string[]) {
  const marks = new Map<string, string | null>(addresses.map((address) => [address, null]));
  let place: string | null = null;
  return async (): Promise<Heard> => {
    const heard = await listener.step({ watched: marks, place, signal: new AbortController().signal });
    for (const [address, mark] of heard.marks) marks.set(address, mark);
    place = heard.place;
    return heard;
  };
}
const named = ({ touches }: Heard) => touches.map(({ address, txHash }) => [address, txHash]);
const pay = (name: string, from: string, to: string, result = 'SUCCESS') =>
  tronTx(1, 'TransferContract', send(from, to, 5), { name, result });

it('a node that has a block and not yet its events is asked again: no payment by a contract is passed over', async () => {
  const { state, listen } = await startNode();
  const step = watching(listen(), ME);
  await step();
  const paid = tronTx(1, 'TriggerSmartContract', send(OTHER, TOKEN, 0), { name: 'token', result: 'SUCCESS' });
  const log = [{ address: tronHex(TOKEN).slice(2), topics: [TRANSFER, word(OTHER), word(ME)], data: '' }];
  state.chain.push({ salt: 0, transactions: [paid], infos: [{ id: paid.txID, log }] });
  state.fault = 'behind';
  const reason = expect.stringContaining('block 101: it has 1 transactions, and events of 0');
  await expect(step()).rejects.toMatchObject({ reason });
  state.fault = null;
  expect(named(await step())).toEqual([[ME, paid.txID]]);
});

it('hears coin, tokens and what contracts pay in each block, and nothing that failed', async () => {
  const { state, listen } = await startNode();
  const step = watching(listen(), ME, YOU);
  expect(await step()).toMatchObject({ touches: [], lastBlock: 100, head: 100 });
  const called = tronTx(
    1,
    'TriggerSmartContract',
    { owner_address: tronHex(OTHER), contract_address: tronHex(TOKEN) },
    { name: 'call' },
  );
  const log = { topics: [TRANSFER, word(OTHER), word(YOU)] };
  const inner = { caller_address: tronHex(TOKEN), transferTo_address: tronHex(ME), callValueInfo: [] };
  state.chain.push({
    salt: 1,
    transactions: [
      pay('coin', ME, OTHER),
      pay('failed', ME, OTHER, 'OUT_OF_ENERGY'),
      pay('foreign', OTHER, TOKEN),
      called,
    ],
    infos: [{ id: tronHash('call'), log: [log], internal_transactions: [inner, { ...inner, rejected: true }] }],
  });
  expect(named(await step())).toEqual([
    [ME, tronHash('coin')],
    [YOU, tronHash('call')],
    [ME, tronHash('call')],
  ]);
  expect(named(await step())).toEqual([]);
});

it('goes on where it was after a cut, and says where the chain was reorganised', async () => {
  const { state, listen } = await startNode();
  const step = watching(listen(), ME, YOU);
  await step();
  state.fault = 'cut';
  await expect(step()).rejects.toMatchObject({ problem: 'no_answer' });
  state.fault = null;
  for (let n = 1; n <= 25; n++) state.chain.push({ salt: 0, transactions: [pay(`tx ${n}`, ME, OTHER)] });
  const [second, third] = [await step(), await step()];
  expect([second.lastBlock, second.head, third.lastBlock]).toEqual([120, 125, 125]);
  expect(new Set([...named(second), ...named(third)].map(([, hash]) => hash)).size).toBe(25);
  state.chain.splice(14, 12);
  expect(await step()).toMatchObject({ reorganisedFrom: null, touches: [] });
  state.chain.push({ salt: 9, transactions: [pay('instead', YOU, OTHER)] });
  for (let n = 0; n < 12; n++) state.chain.push({ salt: 9, transactions: [] });
  const heard = await step();
  expect(heard.reorganisedFrom).toBe(114);
  expect(named(heard)).toEqual([[YOU, tronHash('instead')]]);
});

it('goes on after a silence longer than its node keeps blocks', async () => {
  const { state, listen } = await startNode();
  const step = watching(listen(), ME);
  await step();
  for (let n = 0; n < 2_100; n++) state.chain.push({ salt: 0, transactions: [] });
  state.keptFrom = 2_000;
  expect(await step()).toMatchObject({ touches: [{ address: ME }], lastBlock: 2_200, reorganisedFrom: null });
  const paid = pay('later', OTHER, ME);
  state.chain.push({ salt: 0, transactions: [paid] });
  expect(named(await step())).toEqual([[ME, paid.txID]]);
});

it.each(PAGE_STATUSES)('hears once what came while the node answered a page with %i', async (status) => {
  const { state, listen } = await startNode();
  const step = watching(listen(), ME);
  await step();
  state.chain.push({ salt: 0, transactions: [pay('meanwhile', ME, OTHER)] });
  state.fault = status;
  await expect(step()).rejects.toBeInstanceOf(SourceError);
  state.fault = null;
  expect(named(await step())).toEqual([[ME, tronHash('meanwhile')]]);
  expect(named(await step())).toEqual([]);
});

it('asks a source of others for the newest transactions of each address in turns, one that fails holding no other', async () => {
  const { state, listen } = await startNode();
  const many = Array.from({ length: 60 }, (_, n) => tronAccount(`many ${n}`));
  const step = watching(listen(false), ...many, ME, YOU);
  state.lists[`${ME}/transactions`] = [pay('old', ME, OTHER)];
  state.refused = many[55]!;
  expect((await step()).hasMore).toBe(true);
  expect(await step()).toMatchObject({ hasMore: false, touches: [] });
  state.lists[`${ME}/transactions`]!.unshift(pay('new', ME, OTHER), pay('newer', ME, OTHER));
  state.lists[`${YOU}/transactions/trc20`] = [{ transaction_id: tronHash('tokens') }];
  const touches = [...named(await step()), ...named(await step())];
  expect(touches).toEqual([
    [ME, tronHash('new')],
    [ME, tronHash('newer')],
    [YOU, tronHash('tokens')],
  ]);
  expect(state.asked.filter((path) => path.endsWith('byblocknum'))).toEqual([]);
});

it('hears a transaction that a source of others lists late, behind one of its block, and none that comes into view', async () => {
  const { state, listen } = await startNode();
  const step = watching(listen(false), ME);
  const old = Array.from({ length: 30 }, (_, n) => pay(`old ${n}`, ME, OTHER));
  const list = `${ME}/transactions`;
  state.lists[list] = old;
  await step();
  state.lists[list] = [pay('second', ME, OTHER), ...old];
  expect(named(await step())).toEqual([[ME, tronHash('second')]]);
  state.lists[list] = [pay('second', ME, OTHER), pay('first', ME, OTHER), ...old];
  expect(named(await step())).toEqual([[ME, tronHash('first')]]);
  state.lists[list] = [pay('first', ME, OTHER), ...old];
  expect(named(await step())).toEqual([]);
});

it('refuses another network, and answers without bounds', async () => {
  const { state, listen } = await startNode();
  state.fault = 'other';
  await expect(watching(listen(), ME)()).rejects.toMatchObject({ problem: 'other_network' });
  for (const fault of ['huge', 'deep'] as const) {
    state.fault = null;
    const step = watching(listen(), ME);
    await step();
    state.fault = fault;
    await expect(step()).rejects.toMatchObject({ problem: 'unusable_answer' });
  }
});
