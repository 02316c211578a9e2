import type { MoneyGraph } from './money-graph.ts';

export interface NodePosition {
  x: number;
  y: number;
  /** Above its neighbours in a chain: its name stands over it. */
  raised: boolean;
}

const COLUMN_WIDTH = 150;
const ROW_HEIGHT = 60;
const ROWS_MIN = 12;
/** Every second column is lower, so that the names of neighbours do not overlap. */
const LOWER = 80;

/** Places money from left to right: the start in the middle, one column for each hop, long columns folded. */
export function arrange(graph: MoneyGraph): Map<string, NodePosition> {
  const columns = columnsOf(graph);
  const places = new Map<string, NodePosition>();
  const numbers = [...columns.keys()].sort((a, b) => a - b);
  let x = 0;
  for (const number of numbers) {
    const keys = columns.get(number) as string[];
    const rows = Math.min(keys.length, Math.max(ROWS_MIN, Math.ceil(1.7 * Math.sqrt(keys.length))));
    keys.forEach((key, index) => {
      const row = index % rows;
      places.set(key, {
        x: x + Math.floor(index / rows) * COLUMN_WIDTH,
        y: (row - (rows - 1) / 2) * ROW_HEIGHT + (number % 2 === 0 ? 0 : LOWER),
        raised: rows === 1 && number % 2 === 0,
      });
    });
    x += COLUMN_WIDTH * Math.ceil(keys.length / rows);
  }
  return places;
}

/** Node keys by column, the signed number of hops from the start; neighbours stay close to each other. */
function columnsOf({ start, nodes, edges }: MoneyGraph): Map<number, string[]> {
  const neighbours = new Map<string, [string, number][]>();
  const add = (from: string, to: string, step: number) => {
    const known = neighbours.get(from);
    if (known) known.push([to, step]);
    else neighbours.set(from, [[to, step]]);
  };
  for (const { from, to } of edges.values()) {
    add(from, to, 1);
    add(to, from, -1);
  }
  const columnOf = new Map([[start, 0]]);
  // Map iteration also visits entries added during the loop.
  for (const [key, column] of columnOf) {
    for (const [far, step] of neighbours.get(key) ?? []) if (!columnOf.has(far)) columnOf.set(far, column + step);
  }
  for (const { key, hop } of nodes.values()) if (!columnOf.has(key)) columnOf.set(key, hop);
  const columns = new Map<number, string[]>();
  for (const [key, column] of columnOf) columns.set(column, [...(columns.get(column) ?? []), key]);
  return columns;
}
