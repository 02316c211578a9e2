import neo4j from 'neo4j-driver';
import type pg from 'pg';
import { STOP_CATEGORIES } from '../../src/domain/label.ts';

const STOPS = JSON.stringify(STOP_CATEGORIES);

/** Answers a key; of rivals the labelled services that its money can have come from, in order. */
export type Asked = (key: string) => Promise<unknown[]>;

/** Statements that a user would send by hand; a server ends each after this. */
const TIME_LIMIT_MS = 10_000;

/** Which labelled services the money can have come from, without amounts and times: what rivals can answer too. */
export function reachStatement(hops: number): string {
  return hopByHop(
    hops,
    (hop) => `MATCH (x)<-[:FLOW]-(n:Address)
  WITH DISTINCT a, n
  RETURN collect(CASE WHEN n.category IN ${STOPS} THEN n.key END) AS found${hop}, ${open(hop)}`,
    'UNWIND $found AS key\nWITH DISTINCT key\nRETURN key ORDER BY key',
  );
}

function hopByHop(hops: number, lookFrom: (hop: number) => string, answer: string): string {
  const each = Array.from({ length: hops }, (_, i) => i + 1);
  const calls = each.map((hop) => `CALL (a, open${hop - 1}) {\n  UNWIND open${hop - 1} AS x\n  ${lookFrom(hop)}\n}`);
  const found = each.map((hop) => `found${hop}`).join(' + ');
  return ['MATCH (a:Address {key: $key})', 'WITH a, [a] AS open0', ...calls, answer.replace('$found', found)].join(
    '\n',
  );
}

function open(hop: number): string {
  return `collect(DISTINCT CASE WHEN NOT coalesce(n.category, '') IN ${STOPS} AND n.key <> a.key THEN n END) AS open${hop}`;
}

/** Returns what one writes first: every path up to so many hops, services passed through. Not the same question, but its shape. */
export function naiveStatement(hops: number): string {
  return `MATCH (a:Address {key: $key})<-[:FLOW*1..${hops}]-(s:Address)
WHERE s.category IN ${STOPS} AND s <> a
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

/** Runs text over the driver, as the statements of a user come in; the first column of each row. */
export function overDriver(driver: neo4j.Driver, text: string): Asked {
  return async (key) => {
    const session = driver.session({ defaultAccessMode: neo4j.session.READ });
    try {
      return (await session.run(text, { key }, { timeout: TIME_LIMIT_MS })).records.map((record) => record.get(0));
    } finally {
      await session.close();
    }
  };
}

/** Recursive SQL over the same flows. */
export function overSql(db: pg.Client, hops: number): Asked {
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
