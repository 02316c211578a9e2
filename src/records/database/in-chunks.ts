/** Values or rows per statement: with 20 columns well below what SQLite and PostgreSQL take as parameters. */
const CHUNK = 500;

export function chunksOf<T>(values: readonly T[]): T[][] {
  const count = Math.ceil(values.length / CHUNK);
  return Array.from({ length: count }, (_, nth) => values.slice(nth * CHUNK, (nth + 1) * CHUNK));
}

/** The rows of any number of values, read a chunk of distinct values at a time. */
export async function readInChunks<T, Row>(values: readonly T[], read: (chunk: T[]) => Promise<Row[]>): Promise<Row[]> {
  const found: Row[][] = [];
  for (const chunk of chunksOf([...new Set(values)])) found.push(await read(chunk));
  return found.flat();
}
