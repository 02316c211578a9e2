/** A span of time over which every transfer of an address in one asset was read. */
export interface ReadSpan {
  /** Epoch ms; `-Infinity`: from the first transaction on; null: from a moment that is not known. */
  from: number | null;
  /** Epoch ms, inclusive. */
  to: number;
  /** Balance that the chain states just before `from`, decimal string; null where it states none. */
  opening: string | null;
  /** Balance just after `to`, in the same form. */
  closing: string | null;
}

/** Returns the spans of an address that were read in an asset (asset-id.ts): disjoint, oldest first. */
export type Reading = (assetId: string) => readonly ReadSpan[];

export const NOT_READ: Reading = () => [];

/** A history that was read at once: to its beginning, or only its newest part. */
export function readUntil(to: number, complete: boolean): Reading {
  const spans = [{ from: complete ? Number.NEGATIVE_INFINITY : null, to, opening: null, closing: null }];
  return () => spans;
}

/** The span in which the moment lies. */
export function spanAt(spans: readonly ReadSpan[], at: number): ReadSpan | undefined {
  return spans.find((span) => at <= span.to && (span.from === null || span.from <= at));
}

/** True when all that the address held at the moment is known: what it paid is then attributed, not only bounded. */
export function knowsBalance(span: ReadSpan | undefined): boolean {
  return span !== undefined && span.from !== null && (span.from === Number.NEGATIVE_INFINITY || span.opening !== null);
}
