import { useEffect, useState } from 'preact/hooks';
import type { Job } from './answers.ts';
import { ApiError } from './api.ts';
import { followJob } from './jobs.ts';

export interface FollowedJob {
  /** Null before the first one. */
  job: Job | null;
  error: Error | null;
  /** Asks again, for a job that was just started. */
  follow: () => void;
}

/**
 * Follows the newest job of a path to its end; `onDone` is called for one that ended while it was followed. A path that
 * has no job yet is not asked.
 */
export function useJob(path: string, onDone: () => void, hasJob = true): FollowedJob {
  const [started, setStarted] = useState(0);
  const [state, setState] = useState<{ job: Job | null; error: Error | null }>({ job: null, error: null });
  const isAsked = hasJob || started > 0;
  useEffect(() => {
    if (!isAsked) return;
    const abort = new AbortController();
    let wasLive = false;
    const show = (job: Job) => {
      wasLive ||= job.status !== 'completed';
      setState({ job, error: null });
    };
    followJob(path, show, abort.signal).then(
      () => (wasLive || started > 0) && onDone(),
      (error: Error) => {
        const isMissing = error instanceof ApiError && error.status === 404;
        if (!abort.signal.aborted && !isMissing) setState(({ job }) => ({ job, error }));
      },
    );
    return () => abort.abort();
  }, [path, started, isAsked]);
  return { ...state, follow: () => setStarted(started + 1) };
}
