import { asColumns } from '../columns.ts';
import type { BridgeTransaction } from '../model.ts';
import type { Graph, Row } from '../port.ts';
import { eachPage } from './pages.ts';

interface BridgedRow extends Row {
  from: string;
  properties: { id: string; source?: string; destination?: string };
}
type ReadingsRow = Row & Pick<BridgeTransaction, 'key' | 'read_at' | 'readings'>;

const READINGS_AT_ONCE = 1_000;

/** Ids of the transfers that bridges' messages explain. */
export async function explainedIds(graph: Graph): Promise<Set<string>> {
  const ids = new Set<string>();
  const note = (text: string | null | undefined) => {
    if (text) withIds(text, (id) => ids.add(id) && id);
  };
  await eachCrossing(graph, async (rows) => {
    for (const { properties } of rows) for (const side of [properties.source, properties.destination]) note(side);
  });
  await eachReading(graph, async (rows) => {
    for (const { readings } of rows) note(readings);
  });
  return ids;
}

/** Bridges' messages name transfers by their new ids; an id that is not in the map stays. */
export async function restateCrossings(graph: Graph, newIds: ReadonlyMap<string, string>): Promise<void> {
  const renamed = <T extends string | null | undefined>(text: T) =>
    text ? withIds(text, (id) => newIds.get(id) ?? id) : (text ?? null);
  await eachCrossing(graph, async (rows) => {
    const changed = rows.map(({ from, properties: { id, source, destination } }) => ({
      from,
      id,
      source: renamed(source),
      destination: renamed(destination),
    }));
    const params = asColumns(changed, ['from', 'id']);
    const sides = { source: changed.map((one) => one.source), destination: changed.map((one) => one.destination) };
    await graph.write([{ statement: 'rebuild/restate', params: { ...params, ...sides } }]);
  });
  await eachReading(graph, async (rows) => {
    const changed = rows.map((row) => ({ ...row, readings: renamed(row.readings)! }));
    const params = asColumns(changed, ['key', 'read_at', 'readings']);
    await graph.write([{ statement: 'bridges/keep-readings', params }]);
  });
}

async function eachCrossing(graph: Graph, work: (rows: BridgedRow[]) => Promise<void>): Promise<void> {
  await eachPage(graph, async (key) => {
    const rows = await graph.read<BridgedRow>('export/bridged', { key });
    if (rows.length > 0) await work(rows);
  });
}

async function eachReading(graph: Graph, work: (rows: ReadingsRow[]) => Promise<void>): Promise<void> {
  for (let after = ''; ; ) {
    const rows = await graph.read<ReadingsRow>('rebuild/readings', { after, limit: READINGS_AT_ONCE });
    if (rows.length === 0) return;
    await work(rows);
    after = rows.at(-1)!.key;
  }
}

/** The JSON text with each explained id replaced. */
function withIds(text: string, idOf: (id: string) => string): string {
  return JSON.stringify(
    JSON.parse(text, (name, value: unknown) =>
      name === 'explains' && Array.isArray(value) ? value.map((id) => idOf(String(id))) : value,
    ),
  );
}
