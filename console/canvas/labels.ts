import type { Core, NodeSingular, SingularElementReturnValue } from 'cytoscape';
import { takenSpace } from '../../src/domain/scene/amounts.ts';
import { NODE_HEIGHT, NODE_WIDTH } from '../../src/domain/scene/shown.ts';
import { widthOfText } from '../../src/domain/text/lines.ts';
import { FONT, SMALLEST } from './canvas-style.ts';

/** On the screen, of names that stand for a picture which is too small for all of them. */
const LOUD = 11.5;
/** Names of a small picture at most, so that looking at one stays quick. */
const LOUD_MAX = 30;
/** Below this scale a card is a shape in its colour. */
const FAR = 0.45;

interface Said {
  say: string;
  font: number;
  isLoud: boolean;
}

/**
 * Writes what can be read at the scale of now: all names and amounts, or those that matter most, larger than their cards and none over
 * another.
 */
export function writeLabels(canvas: Core): void {
  const zoom = canvas.zoom();
  const loud = zoom * FONT >= SMALLEST ? null : loudest(canvas, LOUD / zoom);
  turn += 1;
  writeFrom(canvas, canvas.elements().toArray() as SingularElementReturnValue[], { loud, isFar: zoom < FAR }, turn);
}

/** Elements of one frame, so that the page answers between them. */
const TURN = 150;
let turn = 0;

interface Seen {
  /** Null where all can be read. */
  loud: ReadonlyMap<string, Said> | null;
  isFar: boolean;
}

function writeFrom(canvas: Core, elements: SingularElementReturnValue[], seen: Seen, ofTurn: number): void {
  if (canvas.destroyed() || ofTurn !== turn) return;
  const changed = elements.filter((element) => isToWrite(element, seen));
  canvas.batch(() => {
    for (const element of changed.slice(0, TURN)) write(element, seen);
  });
  if (changed.length > TURN) requestAnimationFrame(() => writeFrom(canvas, changed.slice(TURN), seen, ofTurn));
}

function saidOf(element: SingularElementReturnValue, { loud }: Seen): Said {
  if (!loud) return { say: String(element.data('name') ?? ''), font: FONT, isLoud: false };
  return loud.get(element.id()) ?? { say: '', font: FONT, isLoud: false };
}

function isToWrite(element: SingularElementReturnValue, seen: Seen): boolean {
  const { say, font } = saidOf(element, seen);
  const isSaid = (element.data('say') ?? '') === say && (element.data('font') ?? FONT) === font;
  return !isSaid || (element.isNode() && !element.hasClass('frame') && element.hasClass('far') !== seen.isFar);
}

function write(element: SingularElementReturnValue, seen: Seen): void {
  const { say, font, isLoud } = saidOf(element, seen);
  element.data({ say, font });
  if (!element.isNode() || element.hasClass('frame')) return;
  element.toggleClass('loud', isLoud);
  element.toggleClass('far', seen.isFar);
}

function loudest(canvas: Core, font: number): Map<string, Said> {
  const taken = takenSpace();
  const said = new Map<string, Said>();
  const seen = canvas.extent();
  const nodes = canvas.nodes('.address, .transaction, .bundle, .group, .text, .frame').toArray();
  const inSight = nodes.filter((node) => {
    if (node.hasClass('lane')) return false;
    const { x, y } = node.position();
    return x >= seen.x1 && x <= seen.x2 && y >= seen.y1 && y <= seen.y2;
  });
  // Each chain has its name above its lane.
  for (const lane of canvas.nodes('.lane').toArray())
    said.set(lane.id(), { say: String(lane.data('name')), font, isLoud: false });
  for (const node of inSight.sort((a, b) => rankOf(b) - rankOf(a))) {
    if (said.size >= LOUD_MAX) break;
    const say = String(node.data('title') ?? node.data('name') ?? '').slice(0, 32);
    const [width, height] = [Math.max(NODE_WIDTH, widthOfText(say, font) + font), Math.max(NODE_HEIGHT, 1.5 * font)];
    if (say === '' || !taken.isFree(node.position(), width, height)) continue;
    taken.take(node.position(), width, height);
    said.set(node.id(), { say, font, isLoud: true });
  }
  return said;
}

/** Ranks what is chosen, the start, what has a name, what is of crime, then what deals with most. */
function rankOf(node: NodeSingular): number {
  const isNamed = !String(node.data('title')).includes('…');
  const isKnown = !['unknown', 'other'].includes(String(node.data('category')));
  const marks = [node.selected(), node.hasClass('subject'), node.hasClass('text'), isKnown, isNamed];
  return marks.reduce((rank, mark) => 2 * rank + (mark ? 1 : 0), 0) * 1_000 + node.degree(false);
}
