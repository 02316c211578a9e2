import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { openApiDocument } from '../../scripts/clients/openapi-document.ts';
import { SPEC_ROWS, type SpecRow } from './spec-rows.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PAGE = resolve(ROOT, 'docs/spec-coverage.md');
const rows = Object.values(SPEC_ROWS).flat();
const PREFIX = '/api/v1';

/** Files of the suite by path below `test/`. */
const files = new Map<string, string>();
function textOf(file: string): string {
  const path = resolve(ROOT, 'test', file);
  if (!files.has(file)) files.set(file, existsSync(path) ? readFileSync(path, 'utf8') : '');
  return files.get(file)!;
}

/** True where a call of `it` or `test` in the named file has the name. */
function isHeld(named: string): boolean {
  const [file, ...rest] = named.split(': ');
  const name = rest.join(': ').replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?:\\(|^\\s*)(['"\`])${name}\\1,`, 'm').test(textOf(file!));
}

const escaped = (text: string) => text.replaceAll('|', '\\|');

function lineOf({ says, tests, differs = '' }: SpecRow): string {
  const holders = [...new Set(tests.map((test) => test.slice(0, test.indexOf('.test.ts: '))))];
  return `| ${[says, holders.join(', '), differs].map(escaped).join(' | ')} |`;
}

function render(): string {
  const parts = Object.entries(SPEC_ROWS).flatMap(([topic, list]) => [
    `## ${topic}`,
    '',
    '| the contract | held by | difference, and why |',
    '| --- | --- | --- |',
    ...list.map(lineOf),
    '',
  ]);
  const head = [
    '# The contract and its tests',
    '',
    'For developers who look for the test that holds a promise, and integrators who ask where answers differ from the contract.',
    'Each row of the contract in our own words, the test files below `test/` that hold it, and each difference with its reason.',
    'The rows stand in `test/docs/spec-rows.ts`, with the name of each test; `npx vitest run test/docs/spec-coverage.test.ts -u`',
    'writes this page.',
    '',
  ];
  return [...head, ...parts].join('\n');
}

it('every row of the contract names a test that is in the suite', () => {
  expect(rows.filter(({ tests }) => tests.length === 0)).toEqual([]);
  expect([...new Set(rows.flatMap(({ tests }) => tests))].filter((named) => !isHeld(named))).toEqual([]);
});

it('every operation that a row names is served, and named by one row', async () => {
  const { paths } = (await openApiDocument()) as { paths: Record<string, object> };
  const served = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path.replace(PREFIX, '')}`),
  );
  const named = rows.flatMap(({ says }) => /^(GET|POST|PATCH|PUT|DELETE) [^:\s]+/.exec(says)?.[0] ?? []);
  expect(named.filter((operation) => !served.includes(operation))).toEqual([]);
  expect(new Set(named).size).toBe(named.length);
});

it('docs/spec-coverage.md is what the rows say; if not, run this file with -u', async () => {
  await expect(render()).toMatchFileSnapshot(PAGE);
});
