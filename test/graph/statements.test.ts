import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cypherFolder } from '../../src/graph/statements.ts';

/** `MATCH (a:Address)-[m:MEMBER]->(e)`: its two ends, with whatever stands beside the name of the first. */
const PATTERN = /MATCH \((\w*)([^)]*)\)<?-\[[^\]]*\]->?\((\w+)\)/;

/** Matches that begin at an end that nothing names yet, and lead to one that is known. */
function backward(text: string): string[] {
  const known = new Set<string>();
  return text.split('\n').filter((line) => {
    if (line.startsWith('//')) return false;
    const [, first, beside, last] = PATTERN.exec(line) ?? [];
    const isBackward = last !== undefined && known.has(last) && !known.has(first!) && !beside!.includes('{');
    for (const [, name] of line.matchAll(/(?:[([]| AS )(\w+)/g)) known.add(name!);
    return isBackward;
  });
}

const STATEMENTS = readdirSync(cypherFolder(), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.cypher') && !file.startsWith('browser'))
  .map((file) => ({ file, text: readFileSync(join(cypherFolder(), file), 'utf8') }));

test('statements look for what is beside a node from that node: the embedded engine would read all others', () => {
  expect(backward('MATCH (e:Entity {id: $id})\nMATCH (a:Address)-[:MEMBER]->(e)')).toHaveLength(1);
  expect(backward('MATCH (e:Entity {id: $id})\nMATCH (e)<-[:MEMBER]-(a:Address)')).toEqual([]);
  const found = STATEMENTS.flatMap(({ file, text }) => backward(text).map((line) => `${file}: ${line}`));
  expect(found).toEqual([]);
});

test('statements match nothing optionally, and nothing after a merge: the embedded engine would read the whole graph', () => {
  const isForBoth = ({ file }: { file: string }) => !file.endsWith('.neo4j.cypher');
  const reading = STATEMENTS.filter(isForBoth).filter(({ text }) =>
    /^\s*OPTIONAL MATCH|^\s*MERGE [\s\S]*^\s*MATCH/m.test(text),
  );
  // Between two addresses that stand alone it reads the edges of one.
  expect(reading.map(({ file }) => file)).toEqual(['relationship/dealings.cypher']);
});
