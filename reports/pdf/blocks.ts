import { CONTENT_WIDTH, ensureSpace, INK, MONO_DROP, PAGE, type Pdf, use } from './document.ts';
import { printable } from './fonts.ts';

/** A title that begins a part of the report; it stands in the outline and is never the last line of a page. */
export function pdfHeading(pdf: Pdf, level: 1 | 2 | 3, text: string, parent = pdf.outline): PDFKit.PDFOutline {
  const size = { 1: 18, 2: 13, 3: 10.5 }[level];
  // A part may begin with a smaller title, which needs its own lines.
  ensureSpace(pdf, size * 2 + (level === 2 ? 150 : 90));
  if (level > 1) pdf.moveDown(level === 2 ? 1 : 0.6);
  const title = printable(text);
  const entry = parent.addItem(title);
  use(pdf, 'bold', size).text(title, PAGE.margin, pdf.y, { width: CONTENT_WIDTH });
  if (level === 2) {
    const y = pdf.y + 2;
    pdf
      .moveTo(PAGE.margin, y)
      .lineTo(PAGE.margin + CONTENT_WIDTH, y)
      .lineWidth(0.7)
      .stroke(INK.line);
    pdf.y = y;
  }
  pdf.moveDown(0.4);
  return entry;
}

export function pdfParagraph(pdf: Pdf, text: string, { faint = false }: { faint?: boolean } = {}): void {
  use(pdf, 'regular', faint ? 8.5 : 9.5, faint ? INK.faint : INK.text).text(printable(text), PAGE.margin, pdf.y, {
    width: CONTENT_WIDTH,
    lineGap: 1.5,
  });
  pdf.moveDown(0.4);
}

export function bullets(pdf: Pdf, items: readonly string[]): void {
  for (const item of items) {
    ensureSpace(pdf, 26);
    const { y } = pdf;
    use(pdf, 'regular', 9.5).text('•', PAGE.margin + 4, y, { lineBreak: false });
    pdf.text(printable(item), PAGE.margin + 16, y, { width: CONTENT_WIDTH - 16, lineGap: 1.5 });
    pdf.moveDown(0.15);
  }
  pdf.moveDown(0.3);
}

/** Names and values side by side; a value in `mono` is an address or a hash and is shown in full. */
export function pdfFacts(pdf: Pdf, rows: readonly { name: string; value: string; mono?: boolean }[]): void {
  const nameWidth = 150;
  for (const { name, value, mono } of rows) {
    const text = printable(value);
    const options = { width: CONTENT_WIDTH - nameWidth };
    const height = Math.max(
      use(pdf, mono ? 'mono' : 'regular', 9).heightOfString(text, options),
      use(pdf, 'regular', 9).heightOfString(printable(name), { width: nameWidth - 10 }),
    );
    ensureSpace(pdf, height + 4);
    const { y } = pdf;
    use(pdf, 'regular', 9, INK.faint).text(printable(name), PAGE.margin, y, { width: nameWidth - 10 });
    const top = y + (mono ? MONO_DROP : 0);
    use(pdf, mono ? 'mono' : 'regular', 9).text(text, PAGE.margin + nameWidth, top, options);
    pdf.y = y + height + 3;
  }
  pdf.x = PAGE.margin;
  pdf.moveDown(0.4);
}
