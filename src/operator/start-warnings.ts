import { hasSource } from '../config.ts';
import type { Context } from '../context.ts';

/** Logs what an installation lacks to give useful answers: chain sources and label lists. */
export async function warnOfGaps({ config, labels, log }: Context): Promise<void> {
  if (!Object.values(config.chains).some(hasSource)) {
    log.warn('no chain source is configured: scans answer from labels and the graph (traceflow init writes a .env)');
  }
  if (!(await labels.hasAny())) {
    log.warn('no label lists are loaded: scans recognize nobody, checks before signing caution (see docs/labels.md)');
  }
}
