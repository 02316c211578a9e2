import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { QUEUES } from '../../../src/fairness/queues.ts';
import { openGraphQuestions } from '../../../src/graph/graph-questions.ts';
import type { Graph } from '../../../src/graph/port.ts';
import { sawNothing, withinTraceBudget } from '../../../src/questions/cases/report/within-trace-budget.ts';
import { TRACE_BUDGET_MS } from '../../../src/questions/tracing/graph-reader.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const graph = {} as Graph;
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

it('a report keeps what a search has found when its time is up', async () => {
  const ctx = { graphQuestions: openGraphQuestions(graph) };
  const found = withinTraceBudget(ctx, 'account', async (_, budgetMs) => {
    await sleep(budgetMs);
    return `what ${budgetMs} ms found`;
  });
  await vi.advanceTimersByTimeAsync(TRACE_BUDGET_MS);
  expect(await found).toBe(`what ${TRACE_BUDGET_MS} ms found`);
});

it('takes the wait for a place off the time of a search', async () => {
  const ctx = {
    graphQuestions: openGraphQuestions(graph, { limits: { ...QUEUES.graphQuestions, atOnce: 1, perAccount: 1 } }),
  };
  const first = withinTraceBudget(ctx, 'account', () => sleep(1_000).then(() => null));
  const second = withinTraceBudget(ctx, 'account', async (_, budgetMs) => budgetMs);
  await vi.advanceTimersByTimeAsync(1_000);
  await first;
  expect(await second).toBe(TRACE_BUDGET_MS - 1_000);
});

it('gives up a search that does not end with its time', async () => {
  const ctx = { graphQuestions: openGraphQuestions(graph) };
  const found = withinTraceBudget(ctx, 'account', () => new Promise<never>(() => undefined));
  await vi.advanceTimersByTimeAsync(2 * TRACE_BUDGET_MS);
  expect(await found).toBeNull();
});

it('knows a trace that ended before its subject was read from one that found no money', () => {
  const received = (reasons: ['time_budget', number][]) => ({ left: new Map(reasons) }) as never;
  expect(sawNothing({ subjects: new Map(), received: received([['time_budget', 0]]) })).toBe(true);
  expect(sawNothing({ subjects: new Map(), received: received([]) })).toBe(false);
});
