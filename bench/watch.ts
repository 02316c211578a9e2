import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { startChainServers } from '../fixtures/chain-servers/start.ts';
import { makeWorld } from '../fixtures/demo/world.ts';
import { readConfig } from '../src/config.ts';
import { type Context, openContext } from '../src/context.ts';
import { MINUTE_MS } from '../src/domain/time.ts';
import { PLANS } from '../src/plans.ts';
import { savePrices } from '../src/prices/price-store.ts';
import { addItem } from '../src/questions/monitoring/manage-watchlist.ts';
import { readAndScore } from '../src/questions/scans/read-and-score.ts';
import { createAccount } from '../src/records/accounts/accounts.ts';
import { startWatchWorker } from '../workers/watch-worker.ts';
import { ms, table } from './table.ts';

const ITEMS = 1_000;
const LOOK_MS = 1_000;
const PLAN = 'enterprise';

/**
 * Rescans of watched addresses of all chains by one process, beside the bare scans of the same addresses one after the
 * other; and what part of the shortest interval of any plan 1,000 of them take, and by calculation 10,000.
 */
export async function benchWatch(): Promise<void> {
  const world = makeWorld();
  const chains = await startChainServers(world);
  const roles = world.roles.filter(({ address }) => address !== '');
  const items = Array.from({ length: ITEMS }, (_, i) => ({
    role: roles[i % roles.length]!,
    desk: Math.floor(i / roles.length),
  }));
  const open = async () => {
    const log = pino({ level: 'silent' });
    const ctx = await openContext(readConfig(chains.env), { inMemory: true, log });
    await savePrices(ctx.records, world.prices);
    await ctx.labels.put(world.labels, { stamp: await ctx.labels.beginLoad(), list: false });
    return ctx;
  };

  const bare = await open();
  const bareStartedAt = performance.now();
  for (const { role } of items) {
    const signal = AbortSignal.timeout(MINUTE_MS);
    const request = { chain: role.chain, address: role.address, lang: 'en' as const };
    await readAndScore(bare, request, { accountId: 'bench', signal, maxAgeMs: 0, reach: 'row' }).catch(() => {});
  }
  const bareMs = performance.now() - bareStartedAt;
  await bare.close();

  const ctx = await open();
  const desks = await Promise.all(
    Array.from({ length: Math.ceil(ITEMS / roles.length) }, (_, i) =>
      createAccount(ctx.records, { name: `Desk ${i}`, planId: PLAN }, ctx.now()),
    ),
  );
  for (const { role, desk } of items) {
    const request = {
      chain: role.chain,
      address: role.address,
      label: '',
      follow_mode_enabled: false,
      follow_depth: 1,
    };
    const times = { now: ctx.now(), nextScanAt: ctx.now() };
    await addItem(ctx.records, { accountId: desks[desk]!.id, keyId: null, plan: PLANS[PLAN] }, request, times);
  }
  const dueAt = ctx.now();
  const startedAt = performance.now();
  const worker = startWatchWorker(ctx, LOOK_MS);
  while ((await countDue(ctx, dueAt)) > 0) await sleep(100);
  const watchedMs = performance.now() - startedAt;
  await worker.stop();
  await ctx.close();
  await chains.close();

  const intervalMs = PLANS[PLAN].rescanMinutes * MINUTE_MS;
  const part = (count: number) => `${((100 * watchedMs * count) / ITEMS / intervalMs).toFixed(1)}%`;
  table(
    ['watched', 'scans one by one', 'by the watch worker', 'ratio', 'of 15 minutes', '10,000 would be'],
    [
      [
        String(ITEMS),
        ms(bareMs / ITEMS),
        ms(watchedMs / ITEMS),
        (watchedMs / bareMs).toFixed(2),
        part(ITEMS),
        part(10 * ITEMS),
      ],
    ],
  );
}

/** An address without any history is due again, but was never scanned. */
async function countDue(ctx: Context, at: number): Promise<number> {
  const items = ctx.records.selectFrom('watchlist_items').where('next_scan_at', '<=', at);
  return (await items.select('id').execute()).length;
}
