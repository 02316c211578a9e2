import { hasSource } from '../config.ts';
import type { Context } from '../context.ts';
import type { ListGap } from '../domain/label.ts';

const GAPS: Record<ListGap, string> = {
  no_lists: 'no list of sanctions is loaded',
  lists_stale: 'a list of sanctions is older than twice its interval',
};

/** Logs what an installation lacks to give useful answers: chain sources and label lists. */
export async function warnOfGaps({ config, labels, log }: Context): Promise<void> {
  if (!Object.values(config.chains).some(hasSource)) {
    log.warn('no chain source is configured: scans answer from labels and the graph (traceflow init writes a .env)');
  }
  if (!(await labels.hasAny())) {
    log.warn('no label lists are loaded: scans recognize nobody, checks before signing caution (see docs/labels.md)');
  } else {
    const gap = await labels.gap();
    if (gap !== null) log.warn(`${GAPS[gap]}: no scan is LOW, checks before signing caution (see docs/labels.md)`);
  }
}
