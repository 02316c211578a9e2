import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Heard, Listener } from '../../../src/chains/live/port.ts';
import { openSolanaListener } from '../../../src/chains/live/solana-listener.ts';
import { TOKEN_PROGRAM } from '../../../src/chains/solana/address.ts';
import { key, signature } from '../solana/cluster.ts';
import { type Peer, startSocketServer } from './socket-server.ts';

const GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const [ME, YOU, PURSE, NEW_PURSE] = [key('me'), key('you'), key('purse'), key('new purse')];

/** A validator: its list of signatures by account, and a websocket of logs and slots. */
async function startValidator() {
  const state = {
    slot: 1_000,
    genesis: GENESIS,
    fault: null as 'deep' | 'refuse' | 'slots only' | null,
    /** It refuses more subscriptions to logs. */
    logsMax: Number.POSITIVE_INFINITY,
    lists: {} as Record<string, string[]>,
    purses: { [ME]: [PURSE] } as Record<string, string[]>,
    asked: [] as string[],
  };
  let numbers = 0;
  const subscriptions = new Map<number, { peer: Peer; account: string | null }>();
  const context = () => ({ slot: state.slot });
  const account = { lamports: 2_039_280, data: { parsed: { type: 'account', info: { mint: key('coin') } } } };
  const answers: Record<string, (params: never) => unknown> = {
    getGenesisHash: () => state.genesis,
    getSlot: () => state.slot,
    getFirstAvailableBlock: () => 0,
    getBlockTime: () => 1_700_000_000,
    getTokenAccountsByOwner: ([owner, { programId }]: [string, { programId: string }]) => ({
      context: context(),
      value: programId === TOKEN_PROGRAM ? (state.purses[owner] ?? []).map((pubkey) => ({ pubkey, account })) : [],
    }),
    getSignaturesForAddress: ([of, { limit, until }]: [string, { limit: number; until?: string }]) => {
      state.asked.push(of);
      const listed = state.lists[of] ?? [];
      const end = until ? listed.indexOf(until) : -1;
      return listed
        .slice(0, end < 0 ? limit : Math.min(limit, end))
        .map((one) => ({ signature: one, slot: state.slot, err: null, memo: null, blockTime: null }));
    },
  };
  const http = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (state.fault === 'deep') return void response.end(`{"jsonrpc":"2.0","id":1,"result":${'['.repeat(10_000)}`);
    const asked = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    const answer = ({ id, method, params }: { id: number; method: string; params: never }) => ({
      jsonrpc: '2.0',
      id,
      ...(state.fault === 'slots only' && method !== 'getSlot'
        ? { error: { code: -32_010, message: 'excluded' } }
        : { result: answers[method]!(params) }),
    });
    response.end(JSON.stringify(Array.isArray(asked) ? asked.map(answer) : answer(asked)));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const socket = await startSocketServer((peer, { id, method, params }) => {
    if (method === 'logsUnsubscribe') subscriptions.delete(Number((params as number[])[0]));
    if (method === 'logsUnsubscribe') return peer.send({ jsonrpc: '2.0', id, result: true });
    if (id === undefined) return;
    if (state.fault === 'refuse') {
      return peer.send({ jsonrpc: '2.0', id, error: { code: -32_601, message: 'Method not found' } });
    }
    const held = [...subscriptions.values()].filter(({ account }) => account !== null);
    if (method === 'logsSubscribe' && held.length >= state.logsMax) {
      return peer.send({ jsonrpc: '2.0', id, error: { code: -32_005, message: 'Too many subscriptions' } });
    }
    const [filter] = (params ?? []) as { mentions: string[] }[];
    const number = ++numbers;
    subscriptions.set(number, { peer, account: method === 'logsSubscribe' ? filter!.mentions[0]! : null });
    peer.send({ jsonrpc: '2.0', id, result: number });
  });
  const log = (of: string, name: string, err: unknown = null) => {
    state.lists[of] = [signature(name), ...(state.lists[of] ?? [])];
    for (const [number, { peer, account: mentioned }] of subscriptions) {
      if (mentioned !== of) continue;
      const value = { signature: signature(name), err, logs: ['Program log: x'] };
      const result = { context: context(), value };
      peer.send({ jsonrpc: '2.0', method: 'logsNotification', params: { result, subscription: number } });
    }
  };
  const nextSlot = () => {
    for (const [number, { peer, account: mentioned }] of subscriptions) {
      if (mentioned !== null) continue;
      const result = { slot: state.slot, parent: state.slot - 1, root: state.slot - 32 };
      peer.send({ jsonrpc: '2.0', method: 'slotNotification', params: { result, subscription: number } });
    }
  };
  const listen = ({ perSecond, ...options }: { checkMs?: number; perSecond?: number } = {}) => {
    const baseUrl = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    const listener = openSolanaListener({
      endpoint: { chain: 'solana', name: 'live', baseUrl, perSecond },
      socketUrl: socket.url,
      ...options,
    });
    onTestFinished(() => listener.close());
    return listener;
  };
  return { state, socket, subscriptions, log, nextSlot, listen };
}

