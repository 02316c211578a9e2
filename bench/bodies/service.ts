import { pino } from 'pino';
import { buildApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { openContext } from '../../src/context.ts';
import { createAccount } from '../../src/records/accounts/accounts.ts';
import { insertKey } from '../../src/records/accounts/keys.ts';
import { watchEventLoop } from '../event-loop.ts';

/** The line that the service prints once it listens. */
export interface Opened {
  url: string;
  key: string;
  document: unknown;
}

/** Cost since the last question. */
export interface Cost {
  held: number;
  cpu: number;
  heap: number;
}

/** The whole service in a process of its own, without limits of requests a minute; it states its cost when asked. */
async function serve(): Promise<void> {
  const ctx = await openContext(readConfig(process.env), { log: pino({ level: 'silent' }) });
  ctx.limits.take = async () => ({ allowed: true, limit: 1_000, remaining: 1_000, retryAfterS: 0 });
  const app = await buildApp(ctx);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { id: accountId } = await createAccount(ctx.records, { name: 'Bench', planId: 'enterprise' }, ctx.now());
  const { key } = await insertKey(ctx.records, { accountId, name: 'bench' }, ctx.now());
  let stop = watchEventLoop();
  let cpu = process.cpuUsage();
  process.on('message', () => {
    const { longest } = stop();
    const { user, system } = process.cpuUsage(cpu);
    const cost: Cost = { held: longest, cpu: (user + system) / 1_000, heap: process.memoryUsage().heapUsed };
    process.send!(cost);
    [stop, cpu] = [watchEventLoop(), process.cpuUsage()];
  });
  process.on('disconnect', () => process.exit());
  const url = app.listeningOrigin;
  process.send!({ url, key, document: app.swagger() } satisfies Opened);
}

if (process.send) void serve();
