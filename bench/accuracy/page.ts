import { type AccuracyResults, accuracyCells } from '../../reports/sections/accuracy.ts';
import { WORDS } from '../../words/words.ts';

const { accuracy: say } = WORDS.en.report;

/** docs/accuracy.md: every figure of it is from the results. */
export function accuracyPage({ ruleSetVersion, measuredOn, rows, notTested }: AccuracyResults): string {
  const cells = rows.map((row) => `| ${accuracyCells(row, 'en').join(' | ')} |`);
  const untested = notTested.map((id) => `- ${say.untested[id] ?? id}`);
  return `# Known error rates

For courts, auditors and analysts: how often each rule and heuristic misses what is there, or sees what is not.
\`npm run bench -- accuracy\` measures all of it again and writes this page and the results that reports print; nobody types a figure.

Measured on ${measuredOn} by rule set ${ruleSetVersion}. Brackets hold Wilson's interval of 95 %. Planted worlds are made from seeds in the
source code: they show what the rules do where the truth is known, and say nothing of how often such cases occur. Every list and
data set is as old as its day.

| ${say.tested} | ${say.missed} | ${say.falseAlarms} | ${say.source} |
| --- | --- | --- | --- |
${cells.join('\n')}

## Not tested

${untested.join('\n')}

A report prints the rows of the rules that it used, and no others, under "${say.title}".
`;
}
