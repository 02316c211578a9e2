import { readConfig } from '../../src/config.ts';
import { openContext } from '../../src/context.ts';
import { startWorkers } from '../../workers/workers.ts';

/** A process that only works: on the given settings, with a graph of its own in memory, until SIGTERM. */
export async function run(settings: string): Promise<void> {
  const ctx = await openContext(readConfig(JSON.parse(settings)), { inMemory: true });
  const workers = startWorkers(ctx);
  process.once('SIGTERM', async () => {
    await workers.stop();
    await ctx.close();
    process.exit(0);
  });
  console.log(JSON.stringify({ msg: 'working' }));
}
