import { useState } from 'preact/hooks';
import { goTo, linkTo, type Route } from '../../browser/route.ts';
import { ChainSelect } from '../../parts/chain-select.tsx';
import { Field } from '../../parts/field.tsx';
import { investigateTexts } from '../../texts/investigate.ts';
import { Workspace } from './workspace.tsx';

/** `#/investigate/<chain>/<address>` opens a canvas that begins at the address. */
export function InvestigatePage({ route }: { route: Route }) {
  const [chain = '', address = ''] = route.parts;
  const id = `${chain}/${address}`;
  return (
    <div class="wide">
      <h1>{investigateTexts().title}</h1>
      <StartForm key={`form ${id}`} chain={chain} address={address} />
      {address && <Workspace key={id} chain={chain} start={address} />}
    </div>
  );
}

function StartForm(first: { chain: string; address: string }) {
  const texts = investigateTexts();
  const [chain, setChain] = useState(first.chain);
  const [address, setAddress] = useState(first.address);
  const open = (event: Event) => {
    event.preventDefault();
    if (chain) goTo(linkTo('investigate', [chain, address.trim()]));
  };
  return (
    <form class="card row" onSubmit={open}>
      <div class="grow">
        <Field label={texts.address}>
          <input
            required
            spellcheck={false}
            autocomplete="off"
            value={address}
            onInput={(event) => setAddress(event.currentTarget.value)}
          />
        </Field>
      </div>
      <Field label={texts.chain}>
        <ChainSelect value={chain} none={texts.choose} onChange={setChain} />
      </Field>
      <button type="submit" class="primary" disabled={!chain}>
        {texts.open}
      </button>
    </form>
  );
}
