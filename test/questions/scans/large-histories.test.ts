import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { type Context, openContext } from '../../../src/context.ts';
import { OverloadError } from '../../../src/errors.ts';
import { PLANS } from '../../../src/plans.ts';
import { scanAddress } from '../../../src/questions/scans/scan-address.ts';
import { createAccount } from '../../../src/records/accounts/accounts.ts';
import { readQuota } from '../../../src/records/accounts/quota.ts';
import { waitForTransfers } from '../../../src/scheduling/history-memory.ts';
import { hex, paymentRow } from '../../chains/evm/payment-row.ts';
import { serveUpstream } from '../../contract/upstream.ts';

const MIB = 2 ** 20;
const LIMIT = 16 * MIB;
/** Of each address, and about 5 MiB of memory. */
const TRANSFERS = 4_000;
const SCANS = 8;

const addressOf = (n: number) => `0x${(0xabc000 + n).toString(16).padStart(40, '0')}`;

/** An explorer where each address has thousands of transactions in a block each. */
async function openMany({ deadlineMs }: { deadlineMs: number }) {
  const explorer = await serveUpstream(async ({ url }) => {
    const query = url.searchParams;
    if (query.get('module') === 'proxy') return { json: { jsonrpc: '2.0', id: 1, result: '0x' } };
    if (query.get('action') === 'balance') return { json: { status: '1', message: 'OK', result: '5' } };
    const last = Math.min(TRANSFERS - 1, Number(query.get('endblock') ?? TRANSFERS + 999) - 1_000);
    const size = query.get('action') === 'txlist' ? Math.min(1_000, last + 1) : 0;
    if (size <= 0) return { json: { status: '0', message: 'No transactions found', result: [] } };
    const result = Array.from({ length: size }, (_, i) => rowOf(query.get('address')!, last - i));
    return { json: { status: '1', message: 'OK', result } };
  });
  const settings = { ETHEREUM_EXPLORER_URL: `${explorer.url}/api`, SCAN_DEADLINE_MS: String(deadlineMs) };
  const options = { log: pino({ level: 'silent' }), inMemory: true, historyMemoryBytes: LIMIT };
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
  return { ctx, payer, other, scan };
}

/** Takes memory for so many transfers of each account, until it is released. */
function fill(ctx: Context, accounts: string[], transfers: number[]) {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const full = accounts.map((account, n) =>
    ctx.historyMemory.hold({ accounts: () => new Set([account]), subject: account }, async () => {
      await waitForTransfers(transfers[n]!);
      await released;
    }),
  );
  return { full, release };
}

function rowOf(me: string, n: number) {
  const party = hex(4_096 + (n % 50), 40);
  return paymentRow(me, n, n % 2 ? { from: me, to: party } : { from: party, to: me });
}

it('large scans at once stay below the limit and one history, and all end', { timeout: 240_000 }, async () => {
  const { ctx, scan } = await openMany({ deadlineMs: 110_000 });
  const all = Array.from({ length: SCANS }, (_, n) => n);
  for (const round of ['read', 'cached']) {
    let most = 0;
    let waited = 0;
    const timer = setInterval(() => {
      most = Math.max(most, ctx.historyMemory.usedBytes);
      waited += all.filter((n) => ctx.historyMemory.isWaiting(`ethereum:${addressOf(n)}`)).length;
    }, 2);
    const answers = await Promise.all(all.map((n) => scan(n)));
    clearInterval(timer);
    for (const { metadata, cached } of answers) {
      expect(metadata.total_transactions).toBe(TRANSFERS);
      expect(cached).toBe(round === 'cached');
    }
    expect(waited).toBeGreaterThan(0);
    expect(most).toBeGreaterThan(LIMIT / 2);
    expect(most).toBeLessThanOrEqual(LIMIT + 8 * MIB);
    expect(ctx.historyMemory.usedBytes).toBe(0);
  }
});

it('scans of an account do not wait for many of another account', { timeout: 240_000 }, async () => {
  const { ctx, other, scan } = await openMany({ deadlineMs: 110_000 });
  const ended: string[] = [];
  const end = (name: string) => () => void ended.push(name);
  const many = Array.from({ length: SCANS }, (_, n) => scan(n).then(end('A')));
  while (!many.some((_, n) => ctx.historyMemory.isWaiting(`ethereum:${addressOf(n)}`))) await setImmediate();
  const few = [SCANS, SCANS + 1].map((n) => scan(n, other).then(end('B')));
  await Promise.all([...many, ...few]);
  expect(ended.lastIndexOf('B')).toBeLessThan(SCANS - 1);
});

it('a scan that joins the reading of an account that holds much does not wait for that account', async () => {
  const { ctx, payer, other, scan } = await openMany({ deadlineMs: 20_000 });
  const { full, release } = fill(ctx, [payer.accountId, payer.accountId], [1_000, 7_500]);
  const first = scan(1);
  while (!ctx.historyMemory.isWaiting(`ethereum:${addressOf(1)}`)) await setImmediate();
  const answers = await Promise.all([first, scan(1, other)]);
  expect(answers.map(({ metadata }) => metadata.total_transactions)).toEqual([TRANSFERS, TRANSFERS]);
  release();
  await Promise.all(full);
  expect(ctx.historyMemory.usedBytes).toBe(0);
});

it('a scan that waits for memory until its deadline is refused as overload, and costs nothing', async () => {
  const { ctx, payer, scan } = await openMany({ deadlineMs: 1_500 });
  const { full, release } = fill(ctx, ['B', 'C', 'D'], [5_500, 5_500, 5_500]);
  const refused = scan(1);
  await expect(refused).rejects.toBeInstanceOf(OverloadError);
  await expect(refused).rejects.toMatchObject({ status: 503, headers: { 'Retry-After': '60' } });
  release();
  await Promise.all(full);
  expect(await readQuota(ctx.records, payer.accountId, Date.now())).toMatchObject({ used: 0 });
  expect(ctx.historyMemory.usedBytes).toBe(0);
});
