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

type Layout = 'portrait' | 'landscape';

/** Pages in one format that the text fills one after the other, without a forced break between them. */
interface Run {
  layout: Layout;
  /** Where the text ends on each of its pages. */
  ends: number[];
  /** The next page is not its own. */
  isOver?: boolean;
}
const runs = new WeakMap<Pdf, Run[]>();

/** Points by which pages end earlier: by the place of their run in the document, then by theirs in the run, from 0. */
type Raised = ReadonlyMap<number, readonly (number | undefined)[]>;

const MARGINS = { top: PAGE.margin, bottom: PAGE.margin + 8, left: PAGE.margin, right: PAGE.margin };
/** Points of an upright page of which the last one of a run must fill a third. */
const FILLED_MIN = (PAGE.height - MARGINS.top - MARGINS.bottom) / 3;
/** The last of them draws again as at first what the others did not help. */
const DRAWINGS_MAX = 4;
/** Most pages of a document that is drawn twice: a short page among more is not worth the time. */
const REDRAWN_PAGES_MAX = 40;

/**
 * Draws a document of which no run of upright pages ends with one under a third full: the page before such a one ends
 * earlier when it is drawn again. A run for which that does not help stays as it was drawn first, as does one of a page;
 * so does a document of more than 40 pages.
 */
export async function drawPdf(info: PdfInfo, draw: (pdf: Pdf) => void): Promise<Buffer> {
  const raised = new Map<number, number[]>();
  const left = new Set<number>();
  for (let drawing = 1; ; drawing++) {
    const pdf = openPdf(info, raised);
    draw(pdf);
    const drawn = runs.get(pdf) ?? [];
    setEnd(drawn.at(-1)!, pdf.y);
    const short = [...drawn.entries()].filter(([run, { layout, ends }]) => {
      return layout === 'portrait' && ends.length > 1 && ends.at(-1)! - MARGINS.top < FILLED_MIN && !left.has(run);
    });
    const isLong = drawing === 1 && pdf.bufferedPageRange().count > REDRAWN_PAGES_MAX;
    if (short.length === 0 || isLong) return closePdf(pdf, info);
    for (const [run, { ends }] of short) {
      if (drawing >= DRAWINGS_MAX - 1) {
        left.add(run);
        raised.delete(run);
        continue;
      }
      const points = raised.get(run) ?? [];
      const [before, last] = ends.slice(-2) as [number, number];
      // From where the page before ends now: what stood next had no room below that.
      const missing = Math.ceil(FILLED_MIN - (last - MARGINS.top));
      const earlier = PAGE.height - MARGINS.bottom - before + missing + 2;
      points[ends.length - 2] = Math.min(earlier, 2 * FILLED_MIN);
      raised.set(run, points);
    }
  }
}

/**
 * Opens an empty A4 document with the report's fonts and fixed dates.
 *
 * @internal
 */
export function openPdf({ title, language, madeAt }: PdfInfo, raised: Raised = new Map()): Pdf {
  const fonts = loadFonts();
  const date = new Date(madeAt);
  const pdf = new PDFDocument({
    size: 'A4',
    margins: { ...MARGINS, bottom: MARGINS.bottom + (raised.get(0)?.[0] ?? 0) },
    bufferPages: true,
    pdfVersion: '1.7',
    tagged: true,
    lang: language,
    displayTitle: true,
    info: { Title: printable(title), Producer: 'traceflow', Creator: 'traceflow', CreationDate: date, ModDate: date },
  });
  const all: Run[] = [{ layout: 'portrait', ends: [pdf.y] }];
  runs.set(pdf, all);
  const addPage = pdf.addPage.bind(pdf);
  pdf.addPage = ({ layout = 'portrait' } = {}) => {
    const before = all.at(-1)!;
    setEnd(before, pdf.y);
    if (before.isOver || layout !== before.layout) all.push({ layout, ends: [] });
    const run = all.at(-1)!;
    const earlier = raised.get(all.length - 1)?.[run.ends.length] ?? 0;
    run.ends.push(PAGE.margin);
    return addPage({ size: 'A4', layout, margins: { ...MARGINS, bottom: MARGINS.bottom + earlier } });
  };
  pdf.registerFont('regular', fonts.regular);
  pdf.registerFont('bold', fonts.bold);
  pdf.registerFont('mono', 'Courier');
  const whole = pdf.struct('Document');
  pdf.addStructure(whole);
  containers.set(pdf, whole);
  return use(pdf, 'regular', 9.5);
}

function setEnd({ ends }: Run, y: number): void {
  ends[ends.length - 1] = y;
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

/** Begins a new page unless `height` points are left on this one. */
export function ensureSpace(pdf: Pdf, height: number): void {
  if (spaceLeft(pdf) < height) pdf.addPage();
}

/** Begins a new page whatever room is left: what stands before never moves over to it. */
export function forcePage(pdf: Pdf, layout: Layout = 'portrait'): void {
  const run = runs.get(pdf)?.at(-1);
  if (run) run.isOver = true;
  pdf.addPage({ layout });
}
