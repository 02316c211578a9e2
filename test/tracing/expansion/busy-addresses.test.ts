import { describe, expect, it, onTestFinished } from 'vitest';
import { addressFor } from '../../../fixtures/demo/addresses.ts';
import { ledgerSource } from '../../../fixtures/ledger-source.ts';
import type { ChainSource } from '../../../src/chains/port.ts';
import { readConfig } from '../../../src/config.ts';
import { type Context, openContext } from '../../../src/context.ts';
import { addressKey } from '../../../src/domain/address/address-key.ts';
import type { Label } from '../../../src/domain/label.ts';
import type { Direction } from '../../../src/domain/tracing/flow-portion.ts';
import type { Transfer } from '../../../src/domain/transfers/transfer.ts';
import { expand } from '../../../src/tracing/read/expansion/expand.ts';
import { inquire } from '../../../src/tracing/read/inquiry.ts';
import { transfer } from '../../graph/world.ts';
import { putLabels } from '../../labels/label-of.ts';

const CHAIN = 'bitcoin';
/** Valid addresses: an expansion opens no others. */
const [S, BUSY, NEXT, END] = [
  'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
  'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  '1BoatSLRHtKNngkdXEeobR76b53LETtpyT',
  '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
] as const;
/** Three pages of three transfers. */
const READING = 9;

const pay = (at: number, from: string, to: string, usd: number): Transfer =>
  transfer({ chain: CHAIN, at, from, to, usd, amount: String(usd), asset: 'BTC', token: null, txHash: `t${at}` }, 0);

async function open(source: ChainSource): Promise<Context> {
  const ctx = await openContext(readConfig({ LOG_LEVEL: 'silent' }), { inMemory: true });
  onTestFinished(() => ctx.close());
  return { ...ctx, chainSource: async () => source };
}

async function expandFrom(ctx: Context, directions: Direction | readonly Direction[], most = 10, relays = 0) {
  const addresses = { total: [directions].flat().length * most, received: most, sent: most };
  const { signal } = new AbortController();
  const inquiry = { ...(await inquire(ctx, 'a')), readBy: async (keys: string[]) => new Set(keys), signal };
  return expand(inquiry, {
    key: addressKey(CHAIN, S),
    withSubject: true,
    budget: {
      directions: [directions].flat(),
      maxHops: 5,
      openHops: 5,
      addresses,
      minShare: 0.01,
      minUsd: 0,
      crossings: 0,
      transactions: 0,
      relays,
    },
    keep: async () => {},
  });
}

describe('a busy address on the way', () => {
  it('that is a hub is marked on its node, and no later trace opens it again', async () => {
    const ledger = [pay(1, END, BUSY, 100), pay(2, BUSY, S, 100)];
    const { source, asked } = ledgerSource(CHAIN, ledger, { transactionCounts: { [BUSY]: 20_001 } });
    const ctx = await open(source);
    const first = await expandFrom(ctx, 'received');
    expect(first.opened.map(({ address, reason }) => [address, reason])).toEqual([
      [S, null],
      [BUSY, 'hub_not_expanded'],
    ]);
    expect(asked).toEqual([S, BUSY]);
    const second = await expandFrom(ctx, 'received');
    expect(asked).toEqual([S, BUSY]);
    expect(second.opened.map(({ address }) => address)).not.toContain(BUSY);
    expect(second.traces.received.frontier).toMatchObject([
      { address: addressKey(CHAIN, BUSY), reason: 'hub_not_expanded', usd: 100 },
    ]);
  });

  it('was read up to some time: its later payments are read from there on', async () => {
    // What came before the receipt was spent before it; the money leaves with the last payment, pages later.
    const crowd = Array.from({ length: 2 * READING }, (_, i) => pay(20 + i, BUSY, END, 1));
    const funds = pay(5, END, BUSY, crowd.length);
    const ledger = [funds, pay(10, S, BUSY, 1_000), ...crowd, pay(90, BUSY, NEXT, 900)];
    const { source, asked } = ledgerSource(CHAIN, ledger, { pageSize: 3 });
    const ctx = await open(source);
    // A reading brings three pages; an expansion opens an address once, so the next one goes on from its end.
    for (let i = 0; i < 3; i++) await expandFrom(ctx, 'sent');
    const { traces } = await expandFrom(ctx, 'sent');
    expect(asked.filter((address) => address === BUSY).length).toBe(3);
    const passed = traces.sent.passes.flat().flatMap(({ gone }) => gone?.transfer ?? []);
    expect(passed.find(({ to }) => to === addressKey(CHAIN, NEXT))).toMatchObject({ at: 90 });
  });
});

