import { CONTENT_WIDTH, ensureSpace, INK, MONO_DROP, PAGE, type Pdf, spaceLeft, use } from './document.ts';
import type { FontName } from './fonts.ts';
import { printable } from './fonts.ts';

export interface Column {
  title: string;
  /** Part of the table's width; all columns together make 1. */
  width: number;
  align?: 'left' | 'right';
  /** Addresses and hashes, broken anywhere and never shortened. */
  mono?: boolean;
}

const PADDING = 3;
const SIZE = 7.5;

/** A table that goes on over pages and repeats its head; a row is never split unless it is higher than a page. */
export function table(pdf: Pdf, columns: readonly Column[], rows: readonly (readonly string[])[]): void {
  const cells = columns.map((column, index) => ({
    ...column,
    x: PAGE.margin + CONTENT_WIDTH * columns.slice(0, index).reduce((sum, { width }) => sum + width, 0),
    points: CONTENT_WIDTH * column.width - 2 * PADDING,
  }));
  const fontOf = (cell: (typeof cells)[number], head: boolean): FontName =>
    head ? 'bold' : cell.mono ? 'mono' : 'regular';

  const writeRow = (texts: readonly string[], head: boolean) => {
    const heights = cells.map((cell, index) =>
      use(pdf, fontOf(cell, head), SIZE).heightOfString(printable(texts[index] ?? ''), { width: cell.points }),
    );
    const height = Math.max(...heights) + 2 * PADDING;
    if (spaceLeft(pdf) < height) {
      pdf.addPage();
      if (!head) writeRow(titles, true);
    }
    const top = pdf.y;
    if (head) pdf.rect(PAGE.margin, top, CONTENT_WIDTH, height).fill(INK.shade);
    for (const [index, cell] of cells.entries()) {
      use(pdf, fontOf(cell, head), SIZE).text(
        printable(texts[index] ?? ''),
        cell.x + PADDING,
        top + PADDING + (cell.mono && !head ? MONO_DROP : 0),
        {
          width: cell.points,
          align: cell.align ?? 'left',
        },
      );
    }
    const bottom = top + height;
    pdf
      .moveTo(PAGE.margin, bottom)
      .lineTo(PAGE.margin + CONTENT_WIDTH, bottom)
      .lineWidth(0.4)
      .stroke(INK.line);
    pdf.y = bottom;
  };

  const titles = cells.map(({ title }) => title);
  ensureSpace(pdf, 60);
  writeRow(titles, true);
  for (const row of rows) writeRow(row, false);
  pdf.x = PAGE.margin;
  pdf.moveDown(0.8);
}
