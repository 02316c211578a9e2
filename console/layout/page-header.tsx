import { LANGUAGE_NAMES, type Language } from '../../words/language.ts';
import { linkTo } from '../browser/route.ts';
import { THEMES, type Theme, theme } from '../browser/theme.ts';
import { useShownLink } from '../browser/use-shown-link.ts';
import { language, words } from '../browser/words.ts';
import { leave } from '../service/api.ts';
import { isSignedIn, key, session } from '../service/session.ts';
import { PAGE_NAMES } from './pages.ts';

/** Name, navigation (once signed in), language, theme and sign-out. */
export function PageHeader({ shown }: { shown: string | undefined }) {
  const { layout: texts } = words();
  const nav = useShownLink(isSignedIn.value ? shown : undefined);
  return (
    <header class="page-header">
      <a class="brand" href="#/">
        <img src="/icon.svg" alt="" width="22" height="22" /> traceflow
      </a>
      {isSignedIn.value && (
        <nav ref={nav} aria-label={texts.navigation}>
          {PAGE_NAMES.map((name) => (
            <a key={name} href={linkTo(name)} aria-current={name === shown ? 'page' : undefined}>
              {texts.pages[name]}
            </a>
          ))}
        </nav>
      )}
      <div class="choices">
        <a href="/docs">{texts.reference}</a>
        <select
          aria-label={texts.language}
          value={language.value}
          onChange={(event) => {
            language.value = event.currentTarget.value as Language;
          }}
        >
          {Object.entries(LANGUAGE_NAMES).map(([code, name]) => (
            <option key={code} value={code} lang={code}>
              {name}
            </option>
          ))}
        </select>
        <select
          aria-label={texts.theme}
          value={theme.value}
          onChange={(event) => {
            theme.value = event.currentTarget.value as Theme;
          }}
        >
          {THEMES.map((one) => (
            <option key={one} value={one}>
              {texts.themes[one]}
            </option>
          ))}
        </select>
        {key.value === null && <PersonMenu />}
        {isSignedIn.value && (
          <button type="button" onClick={() => leave()}>
            {texts.signOut}
          </button>
        )}
      </div>
    </header>
  );
}

/** The person who is signed in, their account, and ways to others that they belong to. */
function PersonMenu() {
  const { person, account, other_accounts: others } = session.value ?? { other_accounts: [] };
  if (!person) return null;
  return (
    <span title={person.email}>
      {person.name} · {account?.name}
      {others.map((other) => (
        <a key={other.sign_in_url} href={other.sign_in_url}>
          {other.name}
        </a>
      ))}
    </span>
  );
}
