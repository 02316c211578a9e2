import { pairName } from '../../domain/address/address-key.ts';
import { addToGroup } from '../../domain/group-by.ts';
import { asColumns } from '../columns.ts';
import type { Flow } from '../model.ts';
import type { GraphTransaction, GraphValue, Params, Row } from '../port.ts';
import type { Degrees, End } from './ends.ts';
import {
  changes,
  coinOf,
  FACT_FIELDS,
  type Fact,
  FLOW_FIELDS,
  type FlowFact,
  isConflict,
  type KnownFact,
  rollUp,
  sumMicroUsd,
} from './facts.ts';
import { BATCH, mayBeHeld, type Pair, pairKeys } from './pairs.ts';

/** Fields that roll-ups need of a fact, its id and its transaction. */
export type NamedFlowFact = FlowFact & Pick<Fact, 'id' | 'tx_hash'>;

interface SumRow extends Row {
  tx_count: number;
  first_at: number;
  last_at: number;
  coins: number;
  usd: number[];
}

/** The facts that the graph holds between these pairs, by id; a pair without any has no entry. */
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

/** The changes of a batch. */
export interface Written {
  /** New facts. */
  created: number;
  conflicts: number;
  /** Pairs of which a held fact changed. */
  completed: ReadonlySet<Pair>;
  /** Addresses that the graph did not hold before. */
  born: readonly End[];
  /** Facts that the graph held of its pairs, as far as they were read, completed by now. */
  held: ReadonlyMap<Pair, ReadonlyMap<string, KnownFact>>;
}

/**
 * Writes facts new to the graph, and the FLOW of the pairs that get it from their only one. Returns the number of new
 * facts.
 */
export async function createFacts(
  tx: GraphTransaction,
  pairs: readonly Pair[],
  held: ReadonlyMap<Pair, ReadonlyMap<string, KnownFact>>,
  getsFlow: (pair: Pair) => boolean,
): Promise<number> {
  const withFlow = newFacts();
  const alone = newFacts();
  for (const pair of pairs) {
    const before = held.get(pair);
    const target = getsFlow(pair) ? withFlow : alone;
    for (const [id, fact] of pair.found) {
      if (before?.has(id)) continue;
      target.from.push(pair.from);
      target.to.push(pair.to);
      target.facts.push(fact);
    }
  }
  for (const [statement, { from, to, facts }] of [
    ['ingest/create-pairs', withFlow],
    ['ingest/create-transfers', alone],
  ] as const) {
    for (let at = 0; at < facts.length; at += BATCH) {
      const some = facts.slice(at, at + BATCH);
      const params = {
        from: from.slice(at, at + BATCH),
        to: to.slice(at, at + BATCH),
        ...asColumns(some, FACT_FIELDS),
      };
      if (statement === 'ingest/create-pairs') {
        const flows = some.map((fact, i) => rollUp({ from: params.from[i]! }, [fact]));
        Object.assign(params, { flow_usd: flows.map(({ usd }) => usd), has_coin: flows.map((one) => one.has_coin) });
      }
      await tx.run(statement, params);
    }
  }
  return withFlow.facts.length + alone.facts.length;
}

function newFacts(): { from: string[]; to: string[]; facts: Fact[] } {
  return { from: [], to: [], facts: [] };
}

/** Updates held facts, in `held` and in the graph, from repeated transfers. Returns the pairs that changed. */
export async function completeFacts(
  tx: GraphTransaction,
  held: ReadonlyMap<Pair, Map<string, KnownFact>>,
): Promise<{ completed: Set<Pair>; conflicts: number }> {
  let conflicts = 0;
  const known: Record<string, GraphValue> = {};
  const completed = new Set<Pair>();
  for (const [pair, facts] of held) {
    for (const [id, fact] of facts) {
      const found = pair.found.get(id);
      if (found && isConflict(fact, found)) conflicts += 1;
      const more = found && changes(fact, found);
      if (!more) continue;
      known[id] = more as GraphValue;
      facts.set(id, { ...fact, ...more });
      completed.add(pair);
    }
  }
  if (completed.size > 0) await tx.run('ingest/complete-transfers', { pairs: pairKeys([...completed]), known });
  return { completed, conflicts };
}

/** Writes the FLOW of pairs that had none. */
export async function createFlows(tx: GraphTransaction, flows: ReadonlyMap<Pair, Flow>): Promise<void> {
  if (flows.size === 0) return;
  const rows = [...flows].map(([{ from, to }, flow]) => ({ from, to, ...flow }));
  await tx.run('ingest/create-flows', asColumns(rows, ['from', 'to', ...FLOW_FIELDS]));
}

/** Replaces the FLOW of pairs that have one. */
export async function updateFlows(tx: GraphTransaction, flows: ReadonlyMap<Pair, Flow>): Promise<void> {
  if (flows.size === 0) return;
  const flow = Object.fromEntries([...flows].map(([pair, held]) => [pairName(pair), { ...held } as GraphValue]));
  await tx.run('ingest/update-flows', { pairs: pairKeys([...flows.keys()]), flow });
}
