import { describe, expect, it, onTestFinished } from 'vitest';
import type { AddressHistory, ChainSource } from '../../../../src/chains/port.ts';
import { readConfig } from '../../../../src/config.ts';
import { type Context, openContext } from '../../../../src/context.ts';
import type { Direction } from '../../../../src/domain/tracing/carried.ts';
import type { Transfer } from '../../../../src/domain/transfers/transfer.ts';
import { addressKey } from '../../../../src/graph/address-key.ts';
import { expand } from '../../../../src/questions/tracing/expansion/expand.ts';
import { transfer } from '../../../graph/world.ts';

const CHAIN = 'bitcoin';
/** Valid addresses: an expansion opens no others. */
const [S, BUSY, NEXT, END] = [
  'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
  'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  '1BoatSLRHtKNngkdXEeobR76b53LETtpyT',
  '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
] as const;
const PAGE = 10;

const pay = (at: number, from: string, to: string, usd: number): Transfer =>
  transfer({ chain: CHAIN, at, from, to, usd, amount: String(usd), asset: 'BTC', token: null, txHash: `t${at}` }, 0);

/** A chain that lists an address's transactions a page at a time around a transfer, as Esplora does. */
function chainOf(ledger: readonly Transfer[], counts: Record<string, number> = {}) {
  const opened: string[] = [];
  const answer = (address: string, transfers: Transfer[], read: AddressHistory['read']): AddressHistory => ({
    found: true,
    addressType: 'wallet',
    balance: null,
    transactionCount: counts[address] ?? transfers.length,
    transfers,
    tags: [],
    coverage: { complete: true, sources: ['test'], reasons: [] },
    read,
  });
  const of = (address: string) =>
    ledger.filter(({ from, to }) => from === address || to === address).sort((a, b) => a.at - b.at);
  const source: Pick<ChainSource, 'chain' | 'lists' | 'history' | 'historyAround'> = {
    chain: CHAIN,
    lists: ['coin'],
    history: async (address) => answer(address, of(address), [{ list: 'coin', from: 0, to: null }]),
    historyAround: async (address, { direction, at }) => {
      opened.push(address);
      const own = of(address);
      if (direction === 'forward') {
        const later = own.filter((one) => one.at >= at);
        const page = later.slice(0, PAGE);
        const to = page.length < later.length ? page.at(-1)!.at : null;
        return answer(address, page, [{ list: 'coin', from: at, to }]);
      }
      const earlier = own.filter((one) => one.at <= at);
      const page = earlier.slice(-PAGE);
      return answer(address, page, [{ list: 'coin', from: page.length < earlier.length ? page[0]!.at : 0, to: at }]);
    },
  };
  return { source: source as ChainSource, opened };
}

async function open(source: ChainSource): Promise<Context> {
  const ctx = await openContext(readConfig({ LOG_LEVEL: 'silent' }), { inMemory: true });
  onTestFinished(() => ctx.close());
  return { ...ctx, chainSource: async () => source };
}

function expandFrom(ctx: Context, direction: Direction, addresses = 10) {
  return expand(ctx, {
    key: addressKey(CHAIN, S),
    withSubject: true,
    budget: { directions: [direction], maxHops: 5, openHops: 5, addresses, minShare: 0.01, minUsd: 0 },
    readBy: async (keys) => new Set(keys),
    signal: new AbortController().signal,
    timeMs: 20_000,
    keep: async () => {},
  });
}

describe('a busy address on the way', () => {
  it('that is a hub is marked on its node, and no later trace opens it again', async () => {
    const ledger = [pay(1, END, BUSY, 100), pay(2, BUSY, S, 100)];
    const { source, opened } = chainOf(ledger, { [BUSY]: 20_001 });
    const ctx = await open(source);
    const first = await expandFrom(ctx, 'received');
    expect(first.opened.map(({ address, reason }) => [address, reason])).toEqual([
      [S, null],
      [BUSY, 'hub_not_expanded'],
    ]);
    expect(opened).toEqual([BUSY]);
    const second = await expandFrom(ctx, 'received');
    expect(opened).toEqual([BUSY]);
    expect(second.opened.map(({ address }) => address)).not.toContain(BUSY);
    expect(second.traces.received.frontier).toMatchObject([
      { address: addressKey(CHAIN, BUSY), reason: 'hub_not_expanded', usd: 100 },
    ]);
  });

  it('was read up to some time: its later payments are read from there on', async () => {
    // What came before the receipt was spent before it; the money leaves with the last payment, pages later.
    const crowd = Array.from({ length: 2 * PAGE }, (_, i) => pay(20 + i, BUSY, END, 1));
    const funds = pay(5, END, BUSY, crowd.length);
    const ledger = [funds, pay(10, S, BUSY, 1_000), ...crowd, pay(90, BUSY, NEXT, 900)];
    const { source, opened } = chainOf(ledger);
    const ctx = await open(source);
    // Each reading brings a page; an expansion opens an address once, so the next one goes on from its end.
    for (let i = 0; i < 3; i++) await expandFrom(ctx, 'sent');
    const { traces } = await expandFrom(ctx, 'sent');
    expect(opened.filter((address) => address === BUSY).length).toBe(3);
    const passed = traces.sent.passages.flat().map((carried) => carried.transfer);
    expect(passed.find(({ to }) => to === addressKey(CHAIN, NEXT))).toMatchObject({ at: 90 });
  });
});
