import { isChoosingLanguage } from './words.ts';

const STORED = 'traceflow-reloaded';

/**
 * Reloads the page once where a file of it is gone: an upgrade removes the files of the build before, and every build
 * has another first script. A choice of language says for itself that it failed, and keeps what is entered.
 */
export function reloadWhereReplaced(): void {
  addEventListener('vite:preloadError', async () => {
    const build = document.querySelector<HTMLScriptElement>('script[type=module]')?.src ?? '';
    if (isChoosingLanguage() || sessionStorage.getItem(STORED) === build) return;
    // Without a service, what is open is worth more than the error page of the browser.
    const page = await fetch(location.pathname, { cache: 'no-store' }).catch(() => null);
    if (!page?.ok) return;
    sessionStorage.setItem(STORED, build);
    location.reload();
  });
}
