import { linkTo } from '../browser/route.ts';
import { words } from '../browser/words.ts';
import { Dropdown } from '../parts/dropdown.tsx';
import { leave } from '../service/api.ts';
import { key, session } from '../service/session.ts';
import { ViewChoices } from './view-choices.tsx';

/** Shows who is signed in, ways to their other accounts, language, theme, the account's page and sign-out. */
export function YouMenu() {
  const texts = words().layout;
  const { person, account, other_accounts: others } = session.value ?? { other_accounts: [] };
  const shown = key.value === null ? person : null;
  return (
    <Dropdown label={<span class="you">{shown?.name ?? texts.you}</span>}>
      <p class="you-about">
        {shown ? (
          <>
            <strong>{account?.name}</strong>
            <small class="hint">{shown.email}</small>
          </>
        ) : (
          texts.withKey
        )}
      </p>
      {shown &&
        others.map((other) => (
          <a key={other.sign_in_url} href={other.sign_in_url}>
            {other.name}
          </a>
        ))}
      <ViewChoices />
      <a href={linkTo('account')}>{words().account.title}</a>
      <a href="/docs">{texts.reference}</a>
      <button type="button" onClick={() => leave()}>
        {texts.signOut}
      </button>
    </Dropdown>
  );
}
