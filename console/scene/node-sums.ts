import type { Scene } from '../../src/domain/scene/scene.ts';
import { movedFlows } from '../../src/domain/scene/shown.ts';
import { added, type Sum } from '../../src/domain/scene/sums.ts';

export interface SideSum {
  /** Sum that the picture shows, by its filters. */
  drawn: Sum;
  /** US dollars that came from hidden addresses, or went to them: no part of `drawn`. */
  hiddenUsd: number;
}

/** Returns what came into an address and what went out of it. */
export function sumsOfNode(scene: Scene, key: string): { into: SideSum; out: SideSum } {
  const hidden = new Set(scene.nodes.filter((node) => node.hidden).map((node) => node.key));
  const moved = movedFlows(scene);
  const sideOf = (own: 'from' | 'to', far: 'from' | 'to'): SideSum => {
    const all = moved.filter(({ flow }) => flow[own] === key);
    const between = all.filter(({ flow }) => flow.part === undefined);
    // An opened transaction says again what arrows between addresses say.
    const ofNode = between.length > 0 ? between : all;
    const sumOf = (isHidden: boolean) =>
      added(ofNode.filter(({ flow }) => hidden.has(flow[far]) === isHidden).map(({ sum }) => sum));
    return { drawn: sumOf(false), hiddenUsd: sumOf(true).usd ?? 0 };
  };
  return { into: sideOf('to', 'from'), out: sideOf('from', 'to') };
}
