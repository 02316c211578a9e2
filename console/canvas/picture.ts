import { amountPlaces, arrowsFrame } from '../../src/domain/scene/amounts.ts';
import { arrowsOf, BEND, byWeight } from '../../src/domain/scene/arrows.ts';
import type { Scene } from '../../src/domain/scene/scene.ts';
import type { Shown } from '../../src/domain/scene/shown.ts';
import { NODE_HEIGHT, NODE_WIDTH } from '../../src/domain/scene/shown.ts';
import { cutToWidth, wrapped } from '../../src/domain/text/lines.ts';
import { words } from '../browser/words.ts';
import type { BadgeCategory } from '../parts/category-badge.tsx';
import { edgeWidth } from './elements.ts';
import { nodeColor, themeColor } from './node-colors.ts';
import { amountLines, arrowLine, type DrawnArrow, framesOf, nodeCard } from './picture-parts.ts';
import { svgText } from './svg-text.ts';

/** The lines around a picture that name its data. */
export interface Imprint {
  title: string;
  /** Day of the data, sources and lists, one a line. */
  lines: string[];
}

const MARGIN = 60;
const HEAD = 50;
/** Between the border and the texts around the picture. */
const INSET = 24;
const LINE = 18;
const WIDTH_MIN = 720;
const NOTE_WIDTH = 220;

/** The picture of a scene as SVG: title, what the canvas draws, then legend and imprint below it. */
export function pictureSvg(
  scene: Scene,
  shown: Shown,
  { title, lines }: Imprint,
): { svg: string; width: number; height: number } {
  const frames = framesOf(scene, shown);
  const { left, top, right, bottom } = edgesOfPicture(scene, shown);
  const [x, y] = [left - MARGIN, top - MARGIN - HEAD];
  const width = Math.max(WIDTH_MIN, right - left + 2 * MARGIN);
  const [text, muted, card] = ['--text', '--muted', '--card'].map(themeColor) as [string, string, string];
  const inside = width - 2 * INSET;
  const most = Math.max(1, ...shown.edges.map(({ usd }) => usd ?? 0));
  const places = amountPlaces(shown);
  const arrows = arrowsOf(shown);
  const drawn = shown.edges.toSorted(byWeight).flatMap((edge): DrawnArrow[] => {
    const arrow = arrows.get(edge.id);
    return arrow ? [{ edge, arrow }] : [];
  });
  const legend = legendOf(shown);
  const imprint = lines.flatMap((line) => wrapped(line, inside, 11));
  const foot = bottom + MARGIN;
  const afterLegend = foot + (legend.length + 1) * LINE;
  const height = afterLegend + imprint.length * LINE + MARGIN / 2 - y;
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${x} ${y} ${width} ${height}" font-family="Helvetica, Arial, sans-serif" font-size="12">`,
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${card}"/>`,
    svgText(x + INSET, y + 34, cutToWidth(title, inside, 20), { fill: text, size: 20, anchor: 'start', bold: true }),
    ...frames,
    ...drawn.map((one) => arrowLine(one, edgeWidth(one.edge.usd, most))),
    ...shown.nodes.map((node) => nodeCard(scene, shown, node)),
    // Amounts lie above all that they may touch.
    ...drawn.map((one) => amountLines(one, places.get(one.edge.id)!)),
    ...scene.texts.flatMap((note) =>
      noteLines(note.text).map((line, i) => svgText(note.x, note.y + i * LINE, line, { fill: text, halo: card })),
    ),
    ...legend.map(({ name, color }, i) => {
      const line = foot + i * LINE;
      return `<rect x="${x + INSET}" y="${line - 10}" width="12" height="12" fill="${color}"/>${svgText(x + INSET + 20, line, name, { fill: text, anchor: 'start' })}`;
    }),
    ...imprint.map((line, i) =>
      svgText(x + INSET, afterLegend + i * LINE, line, { fill: muted, anchor: 'start', size: 11 }),
    ),
    '</svg>',
  ];
  return { svg: parts.join(''), width, height };
}

/** The same as an image of `scale` pixels for each point. */
export async function picturePng({ svg, width, height }: ReturnType<typeof pictureSvg>, scale: number): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
    if (!blob) throw new Error(words().canvas.pictureTooLarge);
    return blob;
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** The categories that are drawn, each with its colour. */
export function legendOf({ nodes }: Shown): { category: BadgeCategory; name: string; color: string }[] {
  const categories = new Set(nodes.filter(({ kind }) => kind === 'address').map(({ node }) => node.category));
  return [...categories].sort().map((category) => ({
    category,
    name: words().parts.categories[category],
    color: nodeColor(category),
  }));
}

/** The outer edges of all that is drawn. */
function edgesOfPicture({ texts }: Scene, shown: Shown) {
  const { nodes, edges } = shown;
  const arrows = arrowsFrame(shown);
  const xs = [...nodes, ...texts].map(({ x }) => x);
  const bottoms = [
    ...nodes.map(({ y }) => y + NODE_HEIGHT / 2),
    ...texts.map(({ y, text }) => y + noteLines(text).length * LINE),
  ];
  const isBent = edges.length > 0;
  return {
    left: Math.min(arrows.left, Math.min(0, ...xs) - NODE_WIDTH / 2),
    right: Math.max(arrows.right, Math.max(0, ...xs) + NODE_WIDTH / 2),
    top: Math.min(0, ...[...nodes, ...texts].map(({ y }) => y)) - NODE_HEIGHT / 2,
    bottom: Math.max(0, ...bottoms) + (isBent ? BEND : 0),
  };
}

function noteLines(text: string): string[] {
  return text.split('\n').flatMap((line) => wrapped(line, NOTE_WIDTH, 12));
}
