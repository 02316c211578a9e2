import { protocolName } from '../src/domain/bridges/protocols.ts';
import { chainName } from '../src/domain/chain.ts';
import { type Category, isAdverseCategory, isLawfulService } from '../src/domain/label.ts';
import { amountPlaces, amountPoint, arrowsFrame } from '../src/domain/scene/amounts.ts';
import { type Arrow, arrowsOf, BEND, byWeight, curveControl } from '../src/domain/scene/arrows.ts';
import { EMPTY_SCENE } from '../src/domain/scene/empty-scene.ts';
import type { Scene } from '../src/domain/scene/scene.ts';
import {
  NODE_HEIGHT,
  NODE_WIDTH,
  type Shown,
  type ShownEdge,
  type ShownNode,
  shownOf,
} from '../src/domain/scene/shown.ts';
import { fitted, wrapped } from '../src/domain/text/lines.ts';
import type { CaseReportInput } from '../src/questions/cases/report/gather-case-report.ts';
import { FORMS, grouped, moment, percent, usd } from '../words/figures.ts';
import { fill } from '../words/fill.ts';
import { WORDS } from '../words/words.ts';
import { bullets, pdfHeading, pdfParagraph } from './pdf/blocks.ts';
import { forcePage, INK, PAGE, type Pdf, spaceLeft, tag, use } from './pdf/document.ts';
import { printable } from './pdf/fonts.ts';
import { type Section, wordFor } from './sections/section.ts';
import { assetsText } from './sections/texts.ts';
import type { Parties } from './story/parties.ts';

/** Free space around a picture, in the units of a scene. */
const MARGIN = 24;
const LINE = 14;
const NOTE_WIDTH = 220;
/** Below this scale amounts could be read under a magnifier alone, and those of a large board would take seconds. */
const SCALE_OF_AMOUNTS = 0.2;
const INKS = { adverse: '#b91c1c', service: '#1d4ed8', unknown: '#6b7280', arrow: '#6b7280', rest: '#c8c8c8' };
const MARKS: Record<NonNullable<ShownNode['node']['colour']>, string> = {
  red: '#fbd9d5',
  orange: '#fde2c8',
  yellow: '#fdf3c4',
  green: '#d5f0dd',
  blue: '#d6e6fc',
  purple: '#e8dcfa',
};

/** At this scale letters of 12 units are 7 points high. */
const SCALE_READABLE = 7 / 12;
/** A board that takes more pages is drawn as a whole alone. */
const PARTS_MAX = 12;

interface DrawnBoard {
  shown: Shown;
  parties: Parties;
  /** Begins the page of a part. */
  turnPage: (part: number, parts: number) => void;
  /** Marks what is drawn as a figure. */
  figure: (draw: () => void) => void;
}

/** A part of a picture, in the units of its scene. */
interface Part {
  left: number;
  top: number;
  width: number;
  height: number;
}

/**
 * Draws what the canvas shows of a board as vectors, as large as the rest of the page has room for; where it cannot be read then, again
 * in parts, for each of which `turnPage` begins a page.
 *
 * @internal
 */
export function drawBoard(section: Section, scene: Scene, { shown, parties, turnPage, figure }: DrawnBoard): void {
  const { left, top, right, bottom } = frameOf(scene, shown);
  const whole = { left, top, width: right - left, height: bottom - top };
  const draw = (part: Part, scaleMax: number) => {
    let scale = 0;
    figure(() => {
      scale = drawPart(section, scene, { shown, parties, part, scaleMax });
    });
    return scale;
  };
  if (draw(whole, 1) >= SCALE_READABLE) return;
  const room = roomFor(section);
  const parts = partsOf(whole, { width: room.width / SCALE_READABLE, height: room.height / SCALE_READABLE }, shown);
  if (parts.length > PARTS_MAX) return;
  parts.forEach((part, n) => {
    turnPage(n + 1, parts.length);
    draw(part, SCALE_READABLE);
  });
}

function roomFor({ pdf }: Section): { width: number; height: number } {
  return { width: pdf.page.width - 2 * PAGE.margin, height: spaceLeft(pdf) };
}

