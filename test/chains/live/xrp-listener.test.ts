import { expect, it, onTestFinished, vi } from 'vitest';
import type { Listener } from '../../../src/chains/live/port.ts';
import { openXrpListener } from '../../../src/chains/live/xrp-listener.ts';
import { xrpAccount, xrpHash, xrpRow } from '../xrp/ledger.ts';
import { startSocketServer } from './socket-server.ts';

const [ME, YOU, OTHER] = [xrpAccount('me'), xrpAccount('you'), xrpAccount('other')];

interface Server {
  ledger: number;
  network?: number;
  /** What account_tx answers. */
  listed: Record<string, ReturnType<typeof xrpRow>[]>;
  /** The first ledger that it has. */
  first?: number;
  /** It refuses to list from an earlier one, as version 2 of the API has it; else it lists what it has. */
  isStrict?: boolean;
  /** Accounts that it refuses. */
  refused?: string;
  /** It cuts the connection at so many questions for a history. */
  cutAt?: number;
  /** Runs before a question is answered. */
  before?: (command: unknown) => void;
}

/** A rippled that closes a ledger after each message. */
async function startRippled(more: Partial<Server> = {}) {
  const state: Server = { ledger: 100, listed: {}, ...more };
  const asked: Record<string, unknown>[] = [];
  const socket = await startSocketServer((peer, { id, command, ...request }) => {
    asked.push({ command, ...request });
    state.before?.(command);
    const answer = (result: object) => peer.send({ id, status: 'success', type: 'response', result });
    if (command === 'server_info') {
      return answer({
        info: { network_id: state.network, validated_ledger: { seq: state.ledger }, build_version: '3.0' },
      });
    }
    if (request.streams) return answer({ ledger_index: state.ledger });
    if (command !== 'account_tx') return answer({});
    if (asked.filter((one) => one.command === 'account_tx').length === state.cutAt) return socket.cut();
    if (request.account === state.refused) {
      return peer.send({ id, status: 'error', type: 'response', error: 'internal', request });
    }
    const from = Number(request.ledger_index_min);
    const { first = 0 } = state;
    if (state.isStrict && (from < first || from > state.ledger)) {
      return peer.send({ id, status: 'error', type: 'response', error: 'lgrIdxMalformed', request });
    }
    const rows = state.listed[String(request.account)];
    if (!rows) return peer.send({ id, status: 'error', type: 'response', error: 'actNotFound', request });
    answer({ account: request.account, ledger_index_min: Math.max(from, first), transactions: rows });
  });
  const close = (ledger: number) => {
    state.ledger = ledger;
    socket.broadcast({ type: 'ledgerClosed', ledger_index: ledger });
  };
  const validate = (row: ReturnType<typeof xrpRow>, validated = true) =>
    socket.broadcast({ type: 'transaction', ...row, validated });
  return { ...socket, state, asked, close, validate };
}

function listen(url: string, options: { checkMs?: number } = {}): Listener {
  const listener = openXrpListener({ url, ...options });
  onTestFinished(() => listener.close());
  return listener;
}

const watching = (...addresses: string[]) => new Map(addresses.map((address) => [address, null]));
const stepOf = (listener: Listener, place: string | null, ...addresses: string[]) =>
  listener.step({ watched: watching(...addresses), place, signal: new AbortController().signal });
