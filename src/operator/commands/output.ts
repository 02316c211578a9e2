import type { Command } from 'commander';

/** Prints a command's result: one JSON value with `--json`, else what `asText` makes of it. */
export function print<Result>(command: Command, result: Result, asText: (result: Result) => string): void {
  // A reader that leaves early (`| head`) has what it wanted.
  process.stdout.once('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  const text = isJson(command) ? JSON.stringify(result) : asText(result);
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}

export function isJson(command: Command): boolean {
  return command.optsWithGlobals().json === true;
}

/** Rows as columns that stand under each other. */
export function textTable(rows: readonly object[]): string {
  const first = rows[0];
  if (!first) return '(none)';
  const names = Object.keys(first);
  const lines = [names, ...rows.map((row) => Object.values(row).map((value) => String(value ?? '-')))];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  return lines
    .map((line) =>
      line
        .map((cell, i) => cell.padEnd(widths[i]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
