import { join, resolve } from 'node:path';
import { type Config, readConfig } from '../../config.ts';
import type { Context } from '../../context.ts';
import { openDataDir, RECORDS_FILE } from '../../files/data-dir.ts';
import { openRecords, type Records } from '../../records/database/database.ts';

/** The socket on which a running server takes work. */
export function socketPath(config: Config): string {
  return resolve(config.DATA_DIR, 'traceflow.sock');
}

/** Lends the records alone, which several processes may hold at once. */
export async function withRecords<Result>(work: (records: Records) => Promise<Result>): Promise<Result> {
  const config = readConfig();
  for (const line of openDataDir(config.DATA_DIR)) process.stderr.write(`${line}\n`);
  const records = await openRecords({
    databaseUrl: config.DATABASE_URL,
    path: join(config.DATA_DIR, RECORDS_FILE),
  });
  try {
    return await work(records);
  } finally {
    await records.destroy();
  }
}

/** Makes running servers read an account and its keys again; a server that is not reached does so within KEY_CACHE_SECONDS. */
export async function notifyServers(accountId: string): Promise<void> {
  const config = readConfig();
  const onFailure = ({ message }: Error) => {
    process.stderr.write(`Running servers see this within ${config.KEY_CACHE_SECONDS} s: ${message}\n`);
  };
  if (config.REDIS_URL) {
    const { openChangesInRedis } = await import('../../account-changes/redis.ts');
    const changes = openChangesInRedis(config.REDIS_URL, onFailure);
    await changes.publish(accountId);
    await changes.close();
  } else {
    const { handOver } = await import('../handover.ts');
    await handOver(socketPath(config), { kind: 'account_changed', accountId }).catch(onFailure);
  }
}

/** Lends all stores. Logs go to standard error: standard output is the command's own. */
export async function withContext<Result>(config: Config, work: (ctx: Context) => Promise<Result>): Promise<Result> {
  const { pino } = await import('pino');
  const { openContext } = await import('../../context.ts');
  const log = pino({ level: config.LOG_LEVEL, base: undefined }, pino.destination(2));
  const ctx = await openContext(config, { log });
  try {
    return await work(ctx);
  } finally {
    await ctx.close();
  }
}
