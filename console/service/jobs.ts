import type { Job } from './answers.ts';
import { call } from './api.ts';
import { poll } from './poll.ts';

/** Follows a job to its end; a job that failed throws what it says. */
export async function followJob<Kind extends Pick<Job, 'status' | 'error_message'>>(
  path: string,
  onProgress: (job: Kind) => void,
  signal: AbortSignal,
): Promise<Kind> {
  const isDone = ({ status }: Kind) => status === 'completed' || status === 'failed';
  const job = await poll<Kind>(() => call(path, { signal }), isDone, onProgress, signal);
  if (job.status === 'failed') throw new Error(job.error_message ?? job.status);
  return job;
}
