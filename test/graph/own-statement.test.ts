import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import neo4j from 'neo4j-driver';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { InvalidInputError } from '../../src/errors.ts';
import { ingestTransfers } from '../../src/graph/ingest/ingest.ts';
import { refuseUnsafe } from '../../src/graph/neo4j/own-statements.ts';
import type { Graph } from '../../src/graph/port.ts';
import { builtProduct } from '../setup/services.ts';
import { ENGINES, type GraphEngine } from './engines.ts';
import { transfer } from './world.ts';

const BOUNDS = { timeoutMs: 10_000, rowsMax: 5_000, bytesMax: 2 ** 20 };

describe('an own statement', () => {
  it.each([
    'CREATE (n)',
    'MATCH (n) SET n.x = 1',
    'MATCH (n) /* */ DeTaCh /* x */ DELETE n',
    'MATCH (n) REMOVE n.x RETURN n',
    'MERGE (n:Address {key: 1})',
    'INSERT (:Address)',
    'MATCH (n) FOREACH (x IN [1] | SET n.x = x)',
    'WITH 1 AS x MERGE (n)',
    "LOAD CSV FROM 'file:///etc/passwd' AS row RETURN row",
    "WITH 1 AS x LOAD CSV FROM 'http://127.0.0.1/' AS row RETURN row",
    'CALL db.labels()',
    'CALL\n/* a */ dbms.listConfig() YIELD name RETURN name',
    'OPTIONAL CALL db.labels() YIELD label RETURN label',
    'CALL `db.labels`()',
    "RETURN apoc.load.json('http://127.0.0.1/')",
    'RETURN apoc . version()',
    'RETURN `apoc`.version()',
    'RETURN `apoc.version`()',
    "RETURN genai.vector.encode('x', 'OpenAI')",
    'SHOW USERS',
    'USE system MATCH (n) RETURN n',
    'CYPHER 5 CREATE (n)',
    'EXPLAIN MATCH (n) RETURN n',
    'START DATABASE neo4j',
    'ALTER USER neo4j SET PASSWORD "x"',
    'MATCH (n) RETURN n; MATCH (m) DELETE m',
    'MATCH (n) CALL (n) { DELETE n } IN TRANSACTIONS',
    "MATCH (n) WHERE n.x = 'a\\u0027 SET n.y = 1 //' RETURN n",
    `MATCH (n) WHERE ${Array(10).fill('n.a').join(' XOR ')} RETURN n`,
    `${'MATCH (n) WHERE exists { '.repeat(6)}RETURN 1${' }'.repeat(6)} RETURN 1`,
    "RETURN 'a text without end",
    'RETURN 1 /* a comment without end',
    'RETURN `a name without end',
    '// only a comment',
    '',
  ])('is refused before it reaches the server: %s', (statement) => {
    expect(() => refuseUnsafe(statement)).toThrow(InvalidInputError);
  });

  it.each([
    "MATCH (a:Address {key: $set}) RETURN a.category AS category, 'DELETE; CREATE' AS text;",
    'MATCH (a)-[t:TRANSFER]->(b) WHERE t.`set` IS NULL RETURN count(*) AS n // CREATE',
    'UNWIND [1, 2] AS x CALL (x) { RETURN x * 1.5 AS y } RETURN y',
    "RETURN date.truncate('month', date()) AS month, duration.between(date(), date()) AS none",
    'MATCH (a:Address) WHERE exists { (a)-[:TRANSFER]->() } RETURN a.key ORDER BY a.offset LIMIT 5',
  ])('runs where it only reads: %s', (statement) => {
    expect(() => refuseUnsafe(statement)).not.toThrow();
  });
});

it('the embedded engine takes none: it cannot end a query', async () => {
  const engine = await ENGINES.grafeo();
  expect((await engine.open()).runOwn).toBeNull();
  await engine.close();
});

