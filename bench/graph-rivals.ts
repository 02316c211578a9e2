import neo4j from 'neo4j-driver';
import type pg from 'pg';
import { STOP_CATEGORIES } from '../src/domain/label.ts';

/** Answers which labelled services an address's money can have come from, by keys in order. */
export type Reach = (key: string) => Promise<string[]>;

/** Statements that a user would send by hand; a server ends each after this. */
const TIME_LIMIT_MS = 10_000;

/** The bare statement: hop by hop, stopping at services, on any engine that takes Cypher text. */
export function bareStatement(hops: number): string {
  const stops = JSON.stringify(STOP_CATEGORIES);
  const lines = ['MATCH (a:Address {key: $key})', 'WITH a, [a] AS o0'];
  for (let hop = 1; hop <= hops; hop++) {
    lines.push(`CALL (a, o${hop - 1}) {
  UNWIND o${hop - 1} AS x
  MATCH (x)<-[:FLOW]-(n:Address)
  WITH DISTINCT a, n
  WITH collect(CASE WHEN n.category IN ${stops} THEN n.key END) AS s${hop},
       collect(CASE WHEN NOT coalesce(n.category, '') IN ${stops} AND n.key <> a.key THEN n END) AS o${hop}
  RETURN s${hop}, o${hop}
}`);
  }
  const found = Array.from({ length: hops }, (_, i) => `s${i + 1}`).join(' + ');
  return [...lines, `UNWIND ${found} AS key`, 'WITH DISTINCT key', 'RETURN key ORDER BY key'].join('\n');
}

/** What one writes first: every path up to so many hops, services passed through. Not the same question, but its shape. */
export function naiveStatement(hops: number): string {
  return `MATCH (a:Address {key: $key})<-[:FLOW*1..${hops}]-(s:Address)
WHERE s.category IN ${JSON.stringify(STOP_CATEGORIES)} AND s <> a
RETURN DISTINCT s.key AS key ORDER BY key`;
}

/** APOC's expansion that ends at services. */
export function apocStatement(hops: number): string {
  const labels = STOP_CATEGORIES.map((one) => one.replaceAll(/(?:^|_)([a-z])/g, (_, c: string) => c.toUpperCase()));
  const filter = labels.map((label) => `/${label}`).join('|');
  return `MATCH (a:Address {key: $key})
CALL apoc.path.expandConfig(a, {relationshipFilter: '<FLOW', labelFilter: '${filter}', minLevel: 1, maxLevel: ${hops},
  uniqueness: 'NODE_GLOBAL', bfs: true, filterStartNode: false}) YIELD path
RETURN DISTINCT last(nodes(path)).key AS key ORDER BY key`;
}

/** Runs Cypher text over the driver, as the bare statements of a user come in. */
export function overDriver(driver: neo4j.Driver, text: string): Reach {
  return async (key) => {
    const session = driver.session({ defaultAccessMode: neo4j.session.READ });
    try {
      const run = session.executeRead((tx) => tx.run<{ key: string }>(text, { key }), { timeout: TIME_LIMIT_MS });
      return (await run).records.map((record) => record.get('key'));
    } finally {
      await session.close();
    }
  };
}

/** Recursive SQL over the same flows. */
export function overSql(db: pg.Client, hops: number): Reach {
  const text = `WITH RECURSIVE walk (key, hops) AS (
    SELECT payer, 1 FROM flow WHERE payee = $1
    UNION
    SELECT flow.payer, walk.hops + 1 FROM walk JOIN flow ON flow.payee = walk.key
    WHERE walk.hops < ${hops} AND walk.key <> $1
      AND NOT EXISTS (SELECT FROM service WHERE service.key = walk.key AND service.category = ANY($2))
  )
  SELECT DISTINCT key FROM walk JOIN service USING (key) WHERE category = ANY($2) AND key <> $1 ORDER BY key`;
  return async (key) => {
    await db.query(`SET statement_timeout = ${TIME_LIMIT_MS}`);
    const { rows } = await db.query<{ key: string }>(text, [key, STOP_CATEGORIES]);
    return rows.map((row) => row.key);
  };
}
