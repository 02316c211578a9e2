import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { LIST_TERMS } from '../../graph-loaders/list-terms.ts';
import { SOURCES } from '../../graph-loaders/sources.ts';

it('docs/labels.md names publisher, licence and rhythm of every public list', () => {
  const text = readFileSync(new URL('../../docs/labels.md', import.meta.url), 'utf8');
  const lists = Object.entries(SOURCES).filter(([, loader]) =>
    loader.kind === 'labels' ? loader.isList : loader.kind === 'domains',
  );
  // Formats that many write, and no one publisher.
  const published = lists.map(([name]) => name).filter((name) => !['misp', 'freezes'].includes(name));
  expect(Object.keys(LIST_TERMS).sort()).toEqual(published.sort());
  const rows = Object.entries(LIST_TERMS).map(
    ([name, { publisher, licence, load_again }]) => `| \`${name}\` | ${publisher} | ${licence} | ${load_again} |`,
  );
  expect(rows.filter((row) => !text.includes(row))).toEqual([]);
});
