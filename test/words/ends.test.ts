import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeEnd } from '../../reports/sections/describe-bridge.ts';
import { LANGUAGES } from '../../words/language.ts';

/** The reasons of docs/tracing.md and docs/bridges.md, but that of a question which no report asks. */
function documentedReasons(): string[] {
  return [...tableFrom('tracing.md', 'not_read'), ...tableFrom('bridges.md', 'bridge_pending')].filter(
    (code) => code !== 'service_stop',
  );
}

/** The codes in the first column of a page's table that begins with `first`. */
function tableFrom(page: string, first: string): string[] {
  const text = readFileSync(join(import.meta.dirname, '../../docs', page), 'utf8');
  const [table = ''] = text.slice(text.indexOf(`| \`${first}\` |`)).split('\n\n');
  return table.split('\n').flatMap((line) => [...line.split('|')[1]!.matchAll(/`(\w+)`/g)].map(([, code]) => code!));
}

it.each(LANGUAGES)('every reason why a trace ends is in words, in %s', (language) => {
  const reasons = documentedReasons();
  expect(reasons).toEqual(expect.arrayContaining(['not_read', 'max_hops', 'address_budget', 'bridge_likely']));
  expect(reasons.filter((reason) => describeEnd(reason, language) === reason)).toEqual([]);
});