describe('an address on the way that paid several times', () => {
  it('is read back from the last large payment, so that one reading shows all of them', async () => {
    const ledger = [1, 2, 3].flatMap((i) => [pay(10 * i, END, BUSY, 100 - i), pay(10 * i + 1, BUSY, S, 100 - i)]);
    const { source, asked } = ledgerSource(CHAIN, ledger);
    const { traces } = await expandFrom(await open(source), 'received');
    expect(asked.filter((address) => address === BUSY).length).toBe(1);
    const unread = traces.received.frontier.filter(({ reason }) => reason === 'not_read');
    expect(unread.map(({ address }) => address)).not.toContain(addressKey(CHAIN, BUSY));
  });
});

function theft(address: string): Label {
  return {
    ...{ chain: CHAIN, address, category: 'theft', label: 'thief', entity: null, source: 'list', confidence: 90 },
    ...{ validFrom: null, validTo: null, maliciousContract: false },
  };
}

describe('payers alike, more than can be read', () => {
  const BRANCHES = 8;
  const at = (n: number) => addressFor(CHAIN, `branch ${n}`);

  it('are followed to their common origin, not one step each', async () => {
    const [origin, thief] = [at(1), at(0)];
    const ledger: Transfer[] = [pay(1, thief, origin, BRANCHES)];
    for (let n = 1; n < BRANCHES; n++) {
      const usd = BRANCHES / 2 ** Math.floor(Math.log2(n) + 1);
      for (const next of [2 * n, 2 * n + 1]) ledger.push(pay(next, at(n), at(next), usd));
    }
    for (let n = BRANCHES; n < 2 * BRANCHES; n++) ledger.push(pay(100 + n, at(n), S, 1));
    const { source } = ledgerSource(CHAIN, ledger);
    const ctx = await open(source);
    await putLabels(ctx.labels, [theft(thief)]);
    const { opened, traces } = await expandFrom(ctx, 'received', BRANCHES);
    expect(opened.length).toBeLessThanOrEqual(BRANCHES);
    // Enough for HIGH.
    expect(
      traces.received.parties.find(({ address }) => address === addressKey(CHAIN, thief))?.usd,
    ).toBeGreaterThanOrEqual(0.1 * BRANCHES);
  });
});

it('finds the thief behind four payers beside two ways of larger payments that lead on and on', async () => {
  const at = (name: string) => addressFor(CHAIN, name);
  const thief = at('thief of four');
  const decoys = [1, 2].flatMap((way) =>
    Array.from({ length: 10 }, (_, step) => {
      const to = step === 0 ? S : at(`decoy ${way} ${step - 1}`);
      return pay(100 * way - step, at(`decoy ${way} ${step}`), to, 2_100);
    }),
  );
  const stolen = [1, 2, 3, 4].flatMap((n) => [
    pay(300 + n, thief, at(`mule ${n}`), 1_450),
    pay(310 + n, at(`mule ${n}`), S, 1_450),
  ]);
  const { source } = ledgerSource(CHAIN, [...decoys, ...stolen]);
  const ctx = await open(source);
  await putLabels(ctx.labels, [theft(thief)]);
  const { traces } = await expandFrom(ctx, 'received', 10);
  const found = traces.received.parties.find(({ address }) => address === addressKey(CHAIN, thief));
  expect(found?.usd).toBeGreaterThanOrEqual(2_900);
});

