import type { JobLane, JobStatus, JobType } from '../../../domain/job.ts';

/** Work that outlives its request. While it runs, only the holder of the newest attempt may write to it. */
export interface StoredJob {
  id: string;
  account_id: string;
  type: JobType;
  /** The case that the job works for; null for jobs of no case. */
  case_id: string | null;
  lane: JobLane;
  /** `stale` only once it is not tried again; before, a running job whose lease ended is shown as stale. */
  status: JobStatus;
  /** JSON; each type has its own. */
  input: string;
  /** JSON of what the job has found so far; each type has its own. */
  output: string | null;
  total: number;
  completed: number;
  failed: number;
  error_message: string | null;
  /** Claims so far; the number of the newest is its holder's fence. */
  attempts: number;
  tries_left: number;
  /** How often its worker was lost, up to the newest claim. */
  lost: number;
  /** No worker claims it before; while it runs, the end of its lease and the pause after it. */
  run_at: number;
  lease_until: number | null;
  /** The scan units that the job holds, where its kind costs any. */
  reservation_id: string | null;
  created_at: number;
  started_at: number | null;
  completed_at: number | null;
}

/** One address of a job, as it is when the job is queued. */
export interface NewJobRow {
  /** As the client gave it where the row is not valid. */
  chain: string | null;
  address: string;
  /** 0 for a text that is not an address: it failed from the start and is never tried. */
  valid: number;
  status: 'pending' | 'completed' | 'failed';
  error_message: string | null;
  completed_at: number | null;
}

export interface JobRow extends NewJobRow {
  job_id: string;
  position: number;
  /** JSON of the fields that a result row adds. */
  result: string | null;
}

/** Work that one process does for all; whoever moves `next_at` on has the turn. */
export interface PeriodicWorkRow {
  name: string;
  next_at: number;
}
