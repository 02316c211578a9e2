/** Items that belong together are kept so up to this many times the size. */
const TOGETHER_MAX = 10;

/**
 * Groups a stream, and lets other work of the process have its turn between two groups. Items in a row of the same name stay in one
 * group, which is larger then.
 */
export async function* inBatches<T>(
  items: AsyncIterable<T>,
  size: number,
  nameOf?: (item: T) => string,
): AsyncGenerator<T[]> {
  let batch: T[] = [];
  const goesOn = (item: T) =>
    nameOf !== undefined && batch.length < TOGETHER_MAX * size && nameOf(item) === nameOf(batch.at(-1)!);
  for await (const item of items) {
    if (batch.length >= size && !goesOn(item)) {
      yield batch;
      await new Promise((resolve) => setImmediate(resolve));
      batch = [];
    }
    batch.push(item);
  }
  if (batch.length > 0) yield batch;
}
