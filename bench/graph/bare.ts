import { join } from 'node:path';
import { addressKey } from '../../src/domain/address/address-key.ts';
import type { Transfer } from '../../src/domain/transfers/transfer.ts';
import { asColumns } from '../../src/graph/columns.ts';
import { openGrafeo } from '../../src/graph/grafeo/grafeo.ts';
import { FACT_FIELDS, factOf } from '../../src/graph/ingest/facts.ts';
import type { Graph } from '../../src/graph/port.ts';
import { averageOf, startTiming, type Timing } from '../timing.ts';
import type { GraphWorld } from './world.ts';

const BATCH = 5_000;

/**
 * The engine's own ceiling: the first rows of the world as relationships with all their properties between addresses
 * that are there, one UNWIND … CREATE a batch and nothing else; without and with the roll-up of each.
 */
export async function bareCreate(
  world: GraphWorld,
  rows: number,
  folder: string,
): Promise<{ transfers: Timing; both: Timing }> {
  return {
    transfers: await createAll('ingest/create-transfers', world, rows, join(folder, 'bare.grafeo')),
    both: await createAll('ingest/create-pairs', world, rows, join(folder, 'bare-both.grafeo')),
  };
}

async function createAll(statement: string, world: GraphWorld, rows: number, path: string): Promise<Timing> {
  const graph = await openGrafeo({ path });
  await createAddresses(graph, world);
  const parts: Timing[] = [];
  let [seen, batch] = [0, [] as Transfer[]];
  for (const transfer of world.transfers()) {
    batch.push(transfer);
    if (++seen % BATCH !== 0) continue;
    const flow_usd = batch.map(({ usd }) => usd ?? 0);
    const has_coin = batch.map(() => true);
    const params = { ...asColumns(batch.map(rowOf), ['from', 'to', ...FACT_FIELDS]), flow_usd, has_coin };
    batch = [];
    const timing = startTiming();
    await graph.write([{ statement, params }]);
    parts.push(timing(BATCH));
    if (seen >= rows) break;
  }
  await graph.close();
  return averageOf(parts);
}

async function createAddresses(graph: Graph, world: GraphWorld): Promise<void> {
  const addresses = Array.from({ length: world.addresses }, (_, nth) => world.addressOf(nth));
  for (let start = 0; start < addresses.length; start += BATCH) {
    const rows = addresses.slice(start, start + BATCH).map((address) => {
      const [first_at, last_at] = [0, 0];
      const key = addressKey('ethereum', address);
      return { key, chain: 'ethereum', address, first_at, last_at, degree_in: 0, degree_out: 0 };
    });
    const params = asColumns(rows, ['key', 'chain', 'address', 'first_at', 'last_at', 'degree_in', 'degree_out']);
    await graph.write([{ statement: 'ingest/create-addresses', params }]);
  }
}

function rowOf(transfer: Transfer) {
  const [from, to] = [addressKey(transfer.chain, transfer.from), addressKey(transfer.chain, transfer.to)];
  return { from, to, ...factOf(transfer) };
}
