import type { ChainEndpoint, SourceFacts } from '../chains/port.ts';
import type { Config } from '../config.ts';
import type { Context, SourceContext } from '../context.ts';
import { CHAINS, type Chain } from '../domain/chain.ts';
import { HOUR_MS, iso, isoOrNull } from '../domain/time.ts';
import { SourceError } from '../errors.ts';
import { shownHost } from '../outbound/places.ts';
import { type OutboundProblem, type OutboundUse, UNUSED } from '../outbound/use.ts';
import { type Records, readerOf } from '../records/database/database.ts';
import type { KeptList } from '../records/database/tables/lists.ts';
import { readKeptLists } from '../records/lists/kept-lists.ts';

/** One configured source, by its setting. */
interface ConfiguredSource {
  chain: Chain;
  setting: string;
  host: string;
  /** Requests a second as set or published; null where neither is known. */
  requests_per_second: number | null;
}

/** The same with what this process met at the sources of its chain. */
type UsedSource = ConfiguredSource & ShownUse;

/** The same after it was asked. */
export interface CheckedSource extends ConfiguredSource {
  /** `behind`: it answers, and its newest block is older than three hours. */
  state: 'ok' | 'behind' | 'failed';
  problem: OutboundProblem | null;
  /** The same in words, for the operator alone: it may hold hosts and paths. */
  reason: string | null;
  height: number | null;
  height_at: string | null;
  chain_id: number | null;
  lacks: SourceFacts['lacks'];
  /** Time of the check, its waits for the rate of the source included. */
  took_ms: number;
  stated_limit: string | null;
  refused_at: string | null;
}

type Parts = SourceContext & { now: () => number };

const CHECK_MS = 30_000;
/** Blocks of Bitcoin are an hour apart now and then. */
const BEHIND_MS = 3 * HOUR_MS;

/** The configured sources, in the order of chains, with how their chain answered this process. */
export async function configuredSources({ chainSource, sourceUses }: Context): Promise<UsedSource[]> {
  const found = await Promise.all(CHAINS.map(async (chain) => ({ chain, source: await chainSource(chain) })));
  return found.flatMap(({ chain, source }) => {
    const used = describeUse(sourceUses.get(chain));
    return (source?.endpoints ?? []).map((endpoint) => ({ ...describe(chain, endpoint), ...used }));
  });
}

/** Asks each configured source for its newest block and for what it lacks. */
export async function checkSources({ chainSource, now }: Parts): Promise<CheckedSource[]> {
  const found = await Promise.all(
    CHAINS.map(async (chain) => {
      const source = await chainSource(chain);
      return Promise.all((source?.endpoints ?? []).map((endpoint) => checkOne(chain, endpoint, now)));
    }),
  );
  return found.flat();
}

/** A place to listen to, and what asks it for its newest block; null where it states none. */
interface ListeningPlace {
  chain: Chain;
  setting: string;
  url: string;
  ask: () => Promise<number | null>;
}

/** Asks each place to listen to: those that a setting names, and the WebSocket beside the node of Solana. */
export async function checkListeners(
  config: Config,
  openListener: Context['openListener'],
  connect: (url: string, signal: AbortSignal) => Promise<void>,
): Promise<CheckedSource[]> {
  const connectTo = async (url: string) => {
    await connect(url, AbortSignal.timeout(CHECK_MS));
    return null;
  };
  const places = CHAINS.flatMap((chain): ListeningPlace[] => {
    const { liveUrl, rpcUrl, mempoolUrl } = config.chains[chain];
    const name = chain.toUpperCase();
    const url = liveUrl ?? (chain === 'solana' ? rpcUrl : undefined);
    const listens = { chain, setting: `${name}_LIVE_URL`, ask: () => oneStep(chain, openListener) };
    const connects = { chain, setting: `${name}_MEMPOOL_URL`, ask: () => connectTo(mempoolUrl!) };
    return [
      ...(url === undefined ? [] : [{ ...listens, url }]),
      ...(mempoolUrl === undefined ? [] : [{ ...connects, url: mempoolUrl }]),
    ];
  });
  return Promise.all(
    places.map(async ({ chain, setting, url, ask }) => {
      const startedAt = performance.now();
      const answer = await ask().catch((error: Error) => error);
      const isHeard = !(answer instanceof Error);
      return {
        chain,
        setting,
        host: shownHost(new URL(url).host),
        requests_per_second: null,
        state: isHeard ? ('ok' as const) : ('failed' as const),
        ...(isHeard ? { problem: null, reason: null } : failureOf(answer)),
        height: isHeard ? answer : null,
        height_at: null,
        chain_id: null,
        lacks: [],
        took_ms: Math.round(performance.now() - startedAt),
        stated_limit: null,
        refused_at: null,
      };
    }),
  );
}

