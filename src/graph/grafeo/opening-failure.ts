import { DamagedStoreError, RESTORE } from '../../data-folder/damaged-store.ts';
import { InvalidInputError, UnavailableError } from '../../errors.ts';

const RETRY_AFTER_S = 5;

/** Why the graph's file cannot be opened, in terms of what the operator can do. */
export function openingFailure(path: string, cause: unknown): Error {
  const problem = String(cause).replace(/^Error: (?:Database error: )?/, '');
  if (problem.includes('cannot be locked')) {
    const message = `The graph file ${path} is in use by another process; only one can hold it at a time`;
    return new UnavailableError(message, RETRY_AFTER_S, { cause });
  }
  const [, format, known] = /unsupported file format version (\d+), expected (\d+)/.exec(problem) ?? [];
  if (format !== undefined) {
    const age = Number(format) > Number(known) ? 'a newer' : 'an older';
    return new InvalidInputError(
      `The graph file ${path} has format ${format} of ${age} version; this one reads format ${known}: start the version that wrote it ` +
        '(traceflow --version; manifest.json of a backup names it)',
      { cause },
    );
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
