import type { JobType } from '../records/database/tables.ts';
import type { Job } from '../records/jobs/jobs.ts';

/** One attempt at a job, by the worker that holds it. */
export interface Attempt {
  /** As it was when claimed; its `attempts` is the fence of whatever the worker writes. */
  job: Job;
  /** Aborted when the job was lost to another worker, or the process can wait no longer. */
  signal: AbortSignal;
  /** True once the process wants to end: begin nothing more and return. */
  stopping: () => boolean;
}

/**
 * Does the job and closes it in the records. To return without closing it gives it back at once; to throw
 * gives it back after a pause, or fails it when no try is left.
 */
export type JobWork = (attempt: Attempt) => Promise<void>;

export interface JobWorker {
  /** Claims nothing more, waits up to `graceMs` for what runs, then aborts it and gives it back. */
  stop(graceMs: number): Promise<void>;
}

/** Which worker does which job, and when; what a job is and has done stands in the records alone. */
export interface JobQueue {
  /** Tells the workers of a job that was just recorded. Lost news delays a job by seconds and never loses it. */
  offer(job: Job): Promise<void>;
  /** Does the jobs of a type that are due, at most `concurrency` at once, each by one worker at a time. */
  work(type: JobType, concurrency: number, work: JobWork): JobWorker;
  close(): Promise<void>;
}
