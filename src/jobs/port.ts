import type { JobLane, JobType } from '../domain/job.ts';
import type { Job, OnJobEnd } from '../records/jobs/jobs.ts';

// How to add a kind of job:
// 1. Name its type in `JOB_TYPES` (src/domain/job.ts).
// 2. Start it: in one transaction reserve what it costs and `insertJob` (with the lane of its chains), then
//    `ctx.jobs.offer(job)`. Kinds that cost scan units use src/questions/jobs/job-units.ts.
// 3. Write its `JobKind` in workers/ and list it in workers/workers.ts. `work` reads `job.input`, writes its progress
//    (`total`, `completed`, `failed`, and in `output` whatever JSON the kind needs) with `writeAsHolder`, which is false
//    once another worker has the job, and ends with `attempt.close`. It goes on from where a killed attempt stopped.

/** One attempt at a job, by the worker that holds it. */
export interface Attempt {
  /** As it was when claimed; its `attempts` is the fence of whatever the worker writes. */
  job: Job;
  /** Aborted when the job was lost to another worker, took too long, or the process can wait no longer. */
  signal: AbortSignal;
  /** True once the process wants to end: begin nothing more and return. */
  stopping: () => boolean;
  /** Ends the job. Throws UnavailableError when another worker has it. */
  close: (end: { status: 'completed' | 'failed'; errorMessage: string | null }) => Promise<void>;
}

/** What one kind of job does, how many run at once, and what happens when a job ends. */
export interface JobKind {
  type: JobType;
  lanes: readonly JobLane[];
  /** Jobs of one lane that one process runs at once. */
  slotsPerLane: number;
  /** An attempt that takes longer is ended and counts as failed. */
  attemptMs: number;
  /**
   * Does the job and closes it. To return without closing it gives it back at once; to throw gives it back after a
   * pause, or fails it when no try is left.
   */
  work: (attempt: Attempt) => Promise<void>;
  /**
   * Runs in the transaction that ends the job as completed, failed or stale: gives back what the job reserved and did
   * not use, and records the event of its end.
   */
  onEnd: OnJobEnd;
}

export interface JobWorker {
  /** Claims nothing more, waits up to `graceMs` for what runs, then aborts it and gives it back. */
  stop(graceMs: number): Promise<void>;
}

/** Decides which worker does which job, and when; what a job is and has done is kept in the records alone. */
export interface JobQueue {
  /** Notifies the workers of a recorded job. A lost notice delays the job by seconds and never loses it. */
  offer(job: Job): Promise<void>;
  /** Does the jobs of a kind that are due, each by one worker at a time. */
  work(kind: JobKind): JobWorker;
  close(): Promise<void>;
}
