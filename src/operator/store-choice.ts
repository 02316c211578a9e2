import { existsSync } from 'node:fs';
import { type Config, ConfigError } from '../config.ts';
import { DamagedStoreError, RESTORE } from '../data-folder/damaged-store.ts';
import { GraphError, UnavailableError } from '../errors.ts';
import { rebuildState } from '../graph/ingest/rebuild.ts';
import type { Graph } from '../graph/port.ts';
import type { Records } from '../records/database/database.ts';
import { hasScans } from '../records/scans/scans.ts';

/** True where any number of processes can serve and work: graph, queue and limits lie outside of the process. */
export function isShared(config: Config): boolean {
  return config.NEO4J_URI !== undefined && config.REDIS_URL !== undefined;
}

/** Throws ConfigError with the reason where a worker and a server cannot share their stores. */
export function refuseLoneWorker(config: Config): void {
  const problems: string[] = [];
  if (!config.REDIS_URL) {
    problems.push('REDIS_URL: work takes its jobs from Redis; without it, serve does the jobs itself');
  }
  if (!config.NEO4J_URI) {
    problems.push('NEO4J_URI: work needs Neo4j; one process alone can hold the Grafeo file in DATA_DIR: serve');
  }
  if (problems.length > 0) throw new ConfigError(problems);
}

/** Returns the answer of a store on a server; throws an error that names the setting where the store cannot be used. */
export async function reachStore<T>(setting: string, asked: Promise<T>): Promise<T> {
  return asked.catch((cause: unknown) => {
    if (!(cause instanceof UnavailableError || cause instanceof GraphError)) throw cause;
    throw new UnreachableStoreError(setting, cause);
  });
}

class UnreachableStoreError extends Error {
  constructor(setting: string, cause: Error) {
    let first = cause;
    while (first.cause instanceof Error) first = first.cause;
    super(`${setting}: the store that it names cannot be used: ${first.message}`, { cause });
    this.name = 'UnreachableStoreError';
  }
}

/** Throws OldGraphError where the transfers of the graph are not as this version writes them. */
export async function refuseOldGraph(graph: Graph): Promise<void> {
  if ((await rebuildState(graph)) !== null) throw new OldGraphError();
}

/** A graph of an earlier version, or one whose rebuild did not end. */
class OldGraphError extends Error {
  constructor() {
    super('The graph is of an earlier version. Stop the service everywhere, then run once: traceflow graph rebuild');
    this.name = 'OldGraphError';
  }
}

/** Throws DamagedStoreError where the graph's file is missing although scans, which fill it, are recorded. */
export async function refuseMissingGraph(path: string, records: Records): Promise<void> {
  if (existsSync(path) || !(await hasScans(records))) return;
  throw new DamagedStoreError(path, 'it is missing, though the records hold scans', [
    RESTORE,
    'If the graph is in Neo4j, set NEO4J_URI',
    'To begin with an empty graph, which new scans fill: traceflow serve --new-graph',
  ]);
}
