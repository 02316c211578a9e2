import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { load } from '../../graph-loaders/load.ts';
import type { LoadRequest } from '../../graph-loaders/load-request.ts';
import { findInput } from '../../graph-loaders/reading/input.ts';
import type { Stores, Work } from '../../graph-loaders/reading/loader.ts';
import { type LoadReport, newTally } from '../../graph-loaders/reading/tally.ts';
import { SOURCES, type SourceName } from '../../graph-loaders/sources.ts';
import { openGrafeo } from '../../src/graph/grafeo/grafeo.ts';
import { graphStats } from '../../src/graph/queries/stats.ts';
import { openLabelStore } from '../../src/labels/label-store.ts';
import { openPrices } from '../../src/prices/price-store.ts';
import { openRecords } from '../../src/records/database/database.ts';

export interface Loading extends Stores {
  /** Moves the clock. */
  setNow(at: number): void;
  load(
    source: string,
    input: string,
    options?: Pick<LoadRequest, 'endings' | 'asOf' | 'whole' | 'table' | 'columns'>,
  ): Promise<LoadReport>;
}

export const START = Date.UTC(2026, 10, 20);

/** Empty stores in memory, closed with the test, and the loader on them. */
export async function openLoading(): Promise<Loading> {
  let at = START;
  const now = () => at;
  const records = await openRecords({ path: null });
  const graph = await openGrafeo({ path: null });
  onTestFinished(async () => {
    await graph.close();
    await records.destroy();
  });
  const stores = { records, graph, labels: openLabelStore(records, now), prices: openPrices(records), now };
  return {
    ...stores,
    setNow: (next) => {
      at = next;
    },
    load: (source, input, options = {}) => load({ source, input, ...options }, stores),
  };
}

/** Opens what the reader of a source works on, without any store. */
export async function openWork(source: SourceName, input: string): Promise<Work> {
  const { accepts } = await SOURCES[source].importLoader();
  const found = await findInput(input, accepts);
  return { ...found, tally: newTally(), reserved: new Set(), now: START };
}

/** A temporary folder with these files; returns its path. */
export function folderOf(files: Record<string, string | Uint8Array>): string {
  const folder = mkdtempSync(join(tmpdir(), 'traceflow-load-'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
}

export function fileOf(name: string, content: string | Uint8Array): string {
  return join(folderOf({ [name]: content }), name);
}

/** A path of the shared test data; absent data is a reason to skip. */
export function shared(path: string): string {
  return fileURLToPath(new URL(`../../../shared/data/${path}`, import.meta.url));
}

export const SHARED_MISSING = !existsSync(shared(''));

/** Counts what the loaders have stored, table by table, and the transfers of the graph. */
export async function countStored({ records, graph }: Loading): Promise<number[]> {
  const tables = ['labels', 'label_names', 'scam_domains', 'prices', 'bridge_contracts', 'unfinished_loads'] as const;
  const counts = tables.map(async (table) => {
    const row = await records
      .selectFrom(table)
      .select((e) => e.fn.countAll<number>().as('n'))
      .executeTakeFirst();
    return Number(row!.n);
  });
  return [...(await Promise.all(counts)), (await graphStats(graph)).transfers];
}
