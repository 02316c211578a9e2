import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { PERIODIC_WORK, startWorkers } from '../workers/workers.ts';
import { type AppOptions, buildApp } from './app.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { type Context, type ContextOptions, closeAfterFailure, openContext } from './context.ts';
import { ClosingError } from './errors.ts';
import { startScheduler } from './jobs/scheduler.ts';
import { listenForHandover } from './operator/handover.ts';
import { warnOfGaps } from './operator/start-warnings.ts';
import { isShared, refuseLoneWorker } from './operator/store-choice.ts';
import { watchSecrets } from './questions/secrets.ts';

/** A running process and the way to end it. */
export interface Running {
  ctx: Context;
  close: () => Promise<void>;
}

/** A running service and where it listens. */
export interface Service extends Running {
  url: string;
}

export interface ServiceOptions extends ContextOptions, AppOptions {
  /** True: answers requests and does neither jobs nor periodic work; a measure then sees what a request alone runs. */
  answersOnly?: boolean;
}

/** Requests under way have so long; then their scans are ended. */
const ANSWER_MS = 20_000;
/** For the answers of scans that were ended; then the connections are closed. */
const LAST_ANSWERS_MS = 1_000;
/** Whatever still holds the process then is left behind. */
const CLOSE_MS = 25_000;
/** The same after a failed start. */
const EXIT_MS = 2_000;

/** Opens the stores and listens; requests under way are answered before `close` resolves. */
export async function startService(config: Config, options: ServiceOptions = {}): Promise<Service> {
  const ctx = await openContext(config, options);
  try {
    await warnOfGaps(ctx);
    await watchSecrets(ctx);
    const app = await buildApp(ctx, options);
    const { answersOnly } = options;
    const shared = isShared(config);
    const handover = shared ? null : await listenForHandover(ctx, join(config.DATA_DIR, 'traceflow.sock'));
    const url = await app.listen({ host: config.HOST, port: config.PORT }).catch(async (error) => {
      await handover?.close();
      throw error;
    });
    // Where other processes can reach the graph and the queue, they do the jobs.
    const workers = shared || answersOnly ? null : startWorkers(ctx);
    const scheduler = answersOnly ? null : startScheduler(ctx, PERIODIC_WORK);
    return {
      ctx,
      url,
      close: async () => {
        ctx.leaving.abort();
        if (config.DRAIN_SECONDS > 0) await sleep(config.DRAIN_SECONDS * 1_000);
        const impatience = setTimeout(() => {
          ctx.ending.abort(new ClosingError());
          setTimeout(() => app.server.closeAllConnections(), LAST_ANSWERS_MS).unref();
        }, ANSWER_MS);
        const ended = Promise.all([app.close(), handover?.close(), workers?.stop(), scheduler?.stop()]);
        ctx.scanSlots.close();
        await ended;
        clearTimeout(impatience);
        await ctx.close();
      },
    };
  } catch (error) {
    await closeAfterFailure(ctx.close());
    throw error;
  }
}

/** Opens the stores and does jobs, without HTTP. Throws ConfigError where no process can stand beside the server. */
export async function startWorker(config: Config): Promise<Running> {
  refuseLoneWorker(config);
  const ctx = await openContext(config);
  await watchSecrets(ctx);
  const workers = startWorkers(ctx);
  const scheduler = startScheduler(ctx, PERIODIC_WORK);
  const endHeartbeat = startHeartbeat(join(config.DATA_DIR, 'work.beat'), (err) =>
    ctx.log.warn({ err }, 'no heartbeat was written'),
  );
  return {
    ctx,
    close: async () => {
      endHeartbeat();
      const ended = Promise.all([workers.stop(), scheduler.stop()]);
      ctx.scanSlots.close();
      await ended;
      await ctx.close();
    },
  };
}

/** The process: runs the service until SIGINT or SIGTERM. */
export async function runService(options?: ContextOptions): Promise<void> {
  const service = await startService(readConfig(), options);
  service.ctx.log.info({ url: service.url, graph: service.ctx.graph.engine }, 'traceflow is listening');
  await runUntilSignal(service);
}

/** The process: does jobs until SIGINT or SIGTERM. */
export async function runWorker(): Promise<void> {
  const worker = await startWorker(readConfig());
  worker.ctx.log.info('traceflow is working');
  await runUntilSignal(worker);
}

async function runUntilSignal({ ctx, close }: Running): Promise<void> {
  await new Promise<void>((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
  ctx.log.info('traceflow is closing');
  setTimeout(
    () => {
      ctx.log.error('traceflow did not close in time');
      process.exit(1);
    },
    CLOSE_MS + ctx.config.DRAIN_SECONDS * 1_000,
  ).unref();
  await close();
  // The stores are closed: whatever still runs cannot keep its result.
  process.exit();
}

/** One line for what an operator can fix; a stack only for a fault of the service. */
function explain(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  const { code, syscall, message, stack } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return `${message}. Stop the other process or set PORT.`;
  if (syscall === 'listen' || syscall === 'getaddrinfo') return `${message}. Check HOST and PORT.`;
  return error instanceof Error && error.name !== 'Error' ? message : (stack ?? String(error));
}

const [, script, ...unknown] = process.argv;

if (script && import.meta.url === pathToFileURL(script).href) {
  if (unknown.length > 0) {
    process.stderr.write(
      `traceflow: unknown argument ${unknown[0]}. Usage: node main.js, configured by the environment; traceflow serve --help lists options.\n`,
    );
    process.exit(2);
  }
  runService().catch((error: unknown) => {
    process.stderr.write(`traceflow cannot start: ${explain(error)}\n`);
    process.exitCode = 1;
    // What is still open, such as a connection that is being made, must not hold the process.
    setTimeout(() => process.exit(), EXIT_MS).unref();
  });
}

const EVERY_MS = 10_000;

/**
 * Writes a file every ten seconds as long as the process comes to it, so that a health check can distinguish a live worker
 * from one that hangs. `onFailure` gets the reason when it cannot be written. Returns how to end it.
 */
function startHeartbeat(path: string, onFailure: (error: unknown) => void): () => void {
  const writeBeat = () => {
    try {
      writeFileSync(path, '');
    } catch (error) {
      onFailure(error);
    }
  };
  writeBeat();
  const timer = setInterval(writeBeat, EVERY_MS);
  return () => {
    clearInterval(timer);
    rmSync(path, { force: true });
  };
}
