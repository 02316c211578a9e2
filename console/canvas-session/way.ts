import { shownIds } from '../../src/domain/scene/shown.ts';
import { feesTogether } from '../../src/domain/scene/sums.ts';
import { sharesOnLine } from '../browser/figures.ts';
import { nodeKey } from '../scene/additions.ts';
import type { AddressFunds } from '../service/tracing-answers.ts';
import type { CanvasSession } from './canvas-session.ts';

type Row = AddressFunds['rows'][number];

/** Chooses the end of a row with the addresses and arrows of its way. */
export function chooseWay(session: CanvasSession, { path, chain, address }: Row): void {
  if (!chain || !address) return;
  const shown = shownIds(session.stage.value.scene);
  const end = nodeKey(chain, address);
  const onWay = path.flatMap((hop) => [
    nodeKey(hop.chain, hop.from),
    nodeKey(hop.bridge?.destination.chain ?? hop.chain, hop.to),
  ]);
  const nodes = new Set([...onWay, end].flatMap((key) => shown.get(key) ?? []));
  const edges = session.shown.value.edges.filter(({ from, to }) => nodes.has(from) && nodes.has(to));
  const ids = new Set([...nodes, ...edges.map(({ id }) => id)]);
  session.way.value = { ids, end: shown.get(end) ?? end };
  session.chosen.value = ids;
}

/** Returns the end with most of the money that is drawn, its share as the table has it, and where on the canvas it is. */
export function mainEnd(session: CanvasSession): { row: Row; share: string; x: number; y: number } | null {
  const rows = feesTogether(session.funds.value?.rows ?? []);
  const [row] = rows.filter(({ chain, address }) => chain && address).toSorted((a, b) => b.share - a.share);
  if (!row?.chain || !row.address) return null;
  const id = shownIds(session.stage.value.scene).get(nodeKey(row.chain, row.address));
  const node = session.shown.value.nodes.find((one) => one.id === id);
  return node ? { row, share: sharesOnLine(rows)[rows.indexOf(row)]!, x: node.x, y: node.y } : null;
}
