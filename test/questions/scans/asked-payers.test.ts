import { expect, it } from 'vitest';
import { ledgerSource } from '../../../fixtures/ledger-source.ts';
import type { Category, Label } from '../../../src/domain/label.ts';
import { DAY_MS } from '../../../src/domain/time.ts';
import { createTransfer, type Transfer } from '../../../src/domain/transfers/transfer.ts';
import { savePrices } from '../../../src/prices/price-store.ts';
import { NOW, openTestApp } from '../../app/test-app.ts';
import { putLabels } from '../../labels/label-of.ts';

const person = (n: number) => `0x${n.toString(16).padStart(2, '0').repeat(20)}`;
const [EXCHANGE, ROUTER, PAYER, HOP, SUBJECT] = [0xc1, 0xc2, 0xc3, 0xc4, 0xc5].map(person) as [
  string,
  string,
  string,
  string,
  string,
];
const USDC = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';
const START = NOW - 9 * DAY_MS;

type Leg = [from: string, to: string, amount: string, asset: 'ETH' | 'USDC'];

/** One transaction; a token's lists name the legs with it alone. */
function transaction(n: number, legs: Leg[]): Transfer[] {
  return legs.map(([from, to, amount, asset], i) =>
    createTransfer({
      ...{ chain: 'ethereum', txHash: `0x${n.toString(16).padStart(64, '0')}`, block: 1_000 + n, position: 1 },
      ...{ at: START + n * 3_600_000, from, to, asset, amount, seq: i },
      ...(asset === 'ETH'
        ? { token: null, kind: 'native', index: i === 0 ? 'native' : `trace:${i}`, decimals: 18 }
        : { token: USDC, kind: 'token', index: `log:${i}`, decimals: 6 }),
    }),
  );
}

const SWAP: Transfer[] = transaction(40, [
  [PAYER, ROUTER, '20', 'ETH'],
  [ROUTER, HOP, '40000', 'USDC'],
]);
/** The same where the router sells to an unlabelled pool of strangers, which pays the other. */
const POOL = person(0xc6);
const OVER_POOL: Transfer[] = [
  ...Array.from({ length: 8 }, (_, i) => transaction(10 + i, [[person(0x10 + i), POOL, '6000', 'USDC']])).flat(),
  ...transaction(40, [
    [PAYER, ROUTER, '20', 'ETH'],
    [ROUTER, POOL, '20', 'ETH'],
    [POOL, HOP, '40000', 'USDC'],
  ]),
];
const LIFE: Transfer[] = [
  ...transaction(1, [[EXCHANGE, PAYER, '21', 'ETH']]),
  ...transaction(2, [[EXCHANGE, HOP, '1', 'ETH']]),
  ...transaction(3, [[EXCHANGE, SUBJECT, '1', 'ETH']]),
  ...transaction(60, [[HOP, SUBJECT, '39000', 'USDC']]),
];

interface Told {
  payer: Category;
  isStated: boolean;
  swap?: Transfer[];
}

async function scan(address: string, { payer, isStated, swap = SWAP }: Told) {
  const { app, ctx, headers } = await openTestApp();
  const transfers = [...LIFE, ...swap];
  const { source: plain, asked } = ledgerSource('ethereum', transfers, { statesTransactions: isStated });
  const kindOf = (party: string) => (party === POOL ? { addressType: 'contract' as const } : {});
  const source: typeof plain = {
    ...plain,
    history: async (party, options) => ({ ...(await plain.history(party, options)), ...kindOf(party) }),
    historyAround: async (party, options) => ({ ...(await plain.historyAround!(party, options)), ...kindOf(party) }),
  };
  Object.assign(ctx, { chainSource: async (chain: string) => (chain === 'ethereum' ? source : null) });
  const days = Array.from({ length: 11 }, (_, day) => new Date(START + (day - 1) * DAY_MS).toISOString().slice(0, 10));
  const priced = (asset: string, usd: number) => days.map((date) => ({ asset, date, usd }));
  await savePrices(ctx.records, [...priced('ETH', 2_000), ...priced('USDC', 1)]);
  const label = (party: string, category: Category): Label => ({
    ...{ chain: 'ethereum', address: party, category, label: `${category} of a test`, source: 'test', confidence: 90 },
    ...{ entity: null, validFrom: null, validTo: null, maliciousContract: false },
  });
  const labels = [label(EXCHANGE, 'exchange'), label(ROUTER, 'dex_router'), label(PAYER, payer)];
  await putLabels(ctx.labels, labels);
  const url = `/api/v1/public/scan?address=${address}&chain=ethereum`;
  const reply = await app.inject({ url, headers: await headers('enterprise') });
  expect(reply.statusCode, reply.body).toBe(200);
  const { risk_level: level, metadata } = reply.json();
  return { level, basis: metadata.level_basis, reasons: metadata.coverage.trace.reasons, asked };
}

it.each([
  ['the receiver itself', HOP],
  ['one wallet further', SUBJECT],
])('who swapped for another is asked of the source, from %s, and is graded', async (_, address) => {
  const stolen = await scan(address, { payer: 'theft', isStated: true });
  expect(['HIGH', 'CRITICAL']).toContain(stolen.level);
  expect(stolen.asked).toContain(SWAP[0]!.txHash);
  const lawful = await scan(address, { payer: 'exchange', isStated: true });
  expect([lawful.level, lawful.basis]).toEqual(['LOW', 'full']);
});

it('who swapped for another over a pool without a label is asked of the source, too', async () => {
  const stolen = await scan(SUBJECT, { payer: 'theft', isStated: true, swap: OVER_POOL });
  expect(['HIGH', 'CRITICAL']).toContain(stolen.level);
  expect(stolen.asked).toContain(OVER_POOL.at(-1)!.txHash);
  expect((await scan(SUBJECT, { payer: 'exchange', isStated: true, swap: OVER_POOL })).level).toBe('LOW');
});

it('money that a market paid out for nothing rests on an unknown payer where no source names him', async () => {
  const { level, basis, reasons } = await scan(SUBJECT, { payer: 'theft', isStated: false });
  expect([level, basis]).toEqual(['LOW', 'partial']);
  expect(reasons).toContain('contract');
});