describe('on a server', () => {
  let engine: GraphEngine;
  let graph: Graph;
  beforeAll(async () => {
    engine = await ENGINES.neo4j();
    if (engine.missing) return;
    graph = await engine.open();
    await ingestTransfers(graph, [transfer({ from: 'a', to: 'b' })]);
  }, 600_000);
  afterAll(() => engine?.close());
  const run = (statement: string, bounds = {}, params = {}) =>
    graph.runOwn!({ statement, params }, { ...BOUNDS, ...bounds }, () => undefined);

  it('answers rows of any kind, and says where a bound left some out', async ({ skip }) => {
    if (engine.missing) skip(engine.missing);
    const one = await run(
      'MATCH (a:Address) RETURN count(a) AS n, date("2026-11-20") AS day, 9007199254740993 AS big, $p AS p',
      {},
      { p: 3 },
    );
    expect(one).toEqual({
      columns: ['n', 'day', 'big', 'p'],
      rows: [[2, '2026-11-20', '9007199254740993', 3]],
      truncated: false,
    });
    const path = await run('MATCH p = (a)-[:TRANSFER]->(b) RETURN p LIMIT 1');
    expect(path.rows[0]![0]).toMatchObject([{ labels: ['Address'] }, { type: 'TRANSFER' }, { labels: ['Address'] }]);
    expect(await run('UNWIND range(1, 100) AS x RETURN x', { rowsMax: 3 })).toMatchObject({
      rows: [[1], [2], [3]],
      truncated: true,
    });
    expect(await run('UNWIND range(1, 100) AS x RETURN x', { bytesMax: 10 })).toMatchObject({ truncated: true });
    expect(await run('UNWIND [] AS x RETURN x')).toEqual({ columns: ['x'], rows: [], truncated: false });
  });

  it('refuses in the words of the server, and ends what takes too long', async ({ skip }) => {
    if (engine.missing) skip(engine.missing);
    await expect(run('MATCH (a RETURN a')).rejects.toThrow(/^Statement refused: Invalid input/);
    const slow = 'UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b RETURN sum(a * b % 7) AS s';
    await expect(run(slow, { timeoutMs: 1_000 })).rejects.toThrow('Statement took longer than 1 s: ask for less');
    expect((await run('RETURN 1 AS x')).rows).toEqual([[1]]);
  });

  it('runs in another process, which ends with what takes too much', async ({ skip }) => {
    if (engine.missing) skip(engine.missing);
    const { NEO4J_URI: uri = '', NEO4J_USER: user = '', NEO4J_PASSWORD: password = '' } = engine.settings;
    const driver = neo4j.driver(uri, neo4j.auth.basic(user, password));
    onTestFinished(() => driver.close());
    const built = pathToFileURL(join(await builtProduct(), 'src/graph/neo4j/own-statements.js')).href;
    const own = ((await import(built)) as typeof import('../../src/graph/neo4j/own-statements.ts')).ownStatements(
      { uri, user, password },
      () => driver.session(),
    );
    onTestFinished(() => own.close());
    const kept: Promise<void>[] = [];
    const ask = (statement: string, bounds = {}) =>
      own.run({ statement, params: {} }, { ...BOUNDS, ...bounds }, (ended) => kept.push(ended));
    const beyond = { status: 400, message: 'Statement refused: it needs more than 128 MiB of memory' };
    const large = 'WITH reduce(s = "x", i IN range(1, 20) | s + s) AS mib UNWIND range(1, 300) AS i RETURN mib';
    await expect(ask(large, { timeoutMs: 40_000, rowsMax: 300, bytesMax: 2 ** 30 })).rejects.toMatchObject(beyond);
    const late = { status: 400, message: 'Statement took longer than 0.01 s: ask for less' };
    await expect(ask('RETURN 1 AS x', { timeoutMs: 10 })).rejects.toMatchObject(late);
    expect((await ask('RETURN 1 AS x')).rows).toEqual([[1]]);
    expect(kept).toHaveLength(2);
    await Promise.all(kept);
  });
});
