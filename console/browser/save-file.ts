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

/** Saves rows as CSV that spreadsheets open as text: what they would take for a formula begins with an apostrophe. */
export function saveCsv(name: string, rows: string[][]): void {
  const text = papaparse.unparse(rows, { escapeFormulae: true });
  saveFile(name, new Blob(['\uFEFF', text], { type: 'text/csv' }));
}
