import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { words } from '../browser/words.ts';
import type { Hit } from '../service/search.ts';
import { ErrorNote } from './notes.tsx';

interface SearchBoxProps {
  id: string;
  search: (text: string, signal: AbortSignal) => Promise<Hit[]>;
  /** `isSecond`: with Shift, for a second thing that can be done with a hit. */
  onTake: (hit: Hit, isSecond: boolean) => void;
  /** That second thing, beside a hit. */
  second?: (hit: Hit, take: () => void) => ComponentChildren;
}

/** Waits until the reader stops typing. */
const PAUSE_MS = 250;

/** One box for addresses, transactions, names, cases and boards; without a text it shows what was looked at last. */
export function SearchBox({ id, search, onTake, second }: SearchBoxProps) {
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
      search(query.trim(), abort.signal).then(
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
  // A long list moves with the keys.
  useEffect(() => document.getElementById(`${id}-hit-${at}`)?.scrollIntoView({ block: 'nearest' }), [at]);
  const take = (hit: Hit | undefined, isSecond = false) => {
    if (!hit) return;
    setOpen(false);
    setQuery('');
    onTake(hit, isSecond);
  };
  const onKey = (event: KeyboardEvent) => {
    const count = hits?.length ?? 0;
    if (event.key === 'ArrowDown') setAt((at + 1) % Math.max(1, count));
    else if (event.key === 'ArrowUp') setAt((at + count - 1) % Math.max(1, count));
    else if (event.key === 'Enter') take(hits?.[at], event.shiftKey);
    else if (event.key === 'Escape' && open) {
      setOpen(false);
      event.stopPropagation();
    } else return;
    event.preventDefault();
  };
  return (
    <div class="search">
      <input
        id={id}
        type="search"
        list={undefined}
        // biome-ignore lint/a11y/noRedundantRoles: it has no datalist that would give it the role
        role="combobox"
        aria-label={texts.search}
        aria-expanded={open}
        aria-controls={`${id}-hits`}
        aria-activedescendant={open && hits?.[at] ? `${id}-hit-${at}` : undefined}
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
      <div id={`${id}-hits`} class="hits" role="listbox" aria-label={texts.search} hidden={!open}>
        {hits?.map((hit, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the box above takes the keys
          <div
            key={hit.id}
            id={`${id}-hit-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === at}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => take(hit)}
          >
            <span>
              {hit.title} <span class="muted">{hit.about}</span>
            </span>{' '}
            {second?.(hit, () => take(hit, true))}
          </div>
        ))}
        {hits?.length === 0 && <p class="note">{texts.noHits}</p>}
        <ErrorNote error={error} />
      </div>
    </div>
  );
}
