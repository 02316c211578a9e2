import { useEffect, useErrorBoundary, useRef } from 'preact/hooks';
import { NOT_LOADED } from '../../words/language.ts';
import { linkTo, route } from '../browser/route.ts';
import { language, words } from '../browser/words.ts';
import { left } from '../desk/drafts.ts';
import { ErrorNote, Loading } from '../parts/notes.tsx';
import { isSignedIn } from '../service/session.ts';
import { useAnswer } from '../service/use-answer.ts';
import { PageHeader } from './page-header.tsx';
import { PAGE_NAMES, PAGES, type PageName } from './pages.ts';
import { SignIn } from './sign-in.tsx';

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
          <p class="note">{texts.notFound}</p>
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
  if (error)
    return (
      <>
        <ErrorNote error={NOT_LOADED[language.value]} />
        <button type="button" onClick={() => location.reload()}>
          {words().layout.reload}
        </button>
      </>
    );
  return loaded ? <loaded.Page route={route.value} /> : <Loading />;
}
