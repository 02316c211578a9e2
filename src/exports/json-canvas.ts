import { NODE_COLOURS } from '../domain/scene/bounds.ts';
import type { Scene, SceneNode } from '../domain/scene/scene.ts';
import { NODE_HEIGHT, NODE_WIDTH } from '../domain/scene/shown.ts';
import { amountsText } from './graphml.ts';

/** Room around the cards of a group, and for a card with more lines than a board draws. */
const MARGIN = 40;
const LINE_HEIGHT = 28;
const LINES_MAX = 20;
const LINE_LENGTH = 28;

interface CanvasNode {
  id: string;
  type: 'text' | 'group';
  x: number;
  y: number;
  width: number;
  height: number;
  color?: string;
  text?: string;
  label?: string;
}

/** A board as JSON Canvas 1.0: a card for each address and opened transaction that is not hidden, an arrow for each flow between two of them. */
export function boardCanvas({ nodes, flows, groups, texts }: Scene): string {
  const shown = nodes.filter(({ hidden }) => !hidden);
  const cards = shown.map(cardOf);
  const boxes = groups.flatMap(({ id, name }): CanvasNode[] => {
    const members = shown.flatMap((node, i) => (node.group === id ? [cards[i]!] : []));
    return members.length === 0 ? [] : [{ id: `group:${id}`, type: 'group', ...around(members), label: name }];
  });
  const notes = texts.map(({ id, x, y, text }): CanvasNode => card(`text:${id}`, { x, y }, plain(text)));
  const isShown = new Set(shown.map(({ key }) => key));
  const edges = flows
    .filter(({ from, to }) => isShown.has(from) && isShown.has(to))
    .map(({ id, from, to, assets, usd, tx_count, part }) => ({
      id,
      fromNode: from,
      fromSide: 'right',
      toNode: to,
      toSide: 'left',
      toEnd: 'arrow',
      label: [
        assets ? amountsText(assets) : usd === null ? `${tx_count} tx` : `${usd} USD`,
        part === 'own' || part === 'change' || part === 'called' ? part : '',
      ]
        .filter(Boolean)
        .join(' · '),
    }));
  // Groups stand first: the order of the list is the order of the layers.
  return `${JSON.stringify({ nodes: [...boxes, ...cards, ...notes], edges }, null, 1)}\n`;
}

function cardOf({
  key,
  label,
  category,
  chain,
  address,
  entity,
  note,
  colour,
  x,
  y,
  transaction,
}: SceneNode): CanvasNode {
  const name = `${chain}: \`${address.replaceAll('`', '')}\``;
  const opened = transaction && [transaction.method ?? '', transaction.fee === null ? '' : `fee ${transaction.fee}`];
  const lines: (string | null)[] = opened
    ? ['**Transaction**', name, ...opened.filter(Boolean).map(plain)]
    : [label && `**${plain(label)}**`, name, plain(category)];
  if (entity) lines.push(plain(entity));
  if (note) lines.push('', plain(note));
  const text = lines.filter((line) => line !== null).join('\n');
  const drawn = card(key, { x, y }, text);
  return colour === null ? drawn : { ...drawn, color: String(NODE_COLOURS.indexOf(colour) + 1) };
}

/** A card around its middle. */
function card(id: string, { x, y }: { x: number; y: number }, text: string): CanvasNode {
  const lines = text.split('\n').reduce((sum, line) => sum + 1 + Math.floor(line.length / LINE_LENGTH), 0);
  const height = Math.max(NODE_HEIGHT, Math.min(lines, LINES_MAX) * LINE_HEIGHT);
  const place = { x: Math.round(x - NODE_WIDTH / 2), y: Math.round(y - height / 2) };
  return { id, type: 'text', ...place, width: NODE_WIDTH, height, text };
}

function around(cards: readonly CanvasNode[]) {
  const left = Math.min(...cards.map(({ x }) => x)) - MARGIN;
  const top = Math.min(...cards.map(({ y }) => y)) - MARGIN;
  const right = Math.max(...cards.map(({ x, width }) => x + width)) + MARGIN;
  const bottom = Math.max(...cards.map(({ y, height }) => y + height)) + MARGIN;
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** Text that a reader of Markdown shows as it is: no link, picture, tag or element comes from a name. */
function plain(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, '\\$&');
}
