import { timeSlices } from '../../src/fairness/time-slices.ts';
import type { InputFile } from './input.ts';
import { type Line, readLines } from './lines.ts';
import type { Tally } from './tally.ts';
import { WrongFormatError } from './wrong-format.ts';

export interface CsvRow {
  line: number;
  /** Cells by column name, trimmed; absent columns are the empty string. */
  cells: Record<string, string>;
}

/** Lines that one quoted record may span; a quote never closed costs its own line, not the rest of the file. */
const RECORD_LINES_MAX = 20;
/** A longer line is not a header: to look for columns in megabytes would hold others up. */
const HEADER_LENGTH_MAX = 64 * 1024;
/** A transaction that posts the batches of a rollup has a megabyte of calldata; a row is taken apart in one go. */
const ROW_LENGTH_MAX = 2 * 1024 * 1024;
/** A line with a longer cell is long. */
const CELL_LENGTH_KEPT = 4 * 1024;
const UNCLOSED = 'quote is never closed';

/** The separator of a table, by its header. */
export type Delimiter = ',' | ';' | '\t' | '|';

/**
 * The rows of a CSV file with a header, in any order of columns, separated by commas, semicolons, tabs or bars. Rows with another
 * number of cells are skipped. WrongFormatError for a required column that is missing (of `one|other` either will do), and
 * for one that `allowed` lacks or that is there twice.
 */
export async function* readCsv(
  file: InputFile,
  required: readonly string[],
  tally: Tally,
  signal?: AbortSignal,
  allowed?: readonly string[],
): AsyncGenerator<CsvRow> {
  const check = (header: readonly string[]) => {
    const missing = required.filter((column) => !column.split('|').some((name) => header.includes(name)));
    if (missing.length > 0) {
      throw new WrongFormatError(
        `${file.name}: the header lacks ${missing.join(', ')}; expected ${required.join(',')}`,
      );
    }
    if (allowed) assertColumns(file.name, header, allowed);
  };
  for await (const row of readTable(file, tally, check, signal)) {
    for (const column of required) row.cells[column] ??= '';
    yield row;
  }
}

/** The same of a table whose header `onHeader` looks at, in lower case; it throws WrongFormatError for one that it does not know. */
export async function* readTable(
  file: InputFile,
  tally: Tally,
  onHeader: (header: readonly string[], delimiter: Delimiter) => void,
  signal?: AbortSignal,
): AsyncGenerator<CsvRow> {
  let header: string[] | null = null;
  for await (const { line, cells, problem, delimiter } of readRecords(file, signal)) {
    if (header === null) {
      if (cells?.every((cell) => cell === '')) continue;
      header = withoutBlankEnd(cells ?? [], 0).map((cell) => cell.toLowerCase());
      onHeader(header, delimiter);
      continue;
    }
    if (cells?.length === 1 && cells[0] === '') continue;
    tally.read += 1;
    const own = cells && withoutLine(withoutBlankEnd(cells, header.length));
    if (own === null) tally.skip(line, problem ?? 'not CSV');
    else if (own.length !== header.length) tally.skip(line, `${own.length} cells instead of ${header.length}`);
    else yield { line, cells: byColumn(header, own) };
  }
  if (header === null) throw new WrongFormatError(`${file.name}: empty; expected a header`);
}

/** Some exporters end every line, or all but the header, with a separator. */
function withoutBlankEnd(cells: string[], lengthMin: number): string[] {
  let length = cells.length;
  while (length > lengthMin && cells[length - 1] === '') length -= 1;
  return length === cells.length ? cells : cells.slice(0, length);
}

/** A cell keeps the line that it was cut from in memory: those of a long one are copied. */
function withoutLine(cells: string[]): string[] {
  const isLong = cells.some(({ length }) => length > CELL_LENGTH_KEPT);
  return isLong ? cells.map((cell) => Buffer.from(cell).toString()) : cells;
}

function assertColumns(name: string, header: readonly string[], allowed: readonly string[]): void {
  const unknown = header.find((column) => !allowed.includes(column));
  if (unknown !== undefined)
    throw new WrongFormatError(`${name}: the header has the unknown column "${unknown.slice(0, 64)}"`);
  const twice = header.find((column, i) => header.indexOf(column) < i);
  if (twice !== undefined) throw new WrongFormatError(`${name}: the header has ${twice} twice`);
}

function byColumn(header: string[], cells: string[]): Record<string, string> {
  const row: Record<string, string> = Object.create(null);
  for (let i = 0; i < header.length; i++) row[header[i]!] = cells[i]!;
  return row;
}

interface CsvRecord {
  line: number;
  cells: string[] | null;
  problem: string | null;
  delimiter: Delimiter;
}

/** As spreadsheets announce it before the header. */
const ANNOUNCED = /^\uFEFF?"?sep=([,;\t|])"?$/i;

