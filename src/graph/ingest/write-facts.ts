import { pairName } from '../../domain/address/address-key.ts';
import { asColumns } from '../columns.ts';
import type { Flow } from '../model.ts';
import type { GraphTransaction, GraphValue } from '../port.ts';
import type { End } from './ends.ts';
import type { KnownFact } from './facts.ts';
import { changes, FACT_FIELDS, type Fact, FLOW_FIELDS, isConflict, rollUp } from './facts.ts';
import { BATCH, type Pair, pairKeys } from './pairs.ts';

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
