import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseRecord } from '../../../graph-loaders/reading/csv.ts';

/** What the library reads; null where it refuses the quotes. */
function reference(text: string): string[] | null {
  try {
    const records = parse(text, { relax_column_count: true, trim: true, skip_empty_lines: false }) as string[][];
    return records.length === 1 ? records[0]!.map((cell) => cell.trim()) : null;
  } catch {
    return null;
  }
}

it('reads the same cells as a CSV library, and refuses the same records', () => {
  const piece = fc.constantFrom('a', '"', '""', ',', 'b c', '"a"', '"a,b"', '"a""b"', 'ü');
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 12 }), (pieces) => {
      const text = pieces.join('');
      fc.pre(text.trim() !== '');
      expect(parseRecord(text)).toEqual(reference(text));
    }),
    { numRuns: 5_000 },
  );
});

it('keeps line breaks, commas and escaped quotes of quoted cells', () => {
  expect(parseRecord('a, "b,\n""c""" ,')).toEqual(['a', 'b,\n"c"', '']);
});

it.each(['a"b', '"a" b', '"a" "b"', '"a', '"a""'])('refuses the broken quotes of %s', (text) => {
  expect(parseRecord(text)).toBeNull();
});
