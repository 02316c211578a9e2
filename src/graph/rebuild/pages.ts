import type { AddressProperties, StoredProperties } from '../model.ts';
import type { Graph } from '../port.ts';

/** Addresses listed at once, and those of them that are worked on together. */
const LISTED = 50_000;
const AT_ONCE = 1_000;

/** Calls `work` with the keys of all addresses, some at a time in order. */
export async function eachPage(graph: Graph, work: (keys: string[]) => Promise<void>): Promise<void> {
  for (let after = ''; ; ) {
    const rows = await graph.read('export/addresses', { after, limit: LISTED });
    if (rows.length === 0) return;
    const keys = rows.map((row) => (row.properties as StoredProperties<AddressProperties>).key);
    for (let start = 0; start < keys.length; start += AT_ONCE) await work(keys.slice(start, start + AT_ONCE));
    after = keys.at(-1)!;
  }
}