describe('a chain of wallets longer than the budget', () => {
  const at = (name: string) => addressFor(CHAIN, name);
  const [thief, chain] = [at('thief of the chain'), [1, 2, 3, 4].map((n) => at(`link ${n}`))];

  async function found(
    relays: number,
    others: readonly Transfer[] = [],
    directions: readonly Direction[] = ['received'],
  ): Promise<boolean> {
    const links = [thief, ...chain, S].slice(1).map((to, i) => pay(10 + i, [thief, ...chain][i]!, to, 900));
    const ctx = await open(ledgerSource(CHAIN, [...others, ...links]).source);
    await putLabels(ctx.labels, [theft(thief)]);
    const { traces } = await expandFrom(ctx, directions, 3, relays);
    return traces.received.parties.some(({ address }) => address === addressKey(CHAIN, thief));
  }

  it('is followed to its end where each has one way in and one way out, which cost nothing', async () => {
    expect([await found(10), await found(0)]).toEqual([true, false]);
  });

  it('is followed to its end where each gives a third back to who paid it, and pays that again', async () => {
    const all = [thief, ...chain, S];
    const bounces = chain.flatMap((link, i) => [
      pay(10 + i + 0.3, link, all[i]!, 300),
      pay(10 + i + 0.6, all[i]!, link, 300),
    ]);
    expect([await found(10, bounces), await found(0, bounces)]).toEqual([true, false]);
  });

  it('is followed to its end where it brought a fifth of the money', async () => {
    const others = [pay(1, at('beside'), S, 3_600)];
    expect([await found(10, others), await found(0, others)]).toEqual([true, false]);
  });

  it('does not pay for chains on the other side', async () => {
    const after = [1, 2, 3, 4, 5, 6].map((n) => pay(20 + n, n === 1 ? S : at(`after ${n - 1}`), at(`after ${n}`), 900));
    expect(await found(4, after, ['sent', 'received'])).toBe(true);
  });

  it('costs the budget where each is paid by others too', async () => {
    const others = chain.map((to, i) => pay(1 + i, at(`other ${i}`), to, 900));
    expect(await found(10, others)).toBe(false);
  });
});

describe('a contract on the way', () => {
  const crowd = Array.from({ length: 60 }, (_, i) => pay(i, `payer${i}`, BUSY, 90));

  function openWith(ledger: readonly Transfer[]) {
    const { source } = ledgerSource(CHAIN, ledger);
    const asContract: ChainSource['historyAround'] = async (address, around, options) => {
      const history = await source.historyAround(address, around, options);
      return address === BUSY ? { ...history, addressType: 'contract' } : history;
    };
    return open({ ...source, historyAround: asContract });
  }

  async function opened(payers: readonly Transfer[]) {
    const ctx = await openWith([...payers, pay(60, END, BUSY, 100), pay(70, BUSY, S, 100)]);
    const { opened, traces } = await expandFrom(ctx, 'received');
    const { reason } = opened.find(({ address }) => address === BUSY)!;
    return [reason, traces.received.passes.flat().length > 0];
  }

  it('is followed where it forwards, and an end where it pools', async () => {
    expect(await opened([])).toEqual([null, true]);
    expect(await opened(crowd)).toEqual(['contract_not_expanded', false]);
  });

  it('pools though a later part of its history, in which few pay, was read first', async () => {
    const ctx = await openWith([...crowd, pay(65, S, BUSY, 10), pay(70, BUSY, S, 300), pay(80, NEXT, BUSY, 5)]);
    await expandFrom(ctx, 'sent');
    const { traces } = await expandFrom(ctx, 'received');
    expect(traces.received.frontier).toMatchObject([
      { address: addressKey(CHAIN, BUSY), reason: 'contract_not_expanded' },
    ]);
  });
});
