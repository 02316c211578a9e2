/** Rows of one page: an answer that is made in one go holds up those of others. */
export const PAGE_BYTES = 2 ** 20;

/** Returns the first rows whose JSON together takes `bytes` at most. */
export function firstWithin<Row>(rows: readonly Row[], bytes: number): Row[] {
  let left = bytes;
  const end = rows.findIndex((row) => {
    left -= bytesOf(row) + 1;
    return left < 0;
  });
  return end === -1 ? [...rows] : rows.slice(0, end);
}

/** Bytes that a value takes as JSON. */
export function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** The first rows of a page up to 1 MiB of JSON, one at least, and where the next page begins; null on the last. */
export function pageWithin<Row>(
  rows: readonly Row[],
  { offset, total }: { offset: number; total: number },
): { page: Row[]; next: number | null } {
  const first = firstWithin(rows, PAGE_BYTES);
  const page = first.length > 0 ? first : rows.slice(0, 1);
  const end = offset + page.length;
  return { page, next: page.length > 0 && end < total ? end : null };
}
