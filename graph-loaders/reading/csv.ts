import { timeSlices } from '../../src/fairness/time-slices.ts';
import { parseRecord } from './csv-record.ts';
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
const UNCLOSED = 'quote is never closed';

/**
 * The rows of a CSV file with a header, in any order of columns. Rows with another number of cells are skipped.
 * WrongFormatError for a required column that is missing (of `one|other` either will do), and for one that `allowed`
 * lacks or that is there twice.
 */
export async function* readCsv(
  file: InputFile,
  required: readonly string[],
  tally: Tally,
  signal?: AbortSignal,
  allowed?: readonly string[],
): AsyncGenerator<CsvRow> {
  let header: string[] | null = null;
  for await (const { line, cells, problem } of readRecords(file, signal)) {
    if (header === null) {
      if (cells?.every((cell) => cell === '')) continue;
      header = (cells ?? []).map((cell) => cell.toLowerCase());
      const missing = required.filter((column) => !column.split('|').some((name) => header!.includes(name)));
      if (missing.length > 0) {
        throw new WrongFormatError(
          `${file.name}: the header lacks ${missing.join(', ')}; expected ${required.join(',')}`,
        );
      }
      if (allowed) assertColumns(file.name, header, allowed);
      continue;
    }
    if (cells?.length === 1 && cells[0] === '') continue;
    tally.read += 1;
    if (cells === null) tally.skip(line, problem ?? 'not CSV');
    else if (cells.length !== header.length) tally.skip(line, `${cells.length} cells instead of ${header.length}`);
    else yield { line, cells: byColumn(header, cells, required) };
  }
  if (header === null) throw new WrongFormatError(`${file.name}: empty; expected a header ${required.join(',')}`);
}

function assertColumns(name: string, header: readonly string[], allowed: readonly string[]): void {
  const unknown = header.find((column) => !allowed.includes(column));
  if (unknown !== undefined)
    throw new WrongFormatError(`${name}: the header has the unknown column "${unknown.slice(0, 64)}"`);
  const twice = header.find((column, i) => header.indexOf(column) < i);
  if (twice !== undefined) throw new WrongFormatError(`${name}: the header has ${twice} twice`);
}

function byColumn(header: string[], cells: string[], required: readonly string[]): Record<string, string> {
  const row: Record<string, string> = Object.create(null);
  for (let i = 0; i < header.length; i++) row[header[i]!] = cells[i]!;
  for (const column of required) row[column] ??= '';
  return row;
}

interface CsvRecord {
  line: number;
  cells: string[] | null;
  problem: string | null;
}

async function* readRecords(file: InputFile, signal?: AbortSignal): AsyncGenerator<CsvRecord> {
  /** A record that the next piece of the file may close. */
  let open: Line[] = [];
  const pause = timeSlices();
  for await (const piece of readLines(file, signal)) {
    const lines = [...open, ...piece];
    let at = 0;
    while (at < lines.length) {
      const line = lines[at]!;
      if (!line.text.includes('"')) {
        yield { line: line.number, cells: line.problem ? null : trimmed(line.text.split(',')), problem: line.problem };
        at += 1;
        continue;
      }
      const paused = pause();
      if (paused) await paused;
      const count = linesOfRecord(lines, at);
      if (count === null) break;
      if (count === 0) yield unclosed(line);
      else yield quotedRecord(lines.slice(at, at + count));
      at += count || 1;
    }
    open = lines.slice(at);
  }
  // Nothing is left that could close a quote: each line stands for itself.
  for (const line of open) yield hasOddQuotes(line.text) ? unclosed(line) : quotedRecord([line]);
}

/** How many lines the record spans that begins there: 0 where its quote is never closed, null where later lines may close it. */
function linesOfRecord(lines: readonly Line[], start: number): number | null {
  let isInQuotes = false;
  for (let count = 1; count <= RECORD_LINES_MAX; count++) {
    const line = lines[start + count - 1];
    if (line === undefined) return null;
    if (hasOddQuotes(line.text)) isInQuotes = !isInQuotes;
    if (!isInQuotes) return count;
    if (line.problem) return 0;
  }
  return 0;
}

function unclosed({ number }: Line): CsvRecord {
  return { line: number, cells: null, problem: UNCLOSED };
}

function quotedRecord(lines: Line[]): CsvRecord {
  const cells = parseRecord(lines.map(({ text }) => text).join('\n'));
  return { line: lines[0]!.number, cells, problem: cells ? null : 'quotes are not CSV' };
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
