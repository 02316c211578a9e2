import {
  asArtifact,
  CONTENT_WIDTH,
  ensureSpace,
  INK,
  PAGE,
  type Pdf,
  spaceLeft,
  tag,
  tagGroup,
  use,
} from './document.ts';
import { type FontName, printable } from './fonts.ts';
import { phrased } from './phrased.ts';

export interface PdfColumn {
  title: string;
  /** Part of the table's width; all columns together make 1. */
  width: number;
  align?: 'left' | 'right';
  /** Addresses and hashes, on one line where that fits, else on lines of equal length; never shortened. */
  mono?: boolean;
}

const PADDING = 3;
/** Between figures at the right edge of a column and what begins at the left edge of the next one. */
const GUTTER = 9;
const NOTE_INDENT = 14;
const SIZE = 7.5;
/** Width of a character of the font of addresses, as part of its size. */
const MONO_WIDTH = 0.601;
/** Points by which its letters stand lower than from the top of their line, so that they are on the line of those beside them. */
const MONO_DROP = 3.8;
/** Points below its last line that are free. */
const MONO_FREE = 3.4;
/** Part of a line that letters of unequal width may be planned to fill. */
const EVEN = 0.95;

/** Text that the built-in font of addresses can show; it has no Japanese and no arrows. */
const IN_COURIER = /^[\x20-\x7e\n]*$/;

/** A text of a cell; a link makes it clickable. */
interface Linked {
  text: string;
  link: string | null;
}
/** A cell, or texts one below the other, each with its own link. */
type Cell = string | Linked | readonly Linked[];
/** A row of cells, or a text over the whole width that belongs to the row before it. */
export type TableRow = readonly Cell[] | { note: string } | { sum: readonly string[] };

interface Fitted {
  /** In lines that fit. */
  parts: Linked[];
  /** The same unbroken, for search and copying. */
  whole: string;
  font: FontName;
  align: 'left' | 'right';
  x: number;
  width: number;
  height: number;
}

