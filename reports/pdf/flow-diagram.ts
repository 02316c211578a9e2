import { CONTENT_WIDTH, INK, PAGE, type Pdf, use } from './document.ts';
import { printable } from './fonts.ts';

export interface FlowNode {
  address: string;
  title: string;
  usd: number;
}

export interface DiagramFlow {
  subject: string;
  /** Largest first. */
  origins: readonly FlowNode[];
  ends: readonly FlowNode[];
}

const BOX = { width: 148, height: 44, gap: 8 } as const;
const COLOURS = { origin: '#b45309', end: '#1d4ed8', subject: '#374151' } as const;

/** Height of the drawing in points. */
export function flowHeight({ origins, ends }: DiagramFlow): number {
  return Math.max(origins.length, ends.length, 1) * (BOX.height + BOX.gap) + 12;
}

/** Origins on the left, the subject in the middle, ends on the right, as vectors; addresses in full. */
export function drawFlow(pdf: Pdf, flow: DiagramFlow): void {
  const { subject, origins, ends } = flow;
  const top = pdf.y;
  const height = flowHeight(flow) - BOX.gap - 12;
  const middle = { x: PAGE.margin + (CONTENT_WIDTH - BOX.width) / 2, y: top + (height - BOX.height) / 2 };
  const columns = [
    { nodes: origins, x: PAGE.margin, colour: COLOURS.origin, isOrigin: true },
    { nodes: ends, x: PAGE.margin + CONTENT_WIDTH - BOX.width, colour: COLOURS.end, isOrigin: false },
  ];
  for (const { nodes, x, colour, isOrigin } of columns) {
    const start = top + (height - (nodes.length * (BOX.height + BOX.gap) - BOX.gap)) / 2;
    for (const [index, node] of nodes.entries()) {
      const y = start + index * (BOX.height + BOX.gap);
      const outer = { x: isOrigin ? x + BOX.width : x, y: y + BOX.height / 2 };
      const inner = { x: isOrigin ? middle.x : middle.x + BOX.width, y: middle.y + BOX.height / 2 };
      drawLine(pdf, outer, inner, widthOf(node.usd), colour);
      drawBox(pdf, { x, y }, node.title, node.address, colour);
    }
  }
  drawBox(pdf, middle, '', subject, COLOURS.subject);
  pdf.x = PAGE.margin;
  pdf.y = top + height + 12;
}

interface Point {
  x: number;
  y: number;
}

/** Half a point for a dollar, six for a hundred million. */
function widthOf(amountUsd: number): number {
  return 0.5 + Math.min(5.5, Math.log10(Math.max(1, amountUsd)) * 0.7);
}

function drawLine(pdf: Pdf, from: Point, to: Point, width: number, colour: string): void {
  const bend = (from.x + to.x) / 2;
  pdf.moveTo(from.x, from.y).bezierCurveTo(bend, from.y, bend, to.y, to.x, to.y);
  pdf.lineWidth(width).strokeOpacity(0.45).stroke(colour).strokeOpacity(1);
}

function drawBox(pdf: Pdf, { x, y }: Point, title: string, address: string, colour: string): void {
  pdf.roundedRect(x, y, BOX.width, BOX.height, 3).lineWidth(0.8).fillAndStroke('#ffffff', colour);
  const width = BOX.width - 8;
  if (title) {
    // Two lines: the name of a party and its category.
    use(pdf, 'bold', 6.5, INK.text).text(printable(title), x + 4, y + 3, { width, height: 20, ellipsis: true });
  }
  use(pdf, 'mono', 5.4, INK.text).text(address, x + 4, y + (title ? 26 : 14), { width, height: 16 });
}
