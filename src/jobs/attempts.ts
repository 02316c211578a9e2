import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { JobLane } from '../domain/job.ts';
import { AppError, ClosingError, GraphUnavailableError, PipelineError, UnavailableError } from '../errors.ts';
import type { Records } from '../records/database/database.ts';
import type { StoredJob } from '../records/database/tables/jobs.ts';
import { endJob, type JobEnd, postponeJob, releaseJob, renewLease, resumeJob } from '../records/jobs/job-leases.ts';
import type { JobKind } from './port.ts';

export interface QueueParts {
  records: Records;
  /** Epoch milliseconds. */
  now: () => number;
  leaseMs: number;
  log: Logger;
}

/** The attempts that one worker has under way. */
export interface Attempts {
  /** How many run in a lane. */
  running(lane: JobLane): number;
  /** Never rejects. */
  run(job: StoredJob): Promise<void>;
  isStopping(): boolean;
  /** Waits up to `graceMs`, then aborts what still runs. */
  stop(graceMs: number): Promise<void>;
}

const LOST = new Error('The job was deleted, or lost to another worker');
/**
 * Waits in milliseconds.
 *
 * @internal Suites make them short.
 */
export const WAITS = {
  /** Work that does not end by itself this long after its abort is abandoned; its writes are fenced off. */
  abandon: 2_000,
  /** Between two tries while a store is away; the last one repeats. */
  outage: [1_000, 2_000, 5_000],
};

/** Renews the lease of each attempt at a third of it, and records how the attempt ended. */
export function createAttempts({ records, now, leaseMs, log }: QueueParts, kind: JobKind): Attempts {
  const running = new Map<Promise<void>, { job: StoredJob; abort: AbortController }>();
  let stopping = false;

  const close = (job: StoredJob, end: Omit<JobEnd, 'at'>) => endJob(records, job, { ...end, at: now() }, kind.onEnd);

  /** True also while the records are away. */
  const isHeld = (job: StoredJob) => renewLease(records, job, now() + leaseMs).catch(() => true);

  /** A store that is away costs no try: the attempt goes on from what it kept, until its deadline. */
  const workThroughOutages = (claimed: StoredJob, signal: AbortSignal) => {
    const start = (job: StoredJob) =>
      kind.work({
        job,
        signal,
        stopping: () => stopping,
        wait: async (until) => void (await releaseJob(records, job, until)),
        close: (end) => close(job, end),
      });
    const resume = async () => {
      if (stopping) throw new ClosingError();
      const job = await resumeJob(records, claimed, now() + leaseMs);
      if (!job) throw LOST;
      await start(job);
    };
    let next = () => start(claimed);
    const onOutage = (err: unknown) => {
      log.warn({ err, job_id: claimed.id, attempt: claimed.attempts }, 'job attempt waits for a store');
      next = resume;
    };
    return retryDuringOutage(() => next(), { onOutage, signal });
  };

  /** Writes the outcome of an attempt, for up to a lease while the records are away: then another worker may have the job. */
  const record = (write: () => Promise<unknown>) => {
    const endsAt = performance.now() + leaseMs;
    return retryDuringOutage(write, { mayRetry: () => !stopping && performance.now() < endsAt });
  };

  const attempt = async (job: StoredJob, abort: AbortController) => {
    const heartbeat = setInterval(() => {
      renewLease(records, job, now() + leaseMs).then(
        (held) => held || abort.abort(LOST),
        (err) => log.warn({ err, job_id: job.id }, 'lease not renewed'),
      );
    }, leaseMs / 3);
    const deadline = setTimeout(() => abort.abort(tooLong(kind.attemptMs)), kind.attemptMs);
    log.info({ job_id: job.id, type: job.type, attempt: job.attempts }, 'job claimed');
    const { signal } = abort;
    try {
      await endsAfterAbort(workThroughOutages(job, signal), signal);
      await record(() => releaseJob(records, job, now()));
    } catch (err) {
      const failure = signal.aborted ? signal.reason : err;
      // A job that was deleted meanwhile, with its case or its account, fails in many ways, none of them a fault.
      const reason = failure instanceof ClosingError || (await isHeld(job)) ? failure : LOST;
      if (reason === LOST)
        log.warn({ err, job_id: job.id, attempt: job.attempts }, 'job deleted, or lost to another worker');
      else if (reason instanceof ClosingError) await record(() => releaseJob(records, job, now()));
      else {
        log.error({ err: reason, job_id: job.id, attempt: job.attempts }, 'job attempt failed');
        const errorMessage = reason instanceof AppError ? reason.message : 'Internal server error';
        const isFinal = job.tries_left === 0 || (reason instanceof AppError && !reason.retryable);
        await record(() =>
          isFinal ? close(job, { status: 'failed', errorMessage }) : postponeJob(records, job, now()),
        );
      }
    } finally {
      clearInterval(heartbeat);
      clearTimeout(deadline);
    }
  };

  return {
    running: (lane) => [...running.values()].filter(({ job }) => job.lane === lane).length,
    run: (job) => {
      const abort = new AbortController();
      // An outcome that cannot be recorded leaves the job to the end of its lease.
      const run = attempt(job, abort).catch((err) => log.error({ err, job_id: job.id }, 'job attempt not recorded'));
      running.set(run, { job, abort });
      return run.finally(() => running.delete(run));
    },
    isStopping: () => stopping,
    stop: async (graceMs) => {
      stopping = true;
      const all = Promise.all(running.keys());
      const grace = new AbortController();
      await Promise.race([all, sleep(graceMs, undefined, { signal: grace.signal }).catch(() => {})]);
      grace.abort();
      for (const { abort } of running.values()) abort.abort(new ClosingError());
      await all;
    },
  };
}

/** Settles as the work does; rejects with the signal's reason where the work ignores its abort. */
async function endsAfterAbort(work: Promise<void>, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const abandoned = new Promise<never>((_, reject) => {
    const abandon = () => {
      timer = setTimeout(() => reject(signal.reason), WAITS.abandon);
    };
    signal.addEventListener('abort', abandon, { once: true });
  });
  try {
    await Promise.race([work, abandoned]);
  } finally {
    clearTimeout(timer);
  }
}

function tooLong(attemptMs: number): PipelineError {
  return new PipelineError(`The attempt took longer than ${Math.round(attemptMs / 1_000)} s`);
}

interface OutageOptions {
  /** Called after each failure that is an outage. */
  onOutage?: (error: unknown) => void;
  /** False ends the retries with the failure. */
  mayRetry?: () => boolean;
  /** Ends a pause with AbortError. */
  signal?: AbortSignal;
}

/**
 * Runs the work again, after a pause, for as long as it fails because a store is away. Throws its other failures.
 *
 * @internal Run by a test.
 */
export async function retryDuringOutage<T>(work: () => Promise<T>, options: OutageOptions): Promise<T> {
  const { onOutage, mayRetry, signal } = options;
  for (let failures = 0; ; failures++) {
    try {
      return await work();
    } catch (error) {
      if (!isStoreOutage(error) || signal?.aborted || mayRetry?.() === false) throw error;
      onOutage?.(error);
    }
    await sleep(WAITS.outage[Math.min(failures, WAITS.outage.length - 1)], undefined, { signal });
  }
}

/** True for failures that end once a store is reachable again. A chain source is not a store. */
function isStoreOutage(error: unknown): boolean {
  return error instanceof UnavailableError || error instanceof GraphUnavailableError;
}