/** A table that goes on over pages and repeats its head; a row is never split, and none stands alone on a page. */
export function pdfTable(pdf: Pdf, columns: readonly PdfColumn[], rows: readonly TableRow[]): void {
  if (rows.length === 0) return;
  const cells = columns.map((column, index) => ({
    ...column,
    x: PAGE.margin + CONTENT_WIDTH * columns.slice(0, index).reduce((sum, { width }) => sum + width, 0) + PADDING,
    points:
      CONTENT_WIDTH * column.width -
      2 * PADDING -
      (column.align === 'right' && columns[index + 1] && columns[index + 1]?.align !== 'right' ? GUTTER : 0),
  }));

  const fitRow = (texts: readonly Cell[], bold: boolean): Fitted[] =>
    cells.map((cell, index): Fitted => {
      const given = texts[index] ?? '';
      const printed = linkedOf(given).map(({ text, link }) => ({ text: printable(text), link }));
      const whole = printed.map(({ text }) => text).join('\n');
      const isWhole = Boolean(cell.mono && !bold);
      const isMono = isWhole && IN_COURIER.test(whole);
      const font: FontName = bold ? 'bold' : isMono ? 'mono' : 'regular';
      use(pdf, font, SIZE);
      const broken = (text: string) =>
        isMono
          ? fitMono(text, cell.points)
          : isWhole
            ? fitWords(pdf, text, cell.points)
            : phrased(pdf, text, cell.points);
      const parts = printed.map(({ text, link }) => ({ text: broken(text), link }));
      const height =
        use(pdf, font, SIZE).heightOfString(textOf(parts), { width: cell.points }) +
        (isMono && !bold ? MONO_DROP - MONO_FREE : 0);
      return {
        parts,
        whole,
        font,
        align: cell.align ?? 'left',
        x: cell.x,
        width: cell.points,
        height,
      };
    });
  const heightOf = (fitted: readonly Fitted[]) => Math.max(...fitted.map(({ height }) => height)) + 2 * PADDING;
  const noteText = { width: CONTENT_WIDTH - 2 * NOTE_INDENT, lineGap: 1 };
  const fitNote = (note: string) => {
    const text = phrased(use(pdf, 'regular', SIZE), printable(note), noteText.width);
    return { note: text, height: pdf.heightOfString(text, noteText) + 2 * PADDING };
  };

  const prepared = rows.map((row) => {
    if ('note' in row) return fitNote(row.note);
    const fitted = 'sum' in row ? fitRow(row.sum, true) : fitRow(row, false);
    return { fitted, height: heightOf(fitted) };
  });
  const head = fitRow(titlesOf(columns), true);
  const headHeight = heightOf(head);

  const shade = (height: number) =>
    asArtifact(pdf, () => void pdf.rect(PAGE.margin, pdf.y, CONTENT_WIDTH, height).fill(INK.shade));
  const closeRow = (bottom: number) => {
    asArtifact(pdf, () => {
      pdf
        .moveTo(PAGE.margin, bottom)
        .lineTo(PAGE.margin + CONTENT_WIDTH, bottom)
        .lineWidth(0.4)
        .stroke(INK.line);
    });
    pdf.y = bottom;
  };
  const writeCells = (fitted: readonly Fitted[], type: 'TH' | 'TD', height: number) => {
    const top = pdf.y;
    tagGroup(pdf, 'TR', () => {
      for (const { parts, whole, font, align, x, width } of fitted) {
        const write = () => {
          pdf.y = top + PADDING + (font === 'mono' ? MONO_DROP : 0);
          for (const { text, link } of parts) {
            const options = { width, align, ...(link ? { link } : {}) };
            use(pdf, font, SIZE, link ? INK.link : INK.text).text(text, x, pdf.y, options);
          }
        };
        const isLinked = parts.some(({ link }) => link !== null);
        tag(pdf, type, write, { link: isLinked, ...(textOf(parts) !== whole && { actual: whole }) });
      }
    });
    closeRow(top + height);
  };
  const writeHead = () => {
    shade(headHeight);
    writeCells(head, 'TH', headHeight);
  };

  // Two rows at least stay with the head, and two stay together at the end.
  const needed = (index: number) =>
    (prepared[index]?.height ?? 0) +
    (index >= prepared.length - 2 || isNote(prepared[index + 1]) ? (prepared[index + 1]?.height ?? 0) : 0);
  // Of three rows the last two would leave the first alone.
  const first = prepared.slice(0, prepared.length === 3 ? 3 : 2);
  ensureSpace(pdf, Math.min(300, headHeight + first.reduce((sum, { height }) => sum + height, 0)));
  tagGroup(pdf, 'Table', () => {
    writeHead();
    for (const [index, row] of prepared.entries()) {
      if (index > 0 && spaceLeft(pdf) < Math.min(needed(index), 600)) {
        pdf.addPage();
        writeHead();
      }
      if ('fitted' in row) writeCells(row.fitted, 'TD', row.height);
      else {
        const top = pdf.y;
        shade(row.height);
        const write = () =>
          use(pdf, 'regular', SIZE).text(row.note, PAGE.margin + NOTE_INDENT, top + PADDING, noteText);
        tagGroup(pdf, 'TR', () => tag(pdf, 'TD', write));
        closeRow(top + row.height);
      }
    }
  });
  pdf.x = PAGE.margin;
  pdf.y += 6;
}

function linkedOf(cell: Cell): readonly Linked[] {
  if (typeof cell === 'string') return [{ text: cell, link: null }];
  return 'text' in cell ? [cell] : cell;
}

function textOf(parts: readonly Linked[]): string {
  return parts.map(({ text }) => text).join('\n');
}

function titlesOf(columns: readonly PdfColumn[]): string[] {
  return columns.map(({ title }) => title);
}

function isNote(row: object | undefined): boolean {
  return row !== undefined && 'note' in row;
}

/** Puts the words beside an address on a line of their own where both have no room on one. */
function fitWords(pdf: Pdf, text: string, points: number): string {
  use(pdf, 'regular', SIZE);
  const parts = (line: string) => Math.ceil(pdf.widthOfString(line) / (points * EVEN));
  return text
    .split('\n')
    .flatMap((line) => (parts(line) <= 1 ? [line] : line.split(/ (?=\()/)))
    .flatMap((line) => inParts(line, parts(line)))
    .join('\n');
}

/** Breaks what is longer than a line into lines of equal length: the type stays large enough to read. */
function fitMono(text: string, points: number): string {
  const perLine = Math.max(8, Math.floor(points / (MONO_WIDTH * SIZE)));
  return text
    .split('\n')
    .flatMap((line) => inParts(line, Math.ceil(line.length / perLine)))
    .join('\n');
}

function inParts(line: string, parts: number): string[] {
  if (parts <= 1) return [line];
  const length = Math.ceil(line.length / parts);
  return Array.from({ length: parts }, (_, i) => line.slice(i * length, (i + 1) * length));
}
