import {
  BorderStyle,
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

export type DocxBlock = ISectionOptions['children'][number];

/** Width of the text on A4 with margins of 2 cm, in twentieths of a point. */
const TEXT_WIDTH = 9_638;
const MONO = 'Courier New';

export function title(text: string): DocxBlock {
  return new Paragraph({ text: visible(text), heading: HeadingLevel.TITLE });
}

export function docxHeading(text: string): DocxBlock {
  return new Paragraph({ text: visible(text), heading: HeadingLevel.HEADING_1, keepNext: true });
}

export function docxParagraph(text: string, { faint = false }: { faint?: boolean } = {}): DocxBlock {
  const run = new TextRun({ text: visible(text), ...(faint ? { color: '6B6B6B', size: 18 } : {}) });
  return new Paragraph({ children: [run], spacing: { after: 120 } });
}

export function bullet(text: string): DocxBlock {
  return new Paragraph({ text: visible(text), bullet: { level: 0 } });
}

export interface DocxColumn {
  title: string;
  /** Part of the text's width; all columns together make 1. */
  width: number;
  /** Addresses and hashes. */
  mono?: boolean;
}

/** A table whose head is repeated on each page; without titles it has no head. */
export function docxTable(columns: readonly DocxColumn[], rows: readonly (readonly string[])[]): DocxBlock {
  const widths = columns.map(({ width }) => Math.round(width * TEXT_WIDTH));
  const row = (texts: readonly string[], isHead: boolean) =>
    new TableRow({
      tableHeader: isHead,
      cantSplit: true,
      children: columns.map((column, index) => cell(texts[index] ?? '', widths[index]!, { ...column, isHead })),
    });
  const border = { style: BorderStyle.SINGLE, size: 4, color: 'C8C8C8' };
  const head = columns.some((column) => column.title !== '')
    ? [
        row(
          columns.map((column) => column.title),
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
    rows: [...head, ...rows.map((texts) => row(texts, false))],
  });
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

function cell(text: string, width: number, { mono = false, isHead }: { mono?: boolean; isHead: boolean }): TableCell {
  const font = mono && !isHead ? { font: MONO } : {};
  const lines = visible(text).split('\n');
  return new TableCell({
    width: { size: width, type: WidthType.DXA },
    margins: { top: 40, bottom: 40, left: 80, right: 80 },
    ...(isHead ? { shading: { type: ShadingType.CLEAR, fill: 'F3F4F6' } } : {}),
    children: lines.map(
      (line) => new Paragraph({ children: [new TextRun({ text: line, size: 17, bold: isHead, ...font })] }),
    ),
  });
}

/** XML cannot hold control characters, and invisible ones may reorder what is read. */
function visible(text: string): string {
  return text.replace(/[^\P{C}\n]/gu, ' ');
}
