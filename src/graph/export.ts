import type { NodeLabel } from './apply-labels.ts';
import type { Fact, Flow } from './facts.ts';
import type { Graph } from './port.ts';

/** The properties of an Address node; absent means unknown. */
export interface AddressProperties extends Partial<NodeLabel> {
  key: string;
  chain: string;
  address: string;
  first_seen_at?: number;
  last_seen_at?: number;
  scanned_at?: number;
  scan_complete?: boolean;
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

/** The whole graph, `pageSize` addresses at a time in the order of their keys; what changes meanwhile may be missed. */
export async function* exportGraph(graph: Graph, pageSize = 2_000): AsyncGenerator<GraphPage> {
  let after = '';
  for (;;) {
    const rows = await graph.read('export/addresses', { after, limit: pageSize });
    if (rows.length === 0) return;
    const addresses = rows.map((row) => row.properties as unknown as AddressProperties);
    const key = addresses.map((address) => address.key);
    yield {
      addresses,
      transfers: (await graph.read('export/transfers', { key })) as unknown as GraphPage['transfers'],
      flows: (await graph.read('export/flows', { key })) as unknown as GraphPage['flows'],
      entities: (await graph.read('export/entities', { key })) as unknown as GraphPage['entities'],
    };
    after = key.at(-1)!;
  }
}
