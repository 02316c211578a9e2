import { setTimeout as sleep } from 'node:timers/promises';
import { describe, it, type TestContext } from 'vitest';
import { JOB_LANES, type JobLane } from '../../src/domain/job.ts';
import {
  GraphUnavailableError,
  InvalidInputError,
  QuotaError,
  SourceError,
  UnavailableError,
} from '../../src/errors.ts';
import type { JobKind, JobQueue } from '../../src/jobs/port.ts';
import { createAccount } from '../../src/records/accounts/accounts.ts';
import type { Records } from '../../src/records/database/database.ts';
import type { StoredJob } from '../../src/records/database/tables/jobs.ts';
import { claimJob } from '../../src/records/jobs/claim-job.ts';
import { endJob, postponeJob, renewLease, writeAsHolder } from '../../src/records/jobs/job-leases.ts';
import { findJob, insertJob, isLive, requeueJob } from '../../src/records/jobs/jobs.ts';

const NOW = Date.parse('2026-11-20T10:00:00Z');
export const LEASE_MS = 600;

/** The parts that all processes of one test share. */
export interface JobStore {
  records: Records;
  /** A queue of another process, with its own clock's offset to real time. */
  openQueue: (now: () => number) => JobQueue;
}

const ANY_SCAN = { type: 'async_scan', lanes: JOB_LANES } as const;
const COMPLETED = { status: 'completed', errorMessage: null } as const;

/** A kind of job that does `work`, `slotsPerLane` at once. */
const kind = (slotsPerLane: number, work: JobKind['work'], more: Partial<JobKind> = {}): JobKind => ({
  type: 'async_scan',
  lanes: JOB_LANES,
  slotsPerLane,
  attemptMs: 60_000,
  work,
  onEnd: null,
  ...more,
});

