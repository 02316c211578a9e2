import { words } from '../../../browser/words.ts';
import type { Saving } from '../../../desk/saving.ts';

/** Asks what to do where a newer version was saved elsewhere: nothing is lost either way. */
export function Conflict({ saving }: { saving: Saving }) {
  if (saving.state.value !== 'conflict') return null;
  const texts = words().canvas.conflict;
  return (
    <div class="note error row center" role="alert">
      <span class="grow">{texts.text}</span>
      <button type="button" onClick={() => saving.takeTheirs()}>
        {texts.theirs}
      </button>
      <button type="button" onClick={() => saving.keepMine()}>
        {texts.mine}
      </button>
      <button type="button" onClick={() => saving.keepBoth(`${saving.board.value?.title ?? ''} (2)`)}>
        {texts.both}
      </button>
    </div>
  );
}
