import { CONTENT_WIDTH, ensureSpace, INK, PAGE, type Pdf, use } from './document.ts';
import { printable } from './fonts.ts';

export interface Span {
  title: string;
  /** Epoch ms. */
  from: number;
  to: number;
}

const ROW = 14;
const NAME_WIDTH = 150;

/**
 * Spans as bars and moments as dots on one axis of time, as vectors; nothing without at least one span or moment.
 * `dayOf` names the day at each end of the axis.
 */
export function drawTimeline(
  pdf: Pdf,
  spans: readonly Span[],
  moments: readonly number[],
  dayOf: (at: number) => string,
): void {
  const times = [...spans.flatMap(({ from, to }) => [from, to]), ...moments];
  if (times.length === 0) return;
  const first = Math.min(...times);
  const last = Math.max(...times, first + 1);
  const axis = { x: PAGE.margin + NAME_WIDTH, width: CONTENT_WIDTH - NAME_WIDTH - 10 };
  const place = (at: number) => axis.x + (axis.width * (at - first)) / (last - first);
  const height = (spans.length + 2) * ROW;
  ensureSpace(pdf, Math.min(height, 500));
  let { y } = pdf;
  for (const { title, from, to } of spans) {
    if (y + 2 * ROW > pdf.page.height - pdf.page.margins.bottom) {
      pdf.addPage();
      y = pdf.y;
    }
    use(pdf, 'regular', 7.5).text(printable(title), PAGE.margin, y + 2, {
      width: NAME_WIDTH - 8,
      height: ROW - 2,
      ellipsis: true,
    });
    pdf.rect(place(from), y + 4, Math.max(2, place(to) - place(from)), 6).fill('#b45309');
    y += ROW;
  }
  pdf
    .moveTo(axis.x, y + 4)
    .lineTo(axis.x + axis.width, y + 4)
    .lineWidth(0.7)
    .stroke(INK.faint);
  for (const at of moments) pdf.circle(place(at), y + 4, 2).fill('#1d4ed8');
  use(pdf, 'regular', 7.5, INK.faint).text(dayOf(first), axis.x, y + 8, { lineBreak: false });
  pdf.text(dayOf(last), axis.x, y + 8, { width: axis.width, align: 'right' });
  pdf.x = PAGE.margin;
  pdf.y = y + 2 * ROW;
}
