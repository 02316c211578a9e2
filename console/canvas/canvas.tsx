import { useSignalEffect } from '@preact/signals';
import cytoscape, { type Core } from 'cytoscape';
import { useEffect, useRef } from 'preact/hooks';
import { shownTheme } from '../browser/theme.ts';
import { language } from '../browser/words.ts';
import type { CanvasSession } from '../canvas-session/canvas-session.ts';
import type { Point } from '../scene/edits.ts';
import { moveTo, setView } from '../scene/edits.ts';
import { canvasStyle } from './canvas-style.ts';
import { draw, movePills } from './draw.ts';
import { elementsOf } from './elements.ts';
import { pointAt, writeLabels } from './labels.ts';

interface CanvasProps {
  session: CanvasSession;
  label: string;
  /** Opens the menu of what is chosen. */
  onMenu: (at: Point) => void;
  onReady: (canvas: Core) => void;
}

const VIEW_PAUSE_MS = 250;
const LABELS_PAUSE_MS = 80;
const CHOICE = 'node, edge';

/** Draws the scene of a session. Choosing, moving and zooming are done here; every change goes through the scene. */
export function Canvas({ session, label, onMenu, onReady }: CanvasProps) {
  const frame = useRef<HTMLDivElement>(null);
  const core = useRef<Core | null>(null);
  const onMenuNow = useRef(onMenu);
  onMenuNow.current = onMenu;

  useEffect(() => {
    const canvas = cytoscape({
      container: frame.current,
      minZoom: 0.03,
      maxZoom: 3,
      boxSelectionEnabled: true,
      wheelSensitivity: 0.4,
    });
    core.current = canvas;
    const { view } = session.stage.value.scene;
    canvas.zoom(view.zoom);
    canvas.pan({ x: canvas.width() / 2 - view.x * view.zoom, y: canvas.height() / 2 - view.y * view.zoom });
    const stop = listen(canvas, session, (at) => onMenuNow.current(at));
    onReady(canvas);
    return () => {
      stop();
      canvas.destroy();
      core.current = null;
    };
  }, []);

  useSignalEffect(() => {
    void shownTheme.value;
    // Each language has its font.
    void language.value;
    core.current?.style(canvasStyle());
  });
  useSignalEffect(() => {
    // Names of categories and bundles are words.
    void language.value;
    if (core.current)
      draw(
        core.current,
        elementsOf(session.picture.value, session.shown.value, session.levels.value),
        session.chosen.peek(),
      );
  });
  useSignalEffect(() => {
    const chosen = session.chosen.value;
    core.current?.batch(() => {
      core.current?.elements(CHOICE).forEach((element) => {
        if (element.selected() !== chosen.has(element.id()))
          element[chosen.has(element.id()) ? 'select' : 'unselect']();
      });
    });
  });

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the canvas takes keys for all that it can do
    <div ref={frame} class="graph-canvas" role="application" aria-label={label} tabIndex={0} />
  );
}

/** Tells the session what the reader does on the canvas. */
function listen(canvas: Core, session: CanvasSession, onMenu: (at: Point) => void): () => void {
  let isReported = true;
  const report = () => {
    if (!isReported) return;
    isReported = false;
    queueMicrotask(() => {
      isReported = true;
      const ids = canvas.elements(':selected').map((element) => element.id());
      const known = session.chosen.peek();
      if (ids.length !== known.size || ids.some((id) => !known.has(id))) session.chosen.value = new Set(ids);
    });
  };
  canvas.on('select unselect', CHOICE, report);
  // Keys go on where the mouse was.
  canvas.on('tap boxend dragfree', () => canvas.container()?.focus());
  const choose = (target: { id: () => string; data: (name: string) => string | undefined }) => {
    const id = target.data('edge') ?? target.id();
    if (!session.chosen.peek().has(id)) session.chosen.value = new Set([id]);
  };
  canvas.on('tap', '.pill, .amount', ({ target }) => choose(target));
  canvas.on('cxttap', ({ target, renderedPosition }) => {
    if (target !== canvas) choose(target);
    onMenu(renderedPosition);
  });
  const point = (id: string | null) => {
    pointAt(canvas, id);
    writeSoon();
  };
  canvas.on('mouseover', 'node', ({ target }) => point(target.id()));
  canvas.on('mouseout', 'node', () => point(null));
  canvas.on('drag', 'node', ({ target }) => movePills(canvas, target));
  canvas.on('dragfree', 'node', () => {
    const places = new Map<string, Point>();
    const shown = new Map(session.shown.peek().nodes.map((node) => [node.id, node.keys]));
    canvas.nodes().forEach((node) => {
      if (node.isParent()) return;
      const { x, y } = node.position();
      for (const key of shown.get(node.id()) ?? [node.id()]) places.set(key, { x: Math.round(x), y: Math.round(y) });
    });
    session.edit(moveTo(places));
  });
  let pause: ReturnType<typeof setTimeout>;
  let labels: ReturnType<typeof setTimeout>;
  const writeSoon = () => {
    clearTimeout(labels);
    labels = setTimeout(() => writeLabels(canvas), LABELS_PAUSE_MS);
  };
  canvas.on('select unselect resize', writeSoon);
  canvas.on('viewport', () => {
    clearTimeout(pause);
    writeSoon();
    pause = setTimeout(() => session.learn(setView(viewOf(canvas))), VIEW_PAUSE_MS);
  });
  let size = { width: canvas.width(), height: canvas.height() };
  // A panel takes its room from both sides of the picture: what was in the middle stays there.
  const resized = new ResizeObserver(([entry]) => {
    const { width, height } = entry!.contentRect;
    canvas.panBy({ x: (width - size.width) / 2, y: (height - size.height) / 2 });
    size = { width, height };
    canvas.resize();
  });
  resized.observe(canvas.container() as HTMLElement);
  return () => {
    clearTimeout(pause);
    clearTimeout(labels);
    resized.disconnect();
  };
}

function viewOf(canvas: Core) {
  const zoom = canvas.zoom();
  const { x, y } = canvas.pan();
  const middle = (size: number, pan: number) => Math.max(-1e6, Math.min(1e6, Math.round((size / 2 - pan) / zoom)));
  return { x: middle(canvas.width(), x), y: middle(canvas.height(), y), zoom };
}
