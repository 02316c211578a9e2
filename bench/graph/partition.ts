import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import {
  applyHistories,
  expectedParts,
  histories,
  type OwnHistory,
  partiesOf,
  partsIn,
} from '../../fixtures/holder-histories.ts';
import { groupBy } from '../../src/domain/group-by.ts';
import { openGrafeo } from '../../src/graph/grafeo/grafeo.ts';
import { openNeo4j } from '../../src/graph/neo4j/neo4j.ts';
import type { Graph } from '../../src/graph/port.ts';
import { startNeo4j } from '../../test/servers/neo4j.ts';
import { claim } from '../table.ts';

const HISTORIES = 10_000;
/** Histories that share the statements of one step; all of an engine share its graph. */
const TOGETHER = 250;
/** How many histories there are between two lines about the progress. */
const REPORTED = 1_000;
/** Wrong histories that are printed. */
const SHOWN_MAX = 3;

/**
 * Applies random histories of readings, removals, labels and keys to each engine, and fails unless its holders are the parts that a
 * union-find over all evidence makes. `SEED` repeats a run.
 */
export async function benchPartition(): Promise<void> {
  const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
  const all = fc
    .sample(histories, { numRuns: HISTORIES, seed })
    .map((history, nth): OwnHistory => ({ history, parties: partiesOf(nth) }));
  const events = all.reduce((sum, { history }) => sum + history.events.length, 0);
  console.log(`${HISTORIES} histories of ${events} events, SEED=${seed}`);
  const grafeo = await openGrafeo({ path: null, shuffleUnordered: true });
  await hold(grafeo, all).finally(() => grafeo.close());
  const server = await startNeo4j();
  const { NEO4J_URI: uri = '', NEO4J_USER: user = '', NEO4J_PASSWORD: password = '' } = server.settings;
  const neo4j = await openNeo4j({ uri, user, password });
  await hold(neo4j, all).finally(async () => {
    await neo4j.close();
    await server.stop();
  });
}

async function hold(graph: Graph, all: readonly OwnHistory[]): Promise<void> {
  const began = performance.now();
  const wrong: string[] = [];
  let joined = 0;
  for (let start = 0; start < all.length; start += TOGETHER) {
    const some = all.slice(start, start + TOGETHER);
    const ownerOf = new Map(some.flatMap(({ parties }) => parties.keys.map((key) => [key, parties] as const)));
    await applyHistories(graph, some);
    const found = groupBy(
      await partsIn(
        graph,
        some.flatMap(({ parties }) => parties.keys),
      ),
      ([first]) => ownerOf.get(first!)!,
    );
    for (const { parties, history } of some) {
      const [expected, parts] = [expectedParts(parties, history), found.get(parties) ?? []];
      joined += expected.length;
      if (!isDeepStrictEqual(parts, expected)) {
        wrong.push(JSON.stringify({ nth: parties.nth, history, expected, parts }));
      }
    }
    const done = Math.min(all.length, start + TOGETHER);
    if (done % REPORTED === 0) console.log(`${graph.engine}: ${done} of ${all.length}, ${secondsSince(began)} s`);
  }
  for (const text of wrong.slice(0, SHOWN_MAX)) console.log(text);
  const found = `${all.length - wrong.length} of ${all.length}, ${joined} holders, ${secondsSince(began)} s`;
  claim(`${graph.engine}: holders are the parts that all evidence makes`, wrong.length === 0, found);
}

function secondsSince(began: number): string {
  return ((performance.now() - began) / 1_000).toFixed(0);
}
