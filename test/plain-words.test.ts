import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
const PLACES = [
  'src',
  'workers',
  'graph-loaders',
  'reports',
  'console',
  'bench',
  'scripts',
  'fixtures',
  'test',
  'cypher',
  'clients',
];
/** The word list itself, and what a generator writes. */
const LEFT_OUT = new Set(['test/plain-words.test.ts', 'clients/typescript/schema.d.ts']);
const PAGES = ['docs', 'README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'docker-compose.yml', '.env.example'];

/** Words and phrases that a reader stumbles over, with what engineers write instead. */
const WORDS: [RegExp, string][] = [
  [/\b(told|tells?)\b/, 'reports, shows, gives, distinguishes'],
  [/\banew\b/, 'again'],
  [/\bof whom\b/, 'whose'],
  [/\bmend(s|ed|ing)?\b/, 'fix, repair, restore'],
  [/\bpatiently\b/, 'withRequestDeadline'],
  [/\bagain\(/, 'getCached, sendStored: what is repeated'],
  [/\b(endOfTurn|in one turn)\b/, 'nextTick'],
  [/\bheardBefore\b/, 'previousVersion'],
  [/\bmayHandOn\b/, 'passThroughCandidates'],
  [/\bhandedOnFrom\b/, 'nextInChain'],
  [/\bas beside\b/i, 'the same as'],
  [/エクスポージャー/, 'つながり, the word of docs/japanese-terms.md'],
  [/(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more\b|less\b|fewer\b|such\b)\w/i, 'is not a'],
];

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...PLACES, ...PAGES], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => /\.(tsx?|md|cypher|yml|grass|example)$/.test(path) && !LEFT_OUT.has(path))
  .filter((path) => existsSync(resolve(ROOT, path)));
const linesOf = (path: string) => readFileSync(resolve(ROOT, path), 'utf8').split('\n');

describe('plain words', () => {
  it('the files are found', () => {
    expect(files.length).toBeGreaterThan(500);
  });

  it.each(WORDS)('nothing says %s; say: %s', (word) => {
    const found = files.flatMap((path) =>
      linesOf(path).flatMap((line, i) => (word.test(line) ? [`${path}:${i + 1}: ${line.trim()}`] : [])),
    );
    expect(found).toEqual([]);
  });
});

describe('docstrings of the product', () => {
  const sources = files.filter((path) => /^(src|workers|reports|graph-loaders|console)\/.*\.tsx?$/.test(path));
  const lines = sources.flatMap(linesOf);
  const count = (pattern: RegExp) => lines.filter((line) => pattern.test(line)).length;

  // The numbers may only fall: a docstring begins with a verb, or with the name of the thing.
  it.each([
    [/\/\*\* What\b/, 1],
    [/\/\*\* (Who|Whom|Whose|Whether)\b/, 2],
    [/^\s*(\/\*\*|\*|\/\/) .*\b(nobody|somebody|whoever)\b/i, 60],
    [/\/\*\* (Of|Those|By|Since|So)\b/, 40],
    [/^\s*(\/\*\*|\*|\/\/) .*\bso many\b/, 13],
    [/^\s*(\/\*\*|\*|\/\/) .*\bleft out\b/, 48],
  ])('%s stands in no new one', (pattern, most) => {
    expect(count(pattern)).toBeLessThanOrEqual(most);
  });

  it('of a function begins with a verb', () => {
    const noun =
      /\/\*\*\s*(?:\*\s*)?(?:What|Who|Where|Nobody|Somebody|Whoever)\b(?:(?!\*\/)[\s\S])*\*\/\n(?:export )?(?:async )?function\b/g;
    const found = sources.flatMap((path) =>
      [...readFileSync(resolve(ROOT, path), 'utf8').matchAll(noun)].map(([text]) => `${path}: ${text}`),
    );
    expect(found).toEqual([]);
  });
});

describe('Cypher files', () => {
  // A favourite of Neo4j Browser is listed by its first line, so these begin with a title and set parameters by `:param`.
  const statements = files.filter((path) => path.endsWith('.cypher') && !path.startsWith('cypher/browser/'));

  it('begin with the question, its parameters and its rows', () => {
    const header = /^\/\/ Question: .+\n(?:\/\/ .+\n)*?\/\/ Params: .+\n(?:\/\/ .+\n)*?\/\/ Rows: .+\n/;
    const text = (path: string) => readFileSync(resolve(ROOT, path), 'utf8');
    expect(statements.length).toBeGreaterThan(30);
    expect(statements.filter((path) => !header.test(text(path)))).toEqual([]);
  });
});
