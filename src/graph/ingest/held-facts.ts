import { pairName } from '../../domain/address/address-key.ts';
import { addToGroup } from '../../domain/group-by.ts';
import type { Flow } from '../model.ts';
import type { GraphTransaction, Params, Row } from '../port.ts';
import type { Degrees } from './ends.ts';
import { coinOf, type Fact, type FlowFact, type KnownFact, sumMicroUsd } from './facts.ts';
import { mayBeHeld, type Pair, pairKeys } from './pairs.ts';

/** Fields that roll-ups need of a fact, its id and its transaction. */
export type NamedFlowFact = FlowFact & Pick<Fact, 'id' | 'tx_hash'>;

interface SumRow extends Row {
  tx_count: number;
  first_at: number;
  last_at: number;
  coins: number;
  usd: number[];
}

/** The facts that the graph holds between these pairs, by id; a pair without any is left out. */
export async function readFacts(
  tx: GraphTransaction,
  pairs: readonly Pair[],
  degrees: ReadonlyMap<string, Degrees>,
): Promise<Map<Pair, Map<string, KnownFact>>> {
  return byPair(await readPairs(tx, 'ingest/read-facts', pairs, degrees));
}

/** The same of the transactions alone that the pairs name; far fewer rows where the graph holds thousands of others. */
export async function readNamedFacts(
  tx: GraphTransaction,
  pairs: readonly Pair[],
  degrees: ReadonlyMap<string, Degrees>,
): Promise<Map<Pair, Map<string, KnownFact>>> {
  const named = Object.fromEntries(pairs.flatMap(({ read }) => read.map((fact) => [fact.tx_hash, true])));
  return byPair(await readPairs(tx, 'ingest/read-named-facts', pairs, degrees, { named }));
}

function byPair(rows: readonly [Pair, Row][]): Map<Pair, Map<string, KnownFact>> {
  const held = new Map<Pair, Map<string, KnownFact>>();
  for (const [pair, row] of rows) {
    const fact = row.properties as unknown as KnownFact;
    const facts = held.get(pair);
    if (facts) facts.set(fact.id, fact);
    else held.set(pair, new Map([[fact.id, fact]]));
  }
  return held;
}

/** The same with the fields of roll-ups alone, which is several times faster for a pair with thousands of facts. */
export async function readFlowFacts(
  tx: GraphTransaction,
  pairs: readonly Pair[],
  degrees: ReadonlyMap<string, Degrees>,
): Promise<Map<Pair, NamedFlowFact[]>> {
  const held = new Map<Pair, NamedFlowFact[]>();
  for (const [pair, row] of await readPairs(tx, 'forget/facts-of-pairs', pairs, degrees)) {
    addToGroup(held, pair, row as unknown as NamedFlowFact);
  }
  return held;
}

/** The roll-up of all facts of a pair that has some, without reading each of them: equals `rollUp` of them all. */
export async function sumFacts(tx: GraphTransaction, pair: Pair, degrees: ReadonlyMap<string, Degrees>): Promise<Flow> {
  const params = { coin: coinOf(pair.from) };
  const [[, row]] = (await readPairs(tx, 'ingest/sum-facts', [pair], degrees, params)) as [[Pair, SumRow]];
  return {
    usd: sumMicroUsd(row.usd),
    tx_count: row.tx_count,
    unpriced_count: row.tx_count - row.usd.length,
    first_at: row.first_at,
    last_at: row.last_at,
    has_coin: row.coins > 0 ? true : null,
  };
}

/** The roll-up that the graph holds of a pair; null without one. */
export async function readFlow(
  tx: GraphTransaction,
  pair: Pair,
  degrees: ReadonlyMap<string, Degrees>,
): Promise<Flow | null> {
  const [found] = await readPairs(tx, 'ingest/read-flows', [pair], degrees);
  return found ? (found[1].properties as unknown as Flow) : null;
}

/** The rows of the statement with the pair of each; pairs that the graph cannot hold are not asked for. */
async function readPairs(
  tx: GraphTransaction,
  statement: string,
  pairs: readonly Pair[],
  degrees: ReadonlyMap<string, Degrees>,
  params: Params = {},
): Promise<[Pair, Row][]> {
  const asked = pairs.filter((pair) => mayBeHeld(pair, degrees));
  if (asked.length === 0) return [];
  const byName = new Map(asked.map((pair) => [pairName(pair), pair]));
  const rows = await tx.run(statement, { pairs: pairKeys(asked), ...params });
  return rows.map((row) => [byName.get(pairName(row as { from: string; to: string }))!, row]);
}
