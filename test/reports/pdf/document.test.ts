import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { pdfParagraph } from '../../../reports/pdf/blocks.ts';
import { drawPdf } from '../../../reports/pdf/document.ts';
import { missingReader } from '../pdf-text.ts';

const info = { title: 'Fill', language: 'en', madeAt: 0, footer: '{page} of {pages}' } as const;
/** Points from the top at which a page is a third full; the last line of it may begin a little above. */
const THIRD = 50 + (842 - 108) / 3 - 12;

/** Where the text of each page ends, in points from the top, without its last line. */
function endsOf(pdf: Buffer): number[] {
  const boxes = execFileSync('pdftotext', ['-bbox', '-', '-'], { input: pdf, encoding: 'utf8' });
  const pages = boxes.split('<page ').slice(1);
  return pages.map((page) => {
    const height = Number(/height="([\d.]+)"/.exec(page)?.[1]);
    const bottoms = [...page.matchAll(/yMax="([\d.]+)"/g)].map(([, y]) => Number(y)).filter((y) => y < height - 45);
    return Math.max(0, ...bottoms);
  });
}

it.skipIf(missingReader)(
  'no page is under a third full, however long the text and wherever a landscape page stands',
  async () => {
    for (let paragraphs = 40; paragraphs <= 110; paragraphs += 10) {
      for (const turned of [false, true]) {
        const write = (pdf: Parameters<Parameters<typeof drawPdf>[1]>[0], count: number) => {
          for (let n = 0; n < count; n++) pdfParagraph(pdf, `Paragraph ${n}: ${'word '.repeat((n * 7) % 40)}`);
        };
        const drawn = await drawPdf(info, (pdf) => {
          write(pdf, paragraphs);
          if (!turned) return;
          pdf.addPage({ layout: 'landscape' });
          write(pdf, 15);
          pdf.addPage();
          write(pdf, paragraphs + 3);
        });
        const ends = endsOf(drawn);
        expect(ends.length).toBeGreaterThan(1);
        expect(Math.min(...ends), `${paragraphs} paragraphs: ${ends}`).toBeGreaterThan(THIRD);
      }
    }
  },
);
