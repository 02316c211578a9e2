import { goTo, linkTo, type Route } from '../../browser/route.ts';
import { words } from '../../browser/words.ts';
import { StartForm } from '../../parts/form/start-form.tsx';
import { ErrorNote, Loading } from '../../parts/notes.tsx';
import { useAnswer } from '../../service/use-answer.ts';

/** The canvas is most of the console's script, so it is loaded when the page is first opened. */
const loadWorkspace = () => import('./workspace.tsx');

/** `#/investigate/<chain>/<address>` opens a canvas that begins at the address. */
export function InvestigatePage({ route }: { route: Route }) {
  const [chain = '', address = ''] = route.parts;
  const id = `${chain}/${address}`;
  const texts = words().investigate;
  const { answer: loaded, error } = useAnswer(loadWorkspace, []);
  return (
    <div class="wide">
      <h1>{texts.title}</h1>
      <StartForm
        key={`form ${id}`}
        chain={chain}
        address={address}
        chainRequired
        submit={texts.open}
        onStart={(wanted) => goTo(linkTo('investigate', [wanted.chain, wanted.address]))}
      />
      <ErrorNote error={error} />
      {address && !loaded && !error && <Loading text={texts.working} />}
      {address && loaded && <loaded.Workspace key={id} chain={chain} start={address} />}
    </div>
  );
}
