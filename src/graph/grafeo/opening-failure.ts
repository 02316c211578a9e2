import { UnavailableError } from '../../errors.ts';
import { DamagedStoreError, RESTORE } from '../../files/damaged-store.ts';

const RETRY_AFTER_S = 5;

/** Why the graph's file cannot be opened, in terms of what the operator can do. */
export function openingFailure(path: string, cause: unknown): Error {
  const problem = String(cause).replace(/^Error: (?:Database error: )?/, '');
  if (problem.includes('cannot be locked')) {
    const message = `The graph file ${path} is in use by another process; only one can hold it at a time`;
    return new UnavailableError(message, RETRY_AFTER_S, { cause });
  }
  const remedies = [
    RESTORE,
    ...(problem.includes('.wal') && problem.includes('damaged')
      ? ['Or open it with the commits before the damage: traceflow serve --salvage']
      : []),
    'Or move it away and begin with an empty graph, which new scans fill: traceflow serve --new-graph',
  ];
  return new DamagedStoreError(path, problem, remedies, { cause });
}
