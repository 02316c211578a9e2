import { expect, it } from 'vitest';
import { keepList, saveListState } from '../../src/records/lists/kept-lists.ts';
import { describeConsole, expectAccessible, picture } from './open-console.ts';

describeConsole('the page of sources and lists', (get) => {
  it('asks each source at a click, and says what waits for a decision of the operator', async () => {
    const { demo, open } = get();
    const { records } = demo.ctx;
    const list = { source: 'ofac', place: 'https://lists.example/sdn.xml?token=1' };
    await keepList(records, { ...list, every_ms: 86_400_000, as_of_header: 0 }, Date.now());
    await saveListState(records, list, {
      state: 'waiting',
      // The service of the test would fetch what is due.
      next_at: Date.now() + 86_400_000,
      problem: '40 of 110 labels of ofac are not in the newer list',
    });
    const page = await open('#/sources');
    await page.getByText('lost more than a tenth').waitFor();
    await page.getByText('traceflow lists refresh ofac --replace').waitFor();
    const chains = page.getByRole('region', { name: 'Sources of chains' });
    // One sentence names what no column says of any row.
    await chains.getByText(/^Not asked since the service started: .*Bitcoin/).waitFor();
    expect(await chains.getByRole('columnheader', { name: 'Newest block' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Ask each source now' }).click();
    await chains
      .getByRole('cell', { name: /^(answers|behind)$/ })
      .first()
      .waitFor();
    await chains.getByRole('columnheader', { name: 'Newest block' }).first().waitFor();
    expect(await chains.getByText('Not asked').count()).toBe(0);
    expect(await page.getByRole('alert').count()).toBe(0);
    await expectAccessible(page);
    await picture(page, 'sources');
    expect(await page.content()).not.toContain('token=1');
  });

  it.each([
    ['en', '', /lists suggest names public lists/],
    ['ja', '#/sources', /lists suggestで公開リスト/],
  ])('says what is lost without a sanctions list, and what to do, in %s', async (language, hash, advice) => {
    const { demo, open } = get();
    const answer = await fetch(`${demo.url}/api/v1/sources`, { headers: { 'x-api-key': demo.keys.enterprise } });
    const body = { ...((await answer.json()) as object), loaded_lists: [], list_gap: 'no_lists' };
    const page = await open('#/none', { language });
    await page.route('**/api/v1/sources', (route) => route.fulfill({ json: body }));
    await page.goto(`${demo.url}/${hash || '#/'}`);
    await page.getByText(advice).waitFor();
    await expectAccessible(page);
    await picture(page, `sources-without-lists-${language}`);
  });

  it('refuses a key without the right admin, in words', async () => {
    const { demo, open } = get();
    const made = await fetch(`${demo.url}/api/v1/api-keys`, {
      method: 'POST',
      headers: { 'x-api-key': demo.keys.enterprise, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'reader', scopes: ['read'] }),
    });
    const page = await open('#/sources', { key: ((await made.json()) as { key: string }).key });
    await page.getByText('This key lacks the right: admin').waitFor();
  });
});
