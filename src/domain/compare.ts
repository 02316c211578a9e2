/** Order of two texts, by UTF-16 code unit as in `sort()`, or of two whole numbers; 0 for equal ones. */
export function compare<T extends string | bigint>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
