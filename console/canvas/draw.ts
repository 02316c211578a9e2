import type { Core, EdgeSingular, NodeSingular } from 'cytoscape';
import { pointBeside } from '../../src/domain/scene/arrows.ts';
import { type CanvasElement, pillId } from './elements.ts';
import { writeLabels } from './labels.ts';
import { NAME_CLASSES } from './name-sides.ts';
import { settle } from './settle.ts';

/** Elements of one turn: a large picture comes in several, so that the page answers between them. */
const TURN = 120;

let turn = 0;

/** Makes the canvas show the elements. What is there already is changed; the rest comes turn by turn. */
export function draw(canvas: Core, wanted: readonly CanvasElement[], chosen: ReadonlySet<string>): void {
  turn += 1;
  const ids = new Set(wanted.map(({ data }) => data.id));
  canvas.batch(() => {
    // A frame that goes would take with it what it holds.
    const gone = canvas.elements().filter((element) => !ids.has(element.id()));
    gone.nodes('.frame').children().move({ parent: null });
    gone.remove();
  });
  drawFrom(canvas, wanted, chosen, 0, turn);
}

function drawFrom(
  canvas: Core,
  wanted: readonly CanvasElement[],
  chosen: ReadonlySet<string>,
  first: number,
  ofTurn: number,
): void {
  if (canvas.destroyed() || ofTurn !== turn) return;
  const last = Math.min(first + TURN, wanted.length);
  const ofNow = wanted.slice(first, last);
  canvas.batch(() => {
    for (const element of ofNow) show(canvas, element, chosen);
  });
  settle(ofNow.map(({ data }) => canvas.getElementById(data.id)));
  if (last < wanted.length) requestAnimationFrame(() => drawFrom(canvas, wanted, chosen, last, ofTurn));
  else writeLabels(canvas);
}

/** Keeps the crossings and the amounts of a card that is dragged, or of all that stands in its frame, on their arrows. */
export function movePills(canvas: Core, dragged: NodeSingular): void {
  const arrows = dragged.union(dragged.descendants()).connectedEdges();
  const places = (arrows.toArray() as EdgeSingular[]).flatMap((arrow) => {
    const pill = canvas.getElementById(pillId(arrow.id()));
    // A hidden arrow has no ends.
    const [start, end] = pill.empty() ? [] : [arrow.sourceEndpoint(), arrow.targetEndpoint()];
    return start && end ? [{ pill, at: pointBeside(start, end, pill.data()) }] : [];
  });
  canvas.batch(() => {
    for (const { pill, at } of places) pill.position(at);
  });
}

function show(canvas: Core, { group, data, classes, position }: CanvasElement, chosen: ReadonlySet<string>): void {
  const known = canvas.getElementById(data.id);
  if (known.empty()) {
    // A pill, or what an arrow says, stands for the arrow, which is chosen in its place.
    const isGround = classes.includes('lane') || classes === 'pill' || classes === 'amount';
    canvas.add({
      group,
      data: { ...data },
      classes,
      selected: chosen.has(data.id),
      selectable: !isGround,
      grabbable: !isGround,
      ...(position ? { position } : {}),
    });
    return;
  }
  const before = known.data();
  if (Object.entries(data).some(([name, value]) => before[name] !== value)) known.data(data);
  if ((before.parent ?? null) !== (data.parent ?? null)) known.move({ parent: (data.parent as string) ?? null });
  // How it is seen from afar is not part of the picture.
  const seen = ['far', ...NAME_CLASSES.keys()].filter((name) => known.hasClass(name));
  const wanted = [classes, ...seen].join(' ').trim();
  if (known.classes().join(' ') !== wanted) known.classes(wanted);
  if (!position || known.grabbed()) return;
  const { x, y } = known.position();
  if (x !== position.x || y !== position.y) known.position(position);
}
