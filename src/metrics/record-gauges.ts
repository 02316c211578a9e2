import { LRUCache } from 'lru-cache';
import { Gauge, type Registry } from 'prom-client';
import type { Context } from '../context.ts';
import { within } from '../graph/within.ts';
import { countLabelsBySource } from '../labels/label-sources.ts';
import { countJobs } from '../records/jobs/jobs.ts';

/** Whoever collects metrics waits a few seconds at most. */
const READ_MS = 2_000;
/** Counting every label takes a fraction of a second, and lists change a few times a day. */
const LISTS_TTL_MS = 300_000;

/** Gauges of what all processes share: jobs that wait and lists of labels. Without the records they are absent. */
export function addRecordGauges(registry: Registry, ctx: Pick<Context, 'records' | 'log' | 'now'>): void {
  const registers = [registry];
  const cache = new LRUCache<'lists', Awaited<ReturnType<typeof countLabelsBySource>>>({
    max: 1,
    ttl: LISTS_TTL_MS,
    perf: ctx,
  });

  const jobs = new Gauge({
    name: 'jobs',
    help: 'Jobs in the records, traces among them',
    labelNames: ['type', 'status'] as const,
    registers,
    collect: async () => {
      const rows = await orNothing(countJobs(ctx.records));
      jobs.reset();
      oldest.reset();
      for (const { type, status, count, oldestAt } of rows) {
        jobs.set({ type, status }, count);
        if (status === 'queued') oldest.set({ type }, Math.max(0, ctx.now() - oldestAt) / 1_000);
      }
    },
  });
  const oldest = new Gauge({
    name: 'jobs_oldest_queued_seconds',
    help: 'Age of the oldest job that waits',
    labelNames: ['type'] as const,
    registers,
  });

  const labels = new Gauge({
    name: 'labels',
    help: 'Labels in force by list',
    labelNames: ['source'] as const,
    registers,
    collect: async () => {
      const lists = cache.get('lists') ?? (await orNothing(countLabelsBySource(ctx.records)));
      if (lists.length > 0) cache.set('lists', lists);
      labels.reset();
      age.reset();
      for (const { source, count, loadedAt } of lists) {
        labels.set({ source }, count);
        age.set({ source }, Math.max(0, ctx.now() - loadedAt) / 1_000);
      }
    },
  });
  const age = new Gauge({
    name: 'label_list_age_seconds',
    help: 'Time since a list was last loaded',
    labelNames: ['source'] as const,
    registers,
  });

  const orNothing = <T>(read: Promise<T[]>): Promise<T[]> =>
    within(READ_MS, read, () => new Error(`no answer within ${READ_MS} ms`)).catch((err: unknown) => {
      ctx.log.warn({ err }, 'metrics were answered without the records');
      return [];
    });
}
