import type { Scene } from '../../src/domain/scene/scene.ts';
import { withoutControls } from '../../src/domain/text/visible.ts';
import { codeWord } from '../../src/words/look-up.ts';
import { words } from '../browser/words.ts';
import { NODE_HEIGHT, NODE_WIDTH } from '../scene/arrange.ts';
import type { Shown, ShownEdge, ShownNode } from '../scene/shown.ts';
import { bundleUsd, edgeName, edgeWidth, isCrossing, nodeFacts, nodeTitle } from './elements.ts';
import { nodeColor, themeColor } from './node-colors.ts';

/** The lines around a picture that name its data. */
export interface Imprint {
  title: string;
  /** Day of the data, sources and lists, one a line. */
  lines: string[];
}

const MARGIN = 60;
const HEAD = 50;
const LEGEND_LINE = 18;

/** The picture of a scene as SVG, with title, legend, and where its data is from. Every text is escaped. */
export function pictureSvg(
  scene: Scene,
  shown: Shown,
  { title, lines }: Imprint,
): { svg: string; width: number; height: number } {
  const xs = [...shown.nodes, ...scene.texts].map(({ x }) => x);
  const ys = [...shown.nodes, ...scene.texts].map(({ y }) => y);
  const left = Math.min(0, ...xs) - NODE_WIDTH / 2 - MARGIN;
  const top = Math.min(0, ...ys) - NODE_HEIGHT / 2 - MARGIN - HEAD;
  const width = Math.max(720, Math.max(0, ...xs) + NODE_WIDTH / 2 + MARGIN - left);
  const legend = legendOf(shown);
  const footLines = Math.max(legend.length, lines.length);
  const foot = Math.max(0, ...ys) + NODE_HEIGHT / 2 + MARGIN;
  const height = foot + footLines * LEGEND_LINE + MARGIN / 2 - top;
  const text = themeColor('--text');
  const muted = themeColor('--muted');
  const at = new Map(shown.nodes.map((node) => [node.id, node]));
  const most = Math.max(1, ...shown.edges.map(({ usd }) => usd ?? 0));
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${left} ${top} ${width} ${height}" font-family="sans-serif" font-size="12">`,
    `<rect x="${left}" y="${top}" width="${width}" height="${height}" fill="${themeColor('--card')}"/>`,
    label(left + 24, top + 34, title, { fill: text, size: 20, anchor: 'start', bold: true }),
    ...shown.edges.map((edge) => arrow(edge, at, most)),
    ...shown.nodes.map((node) => card(scene, node)),
    ...scene.texts.map((note) =>
      note.text
        .split('\n')
        .map((line, i) => label(note.x, note.y + i * 15, line, { fill: text }))
        .join(''),
    ),
    ...legend.map(({ name, color }, i) => {
      const y = foot + i * LEGEND_LINE;
      return `<rect x="${left + 24}" y="${y - 10}" width="12" height="12" fill="${color}"/>${label(left + 44, y, name, { fill: text, anchor: 'start' })}`;
    }),
    ...lines.map((line, i) =>
      label(left + width - 24, foot + i * LEGEND_LINE, line, { fill: muted, anchor: 'end', size: 11 }),
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
export function legendOf({ nodes }: Shown): { name: string; color: string }[] {
  const categories = new Set(nodes.filter(({ kind }) => kind === 'address').map(({ node }) => node.category));
  return [...categories].sort().map((category) => ({
    name: codeWord(words().codes, category),
    color: nodeColor(category),
  }));
}

function arrow(edge: ShownEdge, at: Map<string, ShownNode>, most: number): string {
  const [from, to] = [at.get(edge.from), at.get(edge.to)];
  if (!from || !to) return '';
  const isBack = to.x <= from.x;
  const width = edgeWidth(edge.usd, most);
  const line = themeColor(edge.share === null ? '--line' : '--muted');
  const dashes = isCrossing(edge) ? ' stroke-dasharray="8 5"' : '';
  const [x1, y1] = isBack ? [from.x, from.y + NODE_HEIGHT / 2] : [from.x + NODE_WIDTH / 2, from.y];
  const [x2, y2] = isBack ? [to.x, to.y + NODE_HEIGHT / 2] : [to.x - NODE_WIDTH / 2, to.y];
  const bend = isBack ? `Q${(x1 + x2) / 2} ${Math.max(y1, y2) + 90} ` : 'L';
  const angle = isBack ? -90 : (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
  const middle = isBack
    ? { x: (x1 + x2) / 2, y: Math.max(y1, y2) + 50 }
    : { x: x1 + (x2 - x1) * 0.55, y: y1 + (y2 - y1) * 0.55 };
  const lines = edgeName(edge).split('\n');
  const [text, card] = [themeColor('--text'), themeColor('--card')];
  return (
    `<path d="M${x1} ${y1}${bend}${x2} ${y2}" fill="none" stroke="${line}" stroke-width="${width}"${dashes}/>` +
    `<path d="M-9-6L0 0L-9 6Z" fill="${themeColor('--muted')}" transform="translate(${x2} ${y2}) rotate(${Math.round(angle)})"/>` +
    lines
      .map((one, i) =>
        label(middle.x, middle.y + (i - (lines.length - 1) / 2) * 13 + 4, one, { fill: text, halo: card, size: 11 }),
      )
      .join('')
  );
}

function card(scene: Scene, shown: ShownNode): string {
  const { node, kind, x, y, keys } = shown;
  const [left, top] = [x - NODE_WIDTH / 2, y - NODE_HEIGHT / 2];
  const fill = themeColor(node.colour === null ? '--card' : `--mark-${node.colour}`);
  const isSubject = node.key === scene.subject;
  const facts = nodeFacts(shown, kind === 'bundle' ? bundleUsd(scene, keys) : null);
  const stroke = themeColor(isSubject ? '--accent' : '--muted');
  return (
    `<rect x="${left}" y="${top}" width="${NODE_WIDTH}" height="${NODE_HEIGHT}" rx="6" fill="${fill}" stroke="${stroke}" stroke-width="${isSubject ? 3 : 1}"/>` +
    `<rect x="${left}" y="${top}" width="7" height="${NODE_HEIGHT}" fill="${nodeColor(node.category)}"/>` +
    label(x, y - 3, nodeTitle(scene, shown).slice(0, 26), { fill: themeColor('--text') }) +
    label(x, y + 13, facts.slice(0, 32), { fill: themeColor('--muted'), size: 11 })
  );
}

interface LabelForm {
  fill: string;
  size?: number;
  anchor?: 'start' | 'middle' | 'end';
  bold?: boolean;
  halo?: string;
}

function label(
  x: number,
  y: number,
  text: string,
  { fill, size = 12, anchor = 'middle', bold, halo }: LabelForm,
): string {
  const around = halo ? ` stroke="${halo}" stroke-width="4" paint-order="stroke" stroke-linejoin="round"` : '';
  return `<text x="${Math.round(x)}" y="${Math.round(y)}" font-size="${size}" text-anchor="${anchor}" fill="${fill}"${around}${bold ? ' font-weight="700"' : ''}>${escaped(text)}</text>`;
}

function escaped(text: string): string {
  return withoutControls(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
