import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseSync } from 'oxc-parser';
import { analyse } from 'scslre';
import { expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
const FOLDERS = ['src', 'graph-loaders', 'workers'];

interface Pattern {
  place: string;
  source: string;
  flags: string;
}

/** Every regular expression literal of a file, and every call of the constructor, which hides its pattern. */
function patternsOf(path: string): { patterns: Pattern[]; built: string[] } {
  const text = readFileSync(path, 'utf8');
  const place = relative(ROOT, path);
  const patterns: Pattern[] = [];
  const built: string[] = [];
  const lineOf = (at: number) => text.slice(0, at).split('\n').length;
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const child of node) visit(child);
    else if (node !== null && typeof node === 'object') {
      const { type, regex, callee, start } = node as {
        type?: string;
        start: number;
        regex?: { pattern: string; flags: string };
        callee?: { name?: string };
      };
      if (type === 'Literal' && regex) {
        patterns.push({ place: `${place}:${lineOf(start)}`, source: regex.pattern, flags: regex.flags });
      }
      if ((type === 'NewExpression' || type === 'CallExpression') && callee?.name === 'RegExp') {
        built.push(`${place}:${lineOf(start)}`);
      }
      for (const child of Object.values(node)) visit(child);
    }
  };
  visit(parseSync(path, text).program);
  return { patterns, built };
}

const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name)),
);
const found = files.map(patternsOf);

it('every regular expression takes time in proportion to its text', () => {
  const patterns = found.flatMap((file) => file.patterns);
  expect(patterns.length).toBeGreaterThan(100);
  const slow = patterns.flatMap(({ place, source, flags }) => {
    const { reports } = analyse(new RegExp(source, flags));
    return reports.map(({ type }) => `${place} /${source}/${flags} (${type})`);
  });
  expect(slow).toEqual([]);
});

it('no regular expression is built from foreign text', () => {
  const fromOwnWords = ['src/app.ts', 'src/records/accounts/keys.ts'];
  expect(found.flatMap((file) => file.built.map((place) => place.split(':')[0]))).toEqual(fromOwnWords);
});
