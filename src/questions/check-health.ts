import type { Context } from '../context.ts';
import type { LabelList } from '../labels/label-lists.ts';
import { pingRecords } from '../records/database/database.ts';

export type Reachable = 'ok' | 'unreachable';

const PING_TIMEOUT_MS = 2_000;

export type Stores = Record<'records' | 'graph' | 'limits', Reachable>;

/** Whether the stores that every request needs answer; one that does not within 2 s counts as unreachable. */
export async function checkStores(ctx: Context): Promise<Stores> {
  const [records, graph, limits] = await Promise.all([
    reach(ctx, 'records', pingRecords(ctx.records)),
    reach(ctx, 'graph', ctx.graph.ping()),
    reach(ctx, 'limits', ctx.limits.take('readiness', 1)),
  ]);
  return { records, graph, limits };
}

/** The lists that labels come from; null where the records cannot be read. */
export async function loadedLists(ctx: Context): Promise<LabelList[] | null> {
  return ctx.labels.lists().catch((err: unknown) => {
    ctx.log.warn({ err }, 'label lists could not be read');
    return null;
  });
}

export function allReachable(stores: Stores): boolean {
  return Object.values(stores).every((store) => store === 'ok');
}

async function reach(ctx: Context, store: string, ping: Promise<unknown>): Promise<Reachable> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`${store} did not answer within ${PING_TIMEOUT_MS} ms`)),
      PING_TIMEOUT_MS,
    );
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
