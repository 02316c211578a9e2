import Papa from 'papaparse';

/** Excel reads UTF-8 with a byte order mark as such. */
const BOM = '\uFEFF';

/** The first line of a table. */
export function csvHeader(columns: readonly string[]): string {
  return `${BOM}${csvRows([columns])}`;
}

/** Rows of a table, at least one; who makes the cells keeps formulas out of them. */
export function csvRows(rows: readonly (readonly string[])[]): string {
  return `${Papa.unparse(rows as string[][], { header: false, newline: '\r\n' })}\r\n`;
}
