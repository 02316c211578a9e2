import type { Route } from '../../browser/route.ts';
import { words } from '../../browser/words.ts';
import { ErrorNote, Loading } from '../../parts/notes.tsx';
import { useAnswer } from '../../service/use-answer.ts';

/** The canvas is most of the console's script, so it is loaded when the page is first opened. */
const loadWorkspace = () => import('./workspace.tsx');

/**
 * `#/investigate` is an empty canvas, `#/investigate/<chain>/<address>` begins at the address, `#/investigate/board/<id>`
 * opens a saved one.
 */
export function InvestigatePage({ route }: { route: Route }) {
  const [first = '', second = ''] = route.parts;
  const { answer: loaded, error } = useAnswer(loadWorkspace, []);
  return (
    <div class="wide full">
      <h1 class="visually-hidden">{words().investigate.title}</h1>
      <ErrorNote error={error} />
      {!loaded && !error && <Loading />}
      {loaded && <loaded.Workspace key={`${first}/${second}`} first={first} second={second} />}
    </div>
  );
}
