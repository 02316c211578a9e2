import type { ComponentType } from 'preact';
import { words } from '../../../browser/words.ts';
import type { CanvasSession } from '../../../canvas-session/canvas-session.ts';
import { Loading, NotLoadedNote } from '../../../parts/notes.tsx';
import { useAnswer } from '../../../service/use-answer.ts';
import { MoneyPanel } from './money-panel.tsx';

/** A canvas opens without the panels of what is chosen. */
const Chosen = loadedLate(async () => (await import('./chosen.tsx')).Chosen);

/** Everything about what is chosen; about the followed money where nothing is. */
export function Panel({ session }: { session: CanvasSession }) {
  const isMoney = session.chosen.value.size === 0 || session.chosen.value === session.way.value?.ids;
  return (
    <>
      {session.funds.value && !isMoney && (
        <button
          type="button"
          class="link"
          onClick={() => {
            session.chosen.value = new Set();
          }}
        >
          ← {words().canvas.money}
        </button>
      )}
      {isMoney ? <MoneyPanel session={session} /> : <Chosen session={session} />}
    </>
  );
}

/** Makes a component whose code is loaded when it is first shown. */
function loadedLate<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  return function Late(props) {
    const { answer: loaded, error } = useAnswer(async () => ({ Shown: await load() }), []);
    if (loaded) return <loaded.Shown {...props} />;
    return error ? <NotLoadedNote /> : <Loading />;
  };
}
