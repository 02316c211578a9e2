import type { Core, NodeSingular } from 'cytoscape';
import { takenSpace } from '../../src/domain/scene/amounts.ts';
import { NODE_HEIGHT, NODE_WIDTH } from '../../src/domain/scene/shown.ts';
import { cutToWidth, fitted, wrapped } from '../../src/domain/text/lines.ts';
import { shortest } from '../browser/shortened.ts';
import { LANE, type Lane, laneNames, type Window } from '../scene/lanes.ts';
import { drawnWidth } from './fonts.ts';
import { NAME_CLASSES, type NameSide } from './name-sides.ts';

/** Names and amounts of a small picture at most, so that looking at one stays quick. */
const LOUD_MAX = 80;
/** Shorter than this, the beginning of a name says nothing. */
const NAME_MIN = 8;
const NAME_MAX = 60;
/** Room for a name beside the icons of its card, and between its borders. */
const INSIDE = NODE_WIDTH - 40;
const WITHIN = NODE_WIDTH - 18;
/** Pixels by which text beside icons stands right of the middle. */
const BESIDE_ICONS = 10;
/** Between two lines of a name. */
const LINE = 1.25;
/** Part by which the mark of a cut is wider than the letter in whose place it stands. */
const ELLIPSIS = 0.5;

const BESIDE: NameSide[] = ['right', 'left'];
const AROUND = [...NAME_CLASSES.values()].filter((side) => side !== 'on');

export interface Said {
  say: string;
  font: number;
  /** Null for all but names of cards. */
  side: NameSide | null;
}

interface Asked {
  /** In the units of the picture. */
  font: number;
  /** Cards are small shapes, which stay in sight. */
  isFar: boolean;
  /** Id of what is under the pointer. */
  pointed: string | null;
}

/**
 * Chooses the names and amounts that stand in a picture which is too small for all: those that matter most, none over another and none over a
 * card of another address. What is chosen or pointed at is named whole, and so is the start, over other cards where nothing around it is free.
 */
export function loudest(canvas: Core, { font, isFar, pointed }: Asked): Map<string, Said> {
  const taken = takenSpace();
  const said = new Map<string, Said>();
  const { x1, x2, y1, y2 } = canvas.extent();
  const isSeen = ({ x, y }: { x: number; y: number }) => x >= x1 && x <= x2 && y >= y1 && y <= y2;
  const view = windowOf(canvas);
  for (const { left, top, width, height } of laneNames(lanesOf(canvas), view)) {
    const { zoom, pan } = view;
    const middle = { x: (left + width / 2 - pan.x) / zoom, y: (top + height / 2 - pan.y) / zoom };
    taken.take(middle, width / zoom, height / zoom);
  }
  const cards = canvas.nodes('.address, .transaction, .bundle, .group');
  for (const card of cards.toArray()) taken.take(card.position(), NODE_WIDTH, NODE_HEIGHT, card.id());
  const nodes = [...cards.toArray(), ...canvas.nodes('.text, .pill').toArray()]
    .filter((node) => isSeen(node.position()))
    .map((node) => ({ node, rank: rankOf(node, pointed) }))
    .sort((a, b) => b.rank - a.rank);
  for (const { node } of nodes) {
    if (said.size >= LOUD_MAX) break;
    const id = node.id();
    const isAsked = node.selected() || id === pointed;
    const isWanted = isAsked || node.hasClass('subject');
    const choices = isFar ? besideOf(node, font, isWanted) : onCard(node, font, isAsked);
    const isInside = ({ at, width, height }: Choice) =>
      at.x - width / 2 >= x1 && at.x + width / 2 <= x2 && at.y - height / 2 >= y1 && at.y + height / 2 <= y2;
    const isFree = ({ at, width, height }: Choice) => taken.isFree(at, width, height, id);
    const inside = choices.filter(isInside);
    const choice =
      inside.find(isFree) ?? (isWanted ? (inside[0] ?? choiceOf(node, nameOf(node), 'on', font)) : undefined);
    if (!choice) continue;
    taken.take(choice.at, choice.width, choice.height, id);
    said.set(id, { say: choice.say, font, side: node.hasClass('pill') ? null : choice.side });
  }
  // Short amounts where the names left room, the followed money first.
  const edges = [...canvas.edges().toArray(), ...canvas.nodes('.amount').toArray()];
  edges.sort((a, b) => b.data('rank') - a.data('rank'));
  for (const edge of edges) {
    if (said.size >= LOUD_MAX) break;
    const say = String(edge.data('title') ?? '');
    const at = { x: Number(edge.data('textX')), y: Number(edge.data('textY')) };
    const [width, height] = sizeOf(say, font);
    if (say === '' || !isSeen(at) || !taken.isFree(at, width, height)) continue;
    taken.take(at, width, height);
    said.set(edge.id(), { say, font, side: null });
  }
  return said;
}

export function windowOf(canvas: Core): Window {
  return { zoom: canvas.zoom(), pan: canvas.pan(), width: canvas.width(), height: canvas.height() };
}

