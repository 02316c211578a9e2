import { goTo, linkTo } from '../../../browser/route.ts';
import { words } from '../../../browser/words.ts';
import { drawPlaces, openTransaction } from '../../../desk/asks.ts';
import type { Desk } from '../../../desk/desk.ts';
import { drawHolder } from '../../../desk/holder.ts';
import { searchAll } from '../../../desk/search.ts';
import { SearchBox } from '../../../parts/search-box.tsx';
import type { Hit } from '../../../service/search.ts';

/** Shows the search box of the canvas: a hit is added to the picture or opened alone. Spends only where it says so. */
export function CanvasSearch({ desk }: { desk: Desk }) {
  const isBegun = desk.stage.value.scene.nodes.length > 0;
  const take = (hit: Hit, alone: boolean) => {
    if (hit.node) {
      desk.chosen.value = new Set([hit.node]);
      document.querySelector<HTMLElement>('.graph-canvas')?.focus();
    } else if (hit.transaction) {
      const { transaction } = hit;
      void desk.run((signal) => openTransaction(desk, transaction, signal));
    } else if (hit.holder && !alone) {
      const { holder } = hit;
      void desk.run((signal) => drawHolder(desk, holder, signal));
    } else if (hit.place && isBegun && !alone) {
      const { place } = hit;
      void desk.run((signal) => drawPlaces(desk, [place], signal));
    } else if (hit.link) goTo(linkTo(...hit.link));
  };
  return (
    <SearchBox
      id="canvas-search"
      search={(text, signal) => searchAll(desk, text, signal)}
      onTake={take}
      second={(hit, takeAlone) =>
        hit.place &&
        isBegun && (
          // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: Shift+Enter in the box
          <span
            class="link"
            title="Shift+Enter"
            onClick={(event) => {
              event.stopPropagation();
              takeAlone();
            }}
          >
            {words().canvas.openAlone}
          </span>
        )
      }
    />
  );
}