/**
 * The parts in which something stands; they overlap by a card, so that each is whole on one of them. None where the room is
 * no larger than a card.
 */
function partsOf(whole: Part, size: { width: number; height: number }, { nodes }: Shown): Part[] {
  const [across, down] = [size.width - NODE_WIDTH, size.height - NODE_HEIGHT];
  const parts: Part[] = [];
  if (across <= 0 || down <= 0) return parts;
  for (let top = whole.top; top < whole.top + whole.height - NODE_HEIGHT; top += down)
    for (let left = whole.left; left < whole.left + whole.width - NODE_WIDTH; left += across)
      parts.push({ left, top, ...size });
  return parts.filter((part) =>
    nodes.some(
      ({ x, y }) => x >= part.left && x <= part.left + part.width && y >= part.top && y <= part.top + part.height,
    ),
  );
}

/** Draws a part of a board and returns the scale at which it fits the page. */
function drawPart(
  section: Section,
  scene: Scene,
  { shown, parties, part, scaleMax }: { shown: Shown; parties: Parties; part: Part; scaleMax: number },
): number {
  const { pdf } = section;
  const room = roomFor(section);
  const scale = Math.min(scaleMax, room.width / part.width, room.height / part.height);
  const arrows = arrowsOf(shown);
  const most = Math.max(1, ...shown.edges.map((edge) => edge.usd ?? 0));
  const { y } = pdf;
  pdf.save();
  pdf.translate(PAGE.margin + (room.width - scale * part.width) / 2 - scale * part.left, y - scale * part.top);
  pdf.scale(scale);
  pdf.rect(part.left, part.top, part.width, part.height).clip();
  for (const { id, name } of scene.groups)
    drawFrame(
      pdf,
      name,
      shown.nodes.filter(({ group }) => group === id),
    );
  for (const edge of shown.edges.toSorted(byWeight)) drawArrow(pdf, edge, arrows.get(edge.id), most);
  for (const node of shown.nodes) drawCard(section, scene, node, parties);
  if (scale >= SCALE_OF_AMOUNTS) drawAmounts(section, shown, arrows);
  for (const note of scene.texts) lines(pdf, noteLines(note.text), note, { colour: INK.text, halo: true });
  pdf.restore();
  pdf.x = PAGE.margin;
  pdf.y = y + scale * part.height;
  return scale;
}

function frameOf({ texts }: Scene, shown: Shown) {
  const { nodes, edges } = shown;
  const arrows = arrowsFrame(shown);
  const xs = [...nodes.map(({ x }) => x), ...texts.map(({ x }) => x), 0];
  const tops = [...nodes.map(({ y }) => y), ...texts.map(({ y }) => y), 0];
  const bottoms = [...tops, ...texts.map(({ y, text }) => y + noteLines(text).length * LINE)];
  return {
    left: Math.min(arrows.left, Math.min(...xs) - NODE_WIDTH / 2) - MARGIN,
    right: Math.max(arrows.right, Math.max(...xs) + NODE_WIDTH / 2) + MARGIN,
    top: Math.min(...tops) - NODE_HEIGHT / 2 - MARGIN,
    bottom: Math.max(...bottoms) + NODE_HEIGHT / 2 + MARGIN + (edges.length > 0 ? BEND : 0),
  };
}

function drawFrame(pdf: Pdf, name: string, members: readonly ShownNode[]): void {
  if (members.length === 0) return;
  const [xs, ys] = [members.map(({ x }) => x), members.map(({ y }) => y)];
  const [x, y] = [Math.min(...xs) - NODE_WIDTH / 2 - 12, Math.min(...ys) - NODE_HEIGHT / 2 - 12];
  const [width, height] = [Math.max(...xs) + NODE_WIDTH / 2 + 12 - x, Math.max(...ys) + NODE_HEIGHT / 2 + 12 - y];
  pdf.roundedRect(x, y, width, height, 6).lineWidth(1).dash(5, { space: 4 }).stroke(INK.link).undash();
  lines(pdf, fitted(name, width, 12, 1), { x: x + width / 2, y: y - 9 }, { colour: INK.text });
}

