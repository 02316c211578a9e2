import type { Core } from 'cytoscape';
import { useEffect, useReducer } from 'preact/hooks';
import { type Chain, chainName } from '../../../src/domain/chain.ts';
import type { Desk } from '../../desk/desk.ts';
import { lanesIn } from '../../scene/lanes.ts';

/** Height of a name, and the least room between it and the edge of the window. */
const [HEIGHT, EDGE] = [18, 4];

/** The chain of each lane at its upper right corner, or at the edge of the window while that lies outside; of one size at every scale. */
export function LaneNames({ desk, canvas }: { desk: Desk; canvas: Core | null }) {
  const [, move] = useReducer((turn: number) => turn + 1, 0);
  useEffect(() => {
    const onViewport = () => move(null);
    canvas?.on('viewport resize', onViewport);
    return () => void canvas?.removeListener('viewport resize', onViewport);
  }, [canvas]);
  const lanes = lanesIn(desk.shown.value);
  if (!canvas) return null;
  const [zoom, pan] = [canvas.zoom(), canvas.pan()];
  return (
    <div class="lane-names" aria-hidden="true">
      {lanes.map(({ chain, left, top, width, height }) => {
        const [x, y] = [left * zoom + pan.x, top * zoom + pan.y];
        const [right, bottom] = [x + width * zoom, y + height * zoom];
        if (right < 0 || x > canvas.width() || bottom < HEIGHT || y > canvas.height()) return null;
        // Bridges come down at the left.
        const aside = Math.max(EDGE, canvas.width() - right);
        const at = Math.min(Math.max(EDGE, y - HEIGHT), bottom - HEIGHT);
        return (
          <span key={chain} style={{ right: `${aside}px`, top: `${at}px` }}>
            {chainName(chain as Chain)}
          </span>
        );
      })}
    </div>
  );
}
