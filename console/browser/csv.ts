import papaparse from 'papaparse';
import { withoutFormula } from '../../src/domain/text/formula.ts';

/** Rows, lists or objects of one shape, as CSV that spreadsheets open as text and never as a formula. */
export function csvText(rows: object[]): string {
  const safe = (cell: unknown) => (typeof cell === 'string' ? withoutFormula(cell) : cell);
  const safeRow = (row: object) =>
    Array.isArray(row)
      ? row.map(safe)
      : Object.fromEntries(Object.entries(row).map(([title, cell]) => [title, safe(cell)]));
  return papaparse.unparse(rows.map(safeRow));
}
