import type { Context } from '../context.ts';
import { pingRecords } from '../records/database.ts';

export type Reachable = 'ok' | 'unreachable';

const PATIENCE_MS = 2_000;

/** Whether the record store and the graph answer; a store that does not within 2 s counts as unreachable. */
export async function checkStores(ctx: Context): Promise<{ records: Reachable; graph: Reachable }> {
  const [records, graph] = await Promise.all([
    reach(ctx, 'records', pingRecords(ctx.records)),
    reach(ctx, 'graph', ctx.graph.ping()),
  ]);
  return { records, graph };
}

async function reach(ctx: Context, store: string, ping: Promise<void>): Promise<Reachable> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${store} did not answer within ${PATIENCE_MS} ms`)), PATIENCE_MS);
  });
  try {
    await Promise.race([ping, late]);
    return 'ok';
  } catch (err) {
    ctx.log.warn({ err, store }, 'store is unreachable');
    return 'unreachable';
  } finally {
    clearTimeout(timer);
  }
}
