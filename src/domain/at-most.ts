/** Options of an LRUCache of so many entries that grows with them: `max` would fill lists of that length at the start. */
export function atMost(entries: number): { maxSize: number; sizeCalculation: () => number } {
  return { maxSize: entries, sizeCalculation: () => 1 };
}
