import { protocolName } from '../../src/domain/bridges/protocols.ts';
import { chainName } from '../../src/domain/chain.ts';
import { AMOUNT_WIDTH, type AmountPlace, amountPlaces, amountPoint } from '../../src/domain/scene/amounts.ts';
import { type Arrow, arrowsOf, besideLine, byWeight } from '../../src/domain/scene/arrows.ts';
import type { Scene } from '../../src/domain/scene/scene.ts';
import type { Shown, ShownEdge, ShownNode } from '../../src/domain/scene/shown.ts';
import { isCrossing, NODE_WIDTH } from '../../src/domain/scene/shown.ts';
import { begun, cutToWidth, fitted } from '../../src/domain/text/lines.ts';
import { assetText, compactDollars, count, dollars, percentOnLine } from '../browser/figures.ts';
import { shortened, shortest } from '../browser/shortened.ts';
import { words } from '../browser/words.ts';
import { LANE, type Lane, lanesIn } from '../scene/lanes.ts';
import { ARROW_SCALE, drawnWidth, FONT } from './fonts.ts';

export interface CanvasElement {
  group: 'nodes' | 'edges';
  data: { id: string } & Record<string, unknown>;
  classes: string;
  position?: { x: number; y: number };
}

/** Lines of a card, and the room for them: beside its icons, or in a card that has none. */
const LINES_MAX = 2;
const INSIDE = NODE_WIDTH - 40;
const WITHOUT_ICONS = NODE_WIDTH - 14;
/** Assets that an arrow names. */
const ASSETS_MAX = 2;
const [WIDTH_MIN, WIDTH_MAX] = [1.2, 6];
/** The length of an arrow's head, as part of its width. */
const HEAD = 2 * ARROW_SCALE;

/** Everything that the canvas draws of a scene. */
export function elementsOf(scene: Scene, shown: Shown, levels: ReadonlyMap<string, string>): CanvasElement[] {
  const { nodes, edges } = shown;
  const most = Math.max(1, ...edges.map(({ usd }) => usd ?? 0));
  const places = amountPlaces(shown);
  const arrows = arrowsOf(shown);
  const ranks = new Map(edges.toSorted(byWeight).map(({ id }, rank) => [id, rank]));
  const frames = new Set(nodes.flatMap(({ group }) => (group === null ? [] : [group])));
  return [
    ...lanesIn(shown).map(laneElement),
    ...scene.groups.filter(({ id }) => frames.has(id)).map(({ id, name }) => frameOf(id, name)),
    ...nodes.map((node): CanvasElement => nodeElement(scene, node, edges, levels)),
    ...edges.flatMap((edge): CanvasElement[] => {
      const [arrow, place] = [arrows.get(edge.id), places.get(edge.id)];
      if (!arrow || !place) return [];
      const at = amountPoint(arrow, place);
      const [start, end] = [arrow.points[0], arrow.points.at(-1)!];
      // By these it stays on its line while a card is dragged.
      const onLine = besideLine(start, end, at);
      if (isCrossing(edge)) return [pillElement(edge, at, { ...onLine, hasRoom: place.side !== 'none' })];
      return place.isCrossed ? [amountElement(edge, at, { ...onLine, rank: ranks.get(edge.id) ?? 0 })] : [];
    }),
    ...edges.map((edge): CanvasElement => {
      const [arrow, place] = [arrows.get(edge.id), places.get(edge.id)];
      const bends = bendsOf(arrow);
      return {
        group: 'edges',
        data: {
          id: edge.id,
          source: edge.from,
          target: edge.to,
          // A crossing has its words in its pill.
          name: isCrossing(edge) ? '' : edgeName(edge),
          title: isCrossing(edge) ? '' : edgeTitle(edge),
          ...(arrow && place && hasOwnWords(place) ? textPlace(amountPoint(arrow, place)) : {}),
          width: edgeWidth(edge.usd, most),
          rank: ranks.get(edge.id) ?? 0,
          // From the tip of an arrow, of whose head the line, along which words are placed, falls short.
          distance: Math.max(
            0,
            (place?.distance ?? 0) - (place?.side === 'target' ? HEAD * edgeWidth(edge.usd, most) : 0),
          ),
          ...bends,
        },
        classes: [
          `amount-${place && hasOwnWords(place) ? place.side : 'none'}`,
          bends && 'bent',
          isCrossing(edge) && 'bridge',
          edge.share !== null && 'followed',
          edge.flows.some(({ part }) => part === 'own' || part === 'change') && 'own',
        ]
          .filter(Boolean)
          .join(' '),
      };
    }),
    ...scene.texts.map(
      ({ id, x, y, text }): CanvasElement => ({
        group: 'nodes',
        data: { id, name: text },
        classes: 'text',
        position: { x, y },
      }),
    ),
  ];
}

