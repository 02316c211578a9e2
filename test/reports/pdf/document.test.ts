import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { pdfParagraph } from '../../../reports/pdf/blocks.ts';
import { drawPdf, ensureSpace, forcePage, INK, type Pdf, spaceLeft } from '../../../reports/pdf/document.ts';
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
        const write = (pdf: Pdf, count: number) => {
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

it.skipIf(missingReader)(
  'no page is under a third full where parts that stay whole leave room before them',
  async () => {
    for (let height = 90; height <= 240; height += 10) {
      const drawn = await drawPdf(info, (pdf) => {
        for (let left = 900; left > 0; left -= height) {
          ensureSpace(pdf, height);
          pdf.y += height - 20;
          pdf.text('The last line of a part');
        }
      });
      expect(Math.min(...endsOf(drawn)), `parts of ${height} points`).toBeGreaterThan(THIRD);
    }
  },
);

it.skipIf(missingReader)('a faint text that begins a page is as faint there', async () => {
  const drawn = await drawPdf(info, (pdf) => {
    pdf.y = 770;
    pdfParagraph(pdf, 'A faint text '.repeat(20), { faint: true });
  });
  const picture = execFileSync('pdftoppm', ['-gray', '-r', '100', '-f', '2', '-l', '2'], {
    input: drawn,
    maxBuffer: 2 ** 22,
  });
  // Of a gray picture the head ends with its greatest value.
  const pixels = picture.subarray(picture.indexOf('255\n') + 4);
  expect(Math.min(...new Set(pixels))).toBeGreaterThan(Number.parseInt(INK.faint.slice(1, 3), 16) - 8);
});

/** Room of each page at its first line, as the document was drawn at last. */
async function roomsOf(draw: (pdf: Pdf, seen: (pdf: Pdf) => void) => void): Promise<number[]> {
  let rooms: number[] = [];
  await drawPdf(info, (pdf) => {
    rooms = [];
    draw(pdf, (page) => rooms.push(Math.round(spaceLeft(page))));
  });
  return rooms;
}

const WHOLE = { portrait: Math.round(841.89 - 108), landscape: Math.round(595.28 - 108) };

it.each(['portrait', 'landscape'] as const)('a %s page before a forced break keeps its room', async (layout) => {
  const rooms = await roomsOf((pdf, seen) => {
    for (let page = 0; page < 4; page++) {
      forcePage(pdf, layout);
      seen(pdf);
      pdfParagraph(pdf, 'A short page');
    }
  });
  expect(rooms).toEqual(Array(4).fill(WHOLE[layout]));
});

it('a page is as it was drawn first where ending it earlier moves nothing over', async () => {
  let drawings = 0;
  const rooms = await roomsOf((pdf, seen) => {
    drawings++;
    seen(pdf);
    pdfParagraph(pdf, 'A short page, and what follows never fits below it');
    pdf.addPage();
    seen(pdf);
    pdfParagraph(pdf, 'Another short page');
  });
  expect(rooms).toEqual([WHOLE.portrait, WHOLE.portrait]);
  expect(drawings).toBe(4);
});

it('a page that ends earlier changes none of another run, however many pages come before', async () => {
  let drawings = 0;
  for (let paragraphs = 40; paragraphs <= 110; paragraphs += 10) {
    const rooms = await roomsOf((pdf, seen) => {
      drawings++;
      for (let n = 0; n < paragraphs; n++) pdfParagraph(pdf, `Paragraph ${n}: ${'word '.repeat((n * 7) % 40)}`);
      for (let page = 0; page < 2; page++) {
        forcePage(pdf);
        seen(pdf);
        pdfParagraph(pdf, 'A short page');
      }
    });
    expect(rooms, `${paragraphs} paragraphs`).toEqual([WHOLE.portrait, WHOLE.portrait]);
  }
  // Some of them were drawn again.
  expect(drawings).toBeGreaterThan(8);
});

it('a document of more than 40 pages is drawn once', async () => {
  let drawings = 0;
  await drawPdf(info, (pdf) => {
    drawings++;
    for (let page = 1; page < 41; page++) pdf.addPage();
  });
  expect(drawings).toBe(1);
});
