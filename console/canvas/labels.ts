import type { Core, SingularElementReturnValue } from 'cytoscape';
import { drawnWidth, FONT, SMALLEST } from './fonts.ts';
import { loudest, type Said } from './loudest.ts';
import { NAME_CLASSES } from './name-sides.ts';
import { settle } from './settle.ts';

/** Below this scale a card is a shape in its colour. */
const FAR = 0.45;
/** On the screen, of names that stand for a picture which is too small for all of them. */
const LOUD = 11.5;
/** On the screen, of a crossing without room for its words. */
const MARK = 9;

const POINTED = '_pointed';

/** Keeps with the canvas what is under the pointer; it is named whole, also once the picture is drawn again. */
export function pointAt(canvas: Core, id: string | null): void {
  canvas.scratch(POINTED, id);
}

/** Writes what can be read at the scale of now: all names and amounts, or those that matter most. */
export function writeLabels(canvas: Core): void {
  const zoom = canvas.zoom();
  const pointed: string | null = canvas.scratch(POINTED) ?? null;
  const isFar = zoom < FAR;
  const loud = zoom * FONT >= SMALLEST ? null : loudest(canvas, { font: LOUD / zoom, isFar, pointed });
  turn += 1;
  const seen = { loud, isFar, zoom, pointed };
  writeFrom(canvas, canvas.elements().toArray() as SingularElementReturnValue[], seen, turn);
}

/** Elements of one frame, so that the page answers between them. */
const TURN = 150;
let turn = 0;

interface Seen {
  /** Null where all can be read. */
  loud: ReadonlyMap<string, Said> | null;
  isFar: boolean;
  zoom: number;
  pointed: string | null;
}

function writeFrom(canvas: Core, elements: SingularElementReturnValue[], seen: Seen, ofTurn: number): void {
  if (canvas.destroyed() || ofTurn !== turn) return;
  const changed = elements.filter((element) => isToWrite(element, seen));
  const ofNow = changed.slice(0, TURN);
  canvas.batch(() => {
    for (const element of ofNow) write(element, seen);
  });
  settle(ofNow);
  if (changed.length > TURN) requestAnimationFrame(() => writeFrom(canvas, changed.slice(TURN), seen, ofTurn));
}

function saidOf(element: SingularElementReturnValue, { loud, pointed }: Seen): Said {
  // Words of a crossing without room would lie over cards.
  const isMark = element.data('hasRoom') === false && element.id() !== pointed;
  if (!loud) return { say: isMark ? '' : String(element.data('name') ?? ''), font: FONT, side: null };
  return loud.get(element.id()) ?? { say: '', font: FONT, side: null };
}

function isToWrite(element: SingularElementReturnValue, seen: Seen): boolean {
  const { say, font, side } = saidOf(element, seen);
  const isThere = (element.data('font') ?? FONT) === font && (element.data('side') ?? null) === side;
  const isSaid = (element.data('say') ?? '') === say && isThere;
  const size = boxOf(element, say, font, seen);
  if (size) return !isSaid || element.data('width') !== size.width;
  return !isSaid || (element.isNode() && !element.hasClass('frame') && element.hasClass('far') !== seen.isFar);
}

function write(element: SingularElementReturnValue, seen: Seen): void {
  const { say, font, side } = saidOf(element, seen);
  element.data({ say, font, side });
  if (!element.isNode() || element.hasClass('frame')) return;
  const size = boxOf(element, say, font, seen);
  if (size) {
    element.data(size);
    return;
  }
  for (const [name, of] of NAME_CLASSES) element.toggleClass(name, side === of);
  element.toggleClass('far', seen.isFar);
}

/** Sizes a node by its words: amounts, or a crossing, which is a mark of one size at every scale where its words have no room. */
function boxOf(element: SingularElementReturnValue, say: string, font: number, { zoom }: Seen) {
  const isPill = element.hasClass('pill');
  if (!isPill && !element.hasClass('amount')) return null;
  if (say === '') return isPill ? { width: (2 * MARK) / zoom, height: MARK / zoom } : { width: 1, height: 1 };
  const lines = say.split('\n');
  return {
    width: Math.max(...lines.map((line) => drawnWidth(line, font))) + (isPill ? font : 4),
    height: ((isPill ? 1.25 : 1.15) * lines.length + (isPill ? 0.5 : 0)) * font,
  };
}
