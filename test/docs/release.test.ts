import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { checkAccuracy, notesOf } from '../../scripts/release/notes.ts';

const read = (path: string) => readFileSync(resolve(import.meta.dirname, '../..', path), 'utf8');
const { version } = JSON.parse(read('package.json')) as { version: string };

it('the service and both clients have one version, and CHANGELOG.md has its notes', () => {
  expect(JSON.parse(read('clients/typescript/package.json')).version).toBe(version);
  expect(read('clients/python/pyproject.toml')).toContain(`version = "${version}"`);
  expect(notesOf(read('CHANGELOG.md'), version)).toContain('\n- ');
});

it('the notes of a version are its section alone; a version without one is refused', () => {
  const changelog = '# Changelog\n\n## 1.1.0\n\n- Newer.\n\n### Upgrade\n\nNothing.\n\n## 1.0.0\n\n- First.\n';
  expect(notesOf(changelog, '1.1.0')).toBe('- Newer.\n\n### Upgrade\n\nNothing.\n');
  expect(notesOf(changelog, '1.0.0')).toBe('- First.\n');
  expect(() => notesOf(changelog, '1.0')).toThrow('CHANGELOG.md has no section "## 1.0": write it first.');
});

it('the notes of each version fit on two pages', () => {
  const sections = read('CHANGELOG.md').split(/^## /m).slice(1);
  for (const section of sections) expect(section.split('\n').length, section.slice(0, 20)).toBeLessThanOrEqual(80);
});

it('is refused where the error rates that reports print are of an older rule set', () => {
  expect(() => checkAccuracy('2026.01.01', '2026.02.01')).toThrow('npm run bench -- accuracy');
  expect(() => checkAccuracy('', '2026.02.01')).toThrow('(none)');
  expect(() => checkAccuracy('2026.02.01', '2026.02.01')).not.toThrow();
});
