/** Prints a table with its columns aligned. */
export function table(head: string[], rows: string[][]): void {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => (row[i] ?? '').length)));
  const line = (cells: string[]) =>
    cells
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd();
  console.log(line(head));
  console.log(widths.map((width) => '-'.repeat(width)).join('  '));
  for (const row of rows) console.log(line(row));
}

export function median(values: number[]): number {
  return percentile(values, 0.5);
}

export function percentile(values: number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

export function ms(value: number): string {
  return `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`;
}

/** How a target is printed. */
export function isMet(met: boolean): string {
  return met ? 'met' : 'not met';
}

/** Prints whether a claim of a bench is met; the process exits with 1 where it is not. */
export function claim(text: string, met: boolean, found: string): void {
  if (!met) process.exitCode = 1;
  console.log(`${text}: ${isMet(met)}${found && ` (${found})`}`);
}
