import { useState } from 'preact/hooks';
import type { FollowState } from '../../../../src/domain/watch.ts';
import { words } from '../../../browser/words.ts';
import { ConfirmButton } from '../../../parts/form/confirm-button.tsx';
import { EmptyNote, ErrorNote } from '../../../parts/notes.tsx';
import type { Watched } from '../../../service/answers.ts';
import { apiPath, call } from '../../../service/api.ts';
import { useAction } from '../../../service/use-action.ts';

/** Scans a watched address now, or removes it. */
export function WatchActions({ item, onChanged }: { item: Watched; onChanged: () => void }) {
  const texts = words().monitoring;
  const [followState, setFollowState] = useState<FollowState | null | undefined>();
  const rescan = useAction(async () => {
    const { follow_mode } = await call<{ follow_mode: FollowState | null }>(apiPath`/watchlist/${item.id}/rescan`, {
      method: 'POST',
    });
    setFollowState(follow_mode);
    onChanged();
  });
  const remove = useAction(async () => {
    await call(apiPath`/watchlist/${item.id}`, { method: 'DELETE' });
    onChanged();
  });
  return (
    <>
      <div class="row-actions">
        <button
          type="button"
          disabled={rescan.busy}
          aria-label={`${texts.rescan}: ${item.token_address}`}
          onClick={() => rescan.run()}
        >
          {rescan.busy && <span class="spinner" aria-hidden="true" />} {texts.rescan}
        </button>
        <ConfirmButton
          label={texts.remove}
          about={item.token_address}
          disabled={remove.busy}
          onConfirm={() => remove.run()}
        />
      </div>
      <div role="status">
        {followState !== undefined && (
          <EmptyNote text={[texts.scanned, followState && texts.followStates[followState]].filter(Boolean).join(' ')} />
        )}
      </div>
      <ErrorNote error={rescan.error ?? remove.error} />
    </>
  );
}
