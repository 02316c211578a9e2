import PDFDocument from 'pdfkit';
import type { Language } from '../../words/language.ts';
import { type FontName, loadFonts, printable } from './fonts.ts';

export type Pdf = InstanceType<typeof PDFDocument>;

export interface PdfInfo {
  title: string;
  language: Language;
  /** Date in the file's own record, epoch ms; the bytes depend on it and on nothing of the moment. */
  madeAt: number;
  /** Bottom line of each page; `{page}` and `{pages}` are filled in. */
  footer: string;
}

export const PAGE = { margin: 50, width: 595.28, height: 841.89 } as const;
export const CONTENT_WIDTH = PAGE.width - 2 * PAGE.margin;
export const INK = { text: '#1a1a1a', faint: '#6b6b6b', line: '#c8c8c8', shade: '#f3f4f6', link: '#1d4ed8' } as const;

/** Pages in one format, one after the other. */
interface Run {
  pages: number;
  /** Place of its last page in the document, from 0, and where the text on it ends. */
  last: number;
  endsAt: number;
}
const runs = new WeakMap<Pdf, Run[]>();

const MARGINS = { top: PAGE.margin, bottom: PAGE.margin + 8, left: PAGE.margin, right: PAGE.margin };
/** Points of a page of which the last one of a run must fill a third. */
const FILLED_MIN = (PAGE.height - MARGINS.top - MARGINS.bottom) / 3;
const DRAWINGS_MAX = 4;

/**
 * Draws a document of which no run of pages ends with one under a third full: the page before such a one ends earlier when
 * it is drawn again. A document of one page stays as it is.
 */
export async function drawPdf(info: PdfInfo, draw: (pdf: Pdf) => void): Promise<Buffer> {
  const raised = new Map<number, number>();
  for (let drawing = 1; ; drawing++) {
    const pdf = openPdf(info, raised);
    draw(pdf);
    const drawn = runs.get(pdf) ?? [];
    drawn.at(-1)!.endsAt = pdf.y;
    const short = drawn.filter(({ pages, endsAt }) => pages > 1 && endsAt - MARGINS.top < FILLED_MIN);
    if (short.length === 0 || drawing === DRAWINGS_MAX) return closePdf(pdf, info);
    for (const { last, endsAt } of short) {
      const missing = Math.ceil(FILLED_MIN - (endsAt - MARGINS.top));
      raised.set(last - 1, (raised.get(last - 1) ?? 0) + missing + 2);
    }
  }
}

/**
 * Opens an empty A4 document with the report's fonts and fixed dates. `raised`: points by which pages end earlier, by
 * their place.
 *
 * @internal
 */
export function openPdf({ title, language, madeAt }: PdfInfo, raised: ReadonlyMap<number, number> = new Map()): Pdf {
  const fonts = loadFonts();
  const date = new Date(madeAt);
  const pdf = new PDFDocument({
    size: 'A4',
    margins: { ...MARGINS, bottom: MARGINS.bottom + (raised.get(0) ?? 0) },
    bufferPages: true,
    pdfVersion: '1.7',
    tagged: true,
    lang: language,
    displayTitle: true,
    info: { Title: printable(title), Producer: 'traceflow', Creator: 'traceflow', CreationDate: date, ModDate: date },
  });
  const all: Run[] = [{ pages: 1, last: 0, endsAt: pdf.y }];
  runs.set(pdf, all);
  const addPage = pdf.addPage.bind(pdf);
  pdf.addPage = ({ layout = 'portrait' } = {}) => {
    const run = all.at(-1)!;
    run.endsAt = pdf.y;
    const place = run.last + 1;
    if (layout === pdf.page.layout) Object.assign(run, { pages: run.pages + 1, last: place });
    else all.push({ pages: 1, last: place, endsAt: PAGE.margin });
    return addPage({ size: 'A4', layout, margins: { ...MARGINS, bottom: MARGINS.bottom + (raised.get(place) ?? 0) } });
  };
  pdf.registerFont('regular', fonts.regular);
  pdf.registerFont('bold', fonts.bold);
  pdf.registerFont('mono', 'Courier');
  const whole = pdf.struct('Document');
  pdf.addStructure(whole);
  containers.set(pdf, whole);
  return use(pdf, 'regular', 9.5);
}

/** The element of the document's structure that is being written into. */
const containers = new WeakMap<Pdf, PDFKit.PDFStructureElement>();

/**
 * Writes a part of the text under its tag, so that a screen reader knows what it is. `link` makes all of it clickable; `actual` is
 * what search and copying find in place of broken lines.
 */
export function tag(
  pdf: Pdf,
  type: string,
  write: () => void,
  options: { link?: boolean; alt?: string; actual?: string } = {},
): void {
  const { actual } = options;
  const whole = actual === undefined ? write : () => asOne(pdf, actual, write);
  const content = options.link ? pdf.struct('Link', {}, [whole]) : whole;
  containers.get(pdf)?.add(pdf.struct(type, options.alt === undefined ? {} : { alt: options.alt }, [content]));
}

/** Writes broken lines that are one word. */
function asOne(pdf: Pdf, actual: string, write: () => void): void {
  pdf.markContent('Span', { actual });
  write();
  pdf.endMarkedContent();
}

/** Writes parts that belong together, a table or its rows, below one tag. */
export function tagGroup(pdf: Pdf, type: string, write: () => void): void {
  const around = containers.get(pdf);
  const group = pdf.struct(type);
  around?.add(group);
  containers.set(pdf, group);
  write();
  if (around) containers.set(pdf, around);
  group.end();
}

/** Draws what a screen reader leaves out: lines, shades, page numbers. */
export function asArtifact(pdf: Pdf, draw: () => void): void {
  pdf.markContent('Artifact', { type: 'Layout' });
  draw();
  pdf.endMarkedContent();
}

/**
 * Writes the page numbers and gives the whole file.
 *
 * @internal
 */
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
    asArtifact(pdf, () => {
      use(pdf, 'regular', 7.5, INK.faint).text(printable(text), PAGE.margin, pdf.page.height - 40, {
        width: pdf.page.width - 2 * PAGE.margin,
        align: 'center',
        lineBreak: false,
      });
    });
  }
  containers.get(pdf)?.end();
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
