import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { type Context, openContext } from '../../src/context.ts';
import { addressKey } from '../../src/domain/address/address-key.ts';
import type { Transfer } from '../../src/domain/transfers/transfer.ts';
import type { Graph } from '../../src/graph/port.ts';
import { entitiesOf } from '../../src/graph/queries/entities.ts';
import { NO_OWN_LABELS } from '../../src/labels/own-labels.ts';
import { addressProfile } from '../../src/questions/graph/address-profile.ts';
import { getEntity } from '../../src/questions/graph/entities.ts';
import { listCounterparties } from '../../src/questions/graph/list-counterparties.ts';
import { getAddressFunds } from '../../src/tracing/answers/funds/get-funds.ts';
import { getExposure } from '../../src/tracing/answers/get-exposure.ts';
import { getTerminals } from '../../src/tracing/answers/get-terminals.ts';
import { inquire } from '../../src/tracing/read/inquiry.ts';
import { engineCases } from '../graph/engine-cases.ts';
import { ENGINES } from '../graph/engines.ts';
import { build, transfer } from '../graph/world.ts';
import { AMPLE_MS } from './money.ts';

const GRAPHS = { grafeo: 150, neo4j: 5 };
const DAY = Date.UTC(2026, 2, 30);
const chain = 'bitcoin';

/** Six addresses of one wallet, another wallet of two, a stranger, and services of which two are one by its list. */
const WALLET = ['w1', 'w2', 'w3', 'w4', 'w5', 'w6'];
const OTHERS = ['x1', 'x2', 'stranger', 'SHOP1', 'SHOP2', 'MIX'];
const LABELS = {
  SHOP1: { category: 'exchange', label: 'Shop: 1', entity_id: 'Shop', label_sure: true },
  SHOP2: { category: 'exchange', label: 'Shop: 2', entity_id: 'Shop', label_sure: true },
  MIX: { category: 'mixer', label: 'Mixer', label_sure: true },
} as const;

const payment = fc.record({
  payers: fc.uniqueArray(fc.constantFrom(...WALLET), { minLength: 1, maxLength: 3 }),
  other: fc.constantFrom(...OTHERS, ...WALLET),
  isIncome: fc.boolean(),
  usd: fc.option(fc.integer({ min: 1, max: 5_000 }), { freq: 12 }),
  day: fc.integer({ min: 0, max: 60 }),
});
type Payment = typeof payment extends fc.Arbitrary<infer T> ? T : never;

/** The members that pay together are one party; who pays himself pays nobody. */
function transfersOf(payments: readonly Payment[]): Transfer[] {
  const all = payments.flatMap(({ payers, other, isIncome, usd, day }, nth) =>
    payers.map((one) => {
      const [from, to] = isIncome ? [other, one] : [one, other];
      return { chain, from, to, usd, at: DAY + day * 86_400_000, txHash: String(nth), index: `in:${one}`, isIncome };
    }),
  );
  // The wallet is one from its first day on.
  const whole = WALLET.map((one) => ({
    chain,
    from: one,
    to: 'stranger',
    usd: 7,
    at: DAY,
    txHash: 'whole',
    isIncome: false,
  }));
  const joint = ({ isIncome }: { isIncome: boolean }) => (isIncome ? null : true);
  return [...all, ...whole]
    .filter(({ from, to }) => from !== to)
    .map((one, nth) =>
      transfer({ ...one, chain, asset: 'BTC', amount: '1', apportioned: true, joint: joint(one), block: nth }, nth),
    );
}

/** What the holder paid others, or got from them, added up from the transfers alone. */
function sumOf(transfers: readonly Transfer[], own: ReadonlySet<string>, way: 'sent' | 'received') {
  const [near, far] = way === 'sent' ? (['from', 'to'] as const) : (['to', 'from'] as const);
  const moved = transfers.filter((one) => own.has(one[near]) && !own.has(one[far]));
  return {
    usd: moved.reduce((sum, { usd }) => sum + (usd ?? 0), 0),
    transfers: moved.length,
    unpriced: moved.filter(({ usd }) => usd === null).length,
  };
}

describe.each(Object.entries(ENGINES))('answers about a holder on %s', (name, start) => {
  let graph: Graph;
  let own: Context;
  const test = engineCases(start, (empty) => {
    graph = empty;
  });
  beforeAll(async () => {
    own = await openContext(readConfig({ LOG_LEVEL: 'silent' }), { inMemory: true, log: pino({ level: 'silent' }) });
  });
  afterAll(() => own.close());

  test('add up to what its members paid others and got from them, whichever member is asked about', async (reset) => {
    const asked = { chain, address: '', maxHops: 3, limit: 500, group: 'entity' } as const;
    const worlds = fc.array(payment, { minLength: 1, maxLength: 14 });
    const property = fc.asyncProperty(worlds, fc.constantFrom(...WALLET), async (payments, address) => {
      await reset();
      const transfers = transfersOf(payments);
      await build(graph, { transfers, labels: LABELS });
      const ctx = { ...(await inquire({ ...own, graph }, 'nobody')), remainingMs: () => AMPLE_MS };
      const { id } = (await entitiesOf(graph, [addressKey(chain, address)], AMPLE_MS)).get(addressKey(chain, address))!;
      const entity = await getEntity(ctx, NO_OWN_LABELS, { id, limit: 500, offset: 0, change: false });
      const members = new Set(entity.members.map((one) => one.address));
      expect([...members]).toEqual(expect.arrayContaining(WALLET));

      const request = { ...asked, address };
      const parties = await listCounterparties(ctx, request);
      const exposure = await getExposure(ctx, request);
      const profile = await addressProfile(ctx, { ...request, scannedFrom: 0 });
      const terminals = await getTerminals(ctx, { ...request, categories: ['exchange', 'mixing'] });
      for (const way of ['sent', 'received'] as const) {
        const sum = sumOf(transfers, members, way);
        expect(entity[way], way).toEqual(sum);
        const ofParties = parties.counterparties.flatMap((one) => one[way] ?? []);
        expect(
          ofParties.reduce((total, { usd }) => total + (usd ?? 0), 0),
          `counterparties, ${way}`,
        ).toBeCloseTo(sum.usd, 4);
        expect(
          ofParties.reduce((total, { tx_count }) => total + tx_count, 0),
          `counterparties, ${way}`,
        ).toBe(sum.transfers);
        const months = profile.months.map((one) => one[way]);
        const counted = { usd: 0, transfers: 0, unpriced: 0 };
        for (const one of months)
          for (const part of ['usd', 'transfers', 'unpriced'] as const) counted[part] += one[part];
        expect(counted, `profile, ${way}`).toEqual(sum);
        expect(exposure[`${way}_usd`], `exposure, ${way}`).toBeCloseTo(sum.usd, 4);
        const funds = await getAddressFunds(ctx, { ...request, direction: way, lang: 'en', withPatterns: false });
        expect(funds.total_usd, `account, ${way}`).toBeCloseTo(sum.usd, 4);
      }
      const arrived = terminals.terminals.reduce((total, { usd }) => total + usd, 0);
      expect(arrived).toBeLessThanOrEqual(sumOf(transfers, members, 'sent').usd + 1e-4);
      const names = parties.counterparties.map((one) => one.entity_id ?? one.address);
      expect(new Set(names).size).toBe(names.length);
    });
    await fc.assert(property, { numRuns: GRAPHS[name as keyof typeof GRAPHS] });
  }, 300_000);
});
