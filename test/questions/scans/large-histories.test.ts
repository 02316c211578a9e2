import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { openContext } from '../../../src/context.ts';
import { OverloadError } from '../../../src/errors.ts';
import { PLANS } from '../../../src/plans.ts';
import { scanAddress } from '../../../src/questions/scans/scan-address.ts';
import { createAccount } from '../../../src/records/accounts/accounts.ts';
import { readQuota } from '../../../src/records/accounts/quota.ts';
import { hex, paymentRow } from '../../chains/evm/payment-row.ts';
import { serveUpstream } from '../../contract/upstream.ts';

/** Of each address, but of the small one. */
const TRANSFERS = 5_001;
const SMALL = 0;
const SMALL_TRANSFERS = 500;
const SCANS = 4;

const addressOf = (n: number) => `0x${(0xabc000 + n).toString(16).padStart(40, '0')}`;
const keyOf = (n: number) => `ethereum:${addressOf(n)}`;
const transfersOf = (address: string) => (address === addressOf(SMALL) ? SMALL_TRANSFERS : TRANSFERS);

/** An explorer where each address has thousands of transactions in a block each. */
async function openMany({ places, deadlineMs = 110_000 }: { places: number; deadlineMs?: number }) {
  const explorer = await serveUpstream(async ({ url }) => {
    const query = url.searchParams;
    if (query.get('module') === 'proxy') return { json: { jsonrpc: '2.0', id: 1, result: '0x' } };
    if (query.get('action') === 'balance') return { json: { status: '1', message: 'OK', result: '5' } };
    const address = query.get('address')!;
    const all = transfersOf(address);
    const last = Math.min(all - 1, Number(query.get('endblock') ?? all + 999) - 1_000);
    const size = query.get('action') === 'txlist' ? Math.min(1_000, last + 1) : 0;
    if (size <= 0) return { json: { status: '0', message: 'No transactions found', result: [] } };
    const result = Array.from({ length: size }, (_, i) => rowOf(address, last - i));
    return { json: { status: '1', message: 'OK', result } };
  });
  const settings = { ETHEREUM_EXPLORER_URL: `${explorer.url}/api`, SCAN_DEADLINE_MS: String(deadlineMs) };
  const options = { log: pino({ level: 'silent' }), inMemory: true, scanSlots: { small: 8, large: places } };
  const ctx = await openContext(readConfig(settings), options);
  onTestFinished(async () => {
    await ctx.close();
    await explorer.close();
  });
  const open = async (name: string) => {
    const { id } = await createAccount(ctx.records, { name, planId: 'enterprise' }, Date.now());
    return { accountId: id, plan: PLANS.enterprise };
  };
  const payer = await open('A');
  const other = await open('B');
  const scan = (n: number, by = payer) =>
    scanAddress(ctx, by, { chain: 'ethereum', address: addressOf(n), lang: 'en', source: 'sync', trace: 'off' });
  const waits = async (n: number) => {
    while (!ctx.scanSlots.isWaiting(keyOf(n))) await setImmediate();
  };
  return { ctx, payer, other, scan, waits };
}

function rowOf(me: string, n: number) {
  const party = hex(4_096 + (n % 50), 40);
  return paymentRow(me, n, n % 2 ? { from: me, to: party } : { from: party, to: me });
}

it('large scans at once have their account’s places at most, read or cached, and all end', {
  timeout: 240_000,
}, async () => {
  const { ctx, scan } = await openMany({ places: 4 });
  const all = Array.from({ length: SCANS }, (_, n) => n + 1);
  for (const round of ['read', 'cached']) {
    let most = 0;
    let waited = 0;
    const timer = setInterval(() => {
      most = Math.max(most, ctx.scanSlots.large.running);
      waited += ctx.scanSlots.large.waiting;
    }, 2);
    const answers = await Promise.all(all.map((n) => scan(n)));
    clearInterval(timer);
    for (const { metadata, cached } of answers) {
      expect(metadata.total_transactions).toBe(TRANSFERS);
      expect(cached).toBe(round === 'cached');
    }
    expect(waited).toBeGreaterThan(0);
    expect(most).toBe(2);
    expect([ctx.scanSlots.large.running, ctx.scanSlots.large.waiting]).toEqual([0, 0]);
  }
});

it('a scan does not wait for that of an account that holds much, although both want the same address', async () => {
  const { ctx, payer, other, scan, waits } = await openMany({ places: 2 });
  const leave = await ctx.scanSlots.large.enter({ id: payer.accountId });
  const first = scan(1);
  await waits(1);
  expect((await scan(1, other)).metadata.total_transactions).toBe(TRANSFERS);
  expect(ctx.scanSlots.isWaiting(keyOf(1))).toBe(true);
  leave();
  expect((await first).metadata.total_transactions).toBe(TRANSFERS);
  expect(ctx.scanSlots.large.running).toBe(0);
});

it('a small scan passes while all places of large ones are taken', async () => {
  const { ctx, scan } = await openMany({ places: 1 });
  const leave = await ctx.scanSlots.large.enter({ id: 'B' });
  expect((await scan(SMALL)).metadata.total_transactions).toBe(SMALL_TRANSFERS);
  leave();
});

it('a scan that waits for a place until its deadline is refused as overload, and costs nothing', async () => {
  const { ctx, payer, scan } = await openMany({ places: 2, deadlineMs: 5_000 });
  const held = [await ctx.scanSlots.large.enter({ id: 'B' }), await ctx.scanSlots.large.enter({ id: 'C' })];
  const refused = scan(1);
  await expect(refused).rejects.toBeInstanceOf(OverloadError);
  await expect(refused).rejects.toMatchObject({ status: 503, headers: { 'Retry-After': '60' } });
  for (const leave of held) leave();
  expect(await readQuota(ctx.records, payer.accountId, Date.now())).toMatchObject({ used: 0 });
  expect([ctx.scanSlots.large.running, ctx.scanSlots.large.waiting]).toEqual([0, 0]);
});
