import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { roleOf } from '../../fixtures/demo/world.ts';
import { clickOn, drawnNodes, idle } from './canvas.ts';
import { describeConsole } from './open-console.ts';

/** The README shows these pictures: `CONSOLE_PICTURES=docs/pictures npx vitest run test/console/journey.test.ts`. */
async function view(page: Page, name: string): Promise<void> {
  const folder = process.env.CONSOLE_PICTURES;
  if (!folder) return;
  await page.evaluate('scrollTo(0, 0)');
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

describeConsole('an analyst with stolen money', (get) => {
  it('finds the cash-out, opens a case and produces the report package in the console alone', async () => {
    const { demo, open } = get();
    const thief = roleOf(demo.world, 'ethereum', 'laundering', 'thief').address;
    const exchange = roleOf(demo.world, 'ethereum', 'exchange_hot_wallet', 'exchange_deposit').address;
    const page = await open('#/scan', { key: null });
    await page.getByLabel('API key').fill(demo.keys.enterprise);
    await page.keyboard.press('Enter');

    // The address of the thief is all that is known.
    await page.getByLabel('Address').fill(thief);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /How the score comes about/ }).waitFor();
    await view(page, 'scan');

    // Where did the money go?
    await page.getByRole('link', { name: 'Investigate the money' }).click();
    await idle(page);
    await clickOn(page, `ethereum:${thief}`);
    await page.getByText('Trace', { exact: true }).click();
    await page.getByRole('button', { name: /^Start the trace/ }).click();
    await page.getByRole('button', { name: /^Yes, spend/ }).click();
    await page.getByText('92.3 % of the money sent').waitFor();
    await idle(page);
    await page.getByRole('button', { name: '← The followed money' }).click();
    await page.getByRole('row', { name: /Meridian Exchange.*92\.3 %/s }).waitFor();
    expect(await drawnNodes(page)).toContain(`ethereum:${exchange}`);
    await view(page, 'investigate');

    // What is found goes into a case.
    await page.getByRole('link', { name: 'Cases' }).click();
    await page.locator('summary', { hasText: 'Open a case' }).click();
    await page.getByRole('textbox', { name: 'Title' }).fill('Theft of 80,000 dollars');
    await page.getByRole('button', { name: 'Open a case' }).click();
    await page.getByRole('heading', { name: 'Theft of 80,000 dollars' }).waitFor();
    const inCase = page.url();
    await page.goBack();
    await page.goBack();
    await idle(page);
    await clickOn(page, `ethereum:${thief}`);
    await page.locator('summary', { hasText: 'Add to a case' }).click();
    await page.getByLabel('Case', { exact: true }).selectOption('Theft of 80,000 dollars');
    await page.getByRole('button', { name: 'Add to the case' }).click();
    await page.getByText('Added.').waitFor();
    await page.getByRole('link', { name: 'Go to the case' }).click();
    expect(page.url()).toBe(inCase);

    // The wallet that brought the money to the exchange joins the case, and the package is produced.
    await page.getByRole('article', { name: thief }).getByText('Critical').waitFor();
    const last = roleOf(demo.world, 'ethereum', 'laundering', 'layer_4').address;
    await page.getByRole('button', { name: `Add: ${last}` }).click();
    await page.getByRole('article', { name: last }).waitFor();
    await page.getByRole('button', { name: 'Scan the case' }).click();
    await page.getByText('1 of 1').waitFor();
    const reports = page.getByRole('region', { name: 'Reports' });
    await reports.getByRole('form').getByRole('combobox', { name: 'Language' }).selectOption('English');
    await page.getByRole('button', { name: 'Generate', exact: true }).click();
    await page
      .getByRole('article', { name: /Report package/ })
      .getByText('Completed')
      .waitFor();
    await view(page, 'case');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Transactions (CSV)' }).click();
    const transactions = await readFile(await (await download).path(), 'utf8');
    expect(transactions).toContain(thief);
    expect(transactions).toContain('Meridian Exchange');
  }, 90_000);
});
