import { csvText } from './csv.ts';

/** Lets the browser save `content` under `name`. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

export function saveCsv(name: string, rows: string[][]): void {
  saveFile(name, new Blob(['\uFEFF', csvText(rows)], { type: 'text/csv' }));
}
