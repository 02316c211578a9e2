import { refreshDueLists } from '../graph-loaders/kept/refresh-lists.ts';
import { MINUTE_MS } from '../src/domain/time.ts';
import type { PeriodicWork } from '../src/jobs/scheduler.ts';

/** Fetches the kept lists that are due. */
export const refreshLists: PeriodicWork = { name: 'refresh_lists', everyMs: MINUTE_MS, run: refreshDueLists };
