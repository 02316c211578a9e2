import { type AmountPlace, amountPoint } from '../../src/domain/scene/amounts.ts';
import { type Arrow, curveControl } from '../../src/domain/scene/arrows.ts';
import type { Scene } from '../../src/domain/scene/scene.ts';
import type { Shown, ShownEdge, ShownNode } from '../../src/domain/scene/shown.ts';
import { isCrossing, NODE_HEIGHT, NODE_WIDTH } from '../../src/domain/scene/shown.ts';
import { cutToWidth } from '../../src/domain/text/lines.ts';
import { cardLines, edgeName } from './elements.ts';
import { nodeColor, themeColor } from './node-colors.ts';
import { svgText } from './svg-text.ts';

const CARD_LINE = 15;

/** Frames around unfolded groups, each with its name. */
export function framesOf({ groups }: Scene, { nodes }: Shown): string[] {
  const accent = themeColor('--accent');
  return groups.flatMap(({ id, name }) => {
    const members = nodes.filter(({ group }) => group === id);
    if (members.length === 0) return [];
    const [xs, ys] = [members.map(({ x }) => x), members.map(({ y }) => y)];
    const left = Math.min(...xs) - NODE_WIDTH / 2 - 12;
    const top = Math.min(...ys) - NODE_HEIGHT / 2 - 12;
    const width = Math.max(...xs) + NODE_WIDTH / 2 + 12 - left;
    const height = Math.max(...ys) + NODE_HEIGHT / 2 + 12 - top;
    return [
      `<rect x="${left}" y="${top}" width="${width}" height="${height}" rx="6" fill="${accent}" fill-opacity="0.06" stroke="${accent}" stroke-dasharray="5 4"/>`,
      svgText(left + width / 2, top - 5, cutToWidth(name, width, 12), { fill: themeColor('--text') }),
    ];
  });
}

/** An arrow that stands in the picture, with its line. */
export interface DrawnArrow {
  edge: ShownEdge;
  arrow: Arrow;
}

export function arrowLine({ edge, arrow }: DrawnArrow, width: number): string {
  const { isBack, points } = arrow;
  const control = curveControl(arrow);
  const [start, end] = [points[0], points.at(-1)!];
  const line = themeColor(edge.share === null ? '--line' : '--muted');
  const dashes = isCrossing(edge) ? ' stroke-dasharray="8 5"' : '';
  const way = isBack ? `Q${control.x} ${control.y} ${end.x} ${end.y}` : points.slice(1).map(({ x, y }) => `L${x} ${y}`);
  const before = points.at(-2)!;
  const angle = isBack ? -90 : (Math.atan2(end.y - before.y, end.x - before.x) * 180) / Math.PI;
  return (
    `<path d="${[`M${start.x} ${start.y}`, way].flat().join('')}" fill="none" stroke="${line}" stroke-width="${width}" stroke-linejoin="round"${dashes}/>` +
    `<path d="M-9-6L0 0L-9 6Z" fill="${themeColor('--muted')}" transform="translate(${end.x} ${end.y}) rotate(${Math.round(angle)})"/>`
  );
}

export function amountLines({ edge, arrow }: DrawnArrow, place: AmountPlace): string {
  if (place.side === 'none') return '';
  const { x, y } = amountPoint(arrow, place);
  const lines = edgeName(edge).split('\n');
  return lines
    .map((line, i) =>
      svgText(x, y + (i - (lines.length - 1) / 2) * 13 + 4, line, {
        fill: themeColor('--text'),
        halo: themeColor('--card'),
        size: 11,
      }),
    )
    .join('');
}

export function nodeCard(scene: Scene, { edges }: Shown, shown: ShownNode): string {
  const { node, x, y } = shown;
  const [left, top] = [x - NODE_WIDTH / 2, y - NODE_HEIGHT / 2];
  const fill = themeColor(node.colour === null ? '--card' : `--mark-${node.colour}`);
  const isSubject = node.key === scene.subject;
  const { title, facts } = cardLines(scene, shown, { edges, hasIcons: false });
  const first = y + 4 - ((title.length + facts.length - 1) * CARD_LINE) / 2;
  const stroke = themeColor(isSubject ? '--accent' : '--muted');
  return (
    `<rect x="${left}" y="${top}" width="${NODE_WIDTH}" height="${NODE_HEIGHT}" rx="6" fill="${fill}" stroke="${stroke}" stroke-width="${isSubject ? 3 : 1}"/>` +
    `<rect x="${left}" y="${top}" width="7" height="${NODE_HEIGHT}" fill="${nodeColor(node.category)}"/>` +
    [...title, ...facts]
      .map((line, i) =>
        svgText(x + 3, first + i * CARD_LINE, line, { fill: themeColor(i < title.length ? '--text' : '--muted') }),
      )
      .join('')
  );
}
