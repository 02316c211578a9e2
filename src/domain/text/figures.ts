/** A number with its noun: `1 hop`, `2 hops`. */
export function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Dollars with thousands separated and at most two decimals: `12,345.68`. */
export function usdText(usd: number): string {
  return usd.toLocaleString('en-US', { maximumFractionDigits: 2 });
}
