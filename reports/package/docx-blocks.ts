import {
  BorderStyle,
  FootnoteReferenceRun,
  HeadingLevel,
  type ISectionOptions,
  Paragraph,
  ShadingType,
  Table,
  TableCell,
  TableRow,
  TextRun,
  WidthType,
} from 'docx';

import { IN_FIGURE } from '../pdf/fonts.ts';

export type DocxBlock = ISectionOptions['children'][number];

/** Width of the text on A4 with margins of 2 cm, in twentieths of a point. */
const TEXT_WIDTH = 9_638;
const MONO = 'Courier New';
/** Half points of the text of tables, and the least of addresses: what is longer than a line is broken by the reader's program. */
const TEXT_SIZE = 17;
const MONO_SIZE_MIN = 15;
const CELL_MARGIN = 80;
/** Rows that stay together. */
const SHORT_TABLE = 8;

export function title(text: string): DocxBlock {
  return new Paragraph({ text: visible(text), heading: HeadingLevel.TITLE });
}

export function docxHeading(text: string, level: 1 | 2 = 1): DocxBlock {
  return new Paragraph({ text: visible(text), heading: HeadingLevel[`HEADING_${level}`], keepNext: true });
}

/** `keepNext`: on the page of what follows. */
export function docxParagraph(
  text: string,
  { faint = false, keepNext = false }: { faint?: boolean; keepNext?: boolean } = {},
): DocxBlock {
  const run = new TextRun({ text: sentence(text), ...(faint ? { color: '6B6B6B', size: 18 } : {}) });
  return new Paragraph({ children: [run], spacing: { before: 60, after: 120 }, keepNext });
}

/** Gathers the evidence of sentences as footnotes. */
export class Footnotes {
  readonly all: Record<string, { children: Paragraph[] }> = {};
  private count = 0;

  /** Sentences as one paragraph, each with the number of its evidence behind it. */
  paragraph(sentences: readonly { text: string; evidence: string | null }[]): DocxBlock {
    const children = sentences.flatMap(({ text, evidence }, index) => {
      const lines = sentence(text).split('\n');
      const runs = lines.map((line, i) => new TextRun({ text: line, ...(i > 0 ? { break: 1 } : {}) }));
      const isLast = evidence !== sentences[index + 1]?.evidence;
      return [
        ...runs,
        ...(evidence !== null && isLast ? [new FootnoteReferenceRun(this.numberOf(evidence))] : []),
        new TextRun(' '),
      ];
    });
    return new Paragraph({ children, spacing: { after: 120 } });
  }

  private numberOf(evidence: string): number {
    this.count += 1;
    const text = new TextRun({ text: visible(evidence), size: 16 });
    this.all[String(this.count)] = { children: [new Paragraph({ children: [text] })] };
    return this.count;
  }
}

export interface DocxColumn {
  title: string;
  /** Part of the text's width; all columns together make 1. */
  width: number;
  /** Addresses and hashes. */
  mono?: boolean;
  align?: 'left' | 'right';
}

/** A row of cells, or one of sums, which stand in bold type. */
type DocxRow = readonly string[] | { sum: readonly string[] };

/** A short table stays on one page, of a longer one no row stands alone. Its head is repeated; without titles it has none. */
export function docxTable(columns: readonly DocxColumn[], rows: readonly DocxRow[]): DocxBlock {
  const widths = columns.map(({ width }) => Math.round(width * TEXT_WIDTH));
  const row = (given: DocxRow, isHead: boolean, keepNext: boolean) => {
    const isSum = 'sum' in given;
    const texts = isSum ? given.sum : given;
    return new TableRow({
      tableHeader: isHead,
      cantSplit: true,
      children: columns.map((column, index) =>
        cell(texts[index] ?? '', widths[index]!, { ...column, isHead, isBold: isHead || isSum, keepNext }),
      ),
    });
  };
  const border = { style: BorderStyle.SINGLE, size: 4, color: 'C8C8C8' };
  const head = columns.some((column) => column.title !== '')
    ? [
        row(
          columns.map((column) => column.title),
          true,
          true,
        ),
      ]
    : [];
  return new Table({
    columnWidths: widths,
    width: { size: TEXT_WIDTH, type: WidthType.DXA },
    borders: {
      top: border,
      bottom: border,
      left: border,
      right: border,
      insideHorizontal: border,
      insideVertical: border,
    },
    rows: [...head, ...rows.map((texts, place) => row(texts, false, isKept(place, rows.length)))],
  });
}

/** True where a row stays on the page of the next one. */
function isKept(place: number, count: number): boolean {
  if (place === count - 1) return false;
  return count <= SHORT_TABLE || place === 0 || place === count - 2;
}

/** Names and values side by side. */
export function docxFacts(rows: readonly { name: string; value: string }[]): DocxBlock {
  const columns = [
    { title: '', width: 0.3 },
    { title: '', width: 0.7 },
  ];
  return docxTable(
    columns,
    rows.map(({ name, value }) => [name, value]),
  );
}

interface CellForm {
  mono?: boolean;
  align?: 'left' | 'right';
  isHead: boolean;
  isBold: boolean;
  keepNext: boolean;
}

function cell(
  text: string,
  width: number,
  { mono = false, align = 'left', isHead, isBold, keepNext }: CellForm,
): TableCell {
  const font = mono && !isHead ? { font: MONO } : {};
  const lines = visible(text).split('\n');
  const size = mono && !isHead ? monoSize(lines, width) : TEXT_SIZE;
  return new TableCell({
    width: { size: width, type: WidthType.DXA },
    margins: { top: 40, bottom: 40, left: CELL_MARGIN, right: CELL_MARGIN },
    ...(isHead ? { shading: { type: ShadingType.CLEAR, fill: 'F3F4F6' } } : {}),
    children: lines.map(
      (line) =>
        new Paragraph({
          keepNext,
          alignment: align,
          children: [new TextRun({ text: line, size, bold: isBold, ...font })],
        }),
    ),
  });
}

/** Half points in which the longest line fits into a cell, where that can be read. */
function monoSize(lines: readonly string[], width: number): number {
  const longest = Math.max(1, ...lines.map((line) => line.length));
  const points = (width - 2 * CELL_MARGIN) / 20;
  return Math.max(MONO_SIZE_MIN, Math.min(TEXT_SIZE, Math.floor((2 * points) / (0.61 * longest))));
}

/** A sentence whose amounts do not break before their unit. Dates may break: they are searched for and copied as they are. */
function sentence(text: string): string {
  return visible(text).replace(IN_FIGURE, '\u00a0');
}

/** XML cannot hold control characters, and invisible ones may reorder what is read. */
function visible(text: string): string {
  return text.replace(/[^\P{C}\n]/gu, ' ');
}
