import { finishLoads } from '../graph-loaders/kept/finish-loads.ts';
import { refreshDueLists } from '../graph-loaders/kept/refresh-lists.ts';
import { MINUTE_MS } from '../src/domain/time.ts';
import type { PeriodicWork } from '../src/jobs/scheduler.ts';

/** Fetches the kept lists that are due. */
export const refreshLists: PeriodicWork = { name: 'refresh_lists', everyMs: MINUTE_MS, run: refreshDueLists };

/** Repeats the loads that were cut off. */
export const finishCutLoads: PeriodicWork = { name: 'finish_loads', everyMs: MINUTE_MS, run: finishLoads };
