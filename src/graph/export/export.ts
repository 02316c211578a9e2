import type { Fact } from '../ingest/facts.ts';
import type { AddressProperties, Bridged, EntityProperties, Flow, StoredProperties } from '../model.ts';
import type { Graph } from '../port.ts';

/** Some addresses with everything that leaves them. */
export interface GraphPage {
  addresses: StoredProperties<AddressProperties>[];
  transfers: { from: string; to: string; properties: StoredProperties<Fact> }[];
  flows: { from: string; to: string; properties: StoredProperties<Flow> }[];
  bridged: { from: string; to: string; properties: StoredProperties<Bridged> }[];
  entities: { key: string; properties: StoredProperties<EntityProperties> }[];
}

/** Addresses read at once: without a sorted index each reading looks at all of them. */
const ADDRESSES_AT_ONCE = 50_000;

/**
 * The whole graph, `pageSize` addresses at a time in the order of their keys. Each page is of one moment; what changes
 * between two pages may be missed.
 */
export async function* exportGraph(graph: Graph, pageSize = 2_000): AsyncGenerator<GraphPage> {
  let after = '';
  for (;;) {
    const rows = await graph.read('export/addresses', { after, limit: ADDRESSES_AT_ONCE });
    if (rows.length === 0) return;
    const addresses = rows.map((row) => row.properties as StoredProperties<AddressProperties>);
    for (let start = 0; start < addresses.length; start += pageSize) {
      yield await readPage(graph, addresses.slice(start, start + pageSize));
    }
    after = addresses.at(-1)!.key;
  }
}

/** In a transaction, so that no write comes between transfers and their roll-up. */
function readPage(graph: Graph, addresses: StoredProperties<AddressProperties>[]): Promise<GraphPage> {
  const key = addresses.map((address) => address.key);
  return graph.transact(async (tx) => ({
    addresses,
    transfers: (await tx.run('export/transfers', { key })) as unknown as GraphPage['transfers'],
    flows: (await tx.run('export/flows', { key })) as unknown as GraphPage['flows'],
    bridged: (await tx.run('export/bridged', { key })) as unknown as GraphPage['bridged'],
    entities: (await tx.run('export/entities', { key })) as unknown as GraphPage['entities'],
  }));
}
