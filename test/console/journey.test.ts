import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { roleOf } from '../../fixtures/demo/world.ts';
import type { Chain } from '../../src/domain/chain.ts';
import * as enConsole from '../../words/en/console.ts';
import * as esConsole from '../../words/es/console.ts';
import * as jaConsole from '../../words/ja/console.ts';
import { missingReader, textOf } from '../reports/pdf-text.ts';
import { clickOn, drawn, drawnNodes, idle, pictureOf } from './canvas.ts';
import { describeConsole } from './open-console.ts';

const WORDS = { en: enConsole, es: esConsole, ja: jaConsole };

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
    await page.getByText('92.3% of the money sent').waitFor();
    await idle(page);
    await page.getByRole('button', { name: '← The followed money' }).click();
    await page.getByRole('row', { name: /Meridian Exchange.*92\.3%/s }).waitFor();
    expect(await drawnNodes(page)).toContain(`ethereum:${exchange}`);
    await page.setViewportSize({ width: 1920, height: 900 });
    await page.getByRole('button', { name: 'Fit', exact: true }).click();
    // It names the end only while that is out of sight.
    await page.locator('.end-pointer').waitFor({ state: 'detached' });
    await view(page, 'investigate');
    await page.setViewportSize({ width: 1280, height: 900 });

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
    await page.locator('nav.section-links').getByRole('link', { name: 'Reports', exact: true }).click();
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
  });

  it.each(['en', 'ja', 'es'] as const)(
    'follows it from the pasted transaction to a board that is kept, shared with a second tab and in a case whose report names the exchange, in %s',
    async (language) => {
      const { canvas, cases, investigate } = WORDS[language];
      const { demo, open } = get();
      const of = (chain: Chain, name: string) => roleOf(demo.world, chain, 'bridge_theft', name).address;
      const thief = of('ethereum', 'vault_thief');
      const { txHash } = demo.world.moves.ethereum.find(({ to }) => to === thief)!;
      const ask = async (path: string, init: { method?: string; body?: string } = {}) => {
        const headers = { 'x-api-key': demo.keys.enterprise, 'content-type': 'application/json' };
        const answer = await fetch(`${demo.url}/api/v1${path}`, { ...init, headers });
        expect(answer.ok).toBe(true);
        return answer;
      };
      const title = `Kelp Vault (${language})`;
      const body = JSON.stringify({ title });
      const { case: opened } = (await (await ask('/cases', { method: 'POST', body })).json()) as {
        case: { id: string };
      };

      const page = await open('#/investigate', { language });
      await page.setViewportSize({ width: 1440, height: 900 });
      const idleHere = (tab = page) => idle(tab, investigate);
      await page.getByText(canvas.begin).waitFor();
      await page.keyboard.press('Control+k');
      await page.keyboard.insertText(txHash);
      await page.getByRole('option', { name: `${canvas.transactionOn('Ethereum')} ${canvas.opened.hint}` }).click();
      await expect.poll(() => drawnNodes(page)).toContain(`ethereum:${thief}`);
      await idleHere();

      // Its two sides are read for two scans; then the payee is chosen.
      await page.getByRole('button', { name: `${canvas.opened.scanBoth} · ${canvas.scans(2)}` }).click();

      // Where the money is: all of it, most of it at an exchange two bridges away.
      await page.getByRole('button', { name: canvas.actions.followSent }).first().click();
      await page.getByRole('heading', { name: canvas.whereItIs }).waitFor();
      await idleHere();
      const money = page.getByRole('region', { name: canvas.money });
      expect(await money.getByRole('row', { name: canvas.total }).textContent()).toMatch(/100[.,]0/);
      const exchange = money.getByRole('button', { name: /^Meridian Exchange/ });
      // Over two bridges: the end that was not read offers to be, for one scan.
      for (let reads = 0; reads < 5 && !(await exchange.isVisible()); reads++) {
        await money
          .getByRole('button', { name: `${canvas.read} · ${canvas.scans(1)}` })
          .first()
          .click();
        await idleHere();
      }
      await exchange.click();
      await expect.poll(() => drawn(page, `cy.edges(':selected').length`)).toBe(6);
      // The end of a way that is too long for the window is brought into sight.
      const far = `cy.nodes(':selected').max((node) => node.position('x')).ele.renderedBoundingBox()`;
      await expect.poll(() => drawn(page, `${far}.x1 >= 0 && ${far}.x2 <= cy.width()`)).toBe(true);
      await page.locator('.graph-canvas').press('f');

      // Noise goes, what matters is noted and grouped.
      const noise = await drawn<string>(page, `cy.nodes('.address').filter((node) => !node.selected())[0].id()`);
      await clickOn(page, noise);
      await page.keyboard.press('h');
      await expect.poll(() => drawnNodes(page)).not.toContain(noise);
      await clickOn(page, `ethereum:${of('ethereum', 'ferry_1')}`);
      const note = page.getByLabel(canvas.note, { exact: true });
      await note.fill('Moved within the hour <b>');
      await note.press('Tab');
      await page.getByRole('button', { name: canvas.colours.blue }).click();
      await page.keyboard.down('Shift');
      await clickOn(page, `ethereum:${thief}`);
      await page.keyboard.up('Shift');
      await page.locator('.graph-canvas').press('g');
      await page.getByLabel(canvas.groupName).fill('The thieves');
      await page.getByLabel(canvas.groupName).press('Enter');
      const frames = () => drawn(page, `cy.nodes('.frame').map((one) => one.data('name'))`);
      await expect.poll(frames).toContain('The thieves');

      // Saved in the case, it is the same in a second tab, which reads it again.
      await page.locator('summary').getByText(canvas.board, { exact: true }).click();
      await page.getByLabel(canvas.boardTitle).fill(title);
      await page.getByRole('button', { name: canvas.save, exact: true }).click();
      await page.getByText(canvas.saving.saved, { exact: true }).waitFor();
      await page.getByLabel(investigate.case, { exact: true }).selectOption(title);
      await page.getByRole('link', { name: investigate.toCase }).waitFor();
      const before = await pictureOf(page);
      const link = page.url();
      expect(link).toMatch(/#\/investigate\/board\/[0-9a-f-]{36}$/);
      const second = await page.context().newPage();
      await second.goto(link);
      await idleHere(second);
      await expect.poll(() => pictureOf(second)).toEqual(before);
      await second.getByRole('row', { name: canvas.total }).waitFor();
      await second.close();
      // Its sheet lies over the canvas.
      await page.keyboard.press('Escape');

      // The thief joins the case, whose page leads to the board and whose report names the exchange.
      await clickOn(page, `ethereum:${thief}`);
      await page.locator('summary', { hasText: investigate.addToCase }).click();
      const panel = page.getByRole('complementary', { name: canvas.panel });
      await panel.getByLabel(investigate.case, { exact: true }).selectOption(title);
      await panel.getByRole('button', { name: investigate.add, exact: true }).click();
      await panel.getByRole('link', { name: investigate.toCase }).click();
      await page.getByRole('article', { name: thief }).getByText(cases.roles.subject).first().waitFor();
      await page.getByRole('link', { name: cases.tabs.boards, exact: true }).click();
      await page.getByRole('main').getByRole('link', { name: title }).first().waitFor();
      const report = await ask(`/cases/${opened.id}/report.pdf?language=${language}&boards=on`);
      const printed = missingReader ? '' : textOf(Buffer.from(await report.arrayBuffer()));
      // The board is printed in it.
      if (!missingReader)
        for (const text of ['MeridianExchange', 'KelpVault(', 'Movedwithinthehour<b>']) expect(printed).toContain(text);
    },
    90_000,
  );
});