/** What every job queue promises; its tests wait beside each other. A missing server is the reason to skip. */
export function jobQueueContract(name: string, open: () => Promise<JobStore | { missing: string }>): void {
  describe.concurrent(`the job queue ${name}`, () => {
    const start = async ({ skip, expect, onTestFinished }: TestContext) => {
      const store = await open();
      if ('missing' in store) return skip(store.missing);
      const { records } = store;
      const account = await createAccount(records, { name: 'Desk', planId: 'pro' }, NOW);
      // Time passes as it does, and jumps or stands where a test says so.
      let clock = Date.now;
      const time = {
        ahead: NOW - Date.now(),
        stand: () => {
          const at = Date.now();
          clock = () => at;
        },
      };
      const now = () => clock() + time.ahead;
      const openQueue = () => {
        const queue = store.openQueue(now);
        onTestFinished(() => queue.close());
        return queue;
      };
      const add = (lane?: JobLane) =>
        insertJob(records, { accountId: account.id, type: 'async_scan', lane, input: {}, total: 1 }, now());
      const find = async (job: StoredJob) => (await findJob(records, account.id, job.id))!;
      const statusOf = async (job: StoredJob) => (await find(job)).status;
      const becomes = (job: StoredJob, status: StoredJob['status']) =>
        expect.poll(() => statusOf(job), { interval: 20 }).toBe(status);
      const complete: JobKind['work'] = ({ close }) => close(COMPLETED);
      return { expect, records, time, now, openQueue, add, find, statusOf, becomes, complete };
    };

    it('gives each job to one worker of many, and no worker more than it can bear', async (test) => {
      const { expect, openQueue, add, becomes, complete } = await start(test);
      const queues = [openQueue(), openQueue(), openQueue()];
      const done: string[] = [];
      const most = [0, 0, 0];
      let release = () => {};
      const full = new Promise<void>((resolve) => (release = resolve));
      for (const [i, queue] of queues.entries()) {
        let atOnce = 0;
        queue.work(
          kind(2, async (attempt) => {
            most[i] = Math.max(most[i]!, ++atOnce);
            if (atOnce === 2) release();
            await full;
            await sleep(5);
            done.push(attempt.job.id);
            await complete(attempt);
            atOnce -= 1;
          }),
        );
      }
      const jobs = await Promise.all(Array.from({ length: 30 }, () => add()));
      await Promise.all(jobs.map((job) => queues[0]!.offer(job)));
      for (const job of jobs) await becomes(job, 'completed');
      expect(done.sort()).toEqual(jobs.map((job) => job.id).sort());
      expect(Math.max(...most)).toBe(2);
    });

    it('does a job that was never offered', async (test) => {
      const { openQueue, add, becomes, complete } = await start(test);
      const job = await add();
      openQueue().work(kind(1, complete));
      await becomes(job, 'completed');
    });

    it('tries a job three more times with growing pauses, then fails it with the reason', async (test) => {
      const { expect, openQueue, add, find, becomes, time, now } = await start(test);
      const tries: number[] = [];
      openQueue().work(
        kind(1, async () => {
          tries.push(now());
          throw new Error('a secret of ours');
        }),
      );
      const job = await add();
      for (const [tried, pauseMs] of [1_000, 4_000, 10_000].entries()) {
        await expect.poll(async () => (await find(job)).attempts, { interval: 20 }).toBe(tried + 1);
        await becomes(job, 'queued');
        expect((await find(job)).run_at).toBeGreaterThanOrEqual(tries.at(-1)! + pauseMs);
        time.ahead += pauseMs;
      }
      await becomes(job, 'failed');
      expect(await find(job)).toMatchObject({ attempts: 4, tries_left: 0, error_message: 'Internal server error' });
      expect(tries).toHaveLength(4);
    });

    it('goes on in the same attempt after an outage of a store, from what it kept, at no try', async (test) => {
      const { expect, openQueue, add, find, becomes, complete, records, time } = await start(test);
      time.stand();
      const outages = [new UnavailableError('Records cannot be reached', 2), new GraphUnavailableError()];
      const kept: (string | null)[] = [];
      openQueue().work(
        kind(1, async (attempt) => {
          kept.push(attempt.job.output);
          const outage = outages.shift();
          if (!outage) return complete(attempt);
          await writeAsHolder(records, attempt.job, { output: `before ${outage.name}` });
          throw outage;
        }),
      );
      const job = await add();
      await becomes(job, 'completed');
      expect(await find(job)).toMatchObject({ attempts: 1, tries_left: 3 });
      expect(kept).toEqual([null, 'before UnavailableError', 'before GraphUnavailableError']);
    });

    it('counts a try for an outage that outlasts the attempt, and for a chain source at once', async (test) => {
      const { expect, openQueue, add, find, time } = await start(test);
      time.stand();
      const outage = await add();
      const source = await add();
      let outages = 0;
      const work: JobKind['work'] = async ({ job }) => {
        if (job.id === source.id) throw new SourceError('tron', 'down');
        outages += 1;
        throw new GraphUnavailableError();
      };
      openQueue().work(kind(2, work, { attemptMs: 500 }));
      for (const job of [source, outage]) {
        const ended = { status: 'queued', attempts: 1, tries_left: 3 };
        await expect.poll(() => find(job), { interval: 20 }).toMatchObject(ended);
      }
      expect(outages).toBeGreaterThan(1);
    });

    it('leaves a job alone that another worker took during the outage', async (test) => {
      const { expect, openQueue, add, find, becomes, complete, records, now } = await start(test);
      const runs: string[] = [];
      const { promise: isTaken, resolve: taken } = deferred();
      openQueue().work(
        kind(1, async (attempt) => {
          runs.push(attempt.job.id);
          if (runs.length > 1) return complete(attempt);
          const other = (await claimJob(records, ANY_SCAN, now() + 60_000, 60_000))!;
          await endJob(records, other, { ...COMPLETED, at: now() });
          taken();
          throw new UnavailableError('Records cannot be reached', 2);
        }),
      );
      const job = await add();
      await isTaken;
      await becomes(job, 'completed');
      // The worker has one slot: the attempt has ended when it does the next job.
      const next = await add();
      await becomes(next, 'completed');
      expect(await find(job)).toMatchObject({ status: 'completed', attempts: 2, error_message: null });
      expect(runs).toEqual([job.id, next.id]);
    });

    it('keeps the lease of a long attempt by its heartbeat', async (test) => {
      const { expect, openQueue, add, find, becomes, complete, time, now } = await start(test);
      time.stand();
      for (const queue of [openQueue(), openQueue()]) {
        queue.work(
          kind(1, async (attempt) => {
            const renewed = async () => (await find(attempt.job)).lease_until;
            for (let half = 0; half < 4; half++) {
              time.ahead += LEASE_MS / 2;
              await expect.poll(renewed, { interval: 20 }).toBe(now() + LEASE_MS);
            }
            await complete(attempt);
          }),
        );
      }
      const job = await add();
      await becomes(job, 'completed');
      expect((await find(job)).attempts).toBe(1);
    });

    it('gives the job of a dead worker to another, and lets a zombie write nothing', async (test) => {
      const { expect, openQueue, add, find, becomes, complete, records, now } = await start(test);
      const job = await add();
      const zombie = (await claimJob(records, ANY_SCAN, now(), LEASE_MS))!;
      openQueue().work(kind(1, complete));
      await becomes(job, 'completed');
      expect((await find(job)).attempts).toBe(2);
      expect(await renewLease(records, zombie, now() + LEASE_MS)).toBe(false);
      const end = { status: 'failed', errorMessage: 'from the grave' } as const;
      await expect(endJob(records, zombie, { ...end, at: now() }, async () => {})).rejects.toMatchObject({
        status: 503,
      });
      expect(await find(job)).toMatchObject({ status: 'completed', error_message: null });
    });

    it('aborts the attempt of a worker that lost its lease', async (test) => {
      const { expect, openQueue, add, find, becomes, complete, records, now } = await start(test);
      const lost = deferred();
      let first = true;
      openQueue().work(
        kind(1, async (attempt) => {
          if (!first) return complete(attempt);
          first = false;
          attempt.signal.addEventListener('abort', () => lost.resolve());
          // Another worker, whose clock is ahead, has taken the job.
          const taken = await claimJob(records, ANY_SCAN, now() + 60_000, LEASE_MS);
          await lost.promise;
          await endJob(records, taken!, { ...COMPLETED, at: now() });
          throw new Error('too late');
        }),
      );
      const job = await add();
      await becomes(job, 'completed');
      expect(await find(job)).toMatchObject({ attempts: 2, error_message: null });
    });

    it('sets a job aside that ended the process twice, also with tries between that failed', async (test) => {
      const { expect, openQueue, add, find, becomes, complete, records, time, now } = await start(test);
      const job = await add();
      const claim = async () => {
        const claimed = await claimJob(records, ANY_SCAN, now(), LEASE_MS);
        time.ahead += LEASE_MS + 10_000;
        return claimed;
      };
      expect(await claim()).toMatchObject({ id: job.id, lost: 0 });
      const second = await claim();
      expect(second).toMatchObject({ id: job.id, lost: 1 });
      await postponeJob(records, second!, now());
      time.ahead += 10_000;
      expect(await claim()).toMatchObject({ id: job.id, lost: 1 });
      expect(await claim()).toBeUndefined();
      expect(isLive(await find(job), now())).toBe(false);
      const others = await add();
      openQueue().work(kind(1, complete));
      await becomes(others, 'completed');
      await becomes(job, 'stale');
      const aside = await find(job);
      expect(aside).toMatchObject({
        attempts: 3,
        tries_left: 1,
        error_message: expect.stringContaining('ended twice'),
      });
      await requeueJob(records, aside, { input: {}, pending: 1, reservationId: null, now: now() });
      await becomes(job, 'completed');
      expect(await find(job)).toMatchObject({ attempts: 4, lost: 0, error_message: null });
    });

    it('calls a job stale when its last worker is lost', async (test) => {
      const { expect, openQueue, add, find, becomes, records, time, now } = await start(test);
      const job = await add();
      for (let i = 0; i < 4; i++) {
        const claimed = await claimJob(records, ANY_SCAN, now(), LEASE_MS);
        if (i < 3) await postponeJob(records, claimed!, now());
        time.ahead += LEASE_MS + 10_000;
      }
      openQueue().work(kind(1, async () => {}));
      await becomes(job, 'stale');
      expect(await find(job)).toMatchObject({ attempts: 4, error_message: 'The worker was lost' });
    });

    it('finishes what runs when it is stopped, and begins nothing more', async (test) => {
      const { expect, openQueue, add, find, becomes, complete } = await start(test);
      const begun = deferred();
      const worker = openQueue().work(
        kind(1, async (attempt) => {
          begun.resolve();
          await sleep(100);
          expect(attempt.stopping()).toBe(true);
          await complete(attempt);
        }),
      );
      const [job, next] = [await add(), await add()];
      await begun.promise;
      await worker.stop(5_000);
      const statuses = [(await find(job)).status, (await find(next)).status].sort();
      expect(statuses).toEqual(['completed', 'queued']);
      openQueue().work(kind(1, complete));
      await becomes(next, 'completed');
      await becomes(job, 'completed');
    });

    it('gives back what cannot be finished in time, without counting the try', async (test) => {
      const { expect, openQueue, add, find, becomes, complete } = await start(test);
      const begun = deferred();
      const worker = openQueue().work(
        kind(1, async ({ signal }) => {
          begun.resolve();
          await sleep(60_000, undefined, { signal });
        }),
      );
      const job = await add();
      await begun.promise;
      await worker.stop(50);
      expect(await find(job)).toMatchObject({ status: 'queued', attempts: 1, tries_left: 4, lease_until: null });
      openQueue().work(kind(1, complete));
      await becomes(job, 'completed');
    });

    it('keeps the types of jobs apart', async (test) => {
      const { expect, openQueue, add, becomes, complete, find } = await start(test);
      const queue = openQueue();
      const wrong: string[] = [];
      queue.work(kind(1, async ({ job }) => void wrong.push(job.id), { type: 'batch_scan' }));
      const job = await add();
      await queue.offer(job);
      await sleep(200);
      expect([wrong, (await find(job)).status]).toEqual([[], 'queued']);
      queue.work(kind(1, complete));
      await becomes(job, 'completed');
    });

    it('does the jobs of each lane while those of another are stuck', async (test) => {
      const { expect, openQueue, add, statusOf, becomes, complete } = await start(test);
      const stuck = await Promise.all(Array.from({ length: 5 }, () => add('tron')));
      const others = await Promise.all([add('evm'), add(), add('bitcoin')]);
      const release = deferred();
      openQueue().work(
        kind(2, async (attempt) => {
          if (attempt.job.lane === 'tron') await release.promise;
          await complete(attempt);
        }),
      );
      for (const job of others) await becomes(job, 'completed');
      const running = async () => (await Promise.all(stuck.map(statusOf))).filter((status) => status === 'running');
      await expect.poll(running, { interval: 20 }).toHaveLength(2);
      release.resolve();
      for (const job of stuck) await becomes(job, 'completed');
    });

    const twoDesks = async (test: TestContext, slots: number) => {
      const { expect, openQueue, add, becomes, complete, records, time, now } = await start(test);
      const { id: other } = await createAccount(records, { name: 'Other desk', planId: 'pro' }, NOW);
      const queue = openQueue();
      const jobs = [await add(), await add(), await add(), await add(), await add(), await add()];
      time.ahead += 10;
      for (const accountId of [other, other]) {
        jobs.push(await insertJob(records, { accountId, type: 'async_scan', input: {}, total: 1 }, now()));
      }
      for (const job of jobs) await queue.offer(job);
      const begun: { desk: 'many' | 'other'; end: () => void }[] = [];
      let open = false;
      queue.work(
        kind(slots, async (attempt) => {
          const { promise: isOver, resolve: end } = deferred();
          begun.push({ desk: attempt.job.account_id === other ? 'other' : 'many', end });
          if (!open) await isOver;
          await complete(attempt);
        }),
      );
      /** The desks of the first jobs to begin, once there are so many. */
      const first = async (count: number) => {
        await expect.poll(() => begun.length, { interval: 5 }).toBe(count);
        return begun.map(({ desk }) => desk);
      };
      const end = (desk: 'many' | 'other') => begun.findLast((one) => one.desk === desk)!.end();
      const endAll = async () => {
        open = true;
        for (const one of begun) one.end();
        for (const job of jobs.slice(0, 6)) await becomes(job, 'completed');
        await expect.poll(() => begun.length).toBe(8);
      };
      return { expect, first, end, endAll };
    };

    it('does the jobs of one account in turn with those of another that has many and waits longer', async (test) => {
      const { expect, first, end, endAll } = await twoDesks(test, 1);
      expect(await first(1)).toEqual(['many']);
      end('many');
      expect(await first(2)).toEqual(['many', 'other']);
      end('other');
      expect(await first(3)).toEqual(['many', 'other', 'many']);
      end('many');
      expect(await first(4)).toEqual(['many', 'other', 'many', 'other']);
      await endAll();
    });

    it('gives a free slot to the account with the fewest running jobs', async (test) => {
      const { expect, first, end, endAll } = await twoDesks(test, 2);
      expect((await first(2)).toSorted()).toEqual(['many', 'other']);
      end('many');
      expect((await first(3)).at(-1)).toBe('many');
      end('other');
      expect((await first(4)).at(-1)).toBe('other');
      await endAll();
    });

    it('starts a job in a free slot although its notice came too early and started another one', async (test) => {
      const { openQueue, add, becomes, complete, time } = await start(test);
      const first = await add();
      time.ahead += 1_000;
      const second = await add();
      time.ahead -= 1_000;
      const queue = openQueue();
      await queue.offer(second);
      const { promise: isOver, resolve: end } = deferred();
      queue.work(
        kind(2, async (attempt) => {
          if (attempt.job.id === first.id) await isOver;
          await complete(attempt);
        }),
      );
      await becomes(first, 'running');
      await becomes(second, 'completed');
      end();
      await becomes(first, 'completed');
    });

    it('ends an attempt at its deadline, even one that ignores its signal', async (test) => {
      const { expect, openQueue, add, find, becomes, complete, time } = await start(test);
      time.stand();
      let attempts = 0;
      const work: JobKind['work'] = (attempt) => (++attempts === 1 ? new Promise(() => {}) : complete(attempt));
      openQueue().work(kind(1, work, { attemptMs: 100 }));
      const job = await add();
      await expect.poll(() => attempts).toBe(1);
      await becomes(job, 'queued');
      expect(await find(job)).toMatchObject({ attempts: 1, tries_left: 3 });
      time.ahead += 1_000;
      await becomes(job, 'completed');
    });

    it('ends a job together with what its kind writes then: completed, failed or stale', async (test) => {
      const { expect, openQueue, add, find, becomes, records, time, now, complete } = await start(test);
      const lost = await add();
      for (let i = 0; i < 4; i++) {
        await claimJob(records, ANY_SCAN, now(), LEASE_MS);
        time.ahead += LEASE_MS + 10_000;
      }
      const [done, refused, rolledBack] = await Promise.all([add(), add(), add()]);
      const ends: [string, string][] = [];
      const work: JobKind['work'] = async (attempt) => {
        if (attempt.job.id === refused.id) throw new InvalidInputError('never possible');
        await complete(attempt);
      };
      const onEnd: JobKind['onEnd'] = async (transaction, { id, status }, end) => {
        expect([transaction.isTransaction, status]).toEqual([true, 'running']);
        ends.push([id, end.status]);
        if (id === rolledBack.id && end.status === 'completed') throw new QuotaError('full');
      };
      openQueue().work(kind(1, work, { onEnd }));
      await becomes(done, 'completed');
      await becomes(refused, 'failed');
      await becomes(lost, 'stale');
      await becomes(rolledBack, 'failed');
      expect(await find(refused)).toMatchObject({ error_message: 'never possible', attempts: 1 });
      expect(await find(rolledBack)).toMatchObject({ error_message: 'full' });
      expect(ends.sort()).toEqual(
        [
          [done.id, 'completed'],
          [refused.id, 'failed'],
          [lost.id, 'stale'],
          [rolledBack.id, 'completed'],
          [rolledBack.id, 'failed'],
        ].sort(),
      );
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
