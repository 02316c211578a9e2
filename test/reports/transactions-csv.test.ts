import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderTransactions } from '../../reports/package/transactions-csv.ts';
import {
  PACKAGE_COLUMN_NAMES,
  type PackageColumn,
  SAFE_COLUMNS,
} from '../../src/questions/cases/report-package/columns.ts';

const rowWith = (given: Partial<Record<PackageColumn, string>>) =>
  PACKAGE_COLUMN_NAMES.map((name) => given[name] ?? (name === 'row_no' ? '1' : ''));

async function* partsOf(rows: string[][], size = 500) {
  for (let start = 0; start < rows.length; start += size) yield rows.slice(start, start + size);
}

async function csvOf(rows: string[][]): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of renderTransactions(partsOf(rows))) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const readBack = async (rows: string[][]) =>
  parse(await csvOf(rows), { bom: true, columns: true }) as Record<string, string>[];

describe('the CSV of transactions', () => {
  it.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    '  =1+1',
    '\u3000=1',
    '\u00a0=1',
    '＝1+1',
    '＋1',
    '－1',
    '＠SUM',
    '−1',
  ])('makes no formula of %j', async (asset_symbol) => {
    const [row] = await readBack([rowWith({ asset_symbol })]);
    expect(row!.asset_symbol).toBe(`'${asset_symbol.trimStart()}`);
  });

  it('makes no formula of what follows the separator of another locale, or a line break', async () => {
    for (const [given, written] of [
      ['Evil;=1+1', "Evil;'=1+1"],
      ['a; ＝1', "a;' ＝1"],
      ['a\n@SUM', "a\n'@SUM"],
      ['a\t-1', "a\t'-1"],
      ['a;b', 'a;b'],
    ]) {
      const [row] = await readBack([rowWith({ counterparty_name: given })]);
      expect(row!.counterparty_name).toBe(written);
    }
  });

  it('gives back every other text and number as it was, with CRLF and a byte order mark', async () => {
    const text = fc
      .string({ unit: 'grapheme' })
      .map((one) => `x${one}`.replace(/\r\n?/g, '\n').replace(/([;\t\n])[ \u3000]?[=+\-@＝＋－＠﹦﹢﹣﹫−]/gu, '$1'));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(text, { minLength: 43, maxLength: 43 }), { minLength: 1 }), async (given) => {
        const rows = given.map((row, index) =>
          row.map((one, column) => (SAFE_COLUMNS.has(PACKAGE_COLUMN_NAMES[column]!) ? String(index) : one)),
        );
        const csv = await csvOf(rows);
        expect(csv.startsWith('\uFEFFrow_no,')).toBe(true);
        expect(csv.endsWith('\r\n')).toBe(true);
        const back: string[][] = parse(csv, { bom: true, from_line: 2, record_delimiter: '\r\n' });
        expect(back).toEqual(rows);
      }),
      { numRuns: 50, verbose: 1 },
    );
  });

  it('is written part by part: 100,000 rows take no more memory than a few parts', async () => {
    const row = rowWith({ reason_ja: 'あ'.repeat(200), tx_hash: `0x${'a'.repeat(64)}` });
    async function* many() {
      for (let part = 0; part < 200; part++) yield Array.from({ length: 500 }, () => row);
    }
    let bytes = 0;
    let most = 0;
    const before = process.memoryUsage().rss;
    for await (const chunk of renderTransactions(many())) {
      bytes += chunk.length;
      most = Math.max(most, process.memoryUsage().rss - before);
    }
    expect(bytes).toBeGreaterThan(50_000_000);
    expect(most).toBeLessThan(100 * 1024 * 1024);
  });
});
