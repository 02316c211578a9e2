import { expect, it, onTestFinished } from 'vitest';
import type { Bridges } from '../../../src/chains/bridges/bridges.ts';
import { readConfig } from '../../../src/config.ts';
import { type Context, openContext } from '../../../src/context.ts';
import type { BridgeMessage } from '../../../src/domain/bridges/message.ts';
import { FINAL_AFTER_MS } from '../../../src/domain/chain.ts';
import { keepCrossings } from '../../../src/graph/ingest/keep-crossings.ts';
import { expand } from '../../../src/tracing/read/expansion/expand.ts';
import { inquire } from '../../../src/tracing/read/inquiry.ts';
import { destinationMessage, RECIPIENT, SENDER, sourceMessage } from '../../domain/bridges/messages.ts';
import { build, contents } from '../../graph/world.ts';

const OTHER = `0x${'c3'.repeat(20)}`;
const POOL = `0x${'d4'.repeat(20)}`;
const PAID = sourceMessage({ explains: [`ethereum:${sourceMessage().tx}:native`] });
const DELIVERED = destinationMessage({ explains: [`arbitrum:${destinationMessage().tx}:native`] });
const { tx: txHash, at, amount } = PAID;
const START = at + 3_600_000;

/** An expansion from an address, where its chain states these messages now. */
async function open(
  { key, sends, usd = 1_000 }: { key: string; sends: boolean; usd?: number | null } = {
    key: `ethereum:${SENDER}`,
    sends: true,
  },
) {
  const opened = await openContext(readConfig({ LOG_LEVEL: 'silent' }), { inMemory: true });
  onTestFinished(() => opened.close());
  const arrived = { chain: 'arbitrum', at: DELIVERED.at, txHash: DELIVERED.tx, amount } as const;
  await build(opened.graph, {
    transfers: [
      { id: PAID.explains[0], at, from: SENDER, to: POOL, usd, amount, txHash },
      { id: DELIVERED.explains[0], ...arrived, from: POOL, to: RECIPIENT, usd: 990 },
    ],
  });
  const state = {
    now: START,
    contracts: 'built in',
    stated: [] as BridgeMessage[],
    other: null as BridgeMessage | null,
    others: [] as BridgeMessage[],
    lookedUp: [] as (string | null)[],
    /** What happens while the source of the other chain is slow. */
    meanwhile: async () => {},
  };
  const bridges: Bridges = {
    protocols: async () => new Map([[`ethereum:${POOL}`, 'across']]),
    contracts: async () => state.contracts,
    recognise: async () => state.stated,
    findOtherSide: async ({ recipient }) => {
      state.lookedUp.push(recipient);
      const readings = state.other ? [{ messages: [state.other], at: state.now }] : [];
      await state.meanwhile();
      if (state.other)
        return { status: 'matched', message: state.other, ambiguous: false, others: state.others, readings };
      return { status: 'pending', reason: 'bridge_pending', likely: null };
    },
  };
  const ctx: Context = { ...opened, bridges, now: () => state.now };
  const search = async () => {
    const { signal } = new AbortController();
    const inquiry = { ...(await inquire(ctx, 'a')), readBy: async (keys: string[]) => new Set(keys), signal };
    await expand(inquiry, {
      key,
      withSubject: false,
      budget: {
        directions: [sends ? 'sent' : 'received'],
        maxHops: 3,
        openHops: 3,
        addresses: { total: 3, received: 3, sent: 3 },
        minShare: 0.01,
        minUsd: 0,
        crossings: 4,
        transactions: 0,
      },
      keep: async () => {},
    });
    return (await contents(ctx.graph)).bridged.map((text) => JSON.parse(text));
  };
  return { state, search, graph: ctx.graph, later: () => (state.now += ctx.config.CACHE_SCAN_SECONDS * 1_000 + 1) };
}

