import { createWriteStream, readdirSync, rmSync, type WriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { CATEGORIES, STOP_CATEGORIES } from '../../domain/label.ts';
import { InvalidInputError, UnavailableError } from '../../errors.ts';
import { makeFolder } from '../../files/make-folder.ts';
import type { Graph, GraphValue } from '../port.ts';
import { graphStats } from '../queries/stats.ts';
import { exportGraph, type GraphPage } from './export.ts';
import { importCommand } from './import-command.ts';

/** What an export wrote, and the command that makes a Neo4j database of it. */
export interface ExportReport {
  folder: string;
  addresses: number;
  transfers: number;
  flows: number;
  entities: number;
  command: string;
}

type Columns = Record<string, string>;

/** Column of the file to type in Neo4j, in the notation of `neo4j-admin database import`. */
const ADDRESS: Columns = {
  key: 'key:ID(Address)',
  chain: 'chain',
  address: 'address',
  category: 'category',
  label: 'label',
  label_source: 'label_source',
  entity_id: 'entity_id',
  first_seen_at: 'first_seen_at:long',
  last_seen_at: 'last_seen_at:long',
  scanned_at: 'scanned_at:long',
  scan_complete: 'scan_complete:boolean',
  is_contract: 'is_contract:boolean',
  read_lists: 'read_lists:string[]',
  read_from: 'read_from:long[]',
  read_to: 'read_to:long[]',
  read_sources: 'read_sources:string[]',
  read_at: 'read_at:long[]',
  degree_in: 'degree_in:long',
  degree_out: 'degree_out:long',
  labels: ':LABEL',
};
const ENTITY: Columns = { id: 'id:ID(Entity)', name: 'name', category: 'category' };
const TRANSFER: Columns = {
  from: ':START_ID(Address)',
  to: ':END_ID(Address)',
  id: 'id',
  tx_hash: 'tx_hash',
  index: 'index',
  seq: 'seq:long',
  block: 'block:long',
  block_hash: 'block_hash',
  position: 'position:long',
  at: 'at:long',
  asset: 'asset',
  token: 'token',
  amount: 'amount',
  amount_raw: 'amount_raw',
  decimals: 'decimals:long',
  usd: 'usd:double',
  kind: 'kind',
  apportioned: 'apportioned:boolean',
  tx_sender: 'tx_sender',
  method: 'method',
  fee: 'fee',
  token_id: 'token_id',
};
const FLOW: Columns = {
  from: ':START_ID(Address)',
  to: ':END_ID(Address)',
  usd: 'usd:double',
  tx_count: 'tx_count:long',
  unpriced_count: 'unpriced_count:long',
  first_at: 'first_at:long',
  last_at: 'last_at:long',
  top_tx_hash: 'top_tx_hash',
  top_usd: 'top_usd:double',
  assets: 'assets:string[]',
};
const BELONGS_TO: Columns = { key: ':START_ID(Address)', id: ':END_ID(Entity)' };

/**
 * Writes the graph into a folder, which must be new or empty, as files for `neo4j-admin database import full`; a page
 * of addresses at a time, so that memory stays bounded. Throws UnavailableError when something was written to the
 * graph meanwhile: pages of different moments do not fit together. The folder is empty again after a failure.
 */
export async function exportFiles(graph: Graph, folder: string): Promise<ExportReport> {
  makeFolder(folder);
  if (readdirSync(folder).length > 0) throw new InvalidInputError(`${folder} is not empty`);
  try {
    return await writeFiles(graph, folder);
  } catch (error) {
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
    throw error;
  }
}

async function writeFiles(graph: Graph, folder: string): Promise<ExportReport> {
  const before = await graphStats(graph);
  const files = {
    addresses: openFile(folder, 'addresses', ADDRESS),
    transfers: openFile(folder, 'transfers', TRANSFER),
    flows: openFile(folder, 'flows', FLOW),
    entities: openFile(folder, 'entities', ENTITY),
    belongs_to: openFile(folder, 'belongs-to', BELONGS_TO),
  };
  const entities = new Set<string>();
  try {
    for await (const page of exportGraph(graph)) await writePage(page, files, entities);
  } finally {
    for (const file of Object.values(files)) await file.close();
  }
  const after = await graphStats(graph);
  if (JSON.stringify(after) !== JSON.stringify(before)) {
    throw new UnavailableError('The graph changed during the export. Export again while nothing is written.', 60);
  }
  const isMultiline = Object.values(files).some((file) => file.isMultiline);
  const command = importCommand(folder, { isMultiline });
  writeFileSync(join(folder, 'README.txt'), readme(command));
  const { addresses, transfers, flows } = after;
  return { folder, addresses, transfers, flows, entities: entities.size, command };
}

type Files = Record<'addresses' | 'transfers' | 'flows' | 'entities' | 'belongs_to', CsvFile>;

async function writePage(page: GraphPage, files: Files, entities: Set<string>): Promise<void> {
  await files.addresses.write(page.addresses.map((address) => ({ ...address, labels: labelsOf(address.category) })));
  await files.transfers.write(page.transfers.map(({ from, to, properties }) => ({ from, to, ...properties })));
  await files.flows.write(page.flows.map(({ from, to, properties }) => ({ from, to, ...properties })));
  await files.belongs_to.write(page.entities.map(({ key, properties }) => ({ key, id: properties.id })));
  const born = page.entities.map(({ properties }) => properties).filter(({ id }) => !entities.has(id));
  const unique = new Map(born.map((entity) => [entity.id, entity]));
  for (const id of unique.keys()) entities.add(id);
  await files.entities.write([...unique.values()]);
}

/** As labels/apply gives them to the nodes of a Neo4j. */
function labelsOf(category: string | null | undefined): string[] {
  const known = CATEGORIES.find((one) => one === category);
  if (!known || !STOP_CATEGORIES.includes(known)) return ['Address'];
  return ['Address', known.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())];
}

interface CsvFile {
  isMultiline: boolean;
  write(rows: readonly object[]): Promise<void>;
  close(): Promise<void>;
}

/** Separates the entries of a list; no name of an asset holds it. */
const LIST_SEPARATOR = '\u001f';

function openFile(folder: string, name: string, columns: Columns): CsvFile {
  writeFileSync(join(folder, `${name}-header.csv`), `${Object.values(columns).join(',')}\n`);
  const stream = createWriteStream(join(folder, `${name}.csv`));
  const fields = Object.keys(columns);
  const file: CsvFile = {
    isMultiline: false,
    async write(rows) {
      if (rows.length === 0) return;
      const lines = rows.map((row) =>
        fields.map((field) => cell((row as Record<string, GraphValue>)[field])).join(','),
      );
      const text = `${lines.join('\n')}\n`;
      if (!file.isMultiline && lines.some((line) => /[\r\n]/.test(line))) file.isMultiline = true;
      await written(stream, text);
    },
    async close() {
      stream.end();
      await finished(stream);
    },
  };
  return file;
}

function written(stream: WriteStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** Nothing for null, which Neo4j then does not store; quotes keep the empty string apart from it. */
function cell(value: GraphValue | undefined): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return quoted(value.map(String).join(LIST_SEPARATOR));
  return typeof value === 'string' ? quoted(value) : String(value);
}

function quoted(text: string): string {
  return text === '' || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function readme(command: string): string {
  return [
    'These files hold a whole graph for a first load of Neo4j 5.26. Stop the server, run as its user',
    '',
    command,
    '',
    'and start it again. The service makes its constraints and indexes when it first connects.',
    '',
  ].join('\n');
}
