import { execFileSync, spawnSync } from 'node:child_process';

/** Null, or why PDF files cannot be read here: pdftotext (package poppler-utils) is not installed. */
export const missingReader: string | null =
  process.env.CI || !spawnSync('pdftotext', ['-v']).error ? null : 'pdftotext (poppler-utils) is not installed';

/** All text of a PDF with its line breaks and blanks taken out, as pdftotext reads it. */
export function textOf(pdf: Buffer): string {
  return rawTextOf(pdf).replace(/\s+/g, '');
}

export function rawTextOf(pdf: Buffer): string {
  return execFileSync('pdftotext', ['-raw', '-', '-'], { input: pdf, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
}

/** Heights of the words of a PDF in points. */
export function heightsOf(pdf: Buffer): number[] {
  const boxes = execFileSync('pdftotext', ['-bbox', '-', '-'], { input: pdf, encoding: 'utf8' });
  return [...boxes.matchAll(/yMin="([\d.]+)" xMax="[\d.]+" yMax="([\d.]+)"/g)].map(
    ([, top, end]) => Number(end) - Number(top),
  );
}
