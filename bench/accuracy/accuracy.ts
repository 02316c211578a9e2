import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import type { AccuracyResults, AccuracyRow } from '../../reports/sections/accuracy.ts';
import { RULE_SET_VERSION } from '../../src/risk/rules.ts';
import { HOLDER_PARTS } from './holders.ts';
import { accuracyPage } from './page.ts';
import { PLANTED_PARTS as planted } from './planted.ts';
import { REAL_PARTS as real } from './real.ts';

const RESULTS = 'reports/sections/accuracy-results.ts';

/** Nothing at hand tests these. */
const NOT_TESTED = ['attribution.thefts', 'poisoning.real', 'bridge_id.real', 'prices'];

/**
 * Measures each rule on cases whose truth is known and writes the one file of results that reports print, and docs/accuracy.md
 * from it. Needs ../shared/data: without a set of it nothing is written.
 */
export async function benchAccuracy(): Promise<void> {
  const parts: (readonly [string, () => Promise<AccuracyRow[]> | AccuracyRow[]])[] = [
    ['attribution', real.attribution],
    ['levels of real lists and wallets', real.levels],
    ['planted levels', planted.levels],
    ['typologies', planted.typologies],
    ['baits', planted.baits],
    ['deposit addresses', planted.deposits],
    ['CoinJoins', planted.coinJoins],
    ['joint spending', real.coSpending],
    ['planted keys', HOLDER_PARTS.keys],
    ['planted holders', HOLDER_PARTS.holders],
    ['bridges', planted.bridges],
  ];
  const rows: AccuracyRow[] = [];
  for (const [name, measure] of parts) {
    const found = await measure();
    if (found.length === 0) {
      console.log(`${name}: its data is not beside the checkout; nothing is written`);
      return;
    }
    rows.push(...found);
    console.log(`${name}: ${found.length} rows`);
  }
  const measuredOn = new Date().toISOString().slice(0, 10);
  const results: AccuracyResults = { ruleSetVersion: RULE_SET_VERSION, measuredOn, rows, notTested: NOT_TESTED };
  writeFileSync(RESULTS, sourceOf(results));
  execFileSync('node_modules/.bin/biome', ['format', '--write', RESULTS]);
  writeFileSync('docs/accuracy.md', accuracyPage(results));
}

function sourceOf(results: AccuracyResults): string {
  const text = JSON.stringify(results, null, 2)
    .replaceAll(/"([a-zA-Z]+)":/g, '$1:')
    .replaceAll('"', "'");
  return `// Written by \`npm run bench -- accuracy\`, never by hand.\n\nexport const ACCURACY = ${text};\n`;
}
