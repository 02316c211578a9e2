import type { JobLane, JobType } from '../domain/job.ts';
import type { StoredJob } from '../records/database/tables/jobs.ts';
import type { OnJobEnd } from '../records/jobs/job-leases.ts';

// How to add a kind of job:
// 1. Name its type, and what its rows scan, in `JOB_SCANS` (src/domain/job.ts).
// 2. Start it: in one transaction (`queueWithin`) reserve what it costs, `insertJob` (with the lane of its chains) and
//    offer it. Kinds that cost scan units use src/questions/jobs/job-units.ts.
// 3. Describe its `JobKind` in workers/job-kinds.ts. `work` reads `job.input`, writes its progress
//    (`total`, `completed`, `failed`, and in `output` whatever JSON the kind needs) with `writeAsHolder`, which is false
//    once another worker has the job, and ends with `attempt.close`. It resumes where a killed attempt stopped.

/** One attempt at a job, by the worker that holds it. */
export interface Attempt {
  /** The job as it was when claimed; `attempts` is the fencing token of every write by this worker. */
  job: StoredJob;
  /** Aborted when the job went to another worker, the attempt took too long, or a stop ran out of grace. */
  signal: AbortSignal;
  /** True once the process is stopping: start nothing new and return. */
  stopping: () => boolean;
  /** Gives the job back until a moment (epoch ms), at most a minute away; the attempt costs no try. */
  wait: (until: number) => Promise<void>;
  /** Ends the job. Throws UnavailableError when another worker has it. */
  close: (end: { status: 'completed' | 'failed'; errorMessage: string | null }) => Promise<void>;
}

/** Defines the work of one kind of job, how many run at once, and what happens when a job ends. */
export interface JobKind {
  type: JobType;
  lanes: readonly JobLane[];
  /** Jobs of one lane that one process runs at once. */
  slotsPerLane: number;
  /** An attempt that takes longer is ended and counts as failed. */
  attemptMs: number;
  /**
   * Does the job and closes it. Returning without closing requeues it at once; throwing requeues it after a pause, or
   * fails it when no attempt is left.
   */
  work: (attempt: Attempt) => Promise<void>;
  /**
   * Runs in the transaction that ends the job as completed, failed or stale: releases reserved units that the job did
   * not use, and records the event of its end. Null for kinds that hold nothing.
   */
  onEnd: OnJobEnd | null;
}

export interface JobWorker {
  /** Claims no more jobs, waits up to `graceMs` for the running ones, then aborts and requeues them. */
  stop(graceMs: number): Promise<void>;
}

/** Decides which worker runs which job, and when. The state of a job is stored only in the records. */
export interface JobQueue {
  /** Notifies the workers of a recorded job. If the notice is lost, the job only starts some seconds later. */
  offer(job: StoredJob): Promise<void>;
  /** Runs the due jobs of a kind; one worker at a time holds a job. */
  work(kind: JobKind): JobWorker;
  close(): Promise<void>;
}
