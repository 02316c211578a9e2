/** Returns options of an LRUCache that grows up to `entries`: `max` would fill lists of that length at the start. */
export function atMost(entries: number): { maxSize: number; sizeCalculation: () => number } {
  return { maxSize: entries, sizeCalculation: () => 1 };
}
