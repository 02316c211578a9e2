/** Adds all items to the end of the list, however many: `push(...items)` throws a RangeError beyond some 120,000. */
export function append<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}
