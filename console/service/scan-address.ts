import type { Language } from '../../words/language.ts';
import type { Job, Scan } from './answers.ts';
import { ApiError, apiPath, call } from './api.ts';
import { followJob } from './jobs.ts';
import { poll } from './poll.ts';

export interface ConsoleScanRequest {
  chain: string | undefined;
  address: string;
  lang: Language;
  /** Asks the chain again, however recent the last scan is. */
  fresh: boolean;
  /** `off` reads the address alone, not the money behind it. */
  trace?: 'on' | 'off';
}

/**
 * Scans in the background, which no deadline ends, then reads the answer in the wanted language, which is free. On a
 * plan without such scans it waits for the answer.
 */
export async function followScan(
  request: ConsoleScanRequest,
  onProgress: (job: Job) => void,
  signal: AbortSignal,
): Promise<Scan> {
  const job = await call<{ job_id: string }>('/public/scan/async', { method: 'POST', body: request, signal }).catch(
    (error: unknown) => {
      if (error instanceof ApiError && error.status === 403) return null;
      throw error;
    },
  );
  if (!job) return call('/public/scan', { method: 'POST', body: request, signal });
  await followJob<Job>(apiPath`/public/scan/${job.job_id}`, onProgress, signal);
  const read = () => call<Scan>('/public/scan', { method: 'POST', body: { ...request, fresh: false }, signal });
  return poll(
    read,
    () => true,
    () => {},
    signal,
  );
}
