import { setTimeout as sleep } from 'node:timers/promises';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import type { JobType } from '../records/database/tables.ts';
import { claimJob, dueJobs, giveUpLostJobs, type Job } from '../records/jobs/jobs.ts';
import { createAttempts, type QueueParts } from './attempts.ts';
import type { JobQueue, JobWorker } from './port.ts';

const OFFER_TIMEOUT_MS = 1_000;
const SWEEP_MS = 2_000;
const SWEEP_JOBS_MAX = 1_000;

/**
 * A queue in Redis: BullMQ carries the news of a job to whichever worker is free, and the records decide who may
 * have it. What Redis loses, or a dead worker took with it, a sweep over the records offers again.
 */
export function openBullQueue(redisUrl: string, parts: QueueParts, sweepMs = SWEEP_MS): JobQueue {
  const { records, now, leaseMs, log } = parts;
  const connection = new Redis(redisUrl, { maxRetriesPerRequest: null });
  const complain = (err: Error) => log.warn({ err }, 'job queue in Redis');
  connection.on('error', complain);
  const queues = new Map<JobType, Queue>();
  const workers = new Set<JobWorker>();

  const queueOf = (type: JobType) => {
    const queue = queues.get(type) ?? new Queue(`traceflow-${type}`, { connection }).on('error', complain);
    queues.set(type, queue);
    return queue;
  };
  /** One piece of news for each attempt to come, however often it is told. */
  const offer = async (job: Job) => {
    const told = queueOf(job.type).add(
      job.type,
      { id: job.id },
      { jobId: `${job.id}_${job.attempts}`, removeOnComplete: true, removeOnFail: true },
    );
    await Promise.race([told, sleep(OFFER_TIMEOUT_MS, undefined, { ref: false })]).catch(complain);
  };

  return {
    offer,
    work: (type, concurrency, work) => {
      const attempts = createAttempts(parts, work);
      const bull = new Worker<{ id: string }>(
        queueOf(type).name,
        async ({ data }) => {
          if (attempts.isStopping()) return;
          const job = await claimJob(records, data, now(), leaseMs);
          if (job) await attempts.run(job);
        },
        { connection, concurrency, lockDuration: leaseMs, stalledInterval: leaseMs, drainDelay: 1 },
      ).on('error', complain);

      let sweeping = Promise.resolve();
      const sweep = async () => {
        await giveUpLostJobs(records, now());
        for (const job of await dueJobs(records, type, now(), SWEEP_JOBS_MAX)) await offer(job);
      };
      const timer = setInterval(() => {
        sweeping = sweeping.then(sweep).catch(complain);
      }, sweepMs);

      const worker: JobWorker = {
        stop: async (graceMs) => {
          clearInterval(timer);
          const closed = bull.close();
          await attempts.stop(graceMs);
          await sweeping;
          await Promise.race([closed, sleep(OFFER_TIMEOUT_MS, undefined, { ref: false })]);
          workers.delete(worker);
        },
      };
      workers.add(worker);
      return worker;
    },
    close: async () => {
      await Promise.all([...workers].map((worker) => worker.stop(0)));
      const closed = Promise.all([...queues.values()].map((queue) => queue.close()));
      await Promise.race([closed, sleep(OFFER_TIMEOUT_MS, undefined, { ref: false })]).catch(complain);
      connection.disconnect();
    },
  };
}