function drawArrow(pdf: Pdf, edge: ShownEdge, arrow: Arrow | undefined, most: number): void {
  if (!arrow) return;
  const { isBack, points } = arrow;
  const [start, before, end] = [points[0], points.at(-2)!, points.at(-1)!];
  const colour = edge.share === null ? INKS.rest : INKS.arrow;
  pdf.lineWidth(1.2 + (4.8 * Math.log10(1 + Math.max(0, edge.usd ?? 0))) / Math.log10(1 + most));
  if (edge.flows.some(({ bridge }) => bridge !== null)) pdf.dash(8, { space: 5 });
  const control = curveControl(arrow);
  pdf.moveTo(start.x, start.y);
  if (isBack) pdf.quadraticCurveTo(control.x, control.y, end.x, end.y);
  else for (const { x, y } of points.slice(1)) pdf.lineTo(x, y);
  pdf.lineJoin('round').stroke(colour).undash();
  const angle = isBack ? -90 : (Math.atan2(end.y - before.y, end.x - before.x) * 180) / Math.PI;
  pdf.save().translate(end.x, end.y).rotate(angle);
  pdf.moveTo(-9, -6).lineTo(0, 0).lineTo(-9, 6).closePath().fill(INKS.arrow).restore();
}

function drawCard(section: Section, scene: Scene, { kind, node, keys, id, x, y }: ShownNode, parties: Parties): void {
  const { pdf, words, language } = section;
  const isSubject = node.key === scene.subject;
  const [left, top] = [x - NODE_WIDTH / 2, y - NODE_HEIGHT / 2];
  pdf
    .rect(left, top, NODE_WIDTH, NODE_HEIGHT)
    .lineWidth(isSubject ? 3 : 1)
    .fillAndStroke(node.colour === null ? '#ffffff' : MARKS[node.colour], isSubject ? INK.link : INKS.arrow);
  pdf.rect(left, top, 7, NODE_HEIGHT).fill(inkOf(node.category));
  const title = {
    address: node.label ?? parties.nameOf(node.chain, node.address),
    transaction: node.transaction?.method ?? words.transaction,
    bundle: fill(words.andMore, { count: grouped(keys.length, language) }),
    group: `${scene.groups.find((group) => group.id === id)?.name ?? ''} (${keys.length})`,
  }[kind];
  const category = node.category === 'unknown' ? '' : ` · ${wordFor(section, node.category)}`;
  // A short form of the hash: the tables of the report hold it whole.
  const hash = `${node.address.slice(0, 6)}…${node.address.slice(-4)}`;
  const about = `${chainName(node.chain)}${kind === 'transaction' ? ` · ${hash}` : category}`;
  const facts = kind === 'address' || kind === 'transaction' ? fitted(about, NODE_WIDTH - 18, 12, 2) : [];
  const all = [...fitted(printable(title), NODE_WIDTH - 18, 12, 3 - facts.length), ...facts];
  lines(pdf, all, { x: x + 3, y: y - ((all.length - 1) * LINE) / 2 }, { colour: INK.text });
}

function drawAmounts({ pdf, words, language }: Section, shown: Shown, arrows: ReadonlyMap<string, Arrow>): void {
  const places = amountPlaces(shown);
  for (const edge of shown.edges) {
    const [arrow, place] = [arrows.get(edge.id), places.get(edge.id)];
    if (!arrow || !place || place.side === 'none') continue;
    const point = amountPoint(arrow, place);
    const value = edge.usd === null ? '' : `${edge.isAtMost ? '≤ ' : ''}${usd(edge.usd, language)}`;
    const share = edge.share === null ? '' : percent(edge.share, language);
    const bridge = edge.flows.length === 1 ? edge.flows[0]?.bridge : null;
    const texts = [
      assetsText(edge.assets ?? {}, language),
      [value, share].filter(Boolean).join(' · '),
      bridge ? protocolName(bridge.protocol) : '',
      partWord(words, edge),
    ].filter(Boolean);
    lines(
      pdf,
      texts,
      { ...point, y: point.y - ((texts.length - 1) * 12) / 2 },
      { colour: INK.text, size: 10, halo: true },
    );
  }
}

