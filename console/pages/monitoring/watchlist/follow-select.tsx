import { words } from '../../../browser/words.ts';
import { ChoiceSelect } from '../../../parts/form/choice-select.tsx';
import { ErrorNote } from '../../../parts/notes.tsx';
import type { Watched } from '../../../service/answers.ts';
import { apiPath, call } from '../../../service/api.ts';
import { useAction } from '../../../service/use-action.ts';

/** Deeper than any plan goes; the service cuts to what the plan has. */
const DEPTHS = [1, 2, 3, 4, 5];

export function followChoices(): Record<string, string> {
  return Object.fromEntries(DEPTHS.map((depth) => [depth, words().monitoring.hops(depth)]));
}

/** Switches Follow Mode of a watched address, off or to a number of hops. */
export function FollowSelect({ item, onChanged }: { item: Watched; onChanged: () => void }) {
  const texts = words().monitoring;
  const { run, busy, error } = useAction(async (depth: number) => {
    const body = depth > 0 ? { enabled: true, depth } : { enabled: false };
    await call(apiPath`/watchlist/${item.id}/follow`, { method: 'PATCH', body });
    onChanged();
  });
  return (
    <>
      <ChoiceSelect
        aria-label={`${texts.follow}: ${item.token_address}`}
        value={item.follow_mode_enabled ? String(item.follow_depth) : ''}
        none={texts.off}
        choices={followChoices()}
        disabled={busy}
        onChange={(depth) => run(Number(depth))}
      />
      <ErrorNote error={error} />
    </>
  );
}
