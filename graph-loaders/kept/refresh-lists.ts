import PQueue from 'p-queue';
import type { Context } from '../../src/context.ts';
import { HOUR_MS } from '../../src/domain/time.ts';
import { AppError, InvalidInputError } from '../../src/errors.ts';
import type { Endings } from '../../src/labels/put-labels.ts';
import type { KeptList } from '../../src/records/database/tables/lists.ts';
import { readKeptLists, saveListState, takeListTurn } from '../../src/records/lists/kept-lists.ts';
import { load } from '../load.ts';
import type { LoadRequest } from '../load-request.ts';
import { parted } from '../reading/input.ts';
import type { LoadReport } from '../reading/tally.ts';
import { deleteLeftLists, fetchList } from './fetch-list.ts';

type Parts = Pick<Context, 'records' | 'graph' | 'labels' | 'prices' | 'now' | 'log' | 'dataDir' | 'webhookGuard'>;

interface RefreshOptions {
  /** Lists are loaded one after another. */
  loads: PQueue;
  /** The fate of labels that the newer list lacks; default: they wait where they are many. */
  endings?: Endings;
  signal?: AbortSignal;
  /** Left out: the operator, who reads the answer in place of the log. */
  by?: string;
}

/** The state of a list after a refresh, with the report of the load where there was one. */
export interface RefreshedList {
  source: string;
  place: string;
  state: KeptList['state'];
  problem: string | null;
  report: LoadReport | null;
}

/** A list that failed is tried again after this time, or its own period where that is shorter. */
const RETRY_MS = HOUR_MS;
const LISTS_AT_ONCE = 4;
const ERRORS_LOGGED = 20;
/** Lists and their reasons are shown to people. */
const PROBLEM_LENGTH_MAX = 500;

/** Refreshes each kept list that is due, by one of all processes. What fails is logged, noted and tried again. */
export async function refreshDueLists(ctx: Parts, signal?: AbortSignal): Promise<void> {
  const due = (await readKeptLists(ctx.records)).filter(({ next_at }) => next_at <= ctx.now());
  const loads = new PQueue({ concurrency: 1 });
  await sideBySide(ctx, due, async (list) => {
    // A process that dies meanwhile costs one retry.
    if (!signal?.aborted && (await takeListTurn(ctx.records, list, retryAt(ctx, list)))) {
      await refreshList(ctx, list, { loads, signal, by: 'service' });
    }
  });
}

/** Refreshes all kept lists, or those of one source, due or not. Throws InvalidInputError where none is kept. */
export async function refreshKeptLists(
  ctx: Parts,
  { source, endings }: { source?: string; endings?: Endings },
  signal?: AbortSignal,
): Promise<RefreshedList[]> {
  const kept = (await readKeptLists(ctx.records)).filter((list) => source === undefined || list.source === source);
  if (kept.length === 0)
    throw new InvalidInputError(
      `No list is kept${source === undefined ? '' : ` of ${source}`}: traceflow lists suggest names public ones`,
    );
  const loads = new PQueue({ concurrency: 1 });
  return sideBySide(ctx, kept, (list) => refreshList(ctx, list, { endings, loads, signal }));
}

/** A slow list holds up no other one. Ends with the last of them, and throws what one of them threw. */
async function sideBySide<Result>(
  { dataDir }: Parts,
  lists: readonly KeptList[],
  refresh: (list: KeptList) => Promise<Result>,
): Promise<Result[]> {
  if (dataDir !== null) await deleteLeftLists(dataDir);
  const queue = new PQueue({ concurrency: LISTS_AT_ONCE });
  const outcomes = await Promise.allSettled(lists.map((list) => queue.add(() => refresh(list))));
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
}

/** Fetches one list and loads it where it changed. The last good one stays where it cannot be used. */
async function refreshList(
  ctx: Parts,
  list: KeptList,
  { endings, loads, signal, by }: RefreshOptions,
): Promise<RefreshedList> {
  const { source, place } = list;
  // What waits is loaded again as a whole: a newer version may no longer lack anything.
  const version = list.state === 'current' && endings === undefined ? list.version : null;
  try {
    const fetched = await fetchList(place, version, { guard: ctx.webhookGuard, dataDir: ctx.dataDir, signal });
    if (fetched.isUnchanged) {
      const at = ctx.now();
      await saveListState(ctx.records, list, { checked_at: at, loaded_at: at, next_at: at + list.every_ms });
      return { source, place, state: list.state, problem: list.problem, report: null };
    }
    try {
      const report = await loads.add(() => load(requestOf(ctx, list, fetched, endings), ctx, { signal, by }));
      if (by !== undefined) logReport(ctx, list, report);
      return await noteReport(ctx, list, report, fetched.version);
    } finally {
      await fetched.discard();
    }
  } catch (error) {
    signal?.throwIfAborted();
    const isKnown = error instanceof AppError;
    const problem = isKnown ? error.message.slice(0, PROBLEM_LENGTH_MAX) : 'It cannot be loaded: the log says why';
    const failed = { state: 'failed', problem, checked_at: ctx.now(), next_at: retryAt(ctx, list) } as const;
    await saveListState(ctx.records, list, failed);
    const err = isKnown ? undefined : error;
    if (by !== undefined || err) {
      ctx.log.warn({ list: source, problem, err }, 'a list could not be refreshed; the last good one stays');
    }
    return { source, place, state: 'failed', problem, report: null };
  }
}

function retryAt({ now }: Parts, { every_ms }: KeptList): number {
  return now() + Math.min(every_ms, RETRY_MS);
}

function requestOf(
  { now }: Parts,
  { source, place, as_of_header }: KeptList,
  { path, modifiedAt }: { path: string; modifiedAt: number | null },
  endings: Endings | undefined,
): LoadRequest {
  const asOf = as_of_header === 1 && modifiedAt !== null ? Math.min(modifiedAt, now()) : undefined;
  const { within } = parted(place);
  const input = within === null || path === place ? path : `${path}#${within}`;
  return { source, input, keptAt: place, endings, asOf };
}

async function noteReport(
  ctx: Parts,
  list: KeptList,
  report: LoadReport,
  version: string | null,
): Promise<RefreshedList> {
  const { source, place } = list;
  const at = ctx.now();
  const problem = waitingOf(report);
  const state = problem === null ? 'current' : 'waiting';
  const next_at = at + list.every_ms;
  await saveListState(ctx.records, list, { state, problem, version, checked_at: at, loaded_at: at, next_at });
  return { source, place, state, problem, report };
}

function logReport({ log }: Parts, { source: list }: KeptList, report: LoadReport): void {
  const { skipped, errors, unmapped, not_read } = report;
  if (skipped > 0) log.info({ list, skipped, errors: errors.slice(0, ERRORS_LOGGED) }, 'rows of a list were not used');
  if (unmapped || not_read) log.info({ list, unmapped, not_read }, 'parts of a list are not known');
  const problem = waitingOf(report);
  if (problem !== null) log.warn({ list, problem }, 'a list waits for a decision (traceflow lists refresh)');
}

function waitingOf({ waiting }: LoadReport): string | null {
  return waiting?.join(' ').slice(0, PROBLEM_LENGTH_MAX) ?? null;
}
