import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { words } from '../../../browser/words.ts';
import type { Desk } from '../../../desk/desk.ts';
import { ErrorNote, Loading } from '../../../parts/notes.tsx';
import { MoneyPanel } from './money-panel.tsx';

/** A canvas opens without the panels of what is chosen. */
const Chosen = loadedLate(async () => (await import('./chosen.tsx')).Chosen);

/** Everything about what is chosen; about the followed money where nothing is. */
export function Panel({ desk }: { desk: Desk }) {
  const isMoney = desk.chosen.value.size === 0 || desk.chosen.value === desk.way.value?.ids;
  return (
    <>
      {desk.funds.value && !isMoney && (
        <button
          type="button"
          class="link"
          onClick={() => {
            desk.chosen.value = new Set();
          }}
        >
          ← {words().canvas.money}
        </button>
      )}
      {isMoney ? <MoneyPanel desk={desk} /> : <Chosen desk={desk} />}
    </>
  );
}

/** Makes a component whose code is loaded when it is first shown. */
function loadedLate<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  return function Late(props) {
    const [loaded, setLoaded] = useState<{ Shown: ComponentType<Props> } | null>(null);
    const [error, setError] = useState<Error | null>(null);
    useEffect(() => {
      load().then((Shown) => setLoaded({ Shown }), setError);
    }, []);
    if (loaded) return <loaded.Shown {...props} />;
    return error ? <ErrorNote error={error} /> : <Loading />;
  };
}
