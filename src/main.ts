import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startWorkers } from '../workers/workers.ts';
import { buildApp } from './app.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { type Context, openContext } from './context.ts';
import { listenForHandover } from './handover.ts';

/** A running service: where it listens, and the way to end it. */
export interface Service {
  ctx: Context;
  url: string;
  close: () => Promise<void>;
}

/** Opens the stores and listens; requests under way are answered before `close` resolves. */
export async function startService(config: Config): Promise<Service> {
  const ctx = await openContext(config);
  try {
    const app = await buildApp(ctx);
    const handover = await listenForHandover(ctx, join(config.DATA_DIR, 'traceflow.sock'));
    const url = await app.listen({ host: config.HOST, port: config.PORT }).catch(async (error) => {
      await handover.close();
      throw error;
    });
    // Where other processes can reach the graph and the queue, they do the jobs.
    const workers = config.REDIS_URL && config.NEO4J_URI ? null : startWorkers(ctx);
    return {
      ctx,
      url,
      close: async () => {
        await Promise.all([handover.close(), workers?.stop()]);
        await app.close();
        await ctx.close();
      },
    };
  } catch (error) {
    await ctx.close();
    throw error;
  }
}

/** The process: runs the service until SIGINT or SIGTERM. */
export async function runService(): Promise<void> {
  const service = await startService(readConfig());
  service.ctx.log.info({ url: service.url, graph: service.ctx.graph.engine }, 'traceflow is listening');
  await new Promise<void>((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
  service.ctx.log.info('traceflow is closing');
  await service.close();
}

/** One line for what an operator can mend; a stack only for what is ours to mend. */
function explain(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  const { code, message, stack } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return `${message}. Stop the other process or set PORT.`;
  return error instanceof Error && error.name !== 'Error' ? message : (stack ?? String(error));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  runService().catch((error: unknown) => {
    process.stderr.write(`traceflow cannot start: ${explain(error)}\n`);
    process.exitCode = 1;
  });
}
