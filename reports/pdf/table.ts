import { CONTENT_WIDTH, ensureSpace, INK, MONO_DROP, PAGE, type Pdf, spaceLeft, use } from './document.ts';
import { type FontName, printable } from './fonts.ts';

export interface PdfColumn {
  title: string;
  /** Part of the table's width; all columns together make 1. */
  width: number;
  align?: 'left' | 'right';
  /** Addresses and hashes, broken anywhere and never shortened. */
  mono?: boolean;
}

const PADDING = 3;
const NOTE_INDENT = 14;
const SIZE = 7.5;

/** A row of cells, or a text over the whole width that belongs to the row before it. */
export type TableRow = readonly string[] | { note: string };

/** A table that goes on over pages and repeats its head; a row is never split unless it is higher than a page. */
export function pdfTable(pdf: Pdf, columns: readonly PdfColumn[], rows: readonly TableRow[]): void {
  const cells = columns.map((column, index) => ({
    ...column,
    x: PAGE.margin + CONTENT_WIDTH * columns.slice(0, index).reduce((sum, { width }) => sum + width, 0),
    points: CONTENT_WIDTH * column.width - 2 * PADDING,
  }));
  const fontOf = (cell: (typeof cells)[number], head: boolean): FontName =>
    head ? 'bold' : cell.mono ? 'mono' : 'regular';

  const noteText = { width: CONTENT_WIDTH - 2 * NOTE_INDENT, lineGap: 1 };
  const noteHeight = (note: string) =>
    use(pdf, 'regular', SIZE).heightOfString(printable(note), noteText) + 2 * PADDING;

  const writeRow = (texts: readonly string[], head: boolean, below = 0) => {
    const heights = cells.map((cell, index) =>
      use(pdf, fontOf(cell, head), SIZE).heightOfString(printable(texts[index] ?? ''), { width: cell.points }),
    );
    const height = Math.max(...heights) + 2 * PADDING;
    if (spaceLeft(pdf) < height + below) {
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
    closeRow(top + height);
  };

  const writeNote = (note: string) => {
    const height = noteHeight(note);
    if (spaceLeft(pdf) < height) {
      pdf.addPage();
      writeRow(titles, true);
    }
    const top = pdf.y;
    pdf.rect(PAGE.margin, top, CONTENT_WIDTH, height).fill(INK.shade);
    use(pdf, 'regular', SIZE).text(printable(note), PAGE.margin + NOTE_INDENT, top + PADDING, noteText);
    closeRow(top + height);
  };

  const closeRow = (bottom: number) => {
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
  for (const [index, row] of rows.entries()) {
    const next = rows[index + 1];
    if ('note' in row) writeNote(row.note);
    else writeRow(row, false, next && 'note' in next ? noteHeight(next.note) : 0);
  }
  pdf.x = PAGE.margin;
  pdf.moveDown(0.8);
}
