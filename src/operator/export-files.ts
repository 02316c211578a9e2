import { createWriteStream, readdirSync, rmSync, type WriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { makeFolder } from '../data-folder/make-folder.ts';
import { parseAddressKey } from '../domain/address/address-key.ts';
import { CATEGORIES, STOP_CATEGORIES } from '../domain/label.ts';
import { slicesOf } from '../domain/slices.ts';
import { TRANSFER_CSV_COLUMNS } from '../domain/transfers/transfer-csv.ts';
import { InvalidInputError, UnavailableError } from '../errors.ts';
import { csvHeader, csvRows, transferRows } from '../exports/csv.ts';
import { type Fact, transferOfFact } from '../graph/ingest/facts.ts';
import {
  ADDRESS,
  type AddressProperties,
  BRIDGED,
  type Bridged,
  ENTITY,
  type EntityProperties,
  FLOW,
  type Flow,
  type Property,
  type StoredProperties,
  TRANSFER,
} from '../graph/model.ts';
import type { Graph, GraphValue } from '../graph/port.ts';
import { type GraphStats, graphStats } from '../graph/queries/stats.ts';

/** Counts of an export, and the command that makes a Neo4j database of it. */
export interface ExportReport {
  folder: string;
  addresses: number;
  transfers: number;
  flows: number;
  bridged: number;
  entities: number;
  command: string;
}

/** Columns of a file by property, in the notation of `neo4j-admin database import`. */
type Columns = Record<string, string>;

const TYPES: Record<Property['type'], string> = {
  text: '',
  integer: ':long',
  number: ':double',
  boolean: ':boolean',
  texts: ':string[]',
  integers: ':long[]',
};

function columnsOf(table: Record<string, Property>): Columns {
  return Object.fromEntries(Object.entries(table).map(([name, { type }]) => [name, `${name}${TYPES[type]}`]));
}

const ROWS_AT_ONCE = 500;

const ENDS: Columns = { from: ':START_ID(Address)', to: ':END_ID(Address)' };
const ADDRESS_FILE: Columns = { ...columnsOf(ADDRESS), key: 'key:ID(Address)', labels: ':LABEL' };
const ENTITY_FILE: Columns = { ...columnsOf(ENTITY), id: 'id:ID(Entity)' };
const TRANSFER_FILE: Columns = { ...ENDS, ...columnsOf(TRANSFER) };
const FLOW_FILE: Columns = { ...ENDS, ...columnsOf(FLOW) };
const BRIDGED_FILE: Columns = { ...ENDS, ...columnsOf(BRIDGED) };
const BELONGS_TO_FILE: Columns = { key: ':START_ID(Address)', id: ':END_ID(Entity)' };

/**
 * Writes the graph into a new or empty folder as files for `neo4j-admin database import full`, or with `csv` its transfers
 * as `load transfers` reads them, page by page. Throws
 * UnavailableError if the graph changed meanwhile; after a failure the folder is empty again.
 */
export async function exportFiles(graph: Graph, folder: string, format?: 'csv'): Promise<ExportReport> {
  makeFolder(folder);
  if (readdirSync(folder).length > 0) throw new InvalidInputError(`${folder} is not empty`);
  try {
    return await (format === 'csv' ? writeTransfers(graph, folder) : writeFiles(graph, folder));
  } catch (error) {
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
    throw error;
  }
}

async function writeTransfers(graph: Graph, folder: string): Promise<ExportReport> {
  const path = join(folder, 'transfers.csv');
  const stream = createWriteStream(path);
  const { addresses, transfers, flows, bridged } = await unchanged(graph, async () => {
    try {
      await written(stream, csvHeader(TRANSFER_CSV_COLUMNS));
      for await (const page of exportGraph(graph)) {
        const transfers = page.transfers.map(({ from, to, properties }) => {
          const { chain, address } = parseAddressKey(from);
          return transferOfFact({ chain, from: address, to: parseAddressKey(to).address }, properties);
        });
        for await (const rows of transferRows(transfers, ROWS_AT_ONCE)) await written(stream, csvRows(rows));
      }
    } finally {
      stream.end();
      await finished(stream);
    }
  });
  return { folder, addresses, transfers, flows, bridged, entities: 0, command: `traceflow load transfers ${path}` };
}

async function unchanged(graph: Graph, write: () => Promise<void>): Promise<GraphStats> {
  const before = await graphStats(graph);
  await write();
  const after = await graphStats(graph);
  if (JSON.stringify(after) !== JSON.stringify(before)) {
    throw new UnavailableError('The graph changed during the export. Export again while nothing is written.', 60);
  }
  return after;
}

async function writeFiles(graph: Graph, folder: string): Promise<ExportReport> {
  const files = {
    addresses: openFile(folder, 'addresses', ADDRESS_FILE),
    transfers: openFile(folder, 'transfers', TRANSFER_FILE),
    flows: openFile(folder, 'flows', FLOW_FILE),
    bridged: openFile(folder, 'bridged', BRIDGED_FILE),
    entities: openFile(folder, 'entities', ENTITY_FILE),
    belongs_to: openFile(folder, 'belongs-to', BELONGS_TO_FILE),
  };
  const entities = new Set<string>();
  const { addresses, transfers, flows, bridged } = await unchanged(graph, async () => {
    try {
      for await (const page of exportGraph(graph)) await writePage(page, files, entities);
    } finally {
      for (const file of Object.values(files)) await file.close();
    }
  });
  const isMultiline = Object.values(files).some((file) => file.isMultiline);
  const command = importCommand(folder, { isMultiline });
  writeFileSync(join(folder, 'README.txt'), readme(command));
  return { folder, addresses, transfers, flows, bridged, entities: entities.size, command };
}

type Files = Record<'addresses' | 'transfers' | 'flows' | 'bridged' | 'entities' | 'belongs_to', CsvFile>;

async function writePage(page: GraphPage, files: Files, entities: Set<string>): Promise<void> {
  await files.addresses.write(page.addresses.map((address) => ({ ...address, labels: labelsOf(address) })));
  await files.transfers.write(page.transfers.map(({ from, to, properties }) => ({ from, to, ...properties })));
  await files.flows.write(page.flows.map(({ from, to, properties }) => ({ from, to, ...properties })));
  await files.bridged.write(page.bridged.map(({ from, to, properties }) => ({ from, to, ...properties })));
  await files.belongs_to.write(page.entities.map(({ key, properties }) => ({ key, id: properties.id })));
  const unwritten = page.entities.map(({ properties }) => properties).filter(({ id }) => !entities.has(id));
  const unique = new Map(unwritten.map((entity) => [entity.id, entity]));
  for (const id of unique.keys()) entities.add(id);
  await files.entities.write([...unique.values()]);
}

/** Returns the labels that labels/apply and ingest/mark-scanned give to the nodes of a Neo4j. */
function labelsOf({ category, scanned_at }: GraphPage['addresses'][number]): string[] {
  const labels = ['Address', ...(scanned_at == null ? [] : ['Scanned'])];
  const known = CATEGORIES.find((one) => one === category);
  if (!known || !STOP_CATEGORIES.includes(known)) return labels;
  return [...labels, known.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())];
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

/**
 * Some addresses with everything that leaves them.
 *
 * @internal
 */
export interface GraphPage {
  addresses: StoredProperties<AddressProperties>[];
  transfers: { from: string; to: string; properties: StoredProperties<Fact> }[];
  flows: { from: string; to: string; properties: StoredProperties<Flow> }[];
  bridged: { from: string; to: string; properties: StoredProperties<Bridged> }[];
  entities: { key: string; properties: StoredProperties<EntityProperties> }[];
}

/** Addresses read at once: without a sorted index each reading looks at all of them. */
const ADDRESSES_AT_ONCE = 50_000;

/**
 * The whole graph, `pageSize` addresses at a time in the order of their keys. Each page is of one moment; what changes
 * between two pages may be missed.
 *
 * @internal
 */
export async function* exportGraph(graph: Graph, pageSize = 2_000): AsyncGenerator<GraphPage> {
  let after = '';
  for (;;) {
    const rows = await graph.read('export/addresses', { after, limit: ADDRESSES_AT_ONCE });
    if (rows.length === 0) return;
    const addresses = rows.map((row) => row.properties as StoredProperties<AddressProperties>);
    for (const some of slicesOf(addresses, pageSize)) yield await readPage(graph, some);
    after = addresses.at(-1)!.key;
  }
}

/** Reads in a transaction, so that no write comes between transfers and their roll-up. */
function readPage(graph: Graph, addresses: StoredProperties<AddressProperties>[]): Promise<GraphPage> {
  const key = addresses.map((address) => address.key);
  return graph.transact(async (tx) => ({
    addresses,
    transfers: (await tx.run('export/transfers', { key })) as unknown as GraphPage['transfers'],
    flows: (await tx.run('export/flows', { key })) as unknown as GraphPage['flows'],
    bridged: (await tx.run('export/bridged', { key })) as unknown as GraphPage['bridged'],
    entities: (await tx.run('export/entities', { key })) as unknown as GraphPage['entities'],
  }));
}

/** The arguments of `neo4j-admin` that load the files of an export into the database `neo4j`, which they replace. */
export function importArguments(folder: string, { isMultiline }: { isMultiline: boolean }): string[] {
  const files = (name: string) => `${join(folder, `${name}-header.csv`)},${join(folder, `${name}.csv`)}`;
  return [
    'database',
    'import',
    'full',
    'neo4j',
    '--overwrite-destination',
    '--array-delimiter=U+001F',
    ...(isMultiline ? ['--multiline-fields=true'] : []),
    `--nodes=${files('addresses')}`,
    `--nodes=Entity=${files('entities')}`,
    `--relationships=TRANSFER=${files('transfers')}`,
    `--relationships=FLOW=${files('flows')}`,
    `--relationships=BRIDGED=${files('bridged')}`,
    `--relationships=BELONGS_TO=${files('belongs-to')}`,
  ];
}

/** The same as one line for a shell. */
function importCommand(folder: string, options: { isMultiline: boolean }): string {
  return ['neo4j-admin', ...importArguments(folder, options).map(shellQuoted)].join(' ');
}

function shellQuoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
