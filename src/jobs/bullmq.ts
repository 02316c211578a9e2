import { setTimeout as sleep } from 'node:timers/promises';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import type { JobLane, JobType } from '../domain/job.ts';
import { claimJob, dueJobs } from '../records/jobs/claim-job.ts';
import { giveUpLostJobs } from '../records/jobs/job-leases.ts';
import type { Job } from '../records/jobs/jobs.ts';
import { createAttempts, type QueueParts } from './attempts.ts';
import type { JobQueue, JobWorker } from './port.ts';

const OFFER_TIMEOUT_MS = 1_000;
const SWEEP_MS = 2_000;
const SWEEP_JOBS_MAX = 1_000;

/**
 * A queue in Redis: BullMQ carries notices, one for each job, to free workers, and the records decide which job is next.
 * What Redis or a dead worker loses is offered again by a sweep over the records. Each lane is a queue of its own.
 */
export function openBullQueue(redisUrl: string, parts: QueueParts, sweepMs = SWEEP_MS): JobQueue {
  const { records, now, leaseMs, log } = parts;
  const connection = new Redis(redisUrl, { maxRetriesPerRequest: null });
  const complain = (err: Error) => log.warn({ err }, 'job queue in Redis');
  connection.on('error', complain);
  const queues = new Map<string, Queue>();
  const workers = new Set<JobWorker>();

  const queueOf = (type: JobType, lane: JobLane) => {
    const name = lane === 'any' ? `traceflow-${type}` : `traceflow-${type}-${lane}`;
    const queue = queues.get(name) ?? new Queue(name, { connection }).on('error', complain);
    queues.set(name, queue);
    return queue;
  };
  /** One notice for each attempt to come, however often it is offered. */
  const offer = async (job: Job) => {
    const added = queueOf(job.type, job.lane).add(
      job.type,
      {},
      { jobId: `${job.id}_${job.attempts}`, removeOnComplete: true, removeOnFail: true },
    );
    await Promise.race([added, sleep(OFFER_TIMEOUT_MS, undefined, { ref: false })]).catch(complain);
  };

  return {
    offer,
    work: (kind) => {
      const { type, lanes, slotsPerLane } = kind;
      const attempts = createAttempts(parts, kind);
      const claim = async (lane: JobLane) => {
        if (attempts.isStopping()) return;
        const job = await claimJob(records, { type, lanes: [lane] }, now(), leaseMs);
        if (job) await attempts.run(job);
      };
      const options = {
        connection,
        concurrency: slotsPerLane,
        lockDuration: leaseMs,
        stalledInterval: leaseMs,
        drainDelay: 1,
      };
      const bulls = lanes.map((lane) =>
        new Worker(queueOf(type, lane).name, () => claim(lane), options).on('error', complain),
      );

      let sweeping = Promise.resolve();
      const sweep = async () => {
        await giveUpLostJobs(records, type, now(), kind.onEnd);
        for (const job of await dueJobs(records, type, now(), SWEEP_JOBS_MAX)) await offer(job);
      };
      const timer = setInterval(() => {
        sweeping = sweeping.then(sweep).catch(complain);
      }, sweepMs);

      const worker: JobWorker = {
        stop: async (graceMs) => {
          clearInterval(timer);
          const closed = Promise.all(bulls.map((bull) => bull.close()));
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
