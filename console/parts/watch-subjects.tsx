import { useState } from 'preact/hooks';
import { linkTo } from '../browser/route.ts';
import { words } from '../browser/words.ts';
import { call } from '../service/api.ts';
import { useAction } from '../service/use-action.ts';
import { ErrorNote } from './notes.tsx';

/** Watches what moves at the subjects of a case or a board: `path` is theirs. */
export function WatchSubjects({ path }: { path: string }) {
  const texts = words().parts;
  const [live, setLive] = useState<number | null>(null);
  const { run, busy, error } = useAction(async () => {
    const watched = await call<{ live: number }>(`${path}/watch`, { method: 'POST' });
    setLive(watched.live);
  });
  return (
    <span>
      {live === null ? (
        <button type="button" disabled={busy} onClick={() => run()}>
          {texts.watchMoves}
        </button>
      ) : (
        <a href={linkTo('monitoring')}>{texts.movesWatched(live)}</a>
      )}
      <ErrorNote error={error} />
    </span>
  );
}
