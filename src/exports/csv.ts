import Papa from 'papaparse';
import { slicesOf } from '../domain/slices.ts';
import type { Transfer } from '../domain/transfers/transfer.ts';
import { transferCells } from '../domain/transfers/transfer-csv.ts';
import { EqualNumbers } from '../domain/transfers/transfer-id.ts';
import { eachInSlices, timeSlices } from '../fairness/time-slices.ts';

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

/** The rows of a table of transfers, at most `atOnce` together, with other work of the process in between. */
export async function* transferRows(transfers: readonly Transfer[], atOnce: number): AsyncGenerator<string[][]> {
  const numbers = new EqualNumbers();
  await eachInSlices(transfers, (transfer) => numbers.add(transfer));
  const pause = timeSlices();
  for (const some of slicesOf(transfers, atOnce)) {
    yield some.map((transfer) => transferCells(transfer, numbers.numberOf(transfer)));
    await pause();
  }
}
