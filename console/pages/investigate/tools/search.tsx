import { useEffect, useState } from 'preact/hooks';
import { goTo, linkTo } from '../../../browser/route.ts';
import { words } from '../../../browser/words.ts';
import { drawPlaces } from '../../../desk/asks.ts';
import type { Desk } from '../../../desk/desk.ts';
import { type Hit, searchAll } from '../../../desk/search.ts';
import { drawTransaction } from '../../../desk/transaction.ts';
import { ErrorNote } from '../../../parts/notes.tsx';

/** Waits until the reader stops typing. */
const PAUSE_MS = 250;

/** One box for addresses, transactions, names on the canvas, cases and boards. Choosing a hit spends only where it says so. */
export function SearchBox({ desk }: { desk: Desk }) {
  const texts = words().canvas;
  const [query, setQuery] = useState('');
  const [hits, setHits] = useState<Hit[] | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [at, setAt] = useState(0);
  const [open, setOpen] = useState(false);
  useEffect(() => {
    if (!open) return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      searchAll(desk, query.trim(), abort.signal).then(
        (found) => {
          if (abort.signal.aborted) return;
          setHits(found);
          setAt(0);
          setError(null);
        },
        (refused: Error) => abort.signal.aborted || setError(refused),
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [query, open]);
  const isBegun = desk.stage.value.scene.nodes.length > 0;
  const take = (hit: Hit | undefined, alone = false) => {
    if (!hit) return;
    setOpen(false);
    setQuery('');
    if (hit.node) {
      desk.chosen.value = new Set([hit.node]);
      document.querySelector<HTMLElement>('.graph-canvas')?.focus();
    } else if (hit.transaction) void drawTransaction(desk, hit.transaction);
    else if (hit.place && isBegun && !alone) {
      const { place } = hit;
      void desk.run((signal) => drawPlaces(desk, [place], signal));
    } else if (hit.link) goTo(linkTo(...hit.link));
  };
  const onKey = (event: KeyboardEvent) => {
    const count = hits?.length ?? 0;
    if (event.key === 'ArrowDown') setAt((at + 1) % Math.max(1, count));
    else if (event.key === 'ArrowUp') setAt((at + count - 1) % Math.max(1, count));
    else if (event.key === 'Enter') take(hits?.[at], event.shiftKey);
    else if (event.key === 'Escape') {
      setOpen(false);
      event.stopPropagation();
    } else return;
    event.preventDefault();
  };
  return (
    <div class="search">
      <input
        id="canvas-search"
        type="search"
        list={undefined}
        // biome-ignore lint/a11y/noRedundantRoles: it has no datalist that would give it the role
        role="combobox"
        aria-label={texts.search}
        aria-expanded={open}
        aria-controls="canvas-hits"
        aria-activedescendant={open && hits?.[at] ? `hit-${at}` : undefined}
        placeholder={texts.search}
        spellcheck={false}
        autocomplete="off"
        value={query}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onInput={(event) => {
          setQuery(event.currentTarget.value);
          setOpen(true);
        }}
        onKeyDown={onKey}
      />
      <div id="canvas-hits" class="hits" role="listbox" aria-label={texts.search} hidden={!open}>
        {hits?.map((hit, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the box above takes the keys
          <div
            key={hit.id}
            id={`hit-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === at}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => take(hit)}
          >
            <span>{hit.title}</span> <span class="muted">{hit.about}</span>
            {hit.place && isBegun && (
              // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: Shift+Enter in the box above
              <span
                class="link"
                title="Shift+Enter"
                onClick={(event) => {
                  event.stopPropagation();
                  take(hit, true);
                }}
              >
                {texts.openAlone}
              </span>
            )}
          </div>
        ))}
        {hits?.length === 0 && <p class="note">{texts.noHits}</p>}
        <ErrorNote error={error} />
      </div>
    </div>
  );
}
