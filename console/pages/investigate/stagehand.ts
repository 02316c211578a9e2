import type { Core } from 'cytoscape';
import type { Stagehand } from '../../desk/actions.ts';
import type { Desk } from '../../desk/desk.ts';
import type { Point } from '../../scene/edits.ts';

/** A graph of a few addresses does not fill the canvas. */
const ZOOM_FITTED_MAX = 1.2;
/** Below this, names cannot be read. */
const ZOOM_READABLE = 0.75;

/** True of a scene that was never looked at. */
export function isUnseen({ stage }: Desk): boolean {
  const { view } = stage.value.scene;
  return view.x === 0 && view.y === 0 && view.zoom === 1;
}

/** Fits the picture, or its beginning where all of it would be too small to read. */
export function lookAt(canvas: Core | null, desk: Desk, hand: Stagehand): void {
  hand.fit();
  const { scene } = desk.stage.value;
  const start = canvas?.getElementById(scene.followed?.key ?? scene.subject ?? '');
  if (!canvas || canvas.zoom() >= ZOOM_READABLE || !start?.nonempty()) return;
  canvas.zoom(ZOOM_READABLE);
  canvas.center(start);
  const { x1 } = canvas.elements().renderedBoundingBox();
  // Money goes to the right: the start stands at the left.
  canvas.panBy({ x: Math.max(-canvas.width() / 4, Math.min(0, -x1 + 40)), y: 0 });
}

/** The page's part in actions, on its canvas. */
export function stagehandOf(canvas: { current: Core | null }, help: () => void, openPanel: () => void): Stagehand {
  return {
    help,
    search: () => document.querySelector<HTMLElement>('#canvas-search')?.focus(),
    zoom: (factor) => {
      const core = canvas.current;
      core?.zoom({ level: core.zoom() * factor, renderedPosition: { x: core.width() / 2, y: core.height() / 2 } });
    },
    fit: () => {
      const core = canvas.current;
      if (!core || core.elements().empty()) return;
      core.fit(undefined, 40);
      if (core.zoom() > ZOOM_FITTED_MAX) {
        core.zoom(ZOOM_FITTED_MAX);
        core.center();
      }
    },
    middle: () => {
      const { x1 = 0, y1 = 0, w = 0, h = 0 } = canvas.current?.extent() ?? {};
      return { x: Math.round(x1 + w / 2), y: Math.round(y1 + h / 2) };
    },
    goToField: (name) => {
      openPanel();
      // The panel of what was just chosen is drawn first.
      requestAnimationFrame(() =>
        requestAnimationFrame(() => document.querySelector<HTMLElement>(`.stage-panel [name="${name}"]`)?.focus()),
      );
    },
  };
}

/** The place at which the menu opens by keyboard. */
export function placeOfChoice(canvas: Core | null, desk: Desk): Point {
  const [id] = desk.chosen.value;
  const node = id === undefined ? undefined : canvas?.getElementById(id);
  return node?.nonempty() && node.isNode() ? node.renderedPosition() : { x: 40, y: 40 };
}
