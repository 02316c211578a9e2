import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { roleOf } from '../../fixtures/demo/world.ts';
import { EMPTY_SCENE } from '../../src/domain/scene/empty-scene.ts';
import { drawnNodes, idle } from './canvas.ts';
import { describeConsole, expectAccessible, picture } from './open-console.ts';

const PHONE = { width: 390, height: 844 };

/** Keeps a picture at both widths; nothing may stand beside the page. */
async function look(page: Page, name: string): Promise<void> {
  await expectAccessible(page);
  await picture(page, name);
  const size = page.viewportSize()!;
  await page.setViewportSize(PHONE);
  expect(await page.evaluate<number>('document.documentElement.scrollWidth'), name).toBeLessThanOrEqual(PHONE.width);
  const cut = `[...document.querySelectorAll('.pages a')].filter((one) => one.getBoundingClientRect().right > innerWidth).length`;
  expect(await page.evaluate(cut), name).toBe(0);
  await picture(page, `${name}-phone`);
  await page.setViewportSize(size);
}

describeConsole('pages for analysts without code', (get) => {
  const addressOf = (story: string, name: string) => roleOf(get().demo.world, 'ethereum', story, name).address;

  it('scan many addresses, and save what was found', async () => {
    const page = await get().open('#/scan');
    await page.getByRole('link', { name: 'Many addresses' }).click();
    const thief = addressOf('laundering', 'thief');
    await page.getByRole('textbox', { name: 'Addresses' }).fill(`address,chain\n${thief},ethereum\nnobody,\n`);
    await page.getByText('2 addresses; each costs 1 scan').waitFor();
    await look(page, 'batch');
    await page.getByRole('button', { name: 'Start the batch' }).click();
    await page.getByRole('row', { name: /Critical/ }).waitFor();
    await page.getByRole('row', { name: /nobody.*Unrecognized address format/ }).waitFor();
    await look(page, 'batch-results');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as CSV' }).click();
    expect(await readFile(await (await download).path(), 'utf8')).toContain(`${thief},ethereum,completed,CRITICAL`);
  });

  it('scan a transaction, query a token, and check before signing', async () => {
    const page = await get().open('#/scan/transaction');
    const { demo } = get();
    const thief = addressOf('laundering', 'thief');
    const ask = { headers: { 'x-api-key': demo.keys.enterprise } };
    type Flows = { counterparties: Record<'sent' | 'received', { tx_hash: string } | null>[] };
    const answer = await fetch(`${demo.url}/api/v1/graph/counterparties/${thief}?chain=ethereum`, ask);
    const [flow] = ((await answer.json()) as Flows).counterparties;
    await page.getByLabel('Transaction hash').fill((flow!.sent ?? flow!.received)!.tx_hash);
    await page.getByLabel('Chain').selectOption('ethereum');
    await page.getByRole('button', { name: 'Scan both sides' }).click();
    await page.getByRole('article', { name: 'Payee' }).waitFor();
    await look(page, 'transaction');

    await page.getByRole('link', { name: 'Token', exact: true }).click();
    await page.getByRole('textbox', { name: 'Token' }).fill('native');
    await page.getByRole('textbox', { name: /^Address/ }).fill(thief);
    await page.getByLabel('From', { exact: true }).fill('2026-09-01');
    await page.getByLabel('To', { exact: true }).fill('2026-11-20');
    await page.getByRole('button', { name: 'Ask' }).click();
    await page.getByRole('heading', { name: 'Transfers' }).waitFor();
    await look(page, 'token');

    await page.getByRole('link', { name: 'Before signing' }).click();
    await page.getByLabel('Destination or contract').fill(addressOf('scam', 'scammer'));
    await page.getByLabel('Chain').selectOption('ethereum');
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByRole('heading', { name: 'Do not sign' }).waitFor();
    await look(page, 'presign');
  });

  it('ask the graph with the Cypher of the answer, and say what an own statement needs', async () => {
    const page = await get().open('#/query');
    await page.getByLabel('Question').selectOption('Where is the money now?');
    await page.getByLabel('Address').fill(addressOf('laundering', 'thief'));
    await page.getByLabel('Chain').selectOption('ethereum');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('row').nth(1).waitFor();
    await page.getByText('The Cypher that answered it').click();
    await page.getByText(/MATCH/).first().waitFor();
    await look(page, 'query');
    await page.getByLabel('Question').selectOption('A statement of your own (Neo4j, Enterprise)');
    await page.getByLabel('Parameters (JSON)').fill('[]');
    await page.getByRole('button', { name: 'Run' }).click();
    await expect.poll(() => page.getByRole('alert').textContent()).toBe('The parameters are not a JSON object.');
    await page.getByLabel('Parameters (JSON)').fill('{}');
    await page.getByRole('button', { name: 'Run' }).click();
    await expect.poll(() => page.getByRole('alert').textContent()).toBe('Own statements need Neo4j');
    await look(page, 'query-own');
  });

  it('relate an address to one on another chain', async () => {
    const { demo } = get();
    const thief = addressOf('bridge_theft', 'vault_thief');
    await fetch(`${demo.url}/api/v1/public/scan?chain=ethereum&address=${thief}`, {
      headers: { 'x-api-key': demo.keys.enterprise },
    });
    const page = await get().open('#/query/relationship');
    await page.getByLabel('Address', { exact: true }).fill(thief);
    await page.getByLabel('Chain', { exact: true }).selectOption('ethereum');
    await page.getByLabel('Second address').fill(roleOf(demo.world, 'arbitrum', 'bridge_theft', 'ferry_3').address);
    await page.getByLabel('Its chain').selectOption('arbitrum');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('region', { name: 'Path' }).getByRole('row').nth(1).waitFor();
    await page.getByRole('button', { name: 'Draw on the canvas' }).click();
    await idle(page);
    const ferry = roleOf(demo.world, 'arbitrum', 'bridge_theft', 'ferry_3').address;
    await expect
      .poll(() => drawnNodes(page))
      .toEqual(expect.arrayContaining([`ethereum:${thief}`, `arbitrum:${ferry}`]));
  });

  it('are a queue of alerts that keys alone take, open and close with a reason, and never while one types', async () => {
    const { demo, open } = get();
    const page = await open('#/monitoring');
    await page.getByRole('textbox', { name: 'Address' }).fill(addressOf('laundering', 'layer_4'));
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: /Critical|High/ }).waitFor();
    await page.getByRole('link', { name: /^Alerts/ }).click();
    const row = page.getByRole('row', { name: /The first scan found a high risk/ });
    await row.getByText(/^in \d+ min\.$/).waitFor();
    await page.getByText('1 alert that nobody has taken').waitFor({ state: 'attached' });
    await look(page, 'alerts');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'The first scan found a high risk' }).waitFor();
    await page.getByRole('textbox', { name: 'Comment' }).pressSequentially('a cx');
    expect(await page.getByRole('form', { name: 'Close' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Write' }).click();
    await page.getByText('a cx').waitFor();
    await look(page, 'alert');
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { level: 2 }).waitFor({ state: 'detached' });
    // Who leaves an alert, or a form, stands at its row again.
    await row.locator('a:focus').waitFor();
    await page.keyboard.press('a');
    await page.getByText('Nothing here.').waitFor();
    expect(await page.locator('.count-badge').count()).toBe(0);
    await page.getByRole('link', { name: 'Assigned' }).click();
    await row.getByText('demo').waitFor();
    await page.keyboard.press('j');
    for (const leave of ['Escape', 'Cancel']) {
      await page.keyboard.press('x');
      await page.locator('select:focus').waitFor();
      if (leave === 'Cancel') await page.getByRole('button', { name: leave }).press('Enter');
      else await page.keyboard.press(leave);
      await row.locator('a:focus').waitFor();
    }
    await page.keyboard.press('x');
    await page.locator('select:focus').waitFor();
    await page.keyboard.press('f');
    await page.keyboard.press('Tab');
    await page.keyboard.type('The owner is known');
    await page.keyboard.press('Enter');
    await row.waitFor({ state: 'detached' });
    const headers = { 'x-api-key': demo.keys.enterprise };
    const queue = await (await fetch(`${demo.url}/api/v1/alerts?state=closed`, { headers })).json();
    expect(queue).toMatchObject({ alerts: [{ disposition: 'false_positive', assignee: 'demo' }] });
  });

  it('begin with one search over everything, what waits, and first steps that stay hidden once they are', async () => {
    const { demo, open } = get();
    const page = await open('');
    const thief = roleOf(demo.world, 'ethereum', 'bridge_theft', 'vault_thief').address;
    const steps = page.getByRole('region', { name: 'First steps' });
    await steps.getByText('The demo holds a theft').waitFor();
    expect(await steps.getByRole('link').count()).toBe(5);
    const report = steps.getByRole('link', { name: 'Write the report' });
    await expect.poll(() => report.getAttribute('href')).toMatch(/^#\/cases\/[\w-]+\/reports$/);
    await page.getByRole('region', { name: 'Recent scans' }).getByRole('listitem').first().waitFor();
    await page.getByRole('region', { name: 'Sources and lists' }).getByText('12 chains have a source').waitFor();
    await page.getByText('Nothing is running.').waitFor();
    await look(page, 'home');
    await steps.getByRole('link', { name: 'See who has it' }).click();
    await page.getByTitle(thief).first().waitFor();
    await page.goBack();
    await steps.getByText('done').waitFor({ state: 'attached' });
    await steps.getByRole('button', { name: 'Hide the first steps' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Show the first steps' }).waitFor();
    expect(await steps.count()).toBe(0);
    await page.keyboard.press('/');
    await page.keyboard.type('kelp vault');
    await page.getByRole('option', { name: /Kelp Vault exploiter/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/#/address/ethereum/${thief}`);
  });

  it('list the boards of a case', async () => {
    const { demo, open } = get();
    const send = async <T>(path: string, body: object): Promise<T> => {
      const headers = { 'x-api-key': demo.keys.enterprise, 'content-type': 'application/json' };
      return (await (
        await fetch(`${demo.url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      ).json()) as T;
    };
    const { case: opened } = await send<{ case: { id: string } }>('/cases', { title: 'Theft with a board' });
    const { board } = await send<{ board: { id: string } }>('/boards', {
      title: 'Way of the money',
      case_id: opened.id,
      scene: EMPTY_SCENE,
    });
    const page = await open(`#/cases/${opened.id}/boards`);
    const link = page.getByRole('region', { name: 'Boards' }).getByRole('link', { name: 'Way of the money' });
    expect(await link.getAttribute('href')).toBe(`#/investigate/board/${board.id}`);
    await look(page, 'case-boards');
  });

  it('show who did what', async () => {
    const page = await get().open('#/account/audit');
    const row = page.getByRole('row', { name: /case created/ }).first();
    // Two keys may have one name.
    await row.locator('code[title]').waitFor();
    await look(page, 'audit');
  });

  it('share the session with other tabs, and end it in all of them', async () => {
    const first = await get().open('', { key: null });
    await first.getByLabel('API key').fill(get().demo.keys.pro);
    await first.keyboard.press('Enter');
    await first.getByRole('heading', { name: 'Home' }).waitFor();
    const second = await first.context().newPage();
    await second.goto(get().demo.url);
    await second.getByRole('heading', { name: 'Home' }).waitFor();
    expect(await second.evaluate('JSON.stringify(localStorage)')).not.toContain(get().demo.keys.pro);
    await second.locator('summary', { hasText: 'Settings' }).click();
    await second.getByRole('button', { name: 'Sign out' }).click();
    await first.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it('wait for a server that is gone, in the language of the reader, and go on when it is back', async () => {
    const page = await get().open('#/scan', { language: 'es' });
    await page.getByRole('heading', { name: 'Análisis recientes' }).waitFor();
    await page.route('**/api/**', (route) => route.abort('connectionrefused'));
    await page.getByRole('link', { name: 'Casos' }).click();
    await page.getByText('No se puede conectar con el servicio.').waitFor();
    await page.unroute('**/api/**');
    await page
      .getByText(/Theft with a board|No hay ningún caso/)
      .first()
      .waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it.each(['ja', 'es'])('fit in %s, light and dark, on a phone too', async (language) => {
    const page = await get().open('#/scan/batch', { language, theme: 'dark' });
    for (const [hash, name] of [
      ['#/scan/batch', 'batch'],
      ['#/scan/transaction', 'transaction'],
      ['#/scan/token', 'token'],
      ['#/scan/presign', 'presign'],
      ['#/query/own', 'query'],
      ['#/alerts', 'alerts'],
      ['#/account/audit', 'audit'],
    ] as const) {
      await page.evaluate(`location.hash = '${hash}'`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await look(page, `${name}-${language}-dark`);
    }
  });

  it('shows on a phone which page and section are open, however far to the right their links stand', async () => {
    const page = await get().open('#/scan');
    await page.setViewportSize({ width: 390, height: 844 });
    const isSeen = (nav: string) =>
      page.evaluate(`(() => {
        const { left, right } = document.querySelector('${nav} [aria-current]')?.getBoundingClientRect() ?? { left: -1 };
        return left >= 0 && right <= innerWidth;
      })()`);
    await page.evaluate(`location.hash = '#/scan/presign'`);
    await expect.poll(() => isSeen('.section-links')).toBe(true);
    await page.evaluate(`location.hash = '#/account'`);
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    await expect.poll(() => isSeen('.page-header nav')).toBe(true);
    // Both menus open within the screen.
    for (const menu of ['.page-header nav', '.choices']) {
      await page.locator(`${menu} summary`).click();
      const { x, width } = (await page.locator(`${menu} .dropdown-sheet`).boundingBox())!;
      expect([x >= 0, x + width <= 390], menu).toEqual([true, true]);
      await page.keyboard.press('Escape');
    }
  });
});
