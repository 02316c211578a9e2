import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import * as errors from '../../src/errors.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** Each error of the list as one of its kind, whatever it was made of. */
const listed = Object.values(errors)
  .filter((error) => typeof error === 'function' && error !== errors.AppError)
  .map((error) => {
    const ErrorOfList = error as new (...args: unknown[]) => errors.AppError;
    const { name, status, code } = new ErrorOfList([], 1);
    return [name, String(status), code];
  });

it('docs/errors.md has one line for every error, with its status and code', () => {
  const lines = readFileSync(resolve(ROOT, 'docs/errors.md'), 'utf8').matchAll(
    /^\| `(\w+)` \| (\d{3}) \| `(\w+)` \|/gm,
  );
  const documented = [...lines].map(([, name, status, code]) => [name, status, code]);
  expect(documented.toSorted()).toEqual(listed.toSorted());
});

it('docs/errors.md names every code that a program may meet', () => {
  const docs = readFileSync(resolve(ROOT, 'docs/errors.md'), 'utf8');
  expect(errors.ERROR_CODES.filter((code) => !docs.includes(`\`${code}\``))).toEqual([]);
});
