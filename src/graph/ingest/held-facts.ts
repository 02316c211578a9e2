import type { GraphTransaction } from '../port.ts';
import type { Degrees } from './ends.ts';
import type { Fact } from './facts.ts';
import { bySmallerEnd, mayBeHeld, type Pair } from './pairs.ts';

/** What the graph knows of a transfer; absent means unknown. */
export type HeldFact = Pick<Fact, 'id' | 'tx_hash' | 'at' | 'asset'> & Partial<Fact>;

/** The facts that the graph holds between these pairs, by id; a pair without any is left out. */
export async function readFacts(
  tx: GraphTransaction,
  pairs: readonly Pair[],
  degrees: ReadonlyMap<string, Degrees>,
): Promise<Map<Pair, Map<string, HeldFact>>> {
  const held = new Map<Pair, Map<string, HeldFact>>();
  const asked = pairs.filter((pair) => mayBeHeld(pair, degrees));
  if (asked.length === 0) return held;
  const byName = new Map(asked.map((pair) => [flowName(pair), pair]));
  const rows = await tx.run('ingest/read-facts', bySmallerEnd(asked, degrees));
  for (const row of rows) {
    const pair = byName.get(flowName(row as { from: string; to: string }))!;
    const fact = row.properties as unknown as HeldFact;
    const facts = held.get(pair);
    if (facts) facts.set(fact.id, fact);
    else held.set(pair, new Map([[fact.id, fact]]));
  }
  return held;
}

/** The key of a pair in the `$flow` map of ingest/update-flows. Address keys contain no space. */
export function flowName({ from, to }: { from: string; to: string }): string {
  return `${from} ${to}`;
}