/** Returns the points of a line around cards as parts of the straight line and distances from it; null for a straight one. */
function bendsOf(arrow: Arrow | undefined): { weights: string; distances: string } | null {
  if (!arrow || arrow.points.length === 2) return null;
  const [start, end] = [arrow.points[0], arrow.points.at(-1)!];
  const along = arrow.points.slice(1, -1).map((point) => besideLine(start, end, point));
  return {
    weights: along.map(({ weight }) => weight.toFixed(4)).join(' '),
    distances: along.map(({ distance }) => distance.toFixed(1)).join(' '),
  };
}

/** Returns the width of an edge in pixels, by the logarithm of its value. */
export function edgeWidth(usd: number | null, most: number): number {
  const part = Math.log10(1 + Math.max(0, usd ?? 0)) / Math.log10(1 + most);
  return Math.round(10 * (WIDTH_MIN + part * (WIDTH_MAX - WIDTH_MIN))) / 10;
}

/** Label or address of an address; how many a bundle or a group holds. */
function nodeTitle({ groups }: Scene, { kind, id, keys, node }: ShownNode): string {
  const texts = words().canvas;
  if (kind === 'bundle') return texts.more(keys.length);
  if (kind === 'transaction') return node.transaction?.method ?? shortened(node.address);
  if (kind === 'group') return `${groups.find((group) => group.id === id)?.name ?? ''} (${keys.length})`;
  return addressName(node);
}

export function addressName({ label, address }: { label: string | null; address: string }): string {
  return label ?? shortened(address);
}

/**
 * Both texts of a card in lines that fit in it: what it is goes before the end of a long name, and before the name of its chain where that has
 * an icon; an icon alone says it where its word would be cut.
 */
export function cardLines(
  scene: Scene,
  shown: ShownNode,
  { edges, hasIcons }: { edges: readonly ShownEdge[]; hasIcons: boolean },
): { title: string[]; facts: string[] } {
  const room = hasIcons ? INSIDE : WITHOUT_ICONS;
  const isFit = (line: string) => drawnWidth(line, FONT) <= room;
  const choices = nodeFacts(shown, shown.kind === 'bundle' ? bundleUsd(edges, shown.id) : null);
  const said = (hasIcons ? choices.find(isFit) : choices[0]) ?? choices.at(-1) ?? '';
  const facts = said === '' ? [] : fitted(said, room, FONT, LINES_MAX - 1, drawnWidth);
  const name = nodeTitle(scene, shown);
  const title = name === shortened(shown.node.address) && !isFit(name) ? shortest(name) : name;
  return { title: fitted(title, room, FONT, LINES_MAX - facts.length, drawnWidth), facts };
}

/** The chain of a node and what it is; then the same without the chain, then what no icon says. */
function nodeFacts({ kind, node }: ShownNode, usd: number | null): string[] {
  const texts = words().canvas.opened;
  if (kind === 'bundle') return [dollars(usd)];
  const { chain, category, note, transaction } = node;
  const mark = note ? '✎' : '';
  if (transaction) {
    const { fee, status } = transaction;
    const paid = fee === null ? '' : `${texts.fee} ${count(Number(fee))}`;
    return [[status === 'success' ? paid : texts.state[status], mark].filter(Boolean).join(' · ')];
  }
  const what = [category !== 'unknown' && words().parts.categories[category], mark].filter(Boolean);
  const whole = [chainName(chain), ...what].join(' · ');
  return what.length === 0 ? [whole] : [whole, what.join(' · '), mark];
}

/** Amounts by asset, US dollars, and the part of the followed money. */
export function edgeName(edge: ShownEdge): string {
  const { assets, usd, share, isAtMost } = edge;
  const amounts = amountsOnLine(
    Object.entries(assets ?? {}).map(([asset, amount]) => assetText(`${amount} ${cut(asset, 10)}`)),
  );
  const isCalled = edge.flows.every(({ part }) => part === 'called');
  const value = usd === null && (amounts || isCalled) ? '' : `${isAtMost ? '≤ ' : ''}${dollars(usd)}`;
  const bridge = edge.flows.length === 1 ? edge.flows[0]?.bridge : null;
  const facts = [value, share !== null && percentOnLine(share)].filter(Boolean);
  return [amounts, [...facts, partWord(edge)].filter(Boolean).join(' · '), bridge && protocolName(bridge.protocol)]
    .filter(Boolean)
    .join('\n');
}

