import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { TRUNCATED_HISTORY } from '../../src/risk/rules.ts';
import { LANGUAGES } from '../../words/language.ts';
import { lookUp } from '../../words/look-up.ts';
import { WORDS } from '../../words/words.ts';

const CHAINS = join(import.meta.dirname, '../../src/chains');
/** What the explorer client says of one list; coverages name the kind of list instead. */
const OF_A_LIST = ['indexing', 'unsupported'];

function reasonsOfSources(): string[] {
  return readdirSync(CHAINS, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => {
      const text = readFileSync(join(CHAINS, name), 'utf8');
      const stated = text.matchAll(/reasons\.(?:add|push)\('(\w+)'\)|'(\w+_(?:listed|limit))'/g);
      return [...stated].map(([, added, listed]) => added ?? (listed as string));
    })
    .filter((reason) => !OF_A_LIST.includes(reason));
}

it.each(LANGUAGES)('the reasons of an incomplete history are words, in %s', (language) => {
  const reasons = new Set([...reasonsOfSources(), ...TRUNCATED_HISTORY.reasons]);
  expect(reasons.size).toBeGreaterThan(12);
  expect([...reasons].filter((reason) => lookUp(WORDS[language].coverage.readings, reason) === reason)).toEqual([]);
});
