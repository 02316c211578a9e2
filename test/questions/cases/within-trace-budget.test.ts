import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Config, readConfig } from '../../../src/config.ts';
import { QUEUES } from '../../../src/fairness/queues.ts';
import { type GraphQuestions, openGraphQuestions } from '../../../src/graph/graph-questions.ts';
import type { Graph } from '../../../src/graph/port.ts';
import { sawNothing, withinTraceBudget } from '../../../src/questions/cases/report/within-trace-budget.ts';
import { type AccountInquiry, asOperator } from '../../../src/tracing/read/inquiry.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const graph = {} as Graph;
const config = readConfig({});
const { TRACE_MS } = config;
const asking = (graphQuestions: GraphQuestions) =>
  asOperator({ graph, graphQuestions, config }) as {
    graph: Graph;
    graphQuestions: GraphQuestions;
    config: Config;
  } & AccountInquiry;
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

it('a report keeps what a search has found when its time is up', async () => {
  const inquiry = asking(openGraphQuestions(graph));
  const found = withinTraceBudget(inquiry, async ({ remainingMs }) => {
    const ms = remainingMs();
    await sleep(ms);
    return `what ${ms} ms found`;
  });
  await vi.advanceTimersByTimeAsync(TRACE_MS);
  expect(await found).toBe(`what ${TRACE_MS} ms found`);
});

it('takes the wait for a place off the time of a search', async () => {
  const limits = { ...QUEUES.graphQuestions, atOnce: 1, perAccount: 1 };
  const inquiry = asking(openGraphQuestions(graph, { limits }));
  const first = withinTraceBudget(inquiry, () => sleep(1_000).then(() => null));
  const second = withinTraceBudget(inquiry, async ({ remainingMs }) => remainingMs());
  await vi.advanceTimersByTimeAsync(1_000);
  await first;
  expect(await second).toBe(TRACE_MS - 1_000);
});

it('gives up a search that does not end with its time', async () => {
  const inquiry = asking(openGraphQuestions(graph));
  const found = withinTraceBudget(inquiry, () => new Promise<never>(() => undefined));
  await vi.advanceTimersByTimeAsync(2 * TRACE_MS);
  expect(await found).toBeNull();
});

it('knows a trace that ended before its subject was read from one that found no money', () => {
  expect(sawNothing({ subjects: new Map(), received: { unattributed: new Map([['time_budget', 0]]) } })).toBe(true);
  expect(sawNothing({ subjects: new Map(), received: { unattributed: new Map() } })).toBe(false);
});