/** Names as many amounts as fit on one line, and says how many there are beside them. */
function amountsOnLine(amounts: readonly string[]): string {
  const lines = [ASSETS_MAX, 1].map((shown) => {
    const more = amounts.length > shown ? ` +${amounts.length - shown}` : '';
    return amounts.slice(0, shown).join(', ') + more;
  });
  const fits = lines.find((line) => drawnWidth(line, FONT) <= AMOUNT_WIDTH);
  return fits ?? cutToWidth(lines.at(-1) ?? '', AMOUNT_WIDTH, FONT, drawnWidth);
}

/** Names what an address is in an opened transaction, where that says more than its amount. */
function partWord({ flows }: ShownEdge): string {
  const { parts } = words().canvas.opened;
  const part = flows.length === 1 ? flows[0]?.part : undefined;
  return part === 'own' || part === 'change' || part === 'called' ? parts[part] : '';
}

function nodeElement(
  scene: Scene,
  shown: ShownNode,
  edges: readonly ShownEdge[],
  levels: ReadonlyMap<string, string>,
): CanvasElement {
  const { id, kind, node, group, x, y } = shown;
  const isUnread = node.read === false && node.category === 'unknown' && node.key !== scene.subject;
  return {
    group: 'nodes',
    data: {
      id,
      name: Object.values(cardLines(scene, shown, { edges, hasIcons: true }))
        .flat()
        .join('\n'),
      title: nodeTitle(scene, shown),
      category: kind === 'bundle' ? 'other' : node.category,
      chain: kind === 'address' || kind === 'transaction' ? node.chain : null,
      level: levels.get(node.key) ?? null,
      colour: node.colour ?? 'none',
      ...(group === null ? {} : { parent: frameId(group) }),
    },
    classes: [
      kind,
      node.key === scene.subject && 'subject',
      kind === 'address' && isUnread && 'unread',
      node.pinned && 'pinned',
      node.colour !== null && 'coloured',
    ]
      .filter(Boolean)
      .join(' '),
    position: { x, y },
  };
}

/** The middle of short amounts. */
function textPlace({ x, y }: { x: number; y: number }): { textX: number; textY: number } {
  return { textX: x, textY: y };
}

/** A crossing is a pill between two chains; it stands for its arrow. Without room for its words it is a mark. */
function pillElement(edge: ShownEdge, position: { x: number; y: number }, own: Record<string, unknown>): CanvasElement {
  const name = edgeName(edge);
  const protocols = new Set(edge.flows.flatMap(({ bridge }) => (bridge ? [protocolName(bridge.protocol)] : [])));
  return {
    group: 'nodes',
    data: {
      id: pillId(edge.id),
      edge: edge.id,
      name,
      title: [...protocols, edgeTitle(edge)].filter(Boolean).join(' · '),
      ...own,
    },
    classes: 'pill',
    position,
  };
}

/** Amounts that a line would strike through stand above all lines. */
function amountElement(
  edge: ShownEdge,
  position: { x: number; y: number },
  own: Record<string, unknown>,
): CanvasElement {
  const [name, title] = [edgeName(edge), edgeTitle(edge)];
  return {
    group: 'nodes',
    data: { id: pillId(edge.id), edge: edge.id, name, title, ...own, ...textPlace(position) },
    classes: 'amount',
    position,
  };
}

/** Names the node on an arrow that bears its crossing or its amounts. */
export function pillId(edge: string): string {
  return `pill:${edge}`;
}

/** False where the words of an arrow stand apart from its line, or have no room. */
function hasOwnWords({ side, isCrossed }: AmountPlace): boolean {
  return side !== 'none' && !isCrossed;
}

function edgeTitle({ usd }: ShownEdge): string {
  return usd === null ? '' : compactDollars(usd);
}

/** Draws the ground of a chain, which cannot be chosen. */
function laneElement({ chain, left, top, width, height }: Lane): CanvasElement {
  return {
    group: 'nodes',
    data: { id: `${LANE}${chain}`, name: '', width, height },
    classes: 'frame lane',
    position: { x: left + width / 2, y: top + height / 2 },
  };
}

function frameId(group: string): string {
  return `frame:${group}`;
}

function frameOf(group: string, name: string): CanvasElement {
  return { group: 'nodes', data: { id: frameId(group), name }, classes: 'frame' };
}

/** Returns what the arrows of a bundle say together. */
function bundleUsd(edges: readonly ShownEdge[], id: string): number {
  return edges.reduce((sum, { from, to, usd }) => sum + (from === id || to === id ? (usd ?? 0) : 0), 0);
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : begun(text.slice(0, most - 1));
}
