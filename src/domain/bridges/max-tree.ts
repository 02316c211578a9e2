/** What an empty place holds: less than any value. */
export const EMPTY = -1n;

/** A row of places, each with a value; finds places by their values in logarithmic time. */
export interface MaxTree {
  set(place: number, value: bigint): void;
  /** The first place from `start` on with at least this value; null without one. */
  firstAtLeast(value: bigint, start: number): number | null;
}

/** Each inner node holds the largest value below it. */
export function maxTree(places: number): MaxTree {
  let width = 1;
  while (width < places) width *= 2;
  const nodes = new Array<bigint>(2 * width).fill(EMPTY);
  return {
    set(place, value) {
      let node = width + place;
      nodes[node] = value;
      for (node >>= 1; node > 0; node >>= 1) {
        nodes[node] = nodes[2 * node]!;
        if (nodes[2 * node + 1]! > nodes[node]!) nodes[node] = nodes[2 * node + 1]!;
      }
    },
    firstAtLeast(value, start) {
      if (start >= width) return null;
      let node = width + start;
      while (nodes[node]! < value) {
        // The next part to the right begins beside the first ancestor that is a left child.
        while (node % 2 === 1) node >>= 1;
        if (node === 0) return null;
        node += 1;
      }
      while (node < width) node = nodes[2 * node]! >= value ? 2 * node : 2 * node + 1;
      return node - width;
    },
  };
}
