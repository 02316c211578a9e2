/**
 * The cells of one CSV record (RFC 4180), trimmed; null where its quotes are broken: one inside a cell that does not begin
 * with one, or text after the closing one. Linear, and without an exception a record: a file may hold a million broken ones.
 */
export function parseRecord(text: string, delimiter = ','): string[] | null {
  const cells: string[] = [];
  let at = 0;
  for (;;) {
    at = skipBlanks(text, at, delimiter);
    let cell = '';
    if (text[at] === '"') {
      for (let isEscaped = false; text[at] === '"'; isEscaped = true) {
        const close = text.indexOf('"', at + 1);
        if (close === -1) return null;
        // Two quotes stand for one.
        cell += (isEscaped ? '"' : '') + text.slice(at + 1, close);
        at = close + 1;
      }
      at = skipBlanks(text, at, delimiter);
      if (at < text.length && text[at] !== delimiter) return null;
    } else {
      const next = text.indexOf(delimiter, at);
      const end = next === -1 ? text.length : next;
      cell = text.slice(at, end);
      if (cell.includes('"')) return null;
      at = end;
    }
    cells.push(cell.trim());
    if (at === text.length) return cells;
    at += 1;
  }
}

function skipBlanks(text: string, from: number, delimiter: string): number {
  let at = from;
  while (text[at] !== delimiter && /[ \t\n\r]/.test(text[at] ?? '')) at += 1;
  return at;
}
