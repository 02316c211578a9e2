import { words } from '../browser/words.ts';

interface PagerProps {
  page: { offset: number; limit: number; total: number };
  onOffset: (offset: number) => void;
}

/** Leads to the page before and after; nothing where one page holds everything. */
export function Pager({ page: { offset, limit, total }, onOffset }: PagerProps) {
  const texts = words().parts;
  if (offset === 0 && total <= limit) return null;
  return (
    <div class="row center pager">
      <button type="button" disabled={offset === 0} onClick={() => onOffset(Math.max(0, offset - limit))}>
        {texts.previous}
      </button>
      <span>{texts.range(Math.min(offset + 1, total), Math.min(offset + limit, total), total)}</span>
      <button type="button" disabled={offset + limit >= total} onClick={() => onOffset(offset + limit)}>
        {texts.next}
      </button>
    </div>
  );
}
