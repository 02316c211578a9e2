import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeEnd } from '../../reports/sections/describe-bridge.ts';
import { LANGUAGES } from '../../src/words/language.ts';

/** The reasons of docs/tracing.md, but that of a question which no report asks. */
function documentedReasons(): string[] {
  const text = readFileSync(join(import.meta.dirname, '../../docs/tracing.md'), 'utf8');
  const rows = text.split('\n').filter((line) => /^\| `\w+`/.test(line));
  const tables = rows.slice(rows.findIndex((line) => line.startsWith('| `not_read`')));
  return tables
    .flatMap((line) => [...line.split('|')[1]!.matchAll(/`(\w+)`/g)].map(([, code]) => code as string))
    .filter((code) => code !== 'service_stop');
}

it.each(LANGUAGES)('every reason why a trace ends is in words, in %s', (language) => {
  const reasons = documentedReasons();
  expect(reasons).toEqual(expect.arrayContaining(['not_read', 'max_hops', 'address_budget', 'bridge_likely']));
  expect(reasons.filter((reason) => describeEnd(reason, language) === reason)).toEqual([]);
});