it('a message that waits for its other side is read again before it is looked for again', async () => {
  const { state, search, later } = await open();
  state.stated = [PAID];
  expect(await search()).toMatchObject([{ to: `arbitrum:${RECIPIENT}`, properties: { reason: 'bridge_pending' } }]);
  // The transaction was included again in another block, with another outcome.
  state.stated = [{ ...PAID, recipient: OTHER }];
  expect(await search()).toMatchObject([{ to: `arbitrum:${RECIPIENT}` }]);
  later();
  expect(await search()).toMatchObject([{ to: `arbitrum:${OTHER}`, properties: { reason: 'bridge_pending' } }]);
  expect(state.lookedUp).toEqual([RECIPIENT, OTHER]);
});

it('a payment without a price into a bridge is looked up too', async () => {
  const { state, search } = await open({ key: `ethereum:${SENDER}`, sends: true, usd: null });
  state.stated = [PAID];
  expect(await search()).toMatchObject([{ to: `arbitrum:${RECIPIENT}`, properties: { reason: 'bridge_pending' } }]);
});

it('a message that waits is looked for again at once while its transaction is not final', async () => {
  const { state, search } = await open();
  state.now = at + FINAL_AFTER_MS.ethereum - 60_000;
  state.stated = [PAID];
  await search();
  state.now += 120_000;
  await search();
  expect(state.lookedUp).toHaveLength(2);
  // That look-up came after the transaction was final: its answer is kept.
  await search();
  expect(state.lookedUp).toHaveLength(2);
});

it('a message is looked for again once other contracts are registered', async () => {
  const { state, search } = await open();
  state.stated = [PAID];
  await search();
  await search();
  expect(state.lookedUp).toHaveLength(1);
  state.contracts = 'with one more';
  await search();
  await search();
  expect(state.lookedUp).toHaveLength(2);
});

it('ten equal messages to one recipient are known once one of them was looked for', async () => {
  const { state, search } = await open();
  const [sent, arrived] = [PAID, DELIVERED].map((message) =>
    Array.from({ length: 9 }, (_, i) => ({
      ...message,
      tx: `${message.tx}-${i}`,
      at: message.at + i + 1,
      explains: [],
    })),
  );
  state.stated = [PAID];
  state.other = DELIVERED;
  state.others = [...sent!, ...arrived!];
  const all = await search();
  expect(all.map(({ properties }) => [properties.match, properties.ambiguous])).toEqual(Array(10).fill(['id', true]));
  expect(new Set(all.map(({ properties }) => properties.tx_in)).size).toBe(10);
});

it('a source that no longer has the transaction removes nothing: the kept message is looked for', async () => {
  const { state, search, later } = await open();
  state.stated = [PAID];
  await search();
  state.stated = [];
  later();
  expect(await search()).toMatchObject([{ to: `arbitrum:${RECIPIENT}`, properties: { looked_up_at: state.now } }]);
  expect(state.lookedUp).toEqual([RECIPIENT, RECIPIENT]);
});

it('a crossing that is found from its destination has the value of what left', async () => {
  const { state, search } = await open({ key: `arbitrum:${RECIPIENT}`, sends: false });
  state.stated = [DELIVERED];
  state.other = PAID;
  // The transfers of the sender are not read: 1,000 USDC left.
  expect(await search()).toMatchObject([{ properties: { match: 'id', usd: 1_000, amount_out: '1000' } }]);
});

it('an other side that arrives slowly does not replace what was read of it meanwhile', async () => {
  const { state, search, graph } = await open();
  state.stated = [PAID];
  state.other = DELIVERED;
  state.meanwhile = async () => {
    // The delivery was included again in another block, for another recipient.
    const included = { ...DELIVERED, recipient: OTHER };
    await keepCrossings(graph, [], [{ messages: [included], at: state.now + 5_000 }]);
    state.now += 15_000;
  };
  expect(await search()).toMatchObject([{ to: `arbitrum:${RECIPIENT}`, properties: { tx_out: txHash } }]);
  const [kept] = (await contents(graph)).bridged.map((text) => JSON.parse(text).properties);
  expect(kept).toMatchObject({ status: 'not_found', looked_up_at: START });
  expect(kept).not.toHaveProperty('tx_in');
});
