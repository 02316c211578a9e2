/** Rows of one answer: no answer of JSON exceeds 8 MiB. */
export const LIST_BYTES = 7 * 2 ** 20;

/** The first rows whose JSON has at most so many bytes together. */
export function firstWithin<Row>(rows: readonly Row[], bytes: number): Row[] {
  let left = bytes;
  const end = rows.findIndex((row) => {
    left -= Buffer.byteLength(JSON.stringify(row)) + 1;
    return left < 0;
  });
  return end === -1 ? [...rows] : rows.slice(0, end);
}