/** The newest block that the listener of a chain hears of, once its WebSocket has spoken. */
async function oneStep(chain: Chain, openListener: Context['openListener']): Promise<number> {
  const listener = await openListener(chain);
  if (!listener) throw new SourceError(chain, 'live: nothing serves to listen to it');
  const signal = AbortSignal.timeout(CHECK_MS);
  try {
    const { head } = await listener.step({ watched: new Map(), place: null, signal });
    await listener.spoken?.(signal);
    return head;
  } catch (error) {
    if (signal.aborted && !(error instanceof SourceError)) throw signal.reason;
    throw error;
  } finally {
    listener.close();
  }
}

function describe(chain: Chain, { kind, baseUrl, perSecond }: ChainEndpoint): ConfiguredSource {
  const host = shownHost(new URL(baseUrl).host);
  return { chain, setting: `${chain.toUpperCase()}_${kind}_URL`, host, requests_per_second: perSecond ?? null };
}

async function checkOne(chain: Chain, endpoint: ChainEndpoint, now: () => number): Promise<CheckedSource> {
  const startedAt = performance.now();
  const answer = await endpoint.check({ signal: AbortSignal.timeout(CHECK_MS) }).catch((error: Error) => error);
  const took = Math.round(performance.now() - startedAt);
  const { stated = null, refusedAt = null } = endpoint.seen?.() ?? {};
  const limits = { took_ms: took, stated_limit: stated, refused_at: isoOrNull(refusedAt) };
  if (answer instanceof Error) {
    const nothing = { height: null, height_at: null, chain_id: null, lacks: [] };
    return { ...describe(chain, endpoint), state: 'failed', ...failureOf(answer), ...nothing, ...limits };
  }
  const { height, heightAt, chainId, lacks } = answer;
  const isBehind = now() - heightAt > BEHIND_MS;
  return {
    ...describe(chain, endpoint),
    state: isBehind ? 'behind' : 'ok',
    problem: null,
    reason: isBehind ? `its newest block is of ${iso(heightAt)}` : null,
    height,
    height_at: iso(heightAt),
    chain_id: chainId,
    lacks,
    ...limits,
  };
}

function failureOf(error: Error): Pick<CheckedSource, 'problem' | 'reason'> {
  if (error.name === 'TimeoutError') return { problem: 'no_answer', reason: `no answer within ${CHECK_MS / 1_000} s` };
  if (!(error instanceof SourceError)) return { problem: 'unusable_answer', reason: error.message };
  const { problem, reason } = error;
  return { problem, reason: problem === 'key_refused' ? `${reason} (is its key missing or wrong?)` : reason };
}

/** Returns where daily prices come from, and how the API of prices answered this process. */
export async function describePrices({ prices, records }: Context) {
  const held = await readerOf(records)
    .selectFrom('prices')
    .select((e) => ['source', e.fn.countAll().as('days'), e.fn.max('date').as('newest')])
    .groupBy('source')
    .orderBy('source')
    .execute();
  const { api } = prices;
  return {
    api: api && { style: api.name, host: api.host, ...describeUse(api.use) },
    held: held.map(({ source, days, newest }) => ({ source, days: Number(days), newest })),
    refused: [...prices.refusals],
  };
}

/** The use of a service outside, as answers show it. */
interface ShownUse {
  last_success_at: string | null;
  last_failure_at: string | null;
  last_problem: OutboundProblem | null;
}

function describeUse({ lastSuccessAt, lastFailureAt, problem }: OutboundUse = UNUSED): ShownUse {
  return {
    last_success_at: isoOrNull(lastSuccessAt),
    last_failure_at: isoOrNull(lastFailureAt),
    last_problem: problem,
  };
}

/** A list that the service fetches by itself, as answers show it. */
export interface ShownList {
  source: string;
  place: string;
  every_hours: number;
  state: KeptList['state'];
  problem: string | null;
  checked_at: string | null;
  loaded_at: string | null;
  next_at: string;
}

export async function describeKeptLists(records: Records): Promise<ShownList[]> {
  return (await readKeptLists(records)).map(({ source, place, every_ms, state, problem, ...times }) => ({
    source,
    place,
    every_hours: every_ms / HOUR_MS,
    state,
    problem,
    checked_at: isoOrNull(times.checked_at),
    loaded_at: isoOrNull(times.loaded_at),
    next_at: isoOrNull(times.next_at)!,
  }));
}
