import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Params, Row } from '../../src/graph/port.ts';
import { cypherFolder } from '../../src/graph/statements.ts';
import { transfersOf, type World } from './world.ts';

/** One statement and what it must answer. */
export interface CaseStep {
  statement: string;
  params: Params;
  /** Left out: whatever it answers. Compared in order where the statement ends in an ORDER BY. */
  rows?: Row[];
}

/** A promise about statements: a small graph, and steps on it one after the other. */
export interface GraphCase {
  name: string;
  graph: World;
  steps: CaseStep[];
}

type WrittenCase = Omit<GraphCase, 'steps'> & (CaseStep | { steps: CaseStep[] });

/** The cases of test/contract/graph/*.json, by file. */
export function readCases(): Record<string, GraphCase[]> {
  const folder = new URL('../contract/graph/', import.meta.url);
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  return Object.fromEntries(
    files.sort().map((file) => {
      const written = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as WrittenCase[];
      return [file, written.map(withSteps)];
    }),
  );
}

function withSteps(written: WrittenCase): GraphCase {
  const { name, graph } = written;
  if ('steps' in written) return { name, graph, steps: withIds(graph, written.steps) };
  const { statement, params, rows } = written;
  return { name, graph, steps: withIds(graph, [{ statement, params, rows }]) };
}

/** A case names a transfer of its graph `<chain>:<tx_hash>:<place>`, in the place of its id. */
function withIds(graph: World, steps: CaseStep[]): CaseStep[] {
  const named = transfersOf(graph).map(({ chain, txHash, index, id }) => [`${chain}:${txHash}:${index}`, id] as const);
  let text = JSON.stringify(steps);
  for (const [name, id] of named.sort(([a], [b]) => b.length - a.length)) text = text.replaceAll(name, id);
  return JSON.parse(text) as CaseStep[];
}

/** Statements composed from parts: with one hop, and where hops follow each other. */
const COMPOSED = ['sent', 'received'].flatMap((way) => [`walk/${way}-1`, `walk/${way}-3`, `walk/${way}-across-3`]);

/** Parts of other statements, in whose cases they are. */
const PARTS = ['pairs/transfers', 'pairs/flows', 'ingest/locked', 'entities/facts-beside'];

/** Every statement below cypher/ that a question can name: no schema (applied at each start), nothing for Browser. */
export function statementsToCover(): string[] {
  const folders = readdirSync(cypherFolder(), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !['schema', 'browser', 'walk'].includes(entry.name))
    .map((entry) => entry.name);
  const names = folders.flatMap((folder) =>
    readdirSync(join(cypherFolder(), folder))
      .filter((file) => file.endsWith('.cypher'))
      .map((file) => `${folder}/${file.split('.')[0]}`),
  );
  return [...new Set([...names, ...COMPOSED])].filter((name) => !PARTS.includes(name)).sort();
}
