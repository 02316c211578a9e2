import { demand } from './proof.ts';

/** A text of bytes, or a list. */
export type Item = Uint8Array | Item[];

/** Longest form of a length: no list of a block has 4 GB. */
const LENGTH_BYTES_MAX = 4;

/**
 * Reads a list of RLP that is the whole of `bytes`, in one pass and without a copy of them. ProofError for other bytes, and
 * at the first list that lies deeper or the first item that is more than is allowed.
 */
export function readList(bytes: Uint8Array, allowed: { depth: number; items: number }): Item[] {
  let at = 0;
  let left = allowed.items;
  /** Lengths below 56 stand in the prefix itself. */
  const lengthOf = (stated: number, end: number): number => {
    if (stated < 56) return stated;
    const size = stated - 55;
    demand(size <= LENGTH_BYTES_MAX && at + size <= end && bytes[at] !== 0, 'malformed');
    let length = 0;
    for (const until = at + size; at < until; at++) length = length * 256 + bytes[at]!;
    demand(length >= 56, 'malformed');
    return length;
  };
  const read = (end: number, depth: number): Item => {
    demand(left-- > 0, 'malformed');
    const prefix = bytes[at++]!;
    if (prefix < 0x80) return bytes.subarray(at - 1, at);
    const isList = prefix >= 0xc0;
    const length = lengthOf(prefix - (isList ? 0xc0 : 0x80), end);
    const until = at + length;
    demand(until <= end && (!isList || depth > 0), 'malformed');
    if (isList) {
      const items: Item[] = [];
      while (at < until) items.push(read(until, depth - 1));
      return items;
    }
    // A byte below 0x80 has no prefix.
    demand(length !== 1 || bytes[at]! >= 0x80, 'malformed');
    at = until;
    return bytes.subarray(until - length, until);
  };
  demand(bytes.length > 0, 'malformed');
  const list = read(bytes.length, allowed.depth);
  demand(Array.isArray(list) && at === bytes.length, 'malformed');
  return list;
}
