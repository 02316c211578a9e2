import { afterAll, expect, it, vi } from 'vitest';

const spanish = vi.hoisted(() => {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve: () => resolve() };
});
vi.mock('../../words/es/codes.ts', async (original) => {
  await spanish.promise;
  return original();
});
const stored = new Map<string, string>();
vi.stubGlobal('localStorage', {
  getItem: (name: string) => stored.get(name) ?? null,
  setItem: (name: string, value: string) => stored.set(name, value),
});
vi.stubGlobal('navigator', { language: 'en' });
const root = { lang: '' };
vi.stubGlobal('document', { documentElement: root });
afterAll(() => vi.unstubAllGlobals());

it('of two choices of a language the last holds, whichever words come last', async () => {
  // By its name alone: the types of a browser are not those of the tests.
  const { isChoosingLanguage, language, showFirstLanguage, showLanguage } = await vi.importActual<{
    isChoosingLanguage: () => boolean;
    language: { value: string };
    showFirstLanguage: () => Promise<void>;
    showLanguage: (name: string) => Promise<void>;
  }>('../../console/browser/words.ts');
  await showFirstLanguage();
  const first = showLanguage('es');
  expect(isChoosingLanguage()).toBe(true);
  await showLanguage('ja');
  spanish.resolve();
  await first;
  expect([language.value, stored.get('traceflow-language'), root.lang]).toEqual(['ja', 'ja', 'ja']);
  expect(isChoosingLanguage()).toBe(false);
  await showLanguage('es');
  expect(language.value).toBe('es');
});
