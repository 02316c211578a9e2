import Papa from 'papaparse';
import { PACKAGE_COLUMN_NAMES, SAFE_COLUMNS } from '../../src/questions/cases/report-package/columns.ts';

/** Excel reads UTF-8 with a byte order mark as such. */
const BOM = '\uFEFF';
/** What a spreadsheet takes for the beginning of a formula, in its full-width and small forms too. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠﹦﹢﹣﹫−]/u;
/** The same after what separates cells or rows where the comma is the decimal mark. */
const FORMULA_WITHIN = /([;\t\r\n])(?=[ \u3000]?[=+\-@＝＋－＠﹦﹢﹣﹫−])/gu;
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

/** Leading blanks hide a formula from a look and not from a spreadsheet, so they are dropped first. */
function withoutFormula(value: string): string {
  const text = value.trimStart().replace(FORMULA_WITHIN, "$1'");
  return FORMULA.test(text) ? `'${text}` : text;
}
