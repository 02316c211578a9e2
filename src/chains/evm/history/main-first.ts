/** The main transfer is what the sender paid, in coin or else in tokens; the rest keeps its order. */
export function mainFirst<T extends { from: string; kind: string; amountRaw: string | null; seq: number | null }>(
  transfers: T[],
  sender: string,
): T[] {
  const ordered = [...transfers].sort((a, b) => (a.seq ?? 0) - (b.seq ?? 0));
  const worth = ordered.filter((transfer) => transfer.amountRaw !== '0');
  const main =
    worth.find((transfer) => transfer.kind === 'native') ??
    worth.find((transfer) => transfer.from === sender) ??
    worth[0] ??
    ordered[0];
  return main ? [main, ...ordered.filter((transfer) => transfer !== main)] : [];
}
