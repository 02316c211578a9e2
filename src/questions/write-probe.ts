import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../context.ts';
import { within } from '../fairness/deadline.ts';
import { tryWrite } from '../records/jobs/periodic-work.ts';

const EVERY_MS = 5_000;
const PATIENCE_MS = 10_000;
/** Bytes that the log of an embedded store takes for a scan. */
const FILE_BYTES = 256 * 1024;

/** Reports if the stores still take writes: a full disk lets reads go on. */
export interface WriteProbe {
  /** The last attempt; true until one was made. */
  readonly works: { records: boolean; graph: boolean };
  /** Tries a write in each store. */
  look(): Promise<void>;
  start(): void;
  stop(): void;
}

export function openWriteProbe(ctx: Context): WriteProbe {
  const { config } = ctx;
  const works = { records: true, graph: true };
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;

  const attempt = async (store: keyof typeof works, write: () => Promise<unknown>) => {
    try {
      await within(PATIENCE_MS, write(), () => new Error(`no write within ${PATIENCE_MS} ms`));
      if (!works[store]) ctx.log.info({ store }, 'store takes writes again');
      works[store] = true;
    } catch (err) {
      ctx.log.error({ err, store }, 'store takes no writes');
      works[store] = false;
    }
  };
  // An embedded store reuses space of its log, so that a small write may succeed on a full disk: a file shows it.
  const tryFile = () => (ctx.dataDir === null ? Promise.resolve() : writeFileIn(ctx.dataDir));
  const look = async () => {
    await Promise.all([
      attempt('records', async () => {
        await tryWrite(ctx.records, ctx.now());
        if (!config.DATABASE_URL) await tryFile();
      }),
      attempt('graph', async () => {
        if (!config.NEO4J_URI) return tryFile();
        return ctx.graph.write([{ statement: 'health/try-write', params: { at: ctx.now() } }]);
      }),
    ]);
  };
  const lookOnce = () => {
    looking ??= look().finally(() => {
      looking = undefined;
    });
    return looking;
  };

  return {
    works,
    look: lookOnce,
    start: () => {
      timer = setInterval(lookOnce, EVERY_MS).unref();
    },
    stop: () => clearInterval(timer),
  };
}

let files = 0;

async function writeFileIn(folder: string): Promise<void> {
  files += 1;
  const path = join(folder, `write-probe-${process.pid}-${files % 2}`);
  try {
    await writeFile(path, Buffer.alloc(FILE_BYTES), { flush: true });
  } finally {
    await rm(path, { force: true });
  }
}
