import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { roleOf } from '../../fixtures/demo/world.ts';
import { describeConsole, expectAccessible, picture } from './open-console.ts';

describeConsole('the monitoring page', (get) => {
  const addressOf = (story: string, name: string) => roleOf(get().demo.world, 'ethereum', story, name).address;

  it('watches an address, follows its money, and shows what was found with the path to it', async () => {
    const page = await get().open('#/monitoring');
    const watched = addressOf('laundering', 'layer_4');
    await page.getByText('No address is watched yet.').waitFor();
    await page.getByRole('textbox', { name: 'Address' }).fill(watched);
    await page.getByRole('combobox', { name: 'Follow Mode', exact: true }).selectOption('3 hops');
    await page.getByRole('textbox', { name: 'Label' }).fill('Last wallet');
    await page.keyboard.press('Enter');
    const row = page.getByRole('row', { name: /Last wallet/ });
    await row.getByText('UTC').waitFor();
    await expectAccessible(page);
    await picture(page, 'watchlist');

    await row.getByRole('link', { name: 'Discoveries' }).click();
    const found = page.getByRole('article');
    await expect
      .poll(async () => {
        await page.getByRole('button', { name: 'Refresh' }).click();
        return page
          .getByText(/Nothing with this status|hops? away/)
          .first()
          .textContent();
      })
      .toMatch(/away/);
    const discovered = (await found.first().getAttribute('aria-label')) as string;
    await found.first().locator('summary').click();
    await found.first().getByRole('row').nth(1).waitFor();
    await expectAccessible(page);
    await picture(page, 'discoveries');
    await page.getByRole('button', { name: `Watch it too: ${discovered}` }).click();
    await page
      .getByRole('button', { name: /Dismiss/ })
      .first()
      .click();
    await page.getByLabel('Status').selectOption('Watched');
    await page.getByRole('article', { name: discovered }).waitFor();
    await page.getByLabel('Status').selectOption('Dismissed');
    await expect.poll(() => found.count()).toBe(1);
    await page.getByRole('link', { name: 'Back to the watchlist' }).click();
    await page.getByRole('button', { name: `Scan now: ${discovered}` }).waitFor();
  });

  it('shows at which bridges the walk ended', async () => {
    const page = await get().open('#/monitoring', { key: get().demo.keys.pro });
    const strait = addressOf('bridge_without_source', 'strait');
    await page.getByRole('textbox', { name: 'Address' }).fill(strait);
    await page.getByRole('combobox', { name: 'Follow Mode', exact: true }).selectOption('1 hop');
    await page.keyboard.press('Enter');
    const row = page.getByRole('row').filter({ has: page.getByTitle(strait) });
    await row.getByText('UTC').waitFor();
    await row.getByRole('link', { name: 'Discoveries' }).click();
    await expect
      .poll(async () => {
        await page.getByRole('button', { name: 'Refresh' }).click();
        return page.getByRole('heading', { name: 'Where the last walk ended at bridges (1)' }).count();
      })
      .toBe(1);
    await page.getByText('(Across → Linea)').waitFor();
    await expectAccessible(page);
    await picture(page, 'discoveries-bridges');
  });

  it('scans a watched address now, changes its Follow Mode, and removes it once that is confirmed', async () => {
    const page = await get().open('#/monitoring', { key: get().demo.keys.business });
    const watched = addressOf('clean_saver', 'saver');
    await page.getByRole('textbox', { name: 'Address' }).fill(watched);
    await page.getByRole('button', { name: 'Watch', exact: true }).click();
    await page.getByRole('row', { name: /Low/ }).waitFor();
    // The plan has three hops.
    const follow = page.getByRole('combobox', { name: `Follow Mode: ${watched}` });
    await follow.selectOption('5 hops');
    await expect.poll(() => follow.inputValue()).toBe('3');
    const scanned = page.getByText(/Scanned\. Follow Mode/);
    // The walk that the changed Follow Mode began may still hold the address: a scan is refused until it ends.
    const scanNow = async () => {
      await page.getByRole('button', { name: `Scan now: ${watched}` }).click();
      await scanned.waitFor({ timeout: 10_000 }).catch(() => undefined);
      return scanned.isVisible();
    };
    await expect.poll(scanNow).toBe(true);
    await page.getByRole('button', { name: `Remove: ${watched}` }).dblclick();
    await page.getByRole('button', { name: `Remove: ${watched}` }).click();
    await page.getByRole('button', { name: `Yes, Remove: ${watched}` }).click();
    await page.getByText('No address is watched yet.').waitFor();
  });

  it('shows refusals in the words of the API, beside what was refused', async () => {
    const page = await get().open('#/monitoring', { key: get().demo.keys.starter });
    await page.getByRole('textbox', { name: 'Address' }).fill('0x12');
    await page.getByRole('button', { name: 'Watch', exact: true }).click();
    await expect.poll(() => page.getByRole('alert').textContent()).toBe('Unrecognized address format');
    await page.getByRole('textbox', { name: 'Address' }).fill(addressOf('clean_saver', 'saver'));
    await page.getByRole('combobox', { name: 'Follow Mode', exact: true }).selectOption('1 hop');
    await page.getByRole('button', { name: 'Watch', exact: true }).click();
    await expect.poll(() => page.getByRole('alert').textContent()).toMatch(/Follow Mode/);
  });

  it('adds an endpoint with its secret shown once, tests it, logs its deliveries, and sends one again', async () => {
    const received: string[] = [];
    const receiver = createServer((request, response) => {
      received.push(String(request.headers['x-service-event']));
      request.resume().on('end', () => response.writeHead(204).end());
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/events`;
    try {
      const page = await get().open('#/monitoring/webhooks');
      await page.getByRole('textbox', { name: 'URL' }).fill(url);
      await page.getByRole('textbox', { name: 'Description' }).fill('Case desk');
      await page.getByRole('checkbox', { name: 'batch.completed' }).uncheck();
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      const secret = page.getByRole('status', { name: /Secret of the endpoint/ });
      const first = await secret.locator('code').textContent();
      expect(first).toMatch(/^whsec_/);
      await expectAccessible(page);
      await picture(page, 'webhook-secret');
      await secret.getByRole('button', { name: 'I have stored it' }).click();
      await page.reload();
      const endpoint = page.getByRole('article', { name: url });
      expect(await endpoint.textContent()).not.toContain('batch.completed, ');
      expect(await page.content()).not.toContain(first);

      await endpoint.getByRole('button', { name: 'Send a test' }).click();
      await page.getByText('The endpoint answered 204.').waitFor();
      expect(received).toEqual(['scan.completed']);

      const address = addressOf('payroll', 'company');
      await fetch(`${get().demo.url}/api/v1/public/scan?address=${address}`, {
        headers: { 'x-api-key': get().demo.keys.enterprise },
      });
      await expect.poll(() => received.length).toBe(2);
      await page.getByRole('button', { name: 'Refresh' }).click();
      const delivery = page
        .getByRole('row', { name: /scan\.completed/ })
        .filter({ hasText: 'delivered' })
        .first();
      await delivery.getByRole('button', { name: /Send again/ }).click();
      await expect.poll(() => received.length).toBe(3);
      await expectAccessible(page);
      await picture(page, 'webhooks');

      await endpoint.getByRole('button', { name: /New secret/ }).click();
      await endpoint.getByRole('button', { name: /^Yes, New secret/ }).click();
      expect(await secret.locator('code').textContent()).not.toBe(first);
      await endpoint.getByRole('button', { name: 'Pause' }).click();
      await endpoint.getByText('Paused').waitFor();
      await endpoint.locator('summary').click();
      await endpoint.getByRole('textbox', { name: 'Description' }).fill('Night desk');
      await endpoint.getByRole('button', { name: 'Save' }).click();
      await endpoint.getByText('Night desk').waitFor();
      await endpoint.getByRole('button', { name: /Delete/ }).click();
      await endpoint.getByRole('button', { name: /^Yes, Delete/ }).click();
      await page.getByText('There is no endpoint yet.').waitFor();
    } finally {
      receiver.close();
    }
  });

  it('writes a rule by form from a preset, in test at first, changes it as a new version, and tries it on scans', async () => {
    const { demo, open } = get();
    const page = await open('#/rules');
    await page.getByText('There is no rule yet.').waitFor();
    const preset = page.getByRole('article').filter({ hasText: 'Contact with a mixer' });
    await preset.getByText('categories of counterparties include mixer', { exact: true }).waitFor();
    await preset.getByRole('link', { name: 'Begin with this' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Mixer close by');
    const group = page.getByRole('group', { name: 'Group' }).first();
    await group.getByRole('button', { name: 'Add a group' }).click();
    const inner = group.getByRole('group', { name: 'Group' });
    await inner.getByRole('combobox', { name: 'Group' }).selectOption('none of these holds');
    await inner.getByRole('combobox', { name: 'Fact' }).selectOption('in_case');
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(390);
    await expectAccessible(page);
    await picture(page, 'rule-form-phone');
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole('button', { name: 'Make the rule' }).click();
    await page.getByRole('heading', { name: 'Mixer close by' }).waitFor();
    expect(await page.getByLabel('Mode: Mixer close by').inputValue()).toBe('test');
    const headers = { 'x-api-key': demo.keys.enterprise };
    const { rules } = (await (await fetch(`${demo.url}/api/v1/rules`, { headers })).json()) as { rules: object[] };
    const away = { not: { any: [{ fact: 'in_case', operator: 'equal', value: true }] } };
    expect(rules).toMatchObject([{ mode: 'test', when: { any: [{ fact: 'mixer_hops', value: 1 }, {}, away] } }]);

    await page.getByRole('combobox', { name: 'Fact' }).first().selectOption('score');
    await page.getByRole('combobox', { name: 'Comparison' }).first().selectOption('≥');
    await page.getByRole('textbox', { name: 'Value' }).first().fill('50');
    await page.getByRole('button', { name: 'Save' }).click();
    const versions = page.getByRole('region', { name: 'Versions' }).first();
    await expect.poll(() => versions.getByRole('row').count()).toBe(3);
    await page.getByRole('button', { name: 'Try it' }).click();
    const tried = page.getByRole('region', { name: 'Try it on recorded scans' });
    await tried.getByText('Completed').waitFor();
    await tried
      .getByRole('row', { name: /Critical/ })
      .first()
      .waitFor();
    await expectAccessible(page);
    await picture(page, 'rule');
    await page.getByRole('button', { name: 'Delete the rule: Mixer close by' }).click();
    await page.getByRole('button', { name: /^Yes, Delete the rule/ }).click();
    await page.getByText('There is no rule yet.').waitFor();
  });

  it('speaks Japanese, in dark', async () => {
    const page = await get().open('#/monitoring', { language: 'ja', theme: 'dark' });
    await page.getByRole('heading', { name: 'ウォッチリスト' }).waitFor();
    await page.getByRole('row').nth(1).waitFor();
    await expectAccessible(page);
    await picture(page, 'watchlist-ja-dark');
    await page.getByRole('link', { name: 'Webhook' }).click();
    await page.getByRole('heading', { name: '送信履歴' }).waitFor();
    await expectAccessible(page);
    await picture(page, 'webhooks-ja-dark');
  });
});