/** The separator that the first line has most of, quoted text left out; a comma where it has none. */
export function delimiterOf(line: string): Delimiter {
  const bare = line.replace(/"[^"]*"/g, '');
  const counts = ([',', ';', '\t', '|'] as const).map((one) => ({ one, count: bare.split(one).length }));
  return counts.reduce((most, next) => (next.count > most.count ? next : most)).one;
}

/** The records of a table without a header, one after another. */
export async function* readRecords(file: InputFile, signal?: AbortSignal): AsyncGenerator<CsvRecord> {
  /** A record that the next piece of the file may close. */
  let open: Line[] = [];
  let delimiter: Delimiter | null = null;
  const pause = timeSlices();
  for await (const piece of readLines(file, signal, ROW_LENGTH_MAX)) {
    const lines = [...open, ...piece];
    let at = 0;
    while (at < lines.length) {
      const line = lines[at]!;
      if (delimiter === null && line.text.length > HEADER_LENGTH_MAX) {
        yield { line: line.number, cells: null, problem: 'not a header', delimiter: ',' };
        at += 1;
        continue;
      }
      if (delimiter === null && line.text.trim() !== '') {
        const announced = ANNOUNCED.exec(line.text)?.[1] as Delimiter | undefined;
        delimiter = announced ?? delimiterOf(line.text);
        if (announced) {
          at += 1;
          continue;
        }
      }
      const by: Delimiter = delimiter ?? ',';
      if (!line.text.includes('"')) {
        const cells = line.problem ? null : trimmed(line.text.split(by));
        yield { line: line.number, cells, problem: line.problem, delimiter: by };
        at += 1;
        continue;
      }
      const paused = pause();
      if (paused) await paused;
      const count = linesOfRecord(lines, at);
      if (count === null) break;
      if (count === 0) yield unclosed(line, by);
      else yield quotedRecord(lines.slice(at, at + count), by);
      at += count || 1;
    }
    open = lines.slice(at);
  }
  // Nothing is left that could close a quote: each line stands for itself.
  const by: Delimiter = delimiter ?? ',';
  for (const line of open) yield hasOddQuotes(line.text) ? unclosed(line, by) : quotedRecord([line], by);
}

/** How many lines the record spans that begins there: 0 where its quote is never closed, null where later lines may close it. */
function linesOfRecord(lines: readonly Line[], start: number): number | null {
  let isInQuotes = false;
  let length = 0;
  for (let count = 1; count <= RECORD_LINES_MAX && length <= ROW_LENGTH_MAX; count++) {
    const line = lines[start + count - 1];
    if (line === undefined) return null;
    length += line.text.length;
    if (hasOddQuotes(line.text)) isInQuotes = !isInQuotes;
    if (!isInQuotes) return count;
    if (line.problem) return 0;
  }
  return 0;
}

function unclosed({ number }: Line, delimiter: Delimiter): CsvRecord {
  return { line: number, cells: null, problem: UNCLOSED, delimiter };
}

function quotedRecord(lines: Line[], delimiter: Delimiter): CsvRecord {
  const cells = parseRecord(lines.map(({ text }) => text).join('\n'), delimiter);
  return { line: lines[0]!.number, cells, problem: cells ? null : 'quotes are not CSV', delimiter };
}

function hasOddQuotes(text: string): boolean {
  let quotes = 0;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) quotes += 1;
  return quotes % 2 === 1;
}

function trimmed(cells: string[]): string[] {
  for (let i = 0; i < cells.length; i++) cells[i] = cells[i]!.trim();
  return cells;
}

/**
 * The cells of one CSV record (RFC 4180), trimmed; null where its quotes are broken: one inside a cell that does not begin
 * with one, or text after the closing one. Linear, and without an exception a record: a file may hold a million broken ones.
 *
 * @internal Tested alone.
 */
export function parseRecord(text: string, delimiter = ','): string[] | null {
  const cells: string[] = [];
  let at = 0;
  for (;;) {
    at = skipBlanks(text, at, delimiter);
    let cell = '';
    if (text[at] === '"') {
      for (let isEscaped = false; text[at] === '"'; isEscaped = true) {
        const close = text.indexOf('"', at + 1);
        if (close === -1) return null;
        // Two quotes stand for one.
        cell += (isEscaped ? '"' : '') + text.slice(at + 1, close);
        at = close + 1;
      }
      at = skipBlanks(text, at, delimiter);
      if (at < text.length && text[at] !== delimiter) return null;
    } else {
      const next = text.indexOf(delimiter, at);
      const end = next === -1 ? text.length : next;
      cell = text.slice(at, end);
      if (cell.includes('"')) return null;
      at = end;
    }
    cells.push(cell.trim());
    if (at === text.length) return cells;
    at += 1;
  }
}

function skipBlanks(text: string, from: number, delimiter: string): number {
  let at = from;
  while (text[at] !== delimiter && /[ \t\n\r]/.test(text[at] ?? '')) at += 1;
  return at;
}
