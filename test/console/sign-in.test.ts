import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageFolder } from '../../src/version.ts';
import { describeConsole, expectAccessible, picture } from './open-console.ts';

describeConsole('signing in', (get) => {
  it('takes a key by keyboard, keeps it for the session alone, and drops it at sign-out', async () => {
    const { demo, open } = get();
    const page = await open('', { key: null });
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await expectAccessible(page);
    await picture(page, 'sign-in');
    await page.getByLabel('API key').fill(demo.keys.pro);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain(demo.keys.pro);
    expect((await page.context().cookies()).length).toBe(0);
    await page.reload();
    await page.locator('summary', { hasText: 'Settings' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate("sessionStorage.getItem('traceflow-key')")).toBeNull();
  });

  it('shows the refusal of a key in the words of the API', async () => {
    const page = await get().open('', { key: null });
    await page.getByLabel('API key').fill('tfk_wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect.poll(() => page.getByRole('alert').textContent()).toBe('Invalid API key');
  });

  it('asks for another key when the one of the tab is refused', async () => {
    const page = await get().open('#/scan', { key: 'tfk_revoked' });
    await expect.poll(() => page.getByRole('alert').textContent()).toBe('Invalid API key');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it('has texts in three languages, in light and dark', async () => {
    const page = await get().open('', { key: null, language: 'ja', theme: 'dark' });
    await page.getByRole('heading', { name: 'サインイン' }).waitFor();
    await expectAccessible(page);
    await picture(page, 'sign-in-ja-dark');
    // Whatever fonts the machine has: the service brings those of its own words.
    const fonts =
      "document.fonts.ready.then(() => [...document.fonts].map(({ family, status }) => family + ' ' + status))";
    expect(await page.evaluate(fonts)).toEqual(['Console Japanese loaded']);
    // 260 kB with the font: what a first page loads, as it is sent over TLS.
    const loaded = await page.evaluate<string[]>("performance.getEntriesByType('resource').map(({ name }) => name)");
    const files = loaded.map((url) => new URL(url).pathname).filter((path) => !path.startsWith('/api/'));
    const sizes = files.map((path) => {
      const file = join(packageFolder(), 'dist/console', path);
      return statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size;
    });
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(260_000);
    expect(await page.locator('html').getAttribute('lang')).toBe('ja');
    await page.getByLabel('言語').selectOption('es');
    await page.getByRole('heading', { name: 'Iniciar sesión' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('es');
    await page.getByLabel('Idioma').selectOption('en');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
  });

  it('follows the colours of the system until a theme is chosen', async () => {
    const page = await get().open('', { key: null, theme: 'system' });
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(background).toBe('rgb(17, 21, 28)');
    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(background).toBe('rgb(246, 247, 249)');
    await page.getByLabel('Theme').selectOption('dark');
    await expect.poll(background).toBe('rgb(17, 21, 28)');
  });

  it('reloads once where an upgrade took a file of the page, then says so', async () => {
    const page = await get().open('#/home');
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    const loads = () => page.evaluate<number>("Number(sessionStorage.getItem('loads'))");
    await page.addInitScript("sessionStorage.setItem('loads', Number(sessionStorage.getItem('loads')) + 1)");
    let refused = 1;
    await page.route(/\/assets\/rules-page-/, (route) =>
      refused-- > 0 ? route.fulfill({ status: 404 }) : route.continue(),
    );
    await page.goto(`${get().demo.url}/#/rules`);
    await page.getByRole('heading', { name: 'Rules', exact: true }).waitFor();
    expect(await loads()).toBe(1);
    await page.route(/\/assets\/people-page-/, (route) => route.fulfill({ status: 404 }));
    await page.goto(`${get().demo.url}/#/people`);
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('The page could not be loaded.');
    await expectAccessible(page);
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('heading', { name: 'People', exact: true }).waitFor();
    expect(await loads()).toBe(2);
  });

  it('keeps its language where the words of another do not load, and begins in English without its own', async () => {
    const page = await get().open('', { key: null });
    const field = page.getByLabel('Language');
    await field.waitFor();
    let isGone = (n: number) => n >= 0;
    let asked = 0;
    await page.route(/\/assets\/(codes|console|reports)-/, (route) =>
      isGone(asked++) ? route.fulfill({ status: 404 }) : route.continue(),
    );
    await page.getByLabel('API key').fill('half a key');
    await field.selectOption('es');
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('could not be loaded');
    expect(await field.inputValue()).toBe('en');
    expect(await page.getByLabel('API key').inputValue()).toBe('half a key');
    // Once a page reloads by itself, and then it stays.
    await page.reload();
    const app = page.locator('#app');
    await expect.poll(() => page.evaluate("sessionStorage.getItem('traceflow-reloaded')")).toContain('/assets/');
    await expect.poll(() => app.textContent()).toContain('The page could not be loaded.');
    await page.addInitScript("localStorage.setItem('traceflow-language', 'es')");
    // The words of Spanish are the first that are asked for.
    asked = 0;
    isGone = (n) => n < 2;
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate("localStorage.getItem('traceflow-language')")).toBe('es');
  });
});
