import { useEffect, useErrorBoundary, useRef, useState } from 'preact/hooks';
import { LANGUAGE_NAMES, type Language } from '../../words/language.ts';
import { count } from '../browser/figures.ts';
import { linkTo, route } from '../browser/route.ts';
import { THEMES, type Theme, theme } from '../browser/theme.ts';
import { useShownLink } from '../browser/use-shown-link.ts';
import { language, showLanguage, words } from '../browser/words.ts';
import { left } from '../canvas-session/drafts.ts';
import { Dropdown } from '../parts/dropdown.tsx';
import { Field } from '../parts/field.tsx';
import { ErrorNote, Loading, NotLoadedNote } from '../parts/notes.tsx';
import { leave, tryKey } from '../service/api.ts';
import { countOpenAlerts, openAlerts } from '../service/open-alerts.ts';
import { isSignedIn, key, refusal, session, signIn } from '../service/session.ts';
import { useAnswer } from '../service/use-answer.ts';
import { MAIN_PAGES, OTHER_PAGES, PAGE_NAMES, PAGES, type PageName } from './pages.ts';

/** Sign-in, or the page that the address names under the navigation. */
export function Layout() {
  const texts = words().layout;
  const shown = PAGE_NAMES.find((name) => name === (route.value.page || PAGE_NAMES[0]));
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  // A new page is read out from its beginning; the first one is where the browser already is.
  useEffect(() => {
    if (!isFirst.current) main.current?.focus();
    isFirst.current = false;
  }, [shown]);
  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        {texts.skip}
      </button>
      <PageHeader shown={isSignedIn.value ? shown : undefined} />
      <main ref={main} id="content" tabIndex={-1}>
        {isSignedIn.value && <LeftPicture />}
        {!isSignedIn.value ? (
          <SignIn />
        ) : shown ? (
          <Guarded key={shown} name={shown} />
        ) : (
          <p class="note">
            {texts.notFound} <a href={linkTo(PAGE_NAMES[0] ?? '')}>{texts.searchHome}</a>
          </p>
        )}
      </main>
    </>
  );
}

/** Asks to keep a picture that was left without a board, on the page to which the reader went. */
function LeftPicture() {
  const picture = left.value;
  if (!picture || picture.hash !== location.hash || route.value.page === 'investigate') return null;
  const texts = words().layout;
  return (
    <p class="note row center" role="status">
      <span class="grow">{texts.leftPicture(picture.title)}</span>
      <a href={linkTo('investigate', ['draft', picture.id])}>{texts.backToPicture}</a>
    </p>
  );
}

/** The page, or why it cannot be shown, until another address is opened. */
function Guarded({ name }: { name: PageName }) {
  const [broken, reset] = useErrorBoundary();
  const { answer: loaded, error } = useAnswer(async () => ({ Page: await PAGES[name]() }), []);
  useEffect(reset, [route.value]);
  if (broken) return <ErrorNote error={broken as Error} />;
  if (error) return <NotLoadedNote />;
  return loaded ? <loaded.Page route={route.value} /> : <Loading />;
}

/** Takes an API key once the service accepts it. */
function SignIn() {
  const texts = words().layout;
  const [given, setGiven] = useState('');
  const [error, setError] = useState<Error | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await tryKey(given.trim());
      signIn(given.trim());
    } catch (refused) {
      setError(refused as Error);
      setBusy(false);
    }
  };
  return (
    <form class="card sign-in" onSubmit={submit}>
      <h1>{texts.signIn}</h1>
      <p>{texts.about}</p>
      <ByName />
      <Field label={texts.apiKey} hint={texts.keyHint}>
        <input
          type="password"
          autocomplete="off"
          spellcheck={false}
          required
          placeholder="tfk_…"
          value={given}
          onInput={(event) => setGiven(event.currentTarget.value)}
        />
      </Field>
      <ErrorNote error={error ?? refusal.value} />
      <button type="submit" class="primary" disabled={busy}>
        {texts.signIn}
      </button>
    </form>
  );
}

/** The way to the provider where the operator set one, and why it led back without a session. */
function ByName() {
  const texts = words().layout;
  const url = session.value?.sign_in_url;
  if (!url) return null;
  const reason = new URLSearchParams(location.search).get('sign_in') as keyof typeof texts.refusedSignIns | null;
  return (
    <>
      {reason && <ErrorNote error={texts.refusedSignIns[reason] ?? texts.refusedSignIns.refused} />}
      <p>
        <a class="primary button" href={`${url}?return_to=${encodeURIComponent(`/${location.hash}`)}`}>
          {texts.signInByName}
        </a>
      </p>
    </>
  );
}

/** Name, navigation and menu of the person; before sign-in language and theme alone. */
function PageHeader({ shown }: { shown: PageName | undefined }) {
  const { layout: texts } = words();
  const nav = useShownLink(isSignedIn.value ? shown : undefined);
  const other = OTHER_PAGES.find((name) => name === shown);
  return (
    <header class="page-header">
      <a class="brand" href="#/">
        <img src="/icon.svg" alt="" width="22" height="22" /> <span>traceflow</span>
      </a>
      {isSignedIn.value && (
        <nav ref={nav} aria-label={texts.navigation}>
          <span class="pages">
            {MAIN_PAGES.map((name) => (
              <a key={name} href={linkTo(name)} aria-current={name === shown ? 'page' : undefined}>
                {texts.pages[name]}
                {name === 'alerts' && <AlertBadge />}
              </a>
            ))}
          </span>
          <Dropdown label={other ? texts.pages[other] : texts.more} shown={other !== undefined}>
            {OTHER_PAGES.map((name) => (
              <a key={name} href={linkTo(name)} aria-current={name === shown ? 'page' : undefined}>
                {texts.pages[name]}
              </a>
            ))}
          </Dropdown>
        </nav>
      )}
      <div class="choices">{isSignedIn.value ? <YouMenu /> : <ViewChoices />}</div>
    </header>
  );
}

const EVERY_MS = 60_000;

/** The number of alerts without an assignee; nothing where there is none. */
function AlertBadge() {
  useEffect(() => {
    void countOpenAlerts();
    const timer = setInterval(() => {
      if (!document.hidden) void countOpenAlerts();
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  const open = openAlerts.value;
  if (!open) return null;
  return (
    <span class="count-badge">
      <span aria-hidden="true">{open > 99 ? '99+' : count(open)}</span>
      <span class="visually-hidden"> {words().layout.openAlerts(open)}</span>
    </span>
  );
}

/** Shows who is signed in, ways to their other accounts, language, theme, the account's page and sign-out. */
function YouMenu() {
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

/** Language and theme. */
function ViewChoices() {
  const texts = words().layout;
  const [hasFailed, setHasFailed] = useState(false);
  const choose = async (select: HTMLSelectElement) => {
    setHasFailed(false);
    try {
      await showLanguage(select.value as Language);
    } catch {
      select.value = language.value;
      setHasFailed(true);
    }
  };
  return (
    <>
      <select aria-label={texts.language} value={language.value} onChange={(event) => void choose(event.currentTarget)}>
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
      <ErrorNote error={hasFailed ? texts.languageNotLoaded : null} />
    </>
  );
}
