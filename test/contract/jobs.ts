import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { JobQueue, JobWork } from '../../src/jobs/port.ts';
import { createAccount } from '../../src/records/accounts/accounts.ts';
import type { Records } from '../../src/records/database/database.ts';
import { claimJob, closeJob, findJob, insertJob, type Job, renewLease } from '../../src/records/jobs/jobs.ts';

const NOW = Date.parse('2026-11-20T10:00:00Z');
export const LEASE_MS = 600;

/** The parts that all processes of one test share. */
export interface JobStore {
  records: Records;
  /** A queue of another process, with its own clock's offset to real time. */
  openQueue: (now: () => number) => JobQueue;
}

/** What every job queue promises. A missing server is the reason to skip. */
export function jobQueueContract(name: string, open: () => Promise<JobStore | { missing: string }>): void {
  describe(`the job queue ${name}`, () => {
    const start = async (skip: (reason: string) => void) => {
      const store = await open();
      if ('missing' in store) {
        skip(store.missing);
        throw new Error(store.missing);
      }
      const { records } = store;
      const account = await createAccount(records, { name: 'Desk', planId: 'pro' }, NOW);
      // Time passes as it does, and jumps where a test says so.
      const time = { ahead: NOW - Date.now() };
      const now = () => Date.now() + time.ahead;
      const openQueue = () => {
        const queue = store.openQueue(now);
        onTestFinished(() => queue.close());
        return queue;
      };
      const add = (total = 1) =>
        insertJob(records, { accountId: account.id, type: 'async_scan', input: {}, total }, now());
      const find = async (job: Job) => (await findJob(records, account.id, job.id))!;
      const statusOf = async (job: Job) => (await find(job)).status;
      const becomes = (job: Job, status: Job['status']) =>
        expect.poll(() => statusOf(job), { timeout: 15_000, interval: 20 }).toBe(status);
      const complete: JobWork = async ({ job }) =>
        closeJob(records, job, { status: 'completed', errorMessage: null, now: now() });
      return { records, time, now, openQueue, add, find, becomes, complete };
    };

    it('gives each job to one worker of many, and no worker more than it can bear', async ({ skip }) => {
      const { openQueue, add, becomes, complete } = await start(skip);
      const queues = [openQueue(), openQueue(), openQueue()];
      const done: string[] = [];
      const most = [0, 0, 0];
      for (const [i, queue] of queues.entries()) {
        let atOnce = 0;
        queue.work('async_scan', 2, async (attempt) => {
          most[i] = Math.max(most[i]!, ++atOnce);
          await sleep(5);
          done.push(attempt.job.id);
          await complete(attempt);
          atOnce -= 1;
        });
      }
      const jobs = await Promise.all(Array.from({ length: 30 }, () => add()));
      await Promise.all(jobs.map((job) => queues[0]!.offer(job)));
      for (const job of jobs) await becomes(job, 'completed');
      expect(done.sort()).toEqual(jobs.map((job) => job.id).sort());
      expect(Math.max(...most)).toBe(2);
    });

    it('does a job that nobody was told of', async ({ skip }) => {
      const { openQueue, add, becomes, complete } = await start(skip);
      const job = await add();
      openQueue().work('async_scan', 1, complete);
      await becomes(job, 'completed');
    });

    it('tries a job three more times with growing pauses, then fails it with the reason', async ({ skip }) => {
      const { openQueue, add, find, becomes, time, now } = await start(skip);
      const tries: number[] = [];
      openQueue().work('async_scan', 1, async () => {
        tries.push(now());
        throw new Error('a secret of ours');
      });
      const job = await add();
      for (const [tried, pauseMs] of [1_000, 4_000, 10_000].entries()) {
        await expect.poll(async () => (await find(job)).attempts, { timeout: 15_000, interval: 20 }).toBe(tried + 1);
        await becomes(job, 'queued');
        expect((await find(job)).run_at).toBeGreaterThanOrEqual(tries.at(-1)! + pauseMs);
        time.ahead += pauseMs;
      }
      await becomes(job, 'failed');
      expect(await find(job)).toMatchObject({ attempts: 4, tries_left: 0, error_message: 'Internal server error' });
      expect(tries).toHaveLength(4);
    });

    it('keeps the lease of a long attempt by its heartbeat', async ({ skip }) => {
      const { openQueue, add, find, becomes, complete } = await start(skip);
      for (const queue of [openQueue(), openQueue()]) {
        queue.work('async_scan', 1, async (attempt) => {
          await sleep(LEASE_MS * 3);
          await complete(attempt);
        });
      }
      const job = await add();
      await becomes(job, 'completed');
      expect((await find(job)).attempts).toBe(1);
    });

    it('gives the job of a dead worker to another, and lets a zombie write nothing', async ({ skip }) => {
      const { openQueue, add, find, becomes, complete, records, now } = await start(skip);
      const job = await add();
      const zombie = (await claimJob(records, { id: job.id }, now(), LEASE_MS))!;
      openQueue().work('async_scan', 1, complete);
      await becomes(job, 'completed');
      expect((await find(job)).attempts).toBe(2);
      expect(await renewLease(records, zombie, now() + LEASE_MS)).toBe(false);
      const end = { status: 'failed', errorMessage: 'from the grave', now: now() } as const;
      await expect(closeJob(records, zombie, end)).rejects.toMatchObject({ status: 503 });
      expect(await find(job)).toMatchObject({ status: 'completed', error_message: null });
    });

    it('tells a worker that lost its lease while it could not renew it', async ({ skip }) => {
      const { openQueue, add, find, becomes, complete, records, now } = await start(skip);
      const lost = deferred();
      let first = true;
      openQueue().work('async_scan', 1, async (attempt) => {
        if (!first) return complete(attempt);
        first = false;
        attempt.signal.addEventListener('abort', () => lost.resolve());
        // Another worker, whose clock is ahead, has taken the job.
        const taken = await claimJob(records, { id: attempt.job.id }, now() + 60_000, LEASE_MS);
        await lost.promise;
        await complete({ ...attempt, job: taken! });
        throw new Error('too late');
      });
      const job = await add();
      await becomes(job, 'completed');
      expect(await find(job)).toMatchObject({ attempts: 2, error_message: null });
    });

    it('calls a job stale when its last worker is lost', async ({ skip }) => {
      const { openQueue, add, find, becomes, records, time, now } = await start(skip);
      const job = await add();
      for (let i = 0; i < 4; i++) {
        expect(await claimJob(records, { id: job.id }, now(), LEASE_MS)).toBeDefined();
        time.ahead += LEASE_MS + 10_000;
      }
      expect(await claimJob(records, { id: job.id }, now(), LEASE_MS)).toBeUndefined();
      openQueue().work('async_scan', 1, async () => {});
      await becomes(job, 'stale');
      expect(await find(job)).toMatchObject({ attempts: 4, error_message: 'The worker was lost' });
    });

    it('finishes what runs when it is stopped, and begins nothing more', async ({ skip }) => {
      const { openQueue, add, find, becomes, complete } = await start(skip);
      const begun = deferred();
      const worker = openQueue().work('async_scan', 1, async (attempt) => {
        begun.resolve();
        await sleep(100);
        expect(attempt.stopping()).toBe(true);
        await complete(attempt);
      });
      const [job, next] = [await add(), await add()];
      await begun.promise;
      await worker.stop(5_000);
      const statuses = [(await find(job)).status, (await find(next)).status].sort();
      expect(statuses).toEqual(['completed', 'queued']);
      openQueue().work('async_scan', 1, complete);
      await becomes(next, 'completed');
      await becomes(job, 'completed');
    });

    it('gives back what cannot be finished in time, without counting the try', async ({ skip }) => {
      const { openQueue, add, find, becomes, complete } = await start(skip);
      const begun = deferred();
      const worker = openQueue().work('async_scan', 1, async ({ signal }) => {
        begun.resolve();
        await sleep(60_000, undefined, { signal });
      });
      const job = await add();
      await begun.promise;
      await worker.stop(50);
      expect(await find(job)).toMatchObject({ status: 'queued', attempts: 1, tries_left: 4, lease_until: null });
      openQueue().work('async_scan', 1, complete);
      await becomes(job, 'completed');
    });

    it('keeps the types of jobs apart', async ({ skip }) => {
      const { openQueue, add, becomes, complete, find } = await start(skip);
      const queue = openQueue();
      const wrong: string[] = [];
      queue.work('batch_scan', 1, async ({ job }) => void wrong.push(job.id));
      const job = await add();
      await queue.offer(job);
      await sleep(200);
      expect([wrong, (await find(job)).status]).toEqual([[], 'queued']);
      queue.work('async_scan', 1, complete);
      await becomes(job, 'completed');
    });
  });
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
