import type { OpenedAddress, Trace } from './findings.ts';

/** A trace under way. Its caller reads the addresses, so that one query can open those of several traces. */
export interface TraceSearch {
  /** The addresses needed to go on, largest sums first; empty at the end. */
  wanted(): string[];
  /**
   * Hands in the wanted addresses; then `visit` goes on with them. An address that is missing, or all by null, stays
   * unopened.
   */
  advance(opened: ReadonlyMap<string, OpenedAddress> | null): void;
  /** Visits so many steps of open addresses; false once nothing is left, and `wanted` has the next ones. */
  visit(most: number): boolean;
  result(): Trace;
}
