import { describe, expect, it } from 'vitest';
import { GraphError } from '../../src/errors.ts';
import type { Graph, GraphValue, Row } from '../../src/graph/port.ts';
import { schemaStatements, statementText } from '../../src/graph/statements.ts';
import { type CaseStep, readCases, statementsToCover } from './cases.ts';
import { engineCases } from './engine-cases.ts';
import { ENGINES } from './engines.ts';
import { build, canonical, contents } from './world.ts';

const cases = readCases();

it('every Cypher statement has a case', () => {
  const covered = new Set(Object.values(cases).flatMap((list) => list.flatMap(({ steps }) => steps.map(statementOf))));
  expect(statementsToCover().filter((name) => !covered.has(name))).toEqual([]);
});

it('every case names statements that exist, says what it expects, and names no engine', () => {
  const known = new Set(statementsToCover());
  for (const [file, list] of Object.entries(cases)) {
    for (const { name, steps } of list) {
      expect(
        steps.map(statementOf).filter((statement) => !known.has(statement)),
        `${file}: ${name}`,
      ).toEqual([]);
      expect(
        steps.some(({ rows }) => rows !== undefined),
        `${file}: ${name} expects rows`,
      ).toBe(true);
    }
    expect(JSON.stringify(list).toLowerCase()).not.toMatch(/grafeo|neo4j/);
  }
});

describe.each(Object.entries(ENGINES))('the statements on %s', (_engine, start) => {
  let graph: Graph;
  const test = engineCases(start, (empty) => {
    graph = empty;
  });

  test('the schema can be applied again and again', async () => {
    const steps = schemaStatements(graph.engine);
    expect(steps.length).toBeGreaterThan(0);
    for (const statement of steps) expect(await graph.write([{ statement, params: {} }])).toEqual([]);
  });

  test('a statement that failed fails its transaction, whatever is made of its error', async () => {
    const mark = (key: string) => ({ key, chain: 'ethereum', address: key, at: 1, complete: true });
    let after: unknown = null;
    const work = graph.transact(async (tx) => {
      await tx.run('ingest/mark-scanned', mark('before'));
      await tx.run('ingest/create-addresses', { key: ['x'] }).catch(() => undefined);
      after = await tx.run('ingest/mark-scanned', mark('after')).catch((cause) => cause);
    });
    await expect(work).rejects.toThrow(GraphError);
    expect(after).toBeInstanceOf(Error);
    expect((await contents(graph)).addresses).toEqual([]);
    await graph.write([{ statement: 'ingest/mark-scanned', params: mark('next') }]);
    expect((await contents(graph)).addresses.map(({ key }) => key)).toEqual(['next']);
  });

  for (const [file, list] of Object.entries(cases)) {
    describe(file.replace(/\.json$/, ''), () => {
      for (const { name, graph: world, steps } of list) {
        test(name, async () => {
          await build(graph, world);
          for (const step of steps) {
            const rows = await run(graph, step);
            if (step.rows) expect(inOrder(rows, step, graph), step.statement).toEqual(inOrder(step.rows, step, graph));
          }
        });
      }
    });
  }
});

function statementOf(step: CaseStep): string {
  return step.statement;
}

function run(graph: Graph, { statement, params }: CaseStep): Promise<Row[]> {
  const writes = /^\s*(CREATE|MERGE|SET|REMOVE|DELETE|DETACH)\b/m.test(statementText(statement, graph.engine));
  return writes ? graph.write([{ statement, params }]) : graph.read(statement, params);
}

/** Rows without ORDER BY or of a UNION may come in any order, and so may a list that is collected before any. */
function inOrder(rows: Row[], { statement }: CaseStep, graph: Graph): string[] {
  const text = statementText(statement, graph.engine);
  const [before = ''] = text.split('collect(');
  const isListUnordered = before !== text && !before.includes('ORDER BY');
  const lines = rows.map((row) => canonical(isListUnordered ? withSortedLists(row) : row));
  const isOrdered = text.lastIndexOf('ORDER BY') > text.lastIndexOf('RETURN') && !/^UNION\b/m.test(text);
  return isOrdered ? lines : lines.sort();
}

function withSortedLists(row: Row): Row {
  const sorted = (value: GraphValue) =>
    Array.isArray(value) ? [...value].sort((a, b) => (canonical(a) < canonical(b) ? -1 : 1)) : value;
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, sorted(value)]));
}