/** Names what an address is in an opened transaction, where that says more than its amount. */
function partWord({ transactionParts: parts }: Section['words'], { flows }: ShownEdge): string {
  const part = flows.length === 1 ? flows[0]?.part : undefined;
  return part === 'own' || part === 'change' || part === 'called' ? parts[part] : '';
}

interface LineForm {
  colour: string;
  size?: number;
  /** On a white ground, where lines may pass below. */
  halo?: boolean;
}

/** Lines below each other, centred at `x`; the middle of the first one is at `y`. */
function lines(pdf: Pdf, texts: readonly string[], { x, y }: { x: number; y: number }, form: LineForm): void {
  const { colour, size = 12, halo = false } = form;
  const step = size === 12 ? LINE : 12;
  for (const [i, text] of texts.entries()) {
    const line = printable(text);
    const width = use(pdf, 'regular', size).widthOfString(line);
    const middle = y + i * step;
    if (halo) pdf.rect(x - width / 2 - 2, middle - step / 2, width + 4, step).fill('#ffffff');
    use(pdf, 'regular', size, colour).text(line, x - width / 2, middle - 0.7 * size, { lineBreak: false });
  }
}

function inkOf(category: Category): string {
  if (isAdverseCategory(category)) return INKS.adverse;
  return isLawfulService(category) ? INKS.service : INKS.unknown;
}

function noteLines(text: string): string[] {
  return text.split('\n').flatMap((line) => wrapped(line, NOTE_WIDTH, 12));
}

/** Notes on addresses that are printed of one board. */
const NOTES_MAX = 100;

/** The boards of the case, each as a picture on a page of its own, then the notes on their addresses. */
export function boardPages(section: Section, { boards }: CaseReportInput, parties: Parties): void {
  if (!boards || boards.shown.length === 0) return;
  const { pdf, language } = section;
  const say = WORDS[language].story;
  for (const { title, version, saved_at, saved_by, scene } of boards.shown) {
    forcePage(pdf, 'landscape');
    pdfHeading(pdf, 2, fill(say.boardTitle, { title }));
    const facts = { version: String(version), at: moment(saved_at, language), author: saved_by };
    const isWhole = showsAll(scene) ? '' : ` ${say.boardPart}`;
    pdfParagraph(pdf, fill(say.boardFacts, facts) + isWhole, { faint: true });
    const shown = shownOf(scene);
    const counts = { nodes: grouped(shown.nodes.length, language), flows: grouped(shown.edges.length, language) };
    const alt = fill(say.boardAlt, { title, ...counts });
    const turnPage = (part: number, parts: number) => {
      forcePage(pdf, 'landscape');
      const texts = { title, part: grouped(part, language), parts: grouped(parts, language) };
      pdfParagraph(pdf, fill(say.boardPartOf, texts), { faint: true });
    };
    drawBoard(section, scene, { shown, parties, turnPage, figure: (draw) => tag(pdf, 'Figure', draw, { alt }) });
  }
  forcePage(pdf);
  for (const { title, scene } of boards.shown) {
    const notes = scene.nodes.filter(({ hidden, note }) => !hidden && note);
    if (notes.length === 0) continue;
    pdfHeading(pdf, 3, FORMS[language].labelled(say.boardNotes, title));
    bullets(
      pdf,
      notes
        .slice(0, NOTES_MAX)
        .map(({ chain, address, label, note }) => `${label ?? parties.nameOf(chain, address)}: ${note}`),
    );
  }
  const counts = { count: grouped(boards.total, language), shown: grouped(boards.shown.length, language) };
  if (boards.total > boards.shown.length) pdfParagraph(pdf, fill(say.boardsMax, counts), { faint: true });
}

function showsAll({ nodes, filters }: Scene): boolean {
  return nodes.every(({ hidden }) => !hidden) && JSON.stringify(filters) === JSON.stringify({ ...EMPTY_SCENE.filters });
}
