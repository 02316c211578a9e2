import type { Graph } from '../port.ts';

/** Transfers of an address that the graph holds; times in epoch ms. */
export interface KnownActivity {
  transfers: number;
  firstAt: number;
  lastAt: number;
}

/** Reads the addresses with a transfer, by key. */
export async function readActivity(
  graph: Graph,
  keys: readonly string[],
  timeoutMs: number,
): Promise<Map<string, KnownActivity>> {
  const rows = await graph.read('relationship/activity', { keys: [...keys] }, { timeoutMs });
  return new Map(
    rows.map((row) => [
      row.key as string,
      { transfers: row.transfers as number, firstAt: row.first_at as number, lastAt: row.last_at as number },
    ]),
  );
}
