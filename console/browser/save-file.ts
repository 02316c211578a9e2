import papaparse from 'papaparse';

/** Lets the browser save `content` under `name`. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Rows as CSV that spreadsheets open as text: what they would take for a formula begins with an apostrophe. */
export function csvText(rows: object[]): string {
  return papaparse.unparse(rows, { escapeFormulae: true });
}

export function saveCsv(name: string, rows: string[][]): void {
  saveFile(name, new Blob(['\uFEFF', csvText(rows)], { type: 'text/csv' }));
}
