import type { CollectionReturnValue, Core } from 'cytoscape';
import { NODE_HEIGHT, NODE_WIDTH } from '../../../src/domain/scene/shown.ts';
import type { Stagehand } from '../../canvas-session/actions.ts';
import { type CanvasSession, type ChosenWay, ROOM_MARGIN } from '../../canvas-session/canvas-session.ts';

/** A graph of a few addresses does not fill the canvas. */
const ZOOM_FITTED_MAX = 1.2;
/** Below this, cards are too small to be seen as such. */
const ZOOM_READABLE = 0.3;
const MARGIN = ROOM_MARGIN;

/** Fits the picture, or its beginning where all of it would be too small to read. */
export function lookAt(canvas: Core | null, session: CanvasSession, hand: Stagehand): void {
  hand.fit();
  const { scene } = session.stage.value;
  const start = canvas?.getElementById(scene.followed?.key ?? scene.subject ?? '');
  if (!canvas || canvas.zoom() >= ZOOM_READABLE || !start?.nonempty()) return;
  canvas.zoom(ZOOM_READABLE);
  canvas.center(start);
  // Money goes to the right: the start stands at the left, beside those that paid it.
  const [picture, own] = [canvas.elements().renderedBoundingBox(), start.renderedBoundingBox()];
  canvas.panBy({ x: Math.max(MARGIN - own.x1, Math.min(0, MARGIN - picture.x1)), y: 0 });
}

/** True of a picture that is far wider than its window, and too small in it to be read. */
export function isTooWide({ stage, shown, room }: CanvasSession): boolean {
  const { nodes } = shown.value;
  if (nodes.length < 2 || stage.value.scene.view.zoom > ZOOM_READABLE) return false;
  const spanOf = (all: number[]) => Math.max(...all) - Math.min(...all);
  const [across, down] = [
    room().width / (spanOf(nodes.map(({ x }) => x)) + NODE_WIDTH),
    room().height / (spanOf(nodes.map(({ y }) => y)) + NODE_HEIGHT),
  ];
  return across < ZOOM_READABLE && across < down / 2;
}

/** Brings a way into sight; its end where all of it would be too small to read. */
export function lookAtWay(canvas: Core | null, { ids, end }: ChosenWay): void {
  if (!canvas) return;
  const way = canvas.elements().filter((element) => ids.has(element.id()));
  const last = canvas.getElementById(end);
  if (last.empty() || isInSight(canvas, way)) return;
  canvas.fit(way, MARGIN);
  canvas.zoom({
    level: Math.min(ZOOM_FITTED_MAX, Math.max(ZOOM_READABLE, canvas.zoom())),
    renderedPosition: { x: canvas.width() / 2, y: canvas.height() / 2 },
  });
  if (isInSight(canvas, way)) return;
  canvas.center(last);
  const [all, own] = [way.renderedBoundingBox(), last.renderedBoundingBox()];
  // The end stands at the side to which the way leads.
  const isRight = own.x1 - all.x1 > all.x2 - own.x2;
  canvas.panBy({ x: isRight ? canvas.width() - MARGIN - own.x2 : MARGIN - own.x1, y: 0 });
}

/** Moves the picture to what was chosen alone, where it is out of sight. */
export function bringIntoSight(canvas: Core | null, chosen: ReadonlySet<string>): void {
  const [id] = chosen;
  const node = id === undefined || chosen.size > 1 ? undefined : canvas?.getElementById(id);
  if (!canvas || !node?.nonempty() || !node.isNode()) return;
  const { x, y } = node.renderedPosition();
  if (x < 0 || y < 0 || x > canvas.width() || y > canvas.height()) canvas.center(node);
}

function isInSight(canvas: Core, part: CollectionReturnValue): boolean {
  const { x1, y1, x2, y2 } = part.renderedBoundingBox();
  return canvas.zoom() >= ZOOM_READABLE && x1 >= 0 && y1 >= 0 && x2 <= canvas.width() && y2 <= canvas.height();
}

/** Size of the corner at the lower right that the buttons cover. */
const BUTTONS = { width: 130, height: 52 };

/** Fits what is drawn into the window, no card under the buttons. */
function fitShapes(core: Core): void {
  fitInto(core, core.height());
  const [left, top] = [core.width() - BUTTONS.width, core.height() - BUTTONS.height];
  const isCovered = core.nodes('.address, .transaction, .bundle, .group').some((node) => {
    const { x2, y2 } = node.renderedBoundingBox({ includeLabels: false });
    return x2 > left && y2 > top;
  });
  if (isCovered) fitInto(core, core.height() - (BUTTONS.height - MARGIN));
}

/** Fits it into the upper part of the window, or its middle where all of it is too wide; names come and go with the scale. */
function fitInto(core: Core, height: number): void {
  const { x1, y1, w, h } = core.elements().boundingBox({ includeLabels: false });
  const width = core.width();
  const wanted = Math.min(ZOOM_FITTED_MAX, (width - 2 * MARGIN) / w, (height - 2 * MARGIN) / h);
  // A smaller zoom would be refused, while the pan that belongs to it would not.
  const zoom = Math.max(core.minZoom(), wanted);
  core.viewport({ zoom, pan: { x: width / 2 - zoom * (x1 + w / 2), y: height / 2 - zoom * (y1 + h / 2) } });
}

/** The page's part in actions, on its canvas. */
export function stagehandOf(canvas: { current: Core | null }, help: () => void, openPanel: () => void): Stagehand {
  return {
    help,
    search: () => document.getElementById('canvas-search')?.focus(),
    canvas: () => canvas.current?.container()?.focus(),
    panel: () => {
      openPanel();
      document.querySelector<HTMLElement>('.stage-panel')?.focus();
    },
    zoom: (factor) => {
      const core = canvas.current;
      core?.zoom({ level: core.zoom() * factor, renderedPosition: { x: core.width() / 2, y: core.height() / 2 } });
    },
    fit: () => {
      const core = canvas.current;
      if (core?.elements().nonempty()) fitShapes(core);
    },
    middle: () => {
      const { x1 = 0, y1 = 0, w = 0, h = 0 } = canvas.current?.extent() ?? {};
      return { x: Math.round(x1 + w / 2), y: Math.round(y1 + h / 2) };
    },
    goToField: (name) => {
      openPanel();
      // The panel of what was just chosen is drawn first.
      requestAnimationFrame(() =>
        whenDrawn(`.stage-panel [name="${name}"]`, (field) => {
          field.focus();
          // The first name of a group or a text is there to be replaced.
          if (name !== 'note') field.select();
        }),
      );
    },
  };
}

/** Frames in which a field comes, its panel being loaded first. */
const FRAMES_MAX = 120;

function whenDrawn(selector: string, then: (field: HTMLInputElement) => void, frames = FRAMES_MAX): void {
  requestAnimationFrame(() => {
    const field = document.querySelector<HTMLInputElement>(selector);
    if (field) then(field);
    else if (frames > 0) whenDrawn(selector, then, frames - 1);
  });
}
