import type { Core } from 'cytoscape';
import { addressName } from '../../canvas/elements.ts';
import type { Desk } from '../../desk/desk.ts';
import { chooseWay, mainEnd } from '../../desk/way.ts';

/** Names the end with most of the followed money while it lies outside of the window, and leads to it. */
export function EndPointer({ desk, canvas }: { desk: Desk; canvas: Core | null }) {
  const end = mainEnd(desk);
  if (!end || !canvas) return null;
  const { view } = desk.stage.value.scene;
  const x = (end.x - view.x) * view.zoom + canvas.width() / 2;
  const y = (end.y - view.y) * view.zoom + canvas.height() / 2;
  const side = x > canvas.width() ? 'right' : x < 0 ? 'left' : y < 0 ? 'top' : y > canvas.height() ? 'bottom' : null;
  if (!side) return null;
  const { label, address } = end.row;
  const name = `${addressName({ label, address: address ?? '' })} · ${end.share}`;
  return (
    <button type="button" class="end-pointer" data-side={side} onClick={() => chooseWay(desk, end.row)}>
      {name}
    </button>
  );
}
