import Papa from 'papaparse';
import { withoutFormula } from '../../src/domain/text/formula.ts';
import { PACKAGE_COLUMN_NAMES, SAFE_COLUMNS } from '../../src/questions/cases/report-package/columns.ts';

/** Excel reads UTF-8 with a byte order mark as such. */
const BOM = '\uFEFF';
const isText = PACKAGE_COLUMN_NAMES.map((name) => !SAFE_COLUMNS.has(name));

/** The CSV of frozen rows, part by part: UTF-8 with byte order mark, CRLF, text in quotes and never a formula. */
export async function* renderTransactions(parts: AsyncIterable<string[][]>): AsyncGenerator<Buffer> {
  yield Buffer.from(`${BOM}${lines([[...PACKAGE_COLUMN_NAMES]])}`);
  for await (const rows of parts) yield Buffer.from(lines(rows));
}

function lines(rows: readonly string[][]): string {
  const safe = rows.map((row) => row.map((value, column) => (isText[column] ? withoutFormula(value) : value)));
  return `${Papa.unparse(safe, { header: false, newline: '\r\n', quotes: isText })}\r\n`;
}
