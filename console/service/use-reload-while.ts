import { useEffect, useRef } from 'preact/hooks';

const EVERY_MS = 3_000;
const TIMES_MAX = 40;

/** Reloads every three seconds while work of the service is `pending`, until two minutes pass without `progress`. */
export function useReloadWhile(pending: boolean, reload: () => void, progress?: number): void {
  const times = useRef(0);
  useEffect(() => {
    if (!pending) return;
    times.current = 0;
    const timer = setInterval(() => {
      times.current += 1;
      if (times.current >= TIMES_MAX) clearInterval(timer);
      reload();
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, [pending, reload, progress]);
}

const SEEN_EVERY_MS = 5_000;

/** Reloads every five seconds while the reader has the page in view. */
export function useReloadSeen(reload: () => void): void {
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) reload();
    }, SEEN_EVERY_MS);
    return () => clearInterval(timer);
  }, [reload]);
}
