import { join, resolve } from 'node:path';
import { type Config, readConfig } from '../../config.ts';
import type { Context, ContextOptions } from '../../context.ts';
import { openDataDir, RECORDS_FILE } from '../../data-folder/data-dir.ts';
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

/** Lends all stores. Logs go to standard error: standard output is the command's own. */
export async function withContext<Result>(
  config: Config,
  work: (ctx: Context) => Promise<Result>,
  options: { oldGraph?: ContextOptions['oldGraph'] } = {},
): Promise<Result> {
  const { pino } = await import('pino');
  const { openContext } = await import('../../context.ts');
  const log = pino({ level: config.LOG_LEVEL, base: undefined }, pino.destination(2));
  const ctx = await openContext(config, { ...options, log });
  try {
    return await work(ctx);
  } finally {
    await ctx.close();
  }
}
