import type { CaseReportInput } from '../../src/questions/cases/report/gather-case-report.ts';
import type { ReportWords } from '../../src/words/en/reports/report.ts';
import { grouped } from '../../src/words/figures.ts';
import { fill } from '../../src/words/fill.ts';
import type { TableRow } from '../pdf/table.ts';

/** The beginning of a text, and how many characters follow. */
export function beginning(words: ReportWords, text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  return text.slice(0, charactersMax) + fill(words.andMoreCharacters, { count: grouped(text.length - charactersMax) });
}

/** The first rows of a table, and how many follow. */
export function firstRows(words: ReportWords, rows: readonly string[][], max: number): TableRow[] {
  if (rows.length <= max) return [...rows];
  return [...rows.slice(0, max), { note: fill(words.andMore, { count: grouped(rows.length - max) }) }];
}

/** Says how many addresses of a case a report lays out, and which. */
export function leftOutAddresses(words: ReportWords, { addresses, others = [] }: CaseReportInput): string {
  const [shown, total] = [addresses.length, addresses.length + others.length];
  return fill(words.leftOutAddresses, { shown: grouped(shown), total: grouped(total) });
}
