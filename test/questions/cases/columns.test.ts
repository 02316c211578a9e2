import { describe, expect, it } from 'vitest';
import { columnsJson } from '../../../src/questions/cases/report-package/columns.ts';

interface Column {
  number: number;
  name: string;
  type: string;
  about: string;
}

const columnsIn = (language: 'en' | 'ja' | 'es'): Column[] => JSON.parse(columnsJson(language)).columns;
/** Values, names and formats, which no language changes. */
const literals = ({ about }: Column) => (about.match(/`[^`]+`|ISO 8601|CAIP-2|SHA-256|value_usd/g) ?? []).sort();

describe('the columns of a report package', () => {
  it.each(['ja', 'es'] as const)('are the same in %s as in English, and name the same values', (language) => {
    const english = columnsIn('en');
    const translated = columnsIn(language);
    expect(translated).toHaveLength(43);
    translated.forEach((column, index) => {
      const { about: _, ...facts } = english[index]!;
      expect(column).toMatchObject(facts);
      expect([column.name, literals(column)]).toEqual([column.name, literals(english[index]!)]);
    });
    const untranslated = translated.filter(({ about }, index) => about === english[index]!.about);
    // Names of standards alone.
    for (const { name } of untranslated) expect(['chain_id', 'block_time_utc', 'block_time_jst']).toContain(name);
  });
});
