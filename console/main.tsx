import { render } from 'preact';
import { NOT_LOADED } from '../words/language.ts';
import { showTheme } from './browser/theme.ts';
import { isChoosingLanguage, language, showFirstLanguage } from './browser/words.ts';
import { Layout } from './layout/layout.tsx';
import { readSession } from './service/session.ts';

const RELOADED = 'traceflow-reloaded';

const app = document.getElementById('app') as HTMLElement;
showTheme();
reloadWhereReplaced();
// A person who is signed in sees no sign-in page first.
const isReady = await Promise.all([showFirstLanguage(), readSession()]).then(
  () => true,
  () => false,
);
if (isReady) render(<Layout />, app);
else app.textContent = NOT_LOADED[language.value];

/**
 * Reloads the page once where a file of it is gone: an upgrade removes the files of the build before, and every build
 * has another first script. A choice of language says for itself that it failed, and keeps what is entered.
 */
function reloadWhereReplaced(): void {
  addEventListener('vite:preloadError', async () => {
    const build = document.querySelector<HTMLScriptElement>('script[type=module]')?.src ?? '';
    if (isChoosingLanguage() || sessionStorage.getItem(RELOADED) === build) return;
    // Without a service, what is open is worth more than the error page of the browser.
    const page = await fetch(location.pathname, { cache: 'no-store' }).catch(() => null);
    if (!page?.ok) return;
    sessionStorage.setItem(RELOADED, build);
    location.reload();
  });
}
