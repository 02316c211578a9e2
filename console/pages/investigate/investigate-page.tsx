import { goTo, linkTo, type Route } from '../../browser/route.ts';
import { StartForm } from '../../parts/form/start-form.tsx';
import { investigateTexts } from '../../texts/investigate.ts';
import { Workspace } from './workspace.tsx';

/** `#/investigate/<chain>/<address>` opens a canvas that begins at the address. */
export function InvestigatePage({ route }: { route: Route }) {
  const [chain = '', address = ''] = route.parts;
  const id = `${chain}/${address}`;
  const texts = investigateTexts();
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
      {address && <Workspace key={id} chain={chain} start={address} />}
    </div>
  );
}
