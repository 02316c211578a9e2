import { expect, it } from 'vitest';
import { RULE_FACTS } from '../../src/domain/rule-facts.ts';
import { rules as en } from '../../words/en/console.ts';
import { rules as es } from '../../words/es/console.ts';
import { rules as ja } from '../../words/ja/console.ts';

it.each([
  ['en', en],
  ['es', es],
  ['ja', ja],
] as const)('every fact that a rule may ask for is in words, in %s', (_, { facts, exposureFacts, factHints }) => {
  const measures = Object.keys(exposureFacts).map((measure) => `_${measure}`);
  const inWords = (fact: string) => fact in facts || measures.some((measure) => fact.endsWith(measure));
  expect(Object.keys(RULE_FACTS).filter((fact) => !inWords(fact))).toEqual([]);
  expect(Object.keys({ ...facts, ...factHints }).filter((fact) => !(fact in RULE_FACTS))).toEqual([]);
  expect(Object.keys(factHints)).toEqual(Object.keys(en.factHints));
  // A page shows text as it stands: marks of code would stand there too.
  expect(Object.values(factHints).filter((hint) => hint?.includes('`'))).toEqual([]);
});
