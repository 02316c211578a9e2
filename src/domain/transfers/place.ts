/** Kind of a place in a transaction: `log` of `log:12`, `native`; empty for the plain number of a file, null without one. */
export function placeKind(index: string | null): string | null {
  if (index === null) return null;
  const colon = index.indexOf(':');
  if (colon !== -1) return index.slice(0, colon);
  return /^\d+$/.test(index) ? '' : index;
}
