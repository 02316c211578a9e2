import { useState } from 'preact/hooks';
import { linkTo } from '../browser/route.ts';
import { words } from '../browser/words.ts';
import { call } from '../service/api.ts';
import { useAction } from '../service/use-action.ts';
import { ErrorNote } from './notes.tsx';

interface WatchButtonProps {
  chain: string;
  address: string;
  label: string | null;
}

/** Puts an address on the watchlist. */
export function WatchButton({ chain, address, label }: WatchButtonProps) {
  const texts = words().canvas;
  const [watched, setWatched] = useState(false);
  const { run, busy, error } = useAction(async () => {
    await call('/watchlist', { method: 'POST', body: { chain, address, label: label ?? '' } });
    setWatched(true);
  });
  return (
    <span>
      {watched ? (
        <a href={linkTo('monitoring')}>{texts.watched}</a>
      ) : (
        <button type="button" disabled={busy} onClick={() => run()}>
          {texts.watch}
        </button>
      )}
      <ErrorNote error={error} />
    </span>
  );
}