/** Slots come all the time that passes. */
function startClock(node: { nextSlot(): void }) {
  let now = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  return (seconds: number) => {
    now += seconds * 1_000;
    node.nextSlot();
  };
}

function watching(...addresses: string[]) {
  const marks = new Map<string, string | null>(addresses.map((address) => [address, null]));
  let place: string | null = null;
  return async (listener: Listener): Promise<Heard> => {
    const heard = await listener.step({ watched: marks, place, signal: new AbortController().signal });
    for (const [address, mark] of heard.marks) marks.set(address, mark);
    place = heard.place;
    return heard;
  };
}
const named = ({ touches }: Heard) => touches.map(({ address, txHash }) => [address, txHash]);
/** Steps until something was heard. */
async function hear(step: () => Promise<Heard>) {
  for (;;) {
    const { touches } = await step();
    if (touches.length > 0) return touches.map(({ address, txHash }) => [address, txHash]);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

it('hears transactions that name an address or a token account of it, and none that failed', async () => {
  const node = await startValidator();
  const listener = node.listen();
  const step = watching(ME, YOU);
  expect(await step(listener)).toMatchObject({ touches: [], lastBlock: 1_000 });
  node.log(ME, 'failed', { InstructionError: [0, 'Custom'] });
  node.log(ME, 'paid');
  expect(await hear(() => step(listener))).toEqual([[ME, signature('paid')]]);
  node.log(PURSE, 'tokens');
  expect(await hear(() => step(listener))).toEqual([[ME, signature('tokens')]]);
});

it('names what came while the connection was cut, once, also of token accounts that are new', async () => {
  const node = await startValidator();
  node.state.lists[ME] = [signature('old')];
  const step = watching(ME, YOU);
  const first = node.listen();
  await step(first);
  node.log(ME, 'heard');
  expect(await hear(() => step(first))).toEqual([[ME, signature('heard')]]);
  node.socket.cut();
  await expect.poll(() => step(first).catch((error) => error.problem)).toBe('no_answer');
  node.subscriptions.clear();
  node.log(ME, 'missed');
  node.state.purses[ME] = [PURSE, NEW_PURSE];
  node.log(NEW_PURSE, 'missed tokens');
  const second = node.listen();
  expect((await step(second)).touches.map(({ txHash }) => txHash)).toEqual([
    signature('missed'),
    signature('missed tokens'),
  ]);
  expect((await step(second)).touches).toEqual([]);
});

it('asks now and then for an address whose subscription ended without a word, and subscribes again', async () => {
  const node = await startValidator();
  const listener = node.listen({ checkMs: 0 });
  const step = watching(ME);
  await step(listener);
  const ofMe = () => [...node.subscriptions].flatMap(([number, { account }]) => (account === ME ? number : []));
  for (const number of ofMe()) node.subscriptions.delete(number);
  node.log(ME, 'unheard');
  expect(await hear(() => step(listener))).toEqual([[ME, signature('unheard')]]);
  expect(ofMe()).toHaveLength(1);
});

it('goes on to hear an address whose check the node refuses, and subscribes no second time to one that it hears', async () => {
  const node = await startValidator();
  const listener = node.listen({ checkMs: 0 });
  const step = watching(ME, YOU);
  await step(listener);
  const numbers = [...node.subscriptions.keys()];
  node.state.fault = 'slots only';
  for (let n = 0; n < 4; n++) await step(listener);
  node.log(PURSE, 'tokens');
  node.log(YOU, 'paid');
  const heard: unknown[] = [];
  while (heard.length < 2) heard.push(...(await hear(() => step(listener))));
  expect(heard).toEqual([
    [ME, signature('tokens')],
    [YOU, signature('paid')],
  ]);
  node.state.fault = null;
  for (let n = 0; n < 4; n++) await step(listener);
  expect([...node.subscriptions.keys()]).toEqual(numbers);
});

it('hears an address by asking where the node takes no more subscriptions, and the others by theirs', async () => {
  const node = await startValidator();
  node.state.logsMax = 2;
  const listener = node.listen();
  const step = watching(ME, YOU);
  await step(listener);
  expect(node.subscriptions.size).toBe(3);
  node.log(ME, 'heard');
  expect(await hear(() => step(listener))).toEqual([[ME, signature('heard')]]);
  node.log(YOU, 'asked for');
  const now = performance.now();
  const later = vi.spyOn(performance, 'now').mockImplementation(() => now + 16_000);
  onTestFinished(() => later.mockRestore());
  expect(named(await step(listener))).toEqual([[YOU, signature('asked for')]]);
  expect(named(await step(listener))).toEqual([]);
  expect(node.subscriptions.size).toBe(3);
});

it('asks for all addresses without a subscription in turn, a few a step, and for one where something was heard', async () => {
  const node = await startValidator();
  node.state.logsMax = 1;
  const [heard, ...others] = Array.from({ length: 23 }, (_, nth) => key(`address ${nth}`));
  const listener = node.listen({ perSecond: 10, checkMs: 3_600_000 });
  const step = watching(heard!, ...others);
  while ((await step(listener)).hasMore);
  const pass = startClock(node);
  for (let round = 0; round < 2; round++) {
    node.state.asked = [];
    for (let n = 0; n < 5; n++) {
      pass(16);
      expect((await step(listener)).hasMore).toBe(false);
    }
    expect(node.state.asked).toHaveLength(25);
    expect(new Set(node.state.asked)).toEqual(new Set(others));
  }
  let paid = 0;
  await vi.waitFor(async () => {
    pass(16);
    node.log(heard!, `paid ${++paid}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
    node.state.asked = [];
    expect(named(await step(listener))).toEqual([[heard, signature(`paid ${paid}`)]]);
    expect(node.state.asked).toHaveLength(1);
  });
});

it('looks at every address again, some a step, where the node lost its ledger', async () => {
  const node = await startValidator();
  const addresses = Array.from({ length: 60 }, (_, nth) => key(`address ${nth}`));
  const listener = node.listen();
  const step = watching(...addresses);
  while ((await step(listener)).hasMore);
  node.state.asked = [];
  node.state.slot -= 100;
  while ((await step(listener)).hasMore);
  expect(node.state.asked.toSorted()).toEqual(addresses.toSorted());
});

it('asks again for an address without a subscription after a question for it failed', async () => {
  const node = await startValidator();
  node.state.logsMax = 2;
  const listener = node.listen();
  const step = watching(ME, YOU);
  await step(listener);
  const pass = startClock(node);
  pass(16);
  node.state.fault = 'slots only';
  await step(listener);
  node.state.fault = null;
  node.log(YOU, 'asked for');
  expect(named(await step(listener))).toEqual([[YOU, signature('asked for')]]);
});

it.each([
  ['a minute after the node refused', 61, [ME, YOU]],
  ['as soon as another address is watched no more', 16, [YOU]],
])('subscribes to an address %s', async (_, seconds, watched) => {
  const node = await startValidator();
  node.state.logsMax = 2;
  const listener = node.listen();
  await watching(ME, YOU)(listener);
  const pass = startClock(node);
  if (watched.includes(ME)) node.state.logsMax = 4;
  const step = watching(...watched);
  pass(seconds);
  await step(listener);
  await step(listener);
  expect([...node.subscriptions.values()].map(({ account }) => account)).toContain(YOU);
  node.log(YOU, 'heard');
  expect(await hear(() => step(listener))).toEqual([[YOU, signature('heard')]]);
});

it('fails where the connection says nothing for half a minute, though it is open', async () => {
  const node = await startValidator();
  const listener = node.listen();
  const step = watching(ME);
  await step(listener);
  const now = performance.now();
  const later = vi.spyOn(performance, 'now').mockImplementation(() => now + 31_000);
  onTestFinished(() => later.mockRestore());
  await expect(step(listener)).rejects.toMatchObject({ problem: 'no_answer' });
});

it('refuses another cluster, and answers and messages of no known form, and does not end the process', async () => {
  const node = await startValidator();
  node.state.genesis = key('devnet');
  await expect(watching(ME)(node.listen())).rejects.toMatchObject({ problem: 'other_network' });
  node.state.genesis = GENESIS;
  node.state.fault = 'deep';
  await expect(watching(ME)(node.listen())).rejects.toMatchObject({ problem: 'unusable_answer' });
  node.state.fault = 'refuse';
  await expect(watching(ME)(node.listen())).rejects.toMatchObject({ problem: 'no_answer' });
  node.state.fault = null;
  for (const message of [
    null,
    { id: '__proto__', result: 1 },
    { notification: 'logsNotification', params: null },
    { method: 'logsNotification', params: { subscription: 1 } },
  ]) {
    const listener = node.listen();
    const step = watching(ME);
    await step(listener);
    node.socket.broadcast(message as object);
    await expect.poll(() => step(listener).catch((error) => error.reason)).toMatch(/no known form/);
  }
});

it('ends a connection at a message that is too long, before it is whole', async () => {
  const node = await startValidator();
  const listener = node.listen();
  const step = watching(ME);
  await step(listener);
  node.socket.broadcastText('x'.repeat(1_000_001));
  await expect.poll(() => step(listener).catch((error) => error.reason)).toMatch(/Max payload size exceeded/);
});

it('looks at every address again where the node lost its ledger, and bounds a flood', async () => {
  const node = await startValidator();
  const listener = node.listen();
  const step = watching(ME);
  await step(listener);
  for (let n = 0; n < 1_100; n++) node.log(ME, `flood ${n}`);
  // All at once: those of a flood that a step takes before the rest came leave room for the rest.
  await node.socket.delivered();
  const heard: unknown[] = [];
  while (!heard.includes(null)) heard.push(...(await hear(() => step(listener))).map(([, txHash]) => txHash));
  expect(heard.length).toBeLessThanOrEqual(1_101);
  node.state.slot -= 100;
  expect(await step(listener)).toMatchObject({ reorganisedFrom: 901, lastBlock: 900 });
});
