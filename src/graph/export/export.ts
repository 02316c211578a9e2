import type { NodeLabel } from '../ingest/apply-labels.ts';
import type { Fact, Flow } from '../ingest/facts.ts';
import type { Graph } from '../port.ts';

/** The properties of an Address node; absent means unknown. */
export interface AddressProperties extends Partial<NodeLabel> {
  key: string;
  chain: string;
  address: string;
  first_seen_at?: number;
  last_seen_at?: number;
  scanned_at?: number;
  scan_complete?: boolean;
  is_contract?: boolean;
  read_lists?: string[];
  read_from?: number[];
  read_to?: number[];
  read_sources?: string[];
  read_at?: number[];
  degree_in: number;
  degree_out: number;
}

type Known<T> = { [K in keyof T]?: NonNullable<T[K]> };

/** Some addresses and all that leaves them. */
export interface GraphPage {
  addresses: AddressProperties[];
  transfers: { from: string; to: string; properties: Known<Fact> }[];
  flows: { from: string; to: string; properties: Known<Flow> }[];
  entities: { key: string; properties: { id: string; name: string; category?: string } }[];
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
    const addresses = rows.map((row) => row.properties as unknown as AddressProperties);
    for (let start = 0; start < addresses.length; start += pageSize) {
      yield await readPage(graph, addresses.slice(start, start + pageSize));
    }
    after = addresses.at(-1)!.key;
  }
}

/** In a transaction, so that no write comes between transfers and their roll-up. */
function readPage(graph: Graph, addresses: AddressProperties[]): Promise<GraphPage> {
  const key = addresses.map((address) => address.key);
  return graph.transact(async (tx) => ({
    addresses,
    transfers: (await tx.run('export/transfers', { key })) as unknown as GraphPage['transfers'],
    flows: (await tx.run('export/flows', { key })) as unknown as GraphPage['flows'],
    entities: (await tx.run('export/entities', { key })) as unknown as GraphPage['entities'],
  }));
}
