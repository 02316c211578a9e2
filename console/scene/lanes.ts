import { type Chain, chainName } from '../../src/domain/chain.ts';
import type { Shown } from '../../src/domain/scene/shown.ts';
import { NODE_HEIGHT, NODE_WIDTH } from '../../src/domain/scene/shown.ts';
import { widthOfText } from '../../src/domain/text/lines.ts';

/** Around the cards of a lane. */
const MARGIN = 16;

/** With the name of its chain behind it, the id of a lane in a picture. */
export const LANE = 'lane:';

/** The strip in which all cards of one chain stand. */
export interface Lane {
  chain: string;
  left: number;
  top: number;
  width: number;
  height: number;
}

/** The chains of a picture as strips below each other; none where it has one chain alone, or where cards of two stand side by side. */
export function lanesIn({ nodes }: Shown): Lane[] {
  const chains = new Map<string, { xs: number[]; ys: number[] }>();
  for (const { x, y, node } of nodes) {
    const known = chains.get(node.chain) ?? { xs: [], ys: [] };
    known.xs.push(x);
    known.ys.push(y);
    chains.set(node.chain, known);
  }
  if (chains.size < 2) return [];
  const left = Math.min(...nodes.map(({ x }) => x)) - NODE_WIDTH / 2 - MARGIN;
  const width = Math.max(...nodes.map(({ x }) => x)) + NODE_WIDTH / 2 + MARGIN - left;
  const lanes = [...chains].map(([chain, { ys }]): Lane => {
    const top = Math.min(...ys) - NODE_HEIGHT / 2 - MARGIN;
    return { chain, left, top, width, height: Math.max(...ys) + NODE_HEIGHT / 2 + MARGIN - top };
  });
  lanes.sort((a, b) => a.top - b.top);
  const isApart = lanes.every((lane, i) => i === 0 || lanes[i - 1]!.top + lanes[i - 1]!.height <= lane.top);
  return isApart ? lanes : [];
}

/** Height of a name on the screen, the size of letters as wide as its bold ones, what is free at both sides of them, and the least room between it and an edge. */
const [HEIGHT, LETTERS, PADDING, EDGE] = [18, 15, 12, 4];

/** The part of the picture that is seen, in pixels. */
export interface Window {
  zoom: number;
  pan: { x: number; y: number };
  width: number;
  height: number;
}

/** The name of a lane on the screen, in pixels. */
export interface LaneName {
  name: string;
  left: number;
  top: number;
  width: number;
  height: number;
}

/**
 * Names the lanes that are seen: over the upper right corner, for bridges come down at the left; beside it where the lane above leaves no
 * room there and the window has some; at the edge of the window while the corner lies outside. Of one size at every scale.
 */
export function laneNames(lanes: readonly Lane[], { zoom, pan, width: wide, height: high }: Window): LaneName[] {
  return lanes.flatMap(({ chain, left, top, width: across, height: down }, i): LaneName[] => {
    const [x, y] = [left * zoom + pan.x, top * zoom + pan.y];
    const [right, bottom] = [x + across * zoom, y + down * zoom];
    if (right < 0 || x > wide || bottom < HEIGHT || y > high) return [];
    const name = chainName(chain as Chain);
    const width = widthOfText(name, LETTERS) + PADDING;
    const before = lanes[i - 1];
    const isTight = before !== undefined && (top - before.top - before.height) * zoom < HEIGHT;
    const at = { name, width, height: HEIGHT };
    if (isTight && right + EDGE + width <= wide) return [{ ...at, left: right + EDGE, top: Math.max(EDGE, y) }];
    const over = Math.min(Math.max(EDGE, y - HEIGHT), bottom - HEIGHT);
    return [{ ...at, left: Math.min(right, wide - EDGE) - width, top: over }];
  });
}
