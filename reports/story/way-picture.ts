import { grouped } from '../../words/figures.ts';
import type { Language } from '../../words/language.ts';
import { CONTENT_WIDTH, INK, PAGE, type Pdf, spaceLeft, tag, use } from '../pdf/document.ts';
import { printable } from '../pdf/fonts.ts';
import { COLUMNS_MAX, type MoneyWay, type WayEdge, type WayNode } from './way.ts';

/** Sizes of the boxes and of the distance of their lines, in points: lower ones keep a tall picture on its page. */
interface Box {
  height: number;
  gap: number;
  line: number;
}
const BOXES = { usual: { height: 40, gap: 9, line: 9 }, low: { height: 36, gap: 4.5, line: 7.6 } } as const;
const SIZE = 7;
/** Height of a line of the type, and its part above the letters' ground, as parts of its size. */
const [LINE, ASCENT] = [1.448, 1.16];
/** Points of the title and the caption of a picture. */
const HEADING_HEIGHT = 52;
const LANE = { one: 22, many: 20 } as const;
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
  box: Box;
}

/** The first of the ways, widest first, that fits on what is left of the page, in the boxes in which it does; else a new page. */
export function fitWay(pdf: Pdf, ways: readonly MoneyWay[]): { way: MoneyWay; box: Box } {
  const left = spaceLeft(pdf) - HEADING_HEIGHT;
  const choices = ways.flatMap((way) => [BOXES.usual, BOXES.low].map((box) => ({ way, box })));
  const fitting = choices.find(({ way, box }) => wayHeight(way, box) <= left);
  if (!fitting) pdf.addPage();
  return fitting ?? { way: ways[0]!, box: BOXES.usual };
}

function wayHeight(way: MoneyWay, box: Box): number {
  return heightsOf(bandsOf(way), box).reduce((sum, height) => sum + height + BAND_GAP, 0);
}

function heightsOf(bands: readonly WayNode[][][], { height, gap }: Box): number[] {
  return bands.map((columns) => Math.max(...columns.map(({ length }) => length)) * (height + gap));
}

interface WayDrawing {
  language: Language;
  box: Box;
  alt: string;
}

/** Draws the columns from left to right as vectors, in lines below each other where a page is too narrow for all. */
export function drawWay(pdf: Pdf, way: MoneyWay, { language, box, alt }: WayDrawing): void {
  const bands = bandsOf(way);
  const heights = heightsOf(bands, box);
  const placed = new Map<string, Placed>();
  let top = pdf.y;
  for (const [band, columns] of bands.entries()) {
    const perBand = Math.max(...bands.map(({ length }) => length), 3);
    const step = CONTENT_WIDTH / perBand;
    const width = step - (bands.length > 1 ? LANE.many : LANE.one);
    for (const [column, nodes] of columns.entries()) {
      const start = top + (heights[band]! - nodes.length * (box.height + box.gap) + box.gap) / 2;
      for (const [row, node] of nodes.entries()) {
        const x = PAGE.margin + column * step + (bands.length > 1 ? 10 : 0);
        placed.set(node.id, { node, band, x, y: start + row * (box.height + box.gap), width, box });
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
  const { height, gap } = a.box;
  const start = { x: a.x + a.width, y: a.y + height / 2 };
  const end = { x: b.x, y: b.y + height / 2 };
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
    const low = Math.max(a.y, b.y) + height + gap - 2;
    pdf.moveTo(a.x + a.width / 2, a.y + height);
    pdf.bezierCurveTo(a.x + a.width / 2, low, b.x + b.width / 2, low, b.x + b.width / 2, b.y + height);
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

function drawBox(pdf: Pdf, { node, x, y, width, box: { height, line } }: Placed, language: Language): void {
  const colour = COLOURS[node.kind];
  const radius = node.kind === 'bridge' ? 8 : 3;
  pdf
    .roundedRect(x, y, width, height, radius)
    .lineWidth(node.kind === 'subject' ? 1.6 : 0.9)
    .fillAndStroke('#ffffff', colour);
  const inner = { width: width - 4, align: 'center', ellipsis: true, lineGap: line - LINE * SIZE } as const;
  // The last line stands on the ground of the box, each above it by the distance of lines.
  const top = (nth: number) => y + height - 3.7 - nth * line - ASCENT * SIZE;
  const title = printable(node.title);
  use(pdf, 'bold', SIZE, colour);
  const isLong = pdf.widthOfString(title) > inner.width;
  pdf.text(title, x + 2, top(isLong ? 3 : 2.4), { ...inner, height: (isLong ? 2 : 1) * LINE * SIZE + 0.5 });
  if (node.usd > 0) {
    const amount = `${grouped(node.usd >= 100 ? Math.round(node.usd) : Number(node.usd.toFixed(2)), language)} USD`;
    use(pdf, 'regular', SIZE, INK.text).text(amount, x + 2, top(1), { ...inner, height: line });
  }
  use(pdf, 'regular', SIZE, INK.faint).text(printable(node.place), x + 2, top(0), { ...inner, height: line });
}
