import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Session } from 'neo4j-driver';
import { GraphError, InvalidInputError } from '../../errors.ts';
import { BoundedProcess, ProcessError, ProcessTimeoutError } from '../../fairness/bounded-process.ts';
import type { Graph, OwnAnswer } from '../port.ts';
import { type Neo4jOptions, type OwnJob, runOwn, tooLong } from './run-own.ts';

/** Many times the largest answer. */
const MEMORY_MIB = 128;
/** A process needs compiled JavaScript; under TypeScript, as in most tests, statements run in this process. */
const PROCESS = import.meta.url.endsWith('.js') ? new URL('./statement-process.js', import.meta.url) : null;

const LOOK_MS = 2_000;
const LISTED = 'SHOW TRANSACTIONS YIELD metaData WHERE metaData.own_statement = $id RETURN count(*) AS count';

/**
 * Runs callers' statements in other processes: the driver decodes a record as a whole, and one of many megabytes would
 * hold this process for seconds. `run` throws InvalidInputError for a statement that is refused or takes too much.
 */
export function ownStatements(
  server: Neo4jOptions,
  openSession: () => Session,
): { run: NonNullable<Graph['runOwn']>; close(): void } {
  const running = PROCESS && new BoundedProcess<OwnJob, OwnAnswer | { refused: string }>(PROCESS, MEMORY_MIB);
  const closing = new AbortController();
  /** The server ends a statement while it runs, not while it plans it: that may take for ever. */
  const endOf = async (id: string): Promise<void> => {
    while (!closing.signal.aborted && (await isListed(openSession, id)))
      await sleep(LOOK_MS, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
  };
  return {
    run: async (own, bounds, keep) => {
      refuseUnsafe(own.statement);
      const job = { id: randomUUID(), server, own, bounds };
      const outcome = await (running ? running.run(job, bounds.timeoutMs) : runOwn(job)).catch((cause) => {
        if (cause instanceof ProcessError) keep(endOf(job.id));
        if (cause instanceof ProcessTimeoutError) throw new InvalidInputError(tooLong(bounds), { cause });
        if (cause instanceof ProcessError)
          throw new InvalidInputError(`Statement refused: ${cause.message}`, { cause });
        throw new GraphError({ cause });
      });
      if ('refused' in outcome) throw new InvalidInputError(outcome.refused);
      return outcome;
    },
    close: () => {
      closing.abort();
      running?.close();
    },
  };
}

/** True also where the server does not answer. */
async function isListed(openSession: () => Session, id: string): Promise<boolean> {
  const session = openSession();
  try {
    const { records } = await session.run(LISTED, { id });
    return Number(records[0]?.get('count')) > 0;
  } catch {
    return true;
  } finally {
    session.close().catch(() => undefined);
  }
}

/** Clauses that an own statement may begin with: what administers the server begins with others. */
const BEGINNINGS = new Set(['MATCH', 'OPTIONAL', 'WITH', 'UNWIND', 'RETURN', 'CALL']);
/** Words of clauses that write, leave the database or read files. */
const REFUSED = new Set([
  'CREATE',
  'MERGE',
  'INSERT',
  'SET',
  'DELETE',
  'DETACH',
  'REMOVE',
  'DROP',
  'FOREACH',
  'LOAD',
  'USE',
  'SHOW',
  'TERMINATE',
  'TRANSACTIONS',
]);
/** Functions of Neo4j with a dot in their name; others come from plug-ins, which may do anything. */
const NAMESPACES = new Set(['date', 'datetime', 'localdatetime', 'time', 'localtime', 'duration', 'point']);

/** The server rewrites each of these into two copies of what it joins, and cannot be stopped meanwhile. */
const XOR_MAX = 8;
const BRACES_DEPTH_MAX = 5;

const SKIPPED = /\/\*[\s\S]*?\*\/|\/\/[^\n\r]*|'(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*"/y;
const NAME = /`(?:[^`]|``)*`|[\p{L}_$][\p{L}\p{N}_]*/uy;

/**
 * Checks that a caller's statement is one that reads, without procedures, functions of plug-ins and files. Throws InvalidInputError.
 *
 * @internal
 */
export function refuseUnsafe(statement: string): void {
  // Some versions of the server replace these before they look for the ends of texts.
  if (/\\u/i.test(statement)) refuse('write the character itself instead of \\u');
  const tokens = tokensOf(statement);
  if (tokens.at(-1) === ';') tokens.pop();
  if (tokens.includes(';')) refuse('it may be one statement only');
  if (!BEGINNINGS.has(tokens[0]?.toUpperCase() ?? '')) refuse(`it begins with ${[...BEGINNINGS].join(', ')}`);
  if (tokens.filter((token) => token.toUpperCase() === 'XOR').length > XOR_MAX)
    refuse(`XOR may stand ${XOR_MAX} times`);
  if (depthOf(tokens) > BRACES_DEPTH_MAX) refuse(`braces may be nested ${BRACES_DEPTH_MAX} deep`);
  for (const [i, token] of tokens.entries()) {
    const word = token.toUpperCase();
    if (REFUSED.has(word)) refuse(`${word} is not allowed; as a name, write it in backticks`);
    if (token.startsWith('`') && tokens[i + 1] === '(') refuse('names of functions stand without backticks');
    if (word === 'CALL' && !['{', '('].includes(tokens[i + 1] ?? '')) refuse('procedures are not allowed');
    if (token !== '.' || !isName(tokens[i - 1]) || !isName(tokens[i + 1]) || tokens[i + 2] !== '(') continue;
    let first = i - 1;
    while (tokens[first - 1] === '.' && isName(tokens[first - 2])) first -= 2;
    const namespace = tokens[first]!.replaceAll('`', '').toLowerCase();
    if (first !== i - 1 || !NAMESPACES.has(namespace)) refuse(`functions of plug-ins are not allowed: ${namespace}`);
  }
}

function depthOf(tokens: readonly string[]): number {
  let depth = 0;
  let deepest = 0;
  for (const token of tokens) {
    if (token === '{') depth += 1;
    else if (token === '}') depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

function isName(token: string | undefined): boolean {
  return token !== undefined && /^[`\p{L}_]/u.test(token);
}

/** Names and single characters, without texts, comments and blanks. */
function tokensOf(statement: string): string[] {
  const tokens: string[] = [];
  for (let at = 0; at < statement.length; ) {
    const skipped = matchAt(SKIPPED, statement, at);
    const name = skipped === null ? matchAt(NAME, statement, at) : null;
    const character = String.fromCodePoint(statement.codePointAt(at)!);
    const token = skipped ?? name ?? character;
    if (skipped === null && name === null && /['"`]/.test(character)) refuse('a text does not end');
    if (skipped === null && statement.startsWith('/*', at)) refuse('a comment does not end');
    if (skipped !== null && /^['"]/.test(skipped)) tokens.push("''");
    else if (skipped === null && token.trim() !== '') tokens.push(token);
    at += token.length;
  }
  return tokens;
}

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

function refuse(reason: string): never {
  throw new InvalidInputError(`Statement refused: ${reason}`);
}
