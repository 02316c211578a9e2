import { useSignalEffect } from '@preact/signals';
import type { Core } from 'cytoscape';
import { useEffect, useRef, useState } from 'preact/hooks';
import { NODE_HEIGHT, NODE_WIDTH } from '../../../src/domain/scene/shown.ts';
import { words } from '../../browser/words.ts';
import { nodeColor, themeColor } from '../../canvas/node-colors.ts';
import type { CanvasAction } from '../../canvas-session/actions.ts';
import type { CanvasSession } from '../../canvas-session/canvas-session.ts';
import { Icon } from '../../parts/icon.tsx';

const [WIDTH, HEIGHT] = [160, 100];
const ZOOMS = ['zoomIn', 'zoomOut', 'fit'] as const;

/** The whole picture in small where a part of it alone is in sight, and buttons that zoom; a click there looks at another part. */
export function Minimap({
  session,
  canvas,
  actions,
}: {
  session: CanvasSession;
  canvas: Core | null;
  actions: readonly CanvasAction[];
}) {
  const frame = useRef<HTMLCanvasElement>(null);
  const [isWhole, setWhole] = useState(true);
  const draw = () => {
    if (!frame.current || !canvas) return;
    const isAll = isInSight(session, canvas);
    if (!isAll) drawSmall(frame.current, session, canvas);
    setWhole(isAll);
  };
  useSignalEffect(() => {
    void session.shown.value;
    draw();
  });
  useEffect(() => {
    draw();
    canvas?.on('viewport', draw);
    return () => void canvas?.removeListener('viewport', draw);
  }, [canvas]);
  const texts = words().canvas;
  return (
    <div class="minimap">
      <canvas
        ref={frame}
        width={WIDTH}
        height={HEIGHT}
        hidden={isWhole}
        onPointerDown={(event) => {
          if (!canvas) return;
          const { left, top, scale } = frameOf(session);
          const [x, y] = [left + event.offsetX / scale, top + event.offsetY / scale];
          const zoom = canvas.zoom();
          canvas.pan({ x: canvas.width() / 2 - x * zoom, y: canvas.height() / 2 - y * zoom });
        }}
      />
      <div class="row">
        {ZOOMS.map((id) => (
          <button
            key={id}
            type="button"
            title={texts.actions[id]}
            aria-label={id === 'fit' ? texts.fitAll : texts.actions[id]}
            onClick={() => actions.find((one) => one.id === id)?.run()}
          >
            <Icon name={id} />
          </button>
        ))}
      </div>
    </div>
  );
}

/** True where all of it can be seen. */
function isInSight({ shown }: CanvasSession, canvas: Core): boolean {
  const { x1, y1, x2, y2 } = canvas.extent();
  return shown.value.nodes.every(({ x, y }) => x >= x1 && x <= x2 && y >= y1 && y <= y2);
}

/** The upper left corner of the picture, and the scale at which all of it fits. */
function frameOf({ shown }: CanvasSession) {
  const { nodes } = shown.value;
  const [xs, ys] = [nodes.map(({ x }) => x), nodes.map(({ y }) => y)];
  const [left, top] = [Math.min(0, ...xs) - NODE_WIDTH, Math.min(0, ...ys) - 2 * NODE_HEIGHT];
  const [right, bottom] = [Math.max(0, ...xs) + NODE_WIDTH, Math.max(0, ...ys) + 2 * NODE_HEIGHT];
  return { left, top, scale: Math.min(WIDTH / (right - left), HEIGHT / (bottom - top)) };
}

function drawSmall(frame: HTMLCanvasElement, session: CanvasSession, canvas: Core): void {
  const pen = frame.getContext('2d');
  if (!pen) return;
  const { left, top, scale } = frameOf(session);
  pen.clearRect(0, 0, WIDTH, HEIGHT);
  for (const { x, y, node } of session.shown.value.nodes) {
    pen.fillStyle = nodeColor(node.category);
    const [width, height] = [Math.max(2, NODE_WIDTH * scale), Math.max(2, NODE_HEIGHT * scale)];
    pen.fillRect((x - left) * scale - width / 2, (y - top) * scale - height / 2, width, height);
  }
  const { x1, y1, w, h } = canvas.extent();
  pen.strokeStyle = themeColor('--accent');
  pen.lineWidth = 1.5;
  pen.strokeRect((x1 - left) * scale, (y1 - top) * scale, w * scale, h * scale);
}
