import { afterAll, expect, it, vi } from 'vitest';

vi.stubGlobal('localStorage', { getItem: () => 'en', setItem: () => {} });
vi.stubGlobal('document', { documentElement: { lang: '' } });
afterAll(() => vi.unstubAllGlobals());
// By its name alone: the types of a browser are not those of the tests.
type Figures = Record<'compactDollars' | 'dollars', (value: number) => string>;
const { compactDollars, dollars } = await vi.importActual<Figures>('../../console/browser/figures.ts');
type Words = { showLanguage: (name: string) => Promise<void> };
const { showLanguage } = await vi.importActual<Words>('../../console/browser/words.ts');
// Suites of one worker share the module, and the one before may have shown another language.
await showLanguage('en');

it('no amount that is worth something is shown as nothing, and none of an arrow with a part of a dollar that nobody reads', () => {
  expect([0, 0.004, 0.03, 5.4204, 821.34].map(dollars)).toEqual(['$0.00', '<\u00a0$0.01', '$0.03', '$5.42', '$821']);
  expect([0, 0.004, 0.03, 821.34, 94_800].map(compactDollars)).toEqual([
    '$0',
    '<\u00a0$0.01',
    '$0.03',
    '$821',
    '$94.8K',
  ]);
});

it('a short figure in Japanese has no unit of ten thousand', async () => {
  await showLanguage('ja');
  expect(compactDollars(94_800)).toBe('$94.8K');
  await showLanguage('en');
});
