import type { WatchedMovements } from '../../../../src/domain/watch.ts';
import { dollars } from '../../../browser/figures.ts';
import { words } from '../../../browser/words.ts';
import { ChoiceSelect } from '../../../parts/form/choice-select.tsx';
import { ErrorNote } from '../../../parts/notes.tsx';
import type { Watched } from '../../../service/answers.ts';
import { apiPath, call } from '../../../service/api.ts';
import { useAction } from '../../../service/use-action.ts';

const BOUNDS_USD = [1_000, 10_000, 100_000];

/** Values as the select has them: JSON, and nothing for off. */
function movementChoices(now: WatchedMovements): Record<string, string> {
  const texts = words().monitoring;
  const bounds = typeof now === 'object' && !BOUNDS_USD.includes(now.above) ? [...BOUNDS_USD, now.above] : BOUNDS_USD;
  return Object.fromEntries([
    ...Object.entries(texts.movements).map(([value, text]) => [JSON.stringify(value), text]),
    ...bounds.map((above) => [JSON.stringify({ above }), texts.movementsAbove(dollars(above))]),
  ]);
}

/** Switches live watch of an address, off or to the movements that are alerted, and says how it is listened to. */
export function LiveSelect({ item, onChanged }: { item: Watched; onChanged: () => void }) {
  const texts = words().monitoring;
  const { state, reason } = item.live;
  const isOff = state === 'off' && reason !== 'too_busy';
  const { run, busy, error } = useAction(async (value: string) => {
    const body = value === '' ? { live: false } : { live: true, movements: JSON.parse(value) };
    await call(apiPath`/watchlist/${item.id}`, { method: 'PATCH', body });
    onChanged();
  });
  return (
    <>
      <ChoiceSelect
        aria-label={`${texts.live}: ${item.token_address}`}
        value={isOff ? '' : JSON.stringify(item.movements)}
        none={texts.off}
        choices={movementChoices(item.movements)}
        disabled={busy}
        onChange={run}
      />
      {!isOff && (
        <div class="muted">
          {reason ? `${texts.liveStates[state]}: ${texts.liveReasons[reason]}` : texts.liveStates[state]}
        </div>
      )}
      <ErrorNote error={error} />
    </>
  );
}
