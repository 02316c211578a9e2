import type { CompiledQuery } from 'kysely';
import { type Records, readQuickly } from './database.ts';
import { keepQuery } from './kept-queries.ts';

/** Addresses per statement; the last one is filled up, so that few texts are ever compiled. */
const SIZES = [1, 4, 16, 64, 500] as const;

/**
 * Rows of any number of addresses. `compile` gets as many blanks as one statement takes, and must ask for them before
 * all else: `more` are the parameters that follow. All rows of one address come together, in the statement's order.
 */
export async function findByAddress<Row>(
  records: Records,
  name: string,
  addresses: readonly string[],
  compile: (blanks: string[]) => CompiledQuery<Row>,
  more: readonly unknown[] = [],
): Promise<Row[]> {
  const wanted = [...new Set(addresses)];
  const found: Row[] = [];
  for (let start = 0; start < wanted.length; ) {
    const size = SIZES.find((one) => wanted.length - start <= one) ?? 500;
    const chunk = wanted.slice(start, start + size);
    while (chunk.length < size) chunk.push(chunk[0]!);
    const query = keepQuery<Row>(records, `${name}:${size}`, () => compile(Array<string>(size).fill('')));
    for (const row of await readQuickly<Row>(records, { ...query, parameters: [...chunk, ...more] })) found.push(row);
    start += size;
  }
  return found;
}
