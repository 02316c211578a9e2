import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { GRAPH_FILE, RECORDS_FILE } from '../data-folder/data-dir.ts';
import { UnavailableError } from '../errors.ts';
import { findGrafeoDamage } from '../graph/grafeo/graph-file.ts';
import { findSqliteDamage } from '../records/database/sqlite-check.ts';

export interface CheckedStore {
  store: 'records' | 'graph';
  file: string | null;
  result: 'ok' | 'damaged' | 'missing' | 'not_checked';
  /** The fault, or why nothing was checked. */
  problems: string[];
}

/** Reads the whole of each embedded store and says what is damaged in it; changes nothing. */
export async function checkStoreFiles(config: Config): Promise<CheckedStore[]> {
  const records = join(config.DATA_DIR, RECORDS_FILE);
  const graph = join(config.DATA_DIR, GRAPH_FILE);
  return [
    config.DATABASE_URL
      ? inServer('records', 'PostgreSQL: pg_amcheck, and initdb --data-checksums')
      : await checkFile('records', records, () => findSqliteDamage(records)),
    config.NEO4J_URI
      ? inServer('graph', 'Neo4j: neo4j-admin database check')
      : await checkFile('graph', graph, () => findGrafeoDamage(graph)),
  ];
}

function inServer(store: CheckedStore['store'], tool: string): CheckedStore {
  return {
    store,
    file: null,
    result: 'not_checked',
    problems: [`it is in a server, whose own tools check it. ${tool}`],
  };
}

async function checkFile(
  store: CheckedStore['store'],
  file: string,
  findDamage: () => string[] | Promise<string[]>,
): Promise<CheckedStore> {
  if (!existsSync(file)) {
    return {
      store,
      file,
      result: 'missing',
      problems: ['there is no such file: DATA_DIR names the folder of the service'],
    };
  }
  try {
    const problems = await findDamage();
    return { store, file, result: problems.length > 0 ? 'damaged' : 'ok', problems };
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    return { store, file, result: 'not_checked', problems: [`${error.message}: stop the service and check again`] };
  }
}
