import { setTimeout as sleep } from 'node:timers/promises';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import type { JobLane, JobType } from '../domain/job.ts';
import { isReplica } from '../fairness/limits/redis.ts';
import { claimJob, countDueJobs } from '../records/jobs/claim-job.ts';
import { giveUpLostJobs } from '../records/jobs/job-leases.ts';
import { createAttempts, type QueueParts } from './attempts.ts';
import type { JobQueue, JobWorker } from './port.ts';

const OFFER_TIMEOUT_MS = 1_000;
const SWEEP_MS = 2_000;
/** A connection without an answer for so long is replaced; workers wait a second for a notice. */
const SILENT_MS = 15_000;
const SWEEP_NOTICES_MAX = 1_000;
const NOTICE = { removeOnComplete: true, removeOnFail: true };

/**
 * A queue in Redis: BullMQ carries notices, one for each job, to free workers, and the records decide which job is next.
 * A sweep over the records replaces the notices that Redis or a dead worker lost. Each lane is a queue of its own.
 */
export function openBullQueue(redisUrl: string, parts: QueueParts, sweepMs = SWEEP_MS): JobQueue {
  const { records, now, leaseMs, log } = parts;
  const options = { maxRetriesPerRequest: null, reconnectOnError: isReplica, socketTimeout: SILENT_MS };
  const connection = new Redis(redisUrl, options);
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
  const waitBriefly = async (asked: Promise<unknown>) => {
    await Promise.race([asked, sleep(OFFER_TIMEOUT_MS, undefined, { ref: false })]).catch(complain);
  };
  /** Lets as many notices wait as jobs are due: one that is under way may have started another job than it was for. */
  const addMissing = async (type: JobType, lane: JobLane, due: number) => {
    const queue = queueOf(type, lane);
    const missing = Math.min(due, SWEEP_NOTICES_MAX) - (await queue.getWaitingCount());
    const notices = Array.from({ length: Math.max(0, missing) }, () => ({ name: type, data: {}, opts: NOTICE }));
    if (notices.length > 0) await queue.addBulk(notices);
  };

  return {
    offer: ({ type, lane }) => waitBriefly(queueOf(type, lane).add(type, {}, NOTICE)),
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
      let adding: Promise<unknown> | undefined;
      const sweep = async () => {
        await giveUpLostJobs(records, type, now(), kind.onEnd);
        // While Redis is away one sweep waits for it: many would all find no notice and add theirs when it is back.
        if (adding) return;
        const due = [...(await countDueJobs(records, type, now()))];
        adding = Promise.all(due.map(([lane, jobs]) => addMissing(type, lane, jobs))).finally(() => {
          adding = undefined;
        });
        await waitBriefly(adding);
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
