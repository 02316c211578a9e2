import type { ComponentChildren } from 'preact';
import { words } from '../browser/words.ts';

interface PagerProps {
  /** `next`: where the next page begins, of lists that also end a page by its bytes; null on the last. */
  page: { offset: number; limit: number; total: number; next?: number | null };
  onOffset: (offset: number) => void;
}

/** Leads to the page before and after; nothing where one page holds everything. */
export function Pager({ page: { offset, limit, total, next }, onOffset }: PagerProps) {
  const texts = words().parts;
  const end = Math.min(next ?? offset + limit, total);
  if (offset === 0 && end >= total) return null;
  return (
    <div class="row center pager">
      <button type="button" disabled={offset === 0} onClick={() => onOffset(Math.max(0, offset - limit))}>
        {texts.previous}
      </button>
      <span>{texts.range(Math.min(offset + 1, total), end, total)}</span>
      <button type="button" disabled={end >= total} onClick={() => onOffset(end)}>
        {texts.next}
      </button>
    </div>
  );
}

interface CursorPagerProps {
  cursor: string | undefined;
  next: string | null | undefined;
  onCursor: (cursor: string | undefined) => void;
  children?: ComponentChildren;
}

/** Leads to the older entries of a list that begins with the newest, and back to its beginning. */
export function CursorPager({ cursor, next, onCursor, children }: CursorPagerProps) {
  const texts = words().parts;
  if (!cursor && !next && !children) return null;
  return (
    <div class="row center pager">
      {cursor && (
        <button type="button" onClick={() => onCursor(undefined)}>
          {texts.newest}
        </button>
      )}
      {next && (
        <button type="button" onClick={() => onCursor(next)}>
          {texts.older}
        </button>
      )}
      {children}
    </div>
  );
}
