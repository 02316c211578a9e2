import type { Shown } from '../../src/domain/scene/shown.ts';
import { NODE_HEIGHT, NODE_WIDTH } from '../../src/domain/scene/shown.ts';

/** Around the cards of a lane. */
const MARGIN = 16;

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
