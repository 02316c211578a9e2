import { hasSource } from '../config.ts';
import type { Context } from '../context.ts';
import { CHAINS, type Chain } from '../domain/chain.ts';
import type { ListGap } from '../domain/label.ts';
import { isoOrNull } from '../domain/time.ts';
import { within } from '../fairness/deadline.ts';
import type { LabelList } from '../labels/label-lists.ts';
import { pingRecords } from '../records/database/database.ts';
import { readKeptLists } from '../records/lists/kept-lists.ts';
import type { WriteProbe } from './write-probe.ts';

type StoreState = 'ok' | 'unreachable' | 'read_only';

const PING_TIMEOUT_MS = 2_000;

export type StoreStates = Record<'records' | 'graph' | 'limits', StoreState>;

/**
 * Asks the stores that every request needs whether they answer and take writes; one that does not answer within 2 s counts as
 * unreachable.
 */
export async function checkStores(ctx: Context, { works }: WriteProbe): Promise<StoreStates> {
  const [records, graph, limits] = await Promise.all([
    reach(ctx, 'records', pingRecords(ctx.records)),
    reach(ctx, 'graph', ctx.graph.ping()),
    reach(ctx, 'limits', ctx.limits.take({ name: 'readiness', limit: 1 })),
  ]);
  const withWrites = (state: StoreState, isWritable: boolean) => (state === 'ok' && !isWritable ? 'read_only' : state);
  return { records: withWrites(records, works.records), graph: withWrites(graph, works.graph), limits };
}

/** The lists that labels come from, and what of them is wanting; null where the records cannot be read. */
export async function loadedLists({
  labels,
  log,
}: Context): Promise<{ lists: LabelList[]; gap: ListGap | null } | null> {
  try {
    return { lists: await labels.lists(), gap: await labels.gap() };
  } catch (err) {
    log.warn({ err }, 'label lists could not be read');
    return null;
  }
}

/** Chains with a source, and when one of it last answered this process. */
export function sourcesInUse({ config, sourceUses }: Context): { chain: Chain; last_success_at: string | null }[] {
  return CHAINS.filter((chain) => hasSource(config.chains[chain])).map((chain) => ({
    chain,
    last_success_at: isoOrNull(sourceUses.get(chain)?.lastSuccessAt ?? null),
  }));
}

/** The kept lists that failed or wait for a decision; null where the records cannot be read. */
export async function listsInTrouble(ctx: Context): Promise<{ source: string; state: 'failed' | 'waiting' }[] | null> {
  const kept = await readKeptLists(ctx.records).catch((err: unknown) => {
    ctx.log.warn({ err }, 'kept lists could not be read');
    return null;
  });
  return (
    kept?.flatMap(({ source, state }) => (state === 'failed' || state === 'waiting' ? [{ source, state }] : [])) ?? null
  );
}

export function allReachable(stores: StoreStates): boolean {
  return Object.values(stores).every((store) => store === 'ok');
}

async function reach(ctx: Context, store: string, ping: Promise<unknown>): Promise<StoreState> {
  const late = () => new Error(`${store} did not answer within ${PING_TIMEOUT_MS} ms`);
  try {
    await within(PING_TIMEOUT_MS, ping, late);
    return 'ok';
  } catch (err) {
    ctx.log.warn({ err, store }, 'store is unreachable');
    return 'unreachable';
  }
}
