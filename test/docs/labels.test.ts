import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { PUBLISHED_LISTS, SOURCE_NAMES, SOURCES } from '../../graph-loaders/sources.ts';

it('docs/labels.md names publisher, licence and rhythm of every public list', async () => {
  const text = readFileSync(new URL('../../docs/labels.md', import.meta.url), 'utf8');
  const loaders = await Promise.all(Object.values(SOURCES).map(({ importLoader }) => importLoader()));
  const lists = SOURCE_NAMES.filter((_, at) => {
    const loader = loaders[at]!;
    return loader.kind === 'labels' ? loader.isList : loader.kind === 'domains';
  });
  // Formats that many write, and no one publisher.
  const published = lists.filter((name) => !['misp', 'freezes'].includes(name));
  expect(PUBLISHED_LISTS.map(({ source }) => source).sort()).toEqual(published.sort());
  const rows = PUBLISHED_LISTS.map(
    ({ source, publisher, licence, load_again }) => `| \`${source}\` | ${publisher} | ${licence} | ${load_again} |`,
  );
  expect(rows.filter((row) => !text.includes(row))).toEqual([]);
});