/** The lanes as they are drawn, from top to bottom. */
function lanesOf(canvas: Core): Lane[] {
  const lanes = canvas.nodes('.lane').map((node): Lane => {
    const [{ x, y }, width, height] = [node.position(), Number(node.data('width')), Number(node.data('height'))];
    return { chain: node.id().slice(LANE.length), left: x - width / 2, top: y - height / 2, width, height };
  });
  return lanes.sort((a, b) => a.top - b.top);
}

interface Choice {
  say: string;
  side: NameSide;
  at: { x: number; y: number };
  width: number;
  height: number;
}

function sizeOf(text: string, font: number): [width: number, height: number] {
  const lines = text.split('\n');
  return [widest(lines, font) + font, (1.1 + LINE * (lines.length - 1)) * font];
}

function widest(lines: readonly string[], font: number): number {
  return Math.max(...lines.map((line) => drawnWidth(line, font)));
}

function choiceOf(node: NodeSingular, say: string, side: NameSide, font: number): Choice {
  const [width, height] = sizeOf(say, font);
  const { x, y } = node.position();
  const towards = side.endsWith('right') ? 1 : side.endsWith('left') ? -1 : 0;
  const rows = side.startsWith('over') ? -1 : side.startsWith('under') ? 1 : 0;
  const isBesideIcons = side === 'in' && !node.hasClass('pill');
  const aside = isBesideIcons ? BESIDE_ICONS : (towards * (rows === 0 ? NODE_WIDTH + width : width - NODE_WIDTH)) / 2;
  const at = { x: x + aside, y: y + (rows * (NODE_HEIGHT + height)) / 2 };
  return { say, side, at, width, height: node.hasClass('pill') ? 1.8 * font : height };
}

function nameOf(node: NodeSingular): string {
  return String(node.data('title') ?? node.data('name') ?? '').slice(0, NAME_MAX);
}

/** A name, and its beginnings that need less room. */
function namesOf(node: NodeSingular, font: number): string[] {
  const name = nameOf(node);
  const cut = [2 * NODE_WIDTH, 1.5 * NODE_WIDTH, NODE_WIDTH].map((width) => cutToWidth(name, width, font, drawnWidth));
  return name === '' ? [] : [name, ...cut.filter((one) => one !== name && one.length >= NAME_MIN)];
}

/**
 * Names a card: beside its icons where the name fits there, else between its borders, on two lines where they have room, by less of it where
 * need be, and beside its icons where something lies over its border. What is asked for is named whole; so is a crossing, or not at all.
 */
function onCard(node: NodeSingular, font: number, isAsked: boolean): Choice[] {
  const name = nameOf(node);
  const isText = node.hasClass('text');
  const width = (one: string) => drawnWidth(one, font);
  const room = isNamed(node) || node.hasClass('subject') ? WITHIN : INSIDE;
  const isWhole = isAsked || isText || node.hasClass('pill') || width(name) <= room;
  const linesMax = 2 * LINE * font <= NODE_HEIGHT ? 2 : 1;
  /** Whole on the lines of its card, else beyond its borders. */
  const wholeIn = (within: number) => {
    const lines = isText ? [] : wrapped(name, within, font, drawnWidth);
    return lines.length <= linesMax && widest(lines, font) <= within ? lines.join('\n') : name;
  };
  const shortIn = (within: number) =>
    isNamed(node) ? fitted(name, within - ELLIPSIS * font, font, linesMax, drawnWidth).join('\n') : shortest(name);
  const isIn = (say: string) => !isText && widest(say.split('\n'), font) <= INSIDE;
  const say = isWhole ? (isAsked ? wholeIn(room) : name) : shortIn(room);
  const less = shortIn(INSIDE);
  const choices = [choiceOf(node, say, isIn(say) ? 'in' : 'on', font)];
  if (!isAsked && !isText && !node.hasClass('pill') && less !== say && isIn(less))
    choices.push(choiceOf(node, less, 'in', font));
  return say === '' ? [] : choices;
}

/** The same beside a shape, which stays in sight, or around it where it is wanted; one that its address alone names only then. */
function besideOf(node: NodeSingular, font: number, isWanted: boolean): Choice[] {
  if (node.hasClass('pill')) return onCard(node, font, isWanted);
  if (!isWanted && !isNamed(node)) return [];
  const sides = isWanted ? AROUND : BESIDE;
  return namesOf(node, font).flatMap((one) => sides.map((side) => choiceOf(node, one, side, font)));
}

/** Returns false for what its address alone names. */
function isNamed(node: NodeSingular): boolean {
  return !String(node.data('title')).includes('…');
}

/** Ranks what is pointed at or chosen, the start, texts and crossings, what is of crime, what has a name, then what deals with most. */
function rankOf(node: NodeSingular, pointed: string | null): number {
  const marks = [
    node.id() === pointed,
    node.selected(),
    node.hasClass('subject'),
    node.hasClass('text'),
    node.hasClass('pill'),
    !['unknown', 'other'].includes(String(node.data('category'))),
    isNamed(node),
  ];
  return marks.reduce((rank, mark) => 2 * rank + (mark ? 1 : 0), 0) * 1_000 + node.degree(false);
}
