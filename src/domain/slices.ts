/** Cuts values into slices of `size` at most, in their order. */
export function* slicesOf<T>(values: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < values.length; start += size) yield values.slice(start, start + size);
}