/** Steps until something was heard. */
async function hear(listener: Listener, place: string | null, ...addresses: string[]) {
  for (let now = place; ; ) {
    const heard = await stepOf(listener, now, ...addresses);
    if (heard.touches.length > 0) return heard;
    now = heard.place;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const payment = (ledger: number, from: string, to: string) =>
  xrpRow(ledger, { Account: from, TransactionType: 'Payment', Destination: to, Amount: '5000000' } as never, [
    { after: { Account: from, Balance: '1' }, before: { Balance: '2' } },
    { after: { Account: to, Balance: '2' }, before: { Balance: '1' } },
  ]);

it('hears validated transactions of the accounts, on either side, and those that changed a trust line of theirs', async () => {
  const rippled = await startRippled();
  const listener = listen(rippled.url);
  const first = await stepOf(listener, null, ME, YOU);
  expect(first).toMatchObject({ touches: [], lastBlock: 100, place: '{"ledger":100}' });
  rippled.validate(payment(101, OTHER, xrpAccount('third')));
  rippled.validate(payment(101, OTHER, ME), false);
  rippled.validate(payment(102, OTHER, ME));
  const heard = await hear(listener, first.place, ME, YOU);
  expect(heard.touches).toEqual([{ address: ME, txHash: xrpHash('tx 102'), block: 102 }]);
  const line = { HighLimit: { issuer: YOU, value: '1', currency: 'USD' }, LowLimit: { issuer: OTHER } };
  rippled.validate(
    xrpRow(103, { Account: OTHER, TransactionType: 'OfferCreate' }, [{ type: 'RippleState', after: line }]),
  );
  expect((await hear(listener, heard.place, ME, YOU)).touches).toEqual([
    { address: YOU, txHash: xrpHash('tx 103'), block: 103 },
  ]);
});

it('asks for what it missed while the connection was cut, and for no more', async () => {
  const rippled = await startRippled();
  const listener = listen(rippled.url);
  const first = await stepOf(listener, null, ME, YOU);
  rippled.cut();
  await expect
    .poll(() =>
      stepOf(listener, first.place, ME, YOU).then(
        () => null,
        (error) => error.problem,
      ),
    )
    .toBe('no_answer');
  rippled.state.ledger = 150;
  rippled.state.listed[ME] = [payment(120, ME, OTHER)];
  const again = listen(rippled.url);
  const heard = await stepOf(again, first.place, ME, YOU);
  expect(heard.touches).toEqual([{ address: ME, txHash: xrpHash('tx 120'), block: 120 }]);
  expect(heard.lastBlock).toBe(150);
  expect(rippled.asked.filter(({ command }) => command === 'account_tx')).toMatchObject([
    { account: ME, ledger_index_min: 100 },
    { account: YOU, ledger_index_min: 100 },
  ]);
  expect((await stepOf(again, heard.place, ME, YOU)).touches).toEqual([]);
});

it.each([429, 503, 200])(
  'hears once what came while the server answered connections with a page and %i',
  async (status) => {
    const rippled = await startRippled();
    const first = await stepOf(listen(rippled.url), null, ME);
    rippled.refuse(status);
    rippled.cut();
    await expect(stepOf(listen(rippled.url), first.place, ME)).rejects.toMatchObject({ problem: 'no_answer' });
    rippled.refuse(null);
    rippled.state.ledger = 150;
    rippled.state.listed[ME] = [payment(120, ME, OTHER)];
    const again = listen(rippled.url);
    const heard = await stepOf(again, first.place, ME);
    expect(heard.touches).toEqual([{ address: ME, txHash: xrpHash('tx 120'), block: 120 }]);
    expect((await stepOf(again, heard.place, ME)).touches).toEqual([]);
  },
);

it.each([
  ['refuses to list what it has', true, []],
  ['lists what it has', false, [xrpHash('tx 145')]],
])('looks at each address after a gap of which the server lacks ledgers, and %s', async (_, isStrict, listed) => {
  const rippled = await startRippled();
  const first = await stepOf(listen(rippled.url), null, ME);
  Object.assign(rippled.state, { ledger: 150, first: 140, isStrict, listed: { [ME]: [payment(145, ME, OTHER)] } });
  const again = listen(rippled.url);
  const heard = await stepOf(again, first.place, ME);
  expect(heard.touches.map(({ address, txHash }) => [address, txHash])).toEqual(
    [...listed, null].map((hash) => [ME, hash]),
  );
  expect((await stepOf(again, heard.place, ME)).touches).toEqual([]);
});

it('asks a server for no history that is behind the one before', async () => {
  const rippled = await startRippled({ isStrict: true });
  const first = await stepOf(listen(rippled.url), null, ME);
  rippled.state.ledger = 95;
  const again = listen(rippled.url);
  expect((await stepOf(again, first.place, ME)).touches).toEqual([]);
  rippled.validate(payment(101, ME, OTHER));
  const heard = await hear(again, first.place, ME);
  expect(heard.touches).toEqual([{ address: ME, txHash: xrpHash('tx 101'), block: 101 }]);
});

it('fails where the connection says nothing for half a minute, though it is open', async () => {
  const rippled = await startRippled();
  const listener = listen(rippled.url);
  const first = await stepOf(listener, null, ME);
  const now = performance.now();
  const later = vi.spyOn(performance, 'now').mockImplementation(() => now + 31_000);
  onTestFinished(() => later.mockRestore());
  await expect(stepOf(listener, first.place, ME)).rejects.toMatchObject({ problem: 'no_answer' });
});

it('asks after a gap some addresses a step, and goes on where a cut ended it', async () => {
  const many = Array.from({ length: 70 }, (_, n) => xrpAccount(`many ${n}`));
  const rippled = await startRippled({ cutAt: 61, refused: many[3] });
  const marks = new Map<string, string | null>(many.map((address) => [address, null]));
  const step = async (listener: Listener) => {
    const heard = await listener.step({ watched: marks, place: '{"ledger":90}', signal: new AbortController().signal });
    for (const [address, mark] of heard.marks) marks.set(address, mark);
    return heard;
  };
  const turns: boolean[] = [];
  const paces = {
    of: () => ({
      enter: async ({ inBackground }: { inBackground?: boolean }) => {
        turns.push(inBackground === true);
        return () => {};
      },
      slowDown: () => {},
      noteLimit: () => {},
      seen: { stated: null, refusedAt: null },
    }),
  };
  const first = openXrpListener({ url: rippled.url, paces });
  onTestFinished(() => first.close());
  expect((await step(first)).hasMore).toBe(true);
  expect([...marks.values()].filter((mark) => mark === '')).toHaveLength(49);
  await step(first);
  await expect(step(first)).rejects.toMatchObject({ problem: 'no_answer' });
  const answered = [...marks.values()].filter((mark) => mark === '').length;
  expect(answered).toBeGreaterThan(55);
  // A connection of its own owes nothing to the first one, which had paid for most.
  rippled.state.refused = undefined;
  rippled.asked.length = 0;
  rippled.state.cutAt = undefined;
  const second = openXrpListener({ url: rippled.url, paces });
  onTestFinished(() => second.close());
  for (const [address, mark] of marks) if (mark === '') marks.delete(address);
  const left = marks.size;
  expect((await step(second)).hasMore).toBe(false);
  const asked = rippled.asked.filter(({ command }) => command === 'account_tx');
  expect(asked).toHaveLength(left);
  expect(new Set(asked.map(({ ledger_index_min }) => ledger_index_min))).toEqual(new Set([90]));
  expect(turns.length).toBeGreaterThan(60);
  expect(turns).not.toContain(false);
});

it('asks for what came in ledgers that the stream left out', async () => {
  const rippled = await startRippled();
  const listener = listen(rippled.url);
  const first = await stepOf(listener, null, ME, YOU);
  rippled.state.listed[ME] = [payment(102, OTHER, ME)];
  rippled.close(101);
  rippled.close(104);
  const heard = await hear(listener, first.place, ME, YOU);
  expect(heard.touches).toEqual([{ address: ME, txHash: xrpHash('tx 102'), block: 102 }]);
  expect(rippled.asked.filter(({ command }) => command === 'account_tx')).toMatchObject([
    { account: ME, ledger_index_min: 101 },
    { account: YOU, ledger_index_min: 101 },
  ]);
});

it('states as its place the ledger before a gap that it noticed while it asked for another', async () => {
  const rippled = await startRippled();
  const listener = listen(rippled.url);
  const first = await stepOf(listener, null, ME);
  rippled.state.listed[ME] = [payment(102, OTHER, ME)];
  rippled.state.before = (command) => command === 'account_tx' && rippled.state.ledger === 104 && rippled.close(110);
  rippled.close(101);
  rippled.close(104);
  const heard = await hear(listener, first.place, ME);
  expect(heard).toMatchObject({ lastBlock: 110, place: '{"ledger":104}' });
  await hear(listener, heard.place, ME);
  expect(rippled.asked.filter(({ command }) => command === 'account_tx')).toMatchObject([
    { account: ME, ledger_index_min: 101 },
    { account: ME, ledger_index_min: 104 },
  ]);
});

it('asks for no account by a ledger that closed before it listened', async () => {
  const rippled = await startRippled();
  rippled.state.before = (command) => {
    if (command === 'subscribe' && rippled.state.ledger === 100) rippled.state.ledger = 105;
  };
  const listener = listen(rippled.url);
  const first = await stepOf(listener, null, ME);
  rippled.close(106);
  rippled.close(108);
  rippled.state.listed[ME] = [payment(107, OTHER, ME)];
  const heard = await hear(listener, first.place, ME);
  await stepOf(listener, heard.place, ME);
  expect(rippled.asked.filter(({ command }) => command === 'account_tx')).toMatchObject([
    { account: ME, ledger_index_min: 106 },
  ]);
});

it('asks now and then for an account whose subscription ended without a word, and subscribes again', async () => {
  const rippled = await startRippled();
  const listener = listen(rippled.url, { checkMs: 0 });
  const first = await stepOf(listener, null, ME);
  rippled.state.listed[ME] = [payment(101, OTHER, ME)];
  const heard = await hear(listener, first.place, ME);
  expect(heard.touches).toEqual([{ address: ME, txHash: xrpHash('tx 101'), block: 101 }]);
  const subscribed = rippled.asked.filter(({ command, accounts }) => command === 'subscribe' && accounts);
  expect(subscribed.length).toBeGreaterThan(1);
});

it('subscribes to addresses that come, and no longer to those that go', async () => {
  const rippled = await startRippled({ listed: {} });
  const listener = listen(rippled.url);
  const first = await stepOf(listener, null, ME);
  const second = await stepOf(listener, first.place, YOU);
  rippled.validate(payment(101, ME, OTHER));
  rippled.validate(payment(102, YOU, OTHER));
  expect((await hear(listener, second.place, YOU)).touches).toEqual([
    { address: YOU, txHash: xrpHash('tx 102'), block: 102 },
  ]);
  const subscriptions = rippled.asked.filter(({ command }) => String(command).endsWith('subscribe'));
  expect(subscriptions.map(({ command, accounts }) => [command, accounts])).toEqual([
    ['subscribe', undefined],
    ['subscribe', [ME]],
    ['subscribe', [YOU]],
    ['unsubscribe', [ME]],
  ]);
});

it('refuses a server of another network, and one that it cannot reach', async () => {
  const test = await startRippled({ network: 1 });
  await expect(stepOf(listen(test.url), null, ME)).rejects.toMatchObject({ problem: 'other_network' });
  await expect(stepOf(listen('ws://127.0.0.1:9'), null, ME)).rejects.toMatchObject({ problem: 'no_answer' });
});

it('hears a flood in bounds: beyond them each address is named once', async () => {
  const rippled = await startRippled();
  const listener = listen(rippled.url);
  const first = await stepOf(listener, null, ME, YOU);
  for (let n = 0; n < 1_100; n++) rippled.validate({ ...payment(101, ME, OTHER), hash: xrpHash(`flood ${n}`) });
  rippled.close(102);
  await rippled.delivered();
  let heard = await hear(listener, first.place, ME, YOU);
  const touches = [...heard.touches];
  while (heard.lastBlock < 102) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    heard = await stepOf(listener, heard.place, ME, YOU);
    touches.push(...heard.touches);
  }
  expect(touches.length).toBeLessThanOrEqual(1_102);
  expect(new Set(touches.map(({ address }) => address))).toContain(ME);
});

it('ends a connection at a message that is too long, before it is whole', async () => {
  const rippled = await startRippled();
  const listener = listen(rippled.url);
  const first = await stepOf(listener, null, ME);
  rippled.broadcastText('x'.repeat(8_000_001));
  const stepAgain = () => stepOf(listener, first.place, ME).catch((error) => error.reason);
  await expect.poll(stepAgain).toMatch(/Max payload size exceeded/);
});

it('bounds the messages of a connection that came back by itself too', async () => {
  const rippled = await startRippled();
  await stepOf(listen(rippled.url), null, ME);
  rippled.cut();
  await expect.poll(rippled.connections).toBe(0);
  await expect.poll(rippled.connections).toBe(1);
  rippled.broadcastText(JSON.stringify({ type: 'transaction', text: 'x'.repeat(8_000_000) }));
  await expect.poll(rippled.connections).toBe(0);
});

it.each([
  ['nothing', null],
  ['a changed entry that is none', { type: 'transaction', validated: true, meta: { AffectedNodes: [null] } }],
])('fails by a message of %s, and does not end the process', async (_, message) => {
  const rippled = await startRippled();
  const listener = listen(rippled.url);
  const first = await stepOf(listener, null, ME);
  rippled.broadcast(message as object);
  await expect
    .poll(() =>
      stepOf(listener, first.place, ME).then(
        () => null,
        (error) => error.reason,
      ),
    )
    .toMatch(/no known form/);
});
