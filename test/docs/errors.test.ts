import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import * as errors from '../../src/errors.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** Each error of the list as one of its kind, whatever it was made of. */
const listed = Object.values(errors)
  .filter((error) => error !== errors.AppError)
  .map((error) => {
    const ErrorOfList = error as new (...args: unknown[]) => errors.AppError;
    const { name, status } = new ErrorOfList([], 1);
    return [name, String(status)];
  });

it('docs/errors.md has one line for every error, with its status', () => {
  const lines = readFileSync(resolve(ROOT, 'docs/errors.md'), 'utf8').matchAll(/^\| `(\w+)` \| (\d{3}) \|/gm);
  const documented = [...lines].map(([, name, status]) => [name, status]);
  expect(documented.toSorted()).toEqual(listed.toSorted());
});
