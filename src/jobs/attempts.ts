import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { AppError } from '../errors.ts';
import type { Records } from '../records/database/database.ts';
import { closeJob, type Job, postponeJob, releaseJob, renewLease } from '../records/jobs/jobs.ts';
import type { JobWork } from './port.ts';

export interface QueueParts {
  records: Records;
  /** Epoch milliseconds. */
  now: () => number;
  leaseMs: number;
  log: Logger;
}

/** The attempts that one worker has under way. */
export interface Attempts {
  readonly size: number;
  /** Never rejects. */
  run(job: Job): Promise<void>;
  isStopping(): boolean;
  /** Waits up to `graceMs`, then aborts what still runs. */
  stop(graceMs: number): Promise<void>;
}

/** Keeps the lease of each attempt by a heartbeat at a third of it, and says in the records how the attempt ended. */
export function createAttempts({ records, now, leaseMs, log }: QueueParts, work: JobWork): Attempts {
  const running = new Set<Promise<void>>();
  const ended = new AbortController();
  let stopping = false;

  const attempt = async (job: Job) => {
    const lost = new AbortController();
    const beat = setInterval(() => {
      renewLease(records, job, now() + leaseMs).then(
        (held) => held || lost.abort(),
        (err) => log.warn({ err, job_id: job.id }, 'lease not renewed'),
      );
    }, leaseMs / 3);
    log.info({ job_id: job.id, type: job.type, attempt: job.attempts }, 'job claimed');
    try {
      await work({ job, signal: AbortSignal.any([ended.signal, lost.signal]), stopping: () => stopping });
      await releaseJob(records, job, now());
    } catch (err) {
      if (lost.signal.aborted) log.warn({ job_id: job.id, attempt: job.attempts }, 'job lost to another worker');
      else if (ended.signal.aborted) await releaseJob(records, job, now());
      else {
        log.error({ err, job_id: job.id, attempt: job.attempts }, 'job attempt failed');
        const reason = err instanceof AppError ? err.message : 'Internal server error';
        if (err instanceof AppError && !err.retryable) {
          await closeJob(records, job, { status: 'failed', errorMessage: reason, now: now() });
        } else await postponeJob(records, job, reason, now());
      }
    } finally {
      clearInterval(beat);
    }
  };

  return {
    get size() {
      return running.size;
    },
    run: (job) => {
      // What cannot even be written down ends with its lease.
      const run = attempt(job).catch((err) => log.error({ err, job_id: job.id }, 'job attempt not recorded'));
      running.add(run);
      return run.finally(() => running.delete(run));
    },
    isStopping: () => stopping,
    stop: async (graceMs) => {
      stopping = true;
      const all = Promise.all(running);
      const grace = new AbortController();
      await Promise.race([all, sleep(graceMs, undefined, { signal: grace.signal }).catch(() => {})]);
      grace.abort();
      ended.abort();
      await all;
    },
  };
}
