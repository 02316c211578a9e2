import { slicesOf } from '../../src/domain/slices.ts';
import { FORMS } from '../../words/figures.ts';
import type { Language } from '../../words/language.ts';
import { asArtifact, CONTENT_WIDTH, ensureSpace, INK, PAGE, type Pdf, tag, use } from './document.ts';
import { printable } from './fonts.ts';
import { phrased } from './phrased.ts';

const SIZES = { 1: 17, 2: 12.5, 3: 9.5 } as const;
/** Points that a title keeps together with what follows it. */
const KEPT = { 1: 120, 2: 90, 3: 85 } as const;

/** A title that begins a part of the report; it stands in the outline and is never the last line of a page. */
export function pdfHeading(pdf: Pdf, level: 1 | 2 | 3, text: string, parent = pdf.outline): PDFKit.PDFOutline {
  const size = SIZES[level];
  const title = printable(text);
  ensureSpace(pdf, size * 2 + KEPT[level]);
  if (level > 1 && pdf.y > PAGE.margin + 1) pdf.y += level === 2 ? 12 : 5;
  const entry = parent.addItem(title);
  use(pdf, 'bold', size);
  tag(pdf, `H${level}`, () =>
    pdf.text(phrased(pdf, title, CONTENT_WIDTH), PAGE.margin, pdf.y, { width: CONTENT_WIDTH }),
  );
  if (level === 2) {
    const y = pdf.y + 1;
    asArtifact(pdf, () => {
      pdf
        .moveTo(PAGE.margin, y)
        .lineTo(pdf.page.width - PAGE.margin, y)
        .lineWidth(0.7)
        .stroke(INK.line);
    });
    pdf.y = y;
  }
  pdf.y += level === 3 ? 2 : 4;
  return entry;
}

/** Points of a text that stays on one page: five lines. */
const KEPT_WHOLE = 75;

/** A text over the whole width. `lead` stands before it in bold type; `keep`: points of what must follow on the same page. */
export function pdfParagraph(
  pdf: Pdf,
  text: string,
  {
    faint = false,
    bold = false,
    lead = '',
    keep = 0,
  }: { faint?: boolean; bold?: boolean; lead?: string; keep?: number } = {},
): void {
  const size = faint ? 8 : 9;
  const ink = faint ? INK.faint : INK.text;
  const options = { width: CONTENT_WIDTH, lineGap: 1 };
  const before = lead === '' ? '' : `${printable(lead)}  `;
  const indent = lead === '' ? 0 : use(pdf, 'bold', size).widthOfString(before);
  use(pdf, bold ? 'bold' : 'regular', size, ink);
  const printed = phrased(pdf, printable(text), CONTENT_WIDTH, indent);
  const height = pdf.heightOfString(before + printed, options);
  // Of a short text no line stands alone; of a longer one two lines at least stay together.
  ensureSpace(pdf, height <= KEPT_WHOLE ? height + keep : 28);
  tag(pdf, 'P', () => {
    // A new page begins in black.
    use(pdf, bold ? 'bold' : 'regular', size, ink);
    if (lead === '') return void pdf.text(printed, PAGE.margin, pdf.y, options);
    use(pdf, 'bold', size, ink).text(before, PAGE.margin, pdf.y, { ...options, continued: true });
    use(pdf, 'regular', size, ink).text(printed, { ...options, continued: false });
  });
  pdf.y += 3;
}

const HASH_SIZE = 7.5;
/** Characters of that size on half a line. */
const HALF_LINE = 53;

/** Hashes side by side without a table, as many on a line as fit; each stays whole and leads where `linkOf` says. */
export function pdfHashes(pdf: Pdf, hashes: readonly string[], linkOf: (hash: string) => string | null): void {
  const perLine = hashes.some((text) => text.length > HALF_LINE) ? 1 : 2;
  const width = CONTENT_WIDTH / perLine;
  for (const line of slicesOf(hashes, perLine)) {
    ensureSpace(pdf, 12);
    const { y } = pdf;
    for (const [place, text] of line.entries()) {
      const size = Math.min(HASH_SIZE, (width - 8) / (0.601 * text.length));
      const link = linkOf(text);
      const options = { width: width - 4, ...(link ? { link } : {}) };
      const write = () =>
        use(pdf, 'mono', size, link ? INK.link : INK.text).text(
          printable(text),
          PAGE.margin + place * width,
          y,
          options,
        );
      tag(pdf, 'P', write, { link: link !== null });
    }
    pdf.y = y + 9;
  }
  pdf.x = PAGE.margin;
  pdf.y += 2;
}

/** An address or hash on a line of its own, as large as fits. */
export function pdfAddress(pdf: Pdf, text: string, link: string | null): void {
  const size = Math.min(8, CONTENT_WIDTH / (0.6 * text.length));
  ensureSpace(pdf, 14);
  const options = { width: CONTENT_WIDTH, ...(link ? { link } : {}) };
  const write = () =>
    use(pdf, 'mono', size, link ? INK.link : INK.text).text(printable(text), PAGE.margin, pdf.y, options);
  tag(pdf, 'P', write, { link: link !== null });
  pdf.y += 3;
}

export function bullets(pdf: Pdf, items: readonly string[]): void {
  for (const item of items) {
    ensureSpace(pdf, 26);
    const { y } = pdf;
    asArtifact(pdf, () => use(pdf, 'regular', 8.5).text('•', PAGE.margin + 4, y, { lineBreak: false }));
    const width = CONTENT_WIDTH - 16;
    const text = phrased(use(pdf, 'regular', 8.5), printable(item), width);
    tag(pdf, 'P', () => pdf.text(text, PAGE.margin + 16, y, { width, lineGap: 1 }));
    pdf.y += 2;
  }
  pdf.x = PAGE.margin;
  pdf.y += 3;
}

/** Between two facts of a line. */
const BETWEEN_FACTS = '   ·   ';

/** Names and values, one after the other on as few lines as they need; a line neither begins nor ends with the mark between them. */
export function pdfFacts(
  { pdf, language }: { pdf: Pdf; language: Language },
  rows: readonly { name: string; value: string }[],
): void {
  use(pdf, 'regular', 8.5);
  const lines: string[] = [];
  for (const { name, value } of rows) {
    const fact = printable(FORMS[language].labelled(name, value));
    const longer = `${lines.at(-1)}${BETWEEN_FACTS}${fact}`;
    if (lines.length > 0 && pdf.widthOfString(longer) <= CONTENT_WIDTH) lines[lines.length - 1] = longer;
    else lines.push(fact);
  }
  ensureSpace(pdf, Math.min(60, pdf.heightOfString(lines.join('\n'), { width: CONTENT_WIDTH })));
  tag(pdf, 'P', () => {
    // One by one: the mark of a line's end would be measured as a letter, and break a line that is full.
    for (const line of lines)
      pdf.text(phrased(pdf, line, CONTENT_WIDTH), PAGE.margin, pdf.y, { width: CONTENT_WIDTH, lineGap: 1.5 });
  });
  pdf.y += 4;
}
