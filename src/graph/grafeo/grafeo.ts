import { statSync } from 'node:fs';
import grafeo, { type GrafeoDB, type GrafeoValue, type QueryResult } from '@grafeo-db/js';
import { DamagedStoreError, RESTORE } from '../../data-folder/damaged-store.ts';
import { GraphError, GraphTimeoutError, InvalidInputError, UnavailableError } from '../../errors.ts';
import { within } from '../../fairness/deadline.ts';
import { eachInSlices } from '../../fairness/time-slices.ts';
import type { Graph, GraphTransaction, GraphValue, Params, QueryOptions, Row } from '../port.ts';
import { schemaStatements, statementText } from '../statements.ts';
import { allOrNothing, stepByStep } from '../step-by-step.ts';

export interface GrafeoOptions {
  /** The graph's file; null keeps it in memory. */
  path: string | null;
  /** Opens a file whose log is damaged with the commits before the damage; the engine keeps the rest beside the log. */
  salvage?: boolean;
  /** Rows without ORDER BY come in random order: for tests. */
  shuffleUnordered?: boolean;
}

const WRITE_ATTEMPTS = 5;
const CHECKPOINT_INTERVAL_MS = 600_000;
/** After a crash the next start reads the log again, at some 40 MiB a second. */
const LOG_BYTES = { min: 64 * 1024 * 1024, max: 256 * 1024 * 1024 };

/**
 * Opens the embedded graph, whose checksums the engine verifies, and applies its schema. Throws UnavailableError when
 * another process holds the file, DamagedStoreError when it cannot be read. Writes queue behind each other; reads run
 * beside them.
 */
export async function openGrafeo(options: GrafeoOptions): Promise<Graph> {
  const { path } = options;
  const db = open(options);
  for (const name of schemaStatements('grafeo')) {
    await db.executeCypher(statementText(name, 'grafeo')).catch(fail);
  }
  if (path !== null) {
    const walBytes = logBytesMax(statSync(path).size);
    db.setCheckpointTriggers({ intervalMs: CHECKPOINT_INTERVAL_MS, walBytes });
  }
  return grafeoGraph(db);
}

/**
 * How long the log may grow before a checkpoint, which writes the whole graph while commits wait: half of the graph's
 * file, so that checkpoints of a large graph stay rare, within bounds.
 */
export function logBytesMax(fileBytes: number): number {
  return Math.min(LOG_BYTES.max, Math.max(LOG_BYTES.min, fileBytes / 2));
}

function open({ path, salvage = false, shuffleUnordered = false }: GrafeoOptions): GrafeoDB {
  try {
    return grafeo.GrafeoDB.create(path, { shuffleUnordered, walSalvage: salvage });
  } catch (cause) {
    if (path === null) throw new GraphError({ cause });
    throw openingFailure(path, cause);
  }
}

function grafeoGraph(db: GrafeoDB): Graph {
  let closed = false;
  let lastWrite: Promise<unknown> = Promise.resolve();

  const assertOpen = () => {
    if (closed) throw new GraphError({ cause: new Error('the graph is closed') });
  };

  async function read<T extends Row>(
    statement: string,
    params: Params,
    { timeoutMs }: QueryOptions = {},
  ): Promise<T[]> {
    assertOpen();
    const query = db.executeCypher(statementText(statement, 'grafeo'), params);
    // The engine cannot cancel a query: it runs to its end, and nobody reads its rows.
    const late = () => new GraphTimeoutError({ cause: new Error(`the query exceeded ${timeoutMs} ms`), ended: query });
    return rowsOf<T>(await within(timeoutMs, query, late).catch(fail));
  }

  function transact<T>(work: (tx: GraphTransaction) => Promise<T>): Promise<T> {
    assertOpen();
    const turn = lastWrite.then(() => retrying(() => transactOnce(db, work)));
    lastWrite = turn.catch(() => undefined);
    return turn;
  }

  return {
    engine: 'grafeo',
    read,
    transact,
    write: stepByStep(transact),
    async ping() {
      await read('stats/ping', {});
    },
    runOwn: null,
    copyTo(path) {
      assertOpen();
      const turn = lastWrite.then(() => {
        try {
          db.save(path);
        } catch (cause) {
          fail(cause);
        }
      });
      lastWrite = turn.catch(() => undefined);
      return turn;
    },
    async close() {
      if (closed) return;
      closed = true;
      await lastWrite;
      db.close();
    },
  };
}

async function transactOnce<T>(db: GrafeoDB, work: (tx: GraphTransaction) => Promise<T>): Promise<T> {
  const tx = db.beginTransaction();
  let isOpen = true;
  const run = async <R extends Row>(statement: string, params: Params) => {
    // The engine would run it by itself, outside of any transaction.
    if (!isOpen) throw new GraphError({ cause: new Error('the transaction has ended') });
    return rowsOf<R>(await tx.executeCypher(statementText(statement, 'grafeo'), params).catch(fail));
  };
  try {
    const result = await allOrNothing(run, work).finally(() => {
      isOpen = false;
    });
    // The call `commit()` would hold the event loop for as long as a checkpoint writes the whole graph.
    await tx.execute('COMMIT').catch(fail);
    return result;
  } catch (error) {
    rollback(tx);
    throw error;
  }
}

/** The engine calls a transaction active after its statement COMMIT, too: whether it can be rolled back shows by trying. */
function rollback(tx: { rollback(): void }): void {
  try {
    tx.rollback();
  } catch {
    // It has ended: its own failure is the one to report.
  }
}

async function retrying<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const conflict = error instanceof GraphError && /write conflict/i.test(String(error.cause));
      if (!conflict || attempt === WRITE_ATTEMPTS) throw error;
    }
  }
}

function fail(cause: unknown): never {
  if (cause instanceof GraphError) throw cause;
  throw /timeout error/i.test(String(cause)) ? new GraphTimeoutError({ cause }) : new GraphError({ cause });
}

/** Lists of values cross the border in half the time of objects. */
async function rowsOf<T extends Row>(result: QueryResult): Promise<T[]> {
  const { columns } = result;
  const rows: T[] = [];
  await eachInSlices(result.rows(), (values) => {
    const row: Row = {};
    for (let i = 0; i < columns.length; i++) row[columns[i]!] = plain(values[i]!);
    rows.push(row as T);
  });
  return rows;
}

/** Lists stay what they are: thousands of transfers come as one each, and hardly any holds what must be changed. */
function plain(value: GrafeoValue): GraphValue {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value))
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, plain(entry)]));
  for (let i = 0; i < value.length; i++) {
    const entry = value[i]!;
    if (typeof entry === 'object' || typeof entry === 'bigint') value[i] = plain(entry) as GrafeoValue;
  }
  return value as GraphValue[];
}

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
