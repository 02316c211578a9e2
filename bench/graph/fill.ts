import { asColumns } from '../../src/graph/columns.ts';
import { applyLabels } from '../../src/graph/ingest/apply-labels.ts';
import { FACT_FIELDS, FLOW_FIELDS, factOf, rollUp } from '../../src/graph/ingest/facts.ts';
import type { Graph } from '../../src/graph/port.ts';
import { type GraphWorld, keyOf } from './world.ts';

const BATCH = 20_000;

type Rolled = Parameters<typeof rollUp>[1][number];

/** Writes the world into an empty graph: each node and edge once, which needs no look at what is there. */
export async function fill(graph: Graph, world: GraphWorld): Promise<void> {
  const pairs = new Map<number, Rolled[]>();
  const firstAt = new Float64Array(world.addresses).fill(Number.POSITIVE_INFINITY);
  const lastAt = new Float64Array(world.addresses);
  const degree = { in: new Int32Array(world.addresses), out: new Int32Array(world.addresses) };
  let nth = 0;
  for (const { at, asset, token, usd } of world.transfers()) {
    const [from, to] = [world.senders[nth]!, world.receivers[nth]!];
    nth += 1;
    for (const end of [from, to]) {
      firstAt[end] = Math.min(firstAt[end]!, at);
      lastAt[end] = Math.max(lastAt[end]!, at);
    }
    const fact = { at, asset, token, usd };
    const pair = from * world.addresses + to;
    const known = pairs.get(pair);
    if (known) {
      known.push(fact);
      continue;
    }
    pairs.set(pair, [fact]);
    degree.out[from]! += 1;
    degree.in[to]! += 1;
  }
  await write(graph, 'ingest/create-addresses', addresses());
  await write(graph, 'ingest/create-flows', flows());
  await write(graph, 'ingest/create-transfers', transfers());
  await applyLabels(graph, world.labels);

  function* addresses() {
    for (let i = 0; i < world.addresses; i++) {
      if (lastAt[i] === 0) continue;
      const address = world.addressOf(i);
      const seen = { first_at: firstAt[i]!, last_at: lastAt[i]! };
      const counts = { degree_in: degree.in[i]!, degree_out: degree.out[i]! };
      yield { key: keyOf(address), chain: 'ethereum', address, ...seen, ...counts };
    }
  }
  function* flows() {
    for (const [pair, facts] of pairs) {
      const [from, to] = [Math.floor(pair / world.addresses), pair % world.addresses];
      yield {
        from: keyOf(world.addressOf(from)),
        to: keyOf(world.addressOf(to)),
        ...rollUp({ from: keyOf(world.addressOf(from)) }, facts),
      };
    }
  }
  function* transfers() {
    for (const transfer of world.transfers()) {
      yield { from: keyOf(transfer.from), to: keyOf(transfer.to), ...factOf(transfer) };
    }
  }
}

const FIELDS = {
  'ingest/create-addresses': ['key', 'chain', 'address', 'first_at', 'last_at', 'degree_in', 'degree_out'],
  'ingest/create-flows': ['from', 'to', ...FLOW_FIELDS],
  'ingest/create-transfers': ['from', 'to', ...FACT_FIELDS],
};

async function write(graph: Graph, statement: keyof typeof FIELDS, rows: Iterable<object>): Promise<void> {
  let batch: Record<string, unknown>[] = [];
  const flush = () => graph.write([{ statement, params: asColumns(batch, FIELDS[statement]) }]);
  for (const row of rows) {
    if (batch.push({ ...row }) < BATCH) continue;
    await flush();
    batch = [];
  }
  if (batch.length > 0) await flush();
}
