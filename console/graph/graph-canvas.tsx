import cytoscape, { type Core } from 'cytoscape';
import { useEffect, useRef } from 'preact/hooks';
import { shownTheme } from '../browser/theme.ts';
import { arrange } from './arrange.ts';
import { canvasStyle } from './canvas-style.ts';
import { elementsOf } from './elements.ts';
import type { MoneyGraph } from './money-graph.ts';

interface GraphCanvasProps {
  graph: MoneyGraph;
  /** Only edges up to this moment are drawn in full. */
  until: string | null;
  selected: string | null;
  label: string;
  onNode: (key: string) => void;
  onEdge: (id: string) => void;
  /** Receives the canvas, for pictures of it. */
  onReady: (core: Core) => void;
}

/** A graph of a few addresses does not fill the canvas. */
const ZOOM_FITTED_MAX = 1.3;

/** Draws a graph. A moved address keeps its position; the lists next to the canvas serve the keyboard. */
export function GraphCanvas({ graph, until, selected, label, onNode, onEdge, onReady }: GraphCanvasProps) {
  const frame = useRef<HTMLDivElement>(null);
  const core = useRef<Core | null>(null);
  const moved = useRef(new Set<string>());
  const handlers = useRef({ onNode, onEdge });
  handlers.current = { onNode, onEdge };

  useEffect(() => {
    const made = cytoscape({
      container: frame.current,
      minZoom: 0.05,
      maxZoom: 3,
      // What keeps hundreds of nodes smooth while the canvas moves.
      textureOnViewport: true,
      hideEdgesOnViewport: true,
      pixelRatio: 1,
    });
    made.on('tap', 'node', (event) => handlers.current.onNode(event.target.id()));
    made.on('tap', 'edge', (event) => handlers.current.onEdge(event.target.id()));
    made.on('dragfree', 'node', (event) => moved.current.add(event.target.id()));
    core.current = made;
    onReady(made);
    return () => made.destroy();
  }, []);

  useEffect(() => {
    core.current?.style(canvasStyle());
  }, [shownTheme.value]);

  useEffect(() => {
    const canvas = core.current;
    if (!canvas) return;
    const places = arrange(graph);
    const wanted = elementsOf(graph, until, selected);
    const ids = new Set(wanted.map(({ data }) => data.id));
    // Payments to a bridge that a crossing has replaced.
    const gone = canvas.elements().filter((element) => !ids.has(element.id()));
    let isReshaped = gone.nodes().nonempty();
    canvas.batch(() => {
      gone.remove();
      for (const element of wanted) {
        const id = element.data.id as string;
        const known = canvas.getElementById(id);
        const place = places.get(id);
        const classes = place?.raised ? `${element.classes} raised` : element.classes;
        if (known.empty()) {
          canvas.add({ ...element, classes, position: place && { x: place.x, y: place.y } });
          isReshaped ||= element.group === 'nodes';
        } else {
          known.data(element.data);
          known.classes(classes);
          if (place && !moved.current.has(id)) known.position({ x: place.x, y: place.y });
        }
      }
    });
    if (!isReshaped) return;
    canvas.fit(undefined, 40);
    if (canvas.zoom() > ZOOM_FITTED_MAX) {
      canvas.zoom(ZOOM_FITTED_MAX);
      canvas.center();
    }
  }, [graph, until, selected]);

  return <div ref={frame} class="graph-canvas" role="img" aria-label={label} />;
}
