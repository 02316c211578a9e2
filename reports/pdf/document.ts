import PDFDocument from 'pdfkit';
import { type FontName, loadFonts, printable } from './fonts.ts';

export type Pdf = InstanceType<typeof PDFDocument>;

export interface PdfInfo {
  title: string;
  /** Date in the file's own record, epoch ms; the bytes depend on it and on nothing of the moment. */
  madeAt: number;
  /** Bottom line of each page; `{page}` and `{pages}` are filled in. */
  footer: string;
}

export const PAGE = { margin: 50, width: 595.28, height: 841.89 } as const;
export const CONTENT_WIDTH = PAGE.width - 2 * PAGE.margin;
/** Points by which the font of addresses is moved down: it stands higher in its line than that of text. */
export const MONO_DROP = 2;
export const INK = { text: '#1a1a1a', faint: '#6b6b6b', line: '#c8c8c8', shade: '#f3f4f6' } as const;

/** An empty A4 document with the report's fonts and fixed dates. */
export function openPdf({ title, madeAt }: PdfInfo): Pdf {
  const fonts = loadFonts();
  const date = new Date(madeAt);
  const pdf = new PDFDocument({
    size: 'A4',
    margins: { top: PAGE.margin, bottom: PAGE.margin + 20, left: PAGE.margin, right: PAGE.margin },
    bufferPages: true,
    lang: 'en',
    displayTitle: true,
    info: { Title: printable(title), Producer: 'traceflow', Creator: 'traceflow', CreationDate: date, ModDate: date },
  });
  pdf.registerFont('regular', fonts.regular);
  pdf.registerFont('bold', fonts.bold);
  pdf.registerFont('mono', 'Courier');
  return use(pdf, 'regular', 9.5);
}

/** Writes the page numbers and gives the whole file. */
export async function closePdf(pdf: Pdf, { footer }: PdfInfo): Promise<Buffer> {
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => pdf.once('end', resolve).once('error', reject));
  const { start, count } = pdf.bufferedPageRange();
  for (let page = start; page < start + count; page++) {
    pdf.switchToPage(page);
    // The footer lies in the margin, where pdfkit would otherwise begin a new page.
    pdf.page.margins.bottom = 0;
    const text = footer.replace('{page}', String(page + 1)).replace('{pages}', String(count));
    use(pdf, 'regular', 7.5, INK.faint).text(printable(text), PAGE.margin, PAGE.height - 40, {
      width: CONTENT_WIDTH,
      align: 'center',
      lineBreak: false,
    });
  }
  pdf.end();
  await ended;
  return Buffer.concat(chunks);
}

export function use(pdf: Pdf, font: FontName, size: number, color: string = INK.text): Pdf {
  return pdf.font(font).fontSize(size).fillColor(color);
}

/** Height left on the page, in points. */
export function spaceLeft(pdf: Pdf): number {
  return pdf.page.height - pdf.page.margins.bottom - pdf.y;
}

/** Begins a new page unless so many points are left on this one. */
export function ensureSpace(pdf: Pdf, height: number): void {
  if (spaceLeft(pdf) < height) pdf.addPage();
}
