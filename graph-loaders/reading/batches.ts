/** Groups a stream, and lets other work of the process have its turn between two groups. */
export async function* inBatches<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length === size) {
      yield batch;
      await new Promise((resolve) => setImmediate(resolve));
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}
