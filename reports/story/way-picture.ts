import { grouped } from '../../src/words/figures.ts';
import type { Language } from '../../src/words/language.ts';
import { CONTENT_WIDTH, ensureSpace, INK, PAGE, type Pdf, tag, use } from '../pdf/document.ts';
import { printable } from '../pdf/fonts.ts';
import { COLUMNS_MAX, type MoneyWay, type WayEdge, type WayNode } from './way.ts';

const BOX = { height: 40, gap: 9 } as const;
const LANE = { one: 22, many: 24 } as const;
const BAND_GAP = 16;
const COLOURS: Record<WayNode['kind'], string> = {
  payer: '#b45309',
  subject: '#111827',
  wallet: '#6b7280',
  service: '#1d4ed8',
  held: '#047857',
  bridge: '#7c3aed',
  more: '#9ca3af',
};

interface Placed {
  node: WayNode;
  band: number;
  x: number;
  y: number;
  width: number;
}

/** Draws the columns from left to right as vectors, in lines below each other where a page is too narrow for all. */
export function drawWay(pdf: Pdf, way: MoneyWay, { language, alt }: { language: Language; alt: string }): void {
  const bands = bandsOf(way);
  const heights = bands.map((columns) => Math.max(...columns.map(({ length }) => length)) * (BOX.height + BOX.gap));
  const whole = heights.reduce((sum, height) => sum + height + BAND_GAP, 0);
  ensureSpace(pdf, whole);
  const placed = new Map<string, Placed>();
  let top = pdf.y;
  for (const [band, columns] of bands.entries()) {
    const perBand = Math.max(...bands.map(({ length }) => length), 3);
    const step = CONTENT_WIDTH / perBand;
    const width = step - (bands.length > 1 ? LANE.many : LANE.one);
    for (const [column, nodes] of columns.entries()) {
      const start = top + (heights[band]! - nodes.length * (BOX.height + BOX.gap) + BOX.gap) / 2;
      for (const [row, node] of nodes.entries()) {
        const x = PAGE.margin + column * step + (bands.length > 1 ? 10 : 0);
        placed.set(node.id, { node, band, x, y: start + row * (BOX.height + BOX.gap), width });
      }
    }
    top += heights[band]! + BAND_GAP;
  }
  const largest = Math.max(...way.edges.map(({ usd }) => usd), 1);
  tag(
    pdf,
    'Figure',
    () => {
      for (const edge of way.edges) drawEdge(pdf, edge, placed, largest);
      for (const one of placed.values()) drawBox(pdf, one, language);
    },
    { alt },
  );
  pdf.x = PAGE.margin;
  pdf.y = top - BAND_GAP + 6;
}

function bandsOf({ columns }: MoneyWay): WayNode[][][] {
  if (columns.length <= COLUMNS_MAX) return [columns];
  const count = Math.ceil(columns.length / (COLUMNS_MAX - 1));
  const size = Math.ceil(columns.length / count);
  return Array.from({ length: count }, (_, band) => columns.slice(band * size, (band + 1) * size)).filter(
    ({ length }) => length > 0,
  );
}

function drawEdge(pdf: Pdf, { from, to, usd }: WayEdge, placed: ReadonlyMap<string, Placed>, largest: number): void {
  const [a, b] = [placed.get(from), placed.get(to)];
  if (!a || !b) return;
  const width = 0.6 + 3.4 * Math.max(0, Math.log10(Math.max(1, usd)) / Math.max(1, Math.log10(largest)));
  const start = { x: a.x + a.width, y: a.y + BOX.height / 2 };
  const end = { x: b.x, y: b.y + BOX.height / 2 };
  pdf.lineWidth(width).strokeOpacity(0.5).strokeColor(COLOURS[b.node.kind]);
  if (a.band !== b.band) {
    const right = PAGE.margin + CONTENT_WIDTH;
    pdf.moveTo(start.x, start.y).lineTo(right, start.y).stroke();
    pdf.moveTo(PAGE.margin, end.y).lineTo(end.x, end.y).stroke();
    pdf.strokeOpacity(1);
    arrowHead(pdf, end, COLOURS[b.node.kind]);
    arrowHead(pdf, { x: right + 2, y: start.y }, COLOURS[b.node.kind]);
    return;
  }
  if (end.x < start.x) {
    // Money that came back goes below the boxes.
    const low = Math.max(a.y, b.y) + BOX.height + BOX.gap - 2;
    pdf.moveTo(a.x + a.width / 2, a.y + BOX.height);
    pdf.bezierCurveTo(a.x + a.width / 2, low, b.x + b.width / 2, low, b.x + b.width / 2, b.y + BOX.height);
    pdf.dash(3, { space: 2 }).stroke().undash().strokeOpacity(1);
    return;
  }
  const bend = (start.x + end.x) / 2;
  pdf
    .moveTo(start.x, start.y)
    .bezierCurveTo(bend, start.y, bend, end.y, end.x - 3, end.y)
    .stroke()
    .strokeOpacity(1);
  arrowHead(pdf, end, COLOURS[b.node.kind]);
}

function arrowHead(pdf: Pdf, { x, y }: { x: number; y: number }, colour: string): void {
  pdf
    .moveTo(x, y)
    .lineTo(x - 5, y - 2.8)
    .lineTo(x - 5, y + 2.8)
    .closePath()
    .fill(colour);
}

function drawBox(pdf: Pdf, { node, x, y, width }: Placed, language: Language): void {
  const colour = COLOURS[node.kind];
  const radius = node.kind === 'bridge' ? 12 : 3;
  pdf
    .roundedRect(x, y, width, BOX.height, radius)
    .lineWidth(node.kind === 'subject' ? 1.6 : 0.9)
    .fillAndStroke('#ffffff', colour);
  const inner = { width: width - 6, align: 'center', ellipsis: true } as const;
  use(pdf, 'bold', 7, colour).text(printable(node.title), x + 3, y + 2.5, { ...inner, height: 21 });
  if (node.usd > 0) {
    const amount = `${grouped(node.usd >= 100 ? Math.round(node.usd) : Number(node.usd.toFixed(2)), language)} USD`;
    use(pdf, 'regular', 6.5, INK.text).text(amount, x + 3, y + 22.5, { ...inner, height: 9 });
  }
  use(pdf, 'regular', 5.8, INK.faint).text(printable(node.place), x + 3, y + 31, { ...inner, height: 8 });
}
