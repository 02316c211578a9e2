import { expect, it } from 'vitest';
import { roleOf } from '../../fixtures/demo/world.ts';
import { drawn, drawnNodes, idle } from './canvas.ts';
import { describeConsole, expectAccessible, picture } from './open-console.ts';

describeConsole('the page of an address', (get) => {
  const addressOf = (story: string, name: string) => roleOf(get().demo.world, 'ethereum', story, name).address;
  const api = async (path: string) => {
    const { demo } = get();
    const answer = await fetch(`${demo.url}/api/v1${path}`, { headers: { 'x-api-key': demo.keys.enterprise } });
    expect(answer.ok).toBe(true);
    return answer.json() as Promise<{ scans_used: number; entity: { id: string } }>;
  };

  it('says the level first, then who says what, balances, months, exposure and counterparties, and costs no scan', async () => {
    const layer = addressOf('laundering', 'layer_4');
    await api(`/public/scan?chain=ethereum&address=${layer}`);
    const { scans_used: used } = await api('/public/usage');
    const page = await get().open(`#/address/ethereum/${layer}`);
    const level = page.getByRole('region', { name: 'Level' });
    await level.getByText('Critical').waitFor();
    await page.getByRole('region', { name: 'Detections (5)' }).waitFor();
    await page.getByRole('region', { name: 'Balances' }).getByText('0.36323').waitFor();
    const chart = page.getByRole('img', { name: 'From 2026-02 to 2026-02: $75,300 came in, $73,800 went out' });
    await chart.locator('canvas').waitFor();
    const exposure = page.getByRole('region', { name: 'Exposure', exact: true });
    await exposure
      .getByRole('row', { name: /sanctioned/ })
      .getByText('4 hops and more')
      .waitFor();
    // Both bars have one scale: 73,800 of 75,300.
    const widths = await exposure
      .locator('.dollar-bar rect:last-child')
      .evaluateAll((bars) =>
        bars.map((bar) => Number((bar as unknown as { getAttribute: (name: string) => string }).getAttribute('width'))),
      );
    expect(widths[1]! / widths[0]!).toBeCloseTo(73_800 / 75_300, 2);
    const parties = page.getByRole('region', { name: 'Counterparties with most of the money' });
    await parties.getByRole('link', { name: 'Meridian Exchange', exact: true }).waitFor();
    expect((await api('/public/usage')).scans_used).toBe(used);
    await expectAccessible(page);
    await picture(page, 'address');
  });

  it('asks once what is known, and shows level and detections where the graph does not answer', async () => {
    const layer = addressOf('laundering', 'layer_4');
    await api(`/public/scan?chain=ethereum&address=${layer}`);
    const page = await get().open('#/none');
    let asked = 0;
    await page.route('**/api/v1/graph/profile/**', (route) => {
      asked++;
      return route.fulfill({ status: 404, json: { detail: 'No graph' } });
    });
    await page.goto(`${get().demo.url}/#/address/ethereum/${layer}`);
    await page.getByRole('region', { name: 'Level' }).getByText('Critical').waitFor();
    await page.getByRole('region', { name: 'Detections (5)' }).waitFor();
    await page.getByRole('region', { name: 'Balances' }).getByText('No graph').waitFor();
    expect(asked).toBe(1);
  });

  it('leads to the holder, whose members each have their rule and its evidence, and says once how often the rule erred', async () => {
    const joint = roleOf(get().demo.world, 'bitcoin', 'multi_sender', 'joint_a').address;
    await api(`/public/scan?chain=bitcoin&address=${joint}`);
    const page = await get().open(`#/address/bitcoin/${joint}`);
    await page.keyboard.press('Tab');
    await page.getByRole('link', { name: 'Holder of 3 addresses' }).press('Enter');
    const members = page.getByRole('region', { name: 'Why together? (3)' });
    const row = members.getByRole('row').filter({ has: page.getByTitle(joint) });
    await row.getByText('paid together in one transaction').waitFor();
    // Once for all members of a rule.
    await members.getByText(/\d+\.\d% \([\d,]+ of [\d,]+ tested pairs\)$/).waitFor();
    expect(await row.locator('code').count()).toBe(2);
    await page.getByRole('region', { name: 'Activity by month' }).locator('canvas').waitFor();
    // A name of one's own stands in the title until it is taken away.
    await page.locator('summary', { hasText: 'Give it a name of your own' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Purse of Mo');
    await page.getByLabel('Category', { exact: true }).selectOption('scam');
    await expectAccessible(page);
    await picture(page, 'holder');
    await page.getByRole('button', { name: 'Give it a name of your own' }).click();
    await page.getByRole('heading', { level: 1, name: 'Purse of Mo' }).waitFor();
    await page.getByRole('button', { name: 'Delete: Purse of Mo' }).click();
    await page.getByRole('button', { name: 'Yes, Delete: Purse of Mo' }).click();
    await page.getByRole('heading', { level: 1, name: 'Holder of 3 addresses' }).waitFor();
  });

  it('draws a holder that was found by name as one card, opens it into its addresses and closes it again', async () => {
    await api(`/public/scan?chain=ethereum&address=${addressOf('exchange_hot_wallet', 'exchange')}`);
    const page = await get().open('#/investigate');
    const box = page.getByRole('combobox', { name: /Address, transaction/ });
    await box.fill('meridian');
    const hits = page.getByRole('listbox').getByRole('option');
    await hits.filter({ hasText: 'Meridian Exchange: ' }).first().waitFor();
    expect(await hits.first().textContent()).toMatch(/^Meridian Exchange.*Holder · \d+ addresses/);
    await hits.first().click();
    await idle(page);
    const panel = page.getByRole('complementary', { name: 'What is chosen' });
    await panel.getByText('$17,', { exact: false }).first().waitFor();
    const cards = async () => (await drawnNodes(page)).filter((id) => id.startsWith('entity:'));
    expect(await cards()).toHaveLength(1);
    const [card] = await cards();
    expect(await drawn(page, `cy.getElementById('${card}').data('title')`)).toMatch(/^Meridian Exchange \(\d+\)$/);
    const folded = (await drawnNodes(page)).length;
    await panel.getByRole('button', { name: 'Unfold' }).click();
    await expect.poll(async () => (await drawnNodes(page)).length).toBeGreaterThan(folded);
    await panel.locator('summary', { hasText: 'Why together?' }).click();
    await panel.getByText('a list names one owner').first().waitFor();
    // A double click folds once, and ungroups nothing.
    await panel.getByRole('button', { name: 'Fold into one node' }).dblclick();
    await expect.poll(cards).toEqual([card]);
    await panel.getByRole('button', { name: 'Unfold' }).waitFor();
    await expectAccessible(page);
    await picture(page, 'holder-card');
  });

  it('draws a wallet of forty from its page as one card, whose flows say what all forty received and sent', async () => {
    const purse = roleOf(get().demo.world, 'bitcoin', 'wallet_of_forty', 'purse_0').address;
    await api(`/public/scan?chain=bitcoin&address=${purse}`);
    const page = await get().open(`#/address/bitcoin/${purse}`);
    await page.getByRole('link', { name: 'Holder of 40 addresses' }).click();
    const header = page.getByRole('region', { name: 'Level' });
    await header.getByText('Weakest link').waitFor();
    const [cameIn, wentOut] = await header.locator('dd').allTextContents();
    await header.getByRole('link', { name: 'Investigate the money' }).click();
    await idle(page);
    const sums = () => drawn<string[]>(page, `cy.edges().map((one) => one.data('name'))`);
    await expect.poll(async () => (await sums()).length).toBe(2);
    for (const sum of [cameIn!, wentOut!]) expect((await sums()).join('\n')).toContain(sum);
    // Unfolded, also after the card was moved, no address covers another; undone at once, it is one card again.
    const places = () =>
      drawn<string[]>(page, `cy.nodes('.address, .group').map((one) => JSON.stringify(one.position())).sort()`);
    const apart = async () => new Set(await places()).size;
    const folded = await places();
    await page.getByRole('button', { name: 'Unfold' }).click();
    await expect.poll(apart).toBe(42);
    await picture(page, 'holder-unfolded');
    await page.getByRole('button', { name: 'Fold into one node' }).click();
    await expect.poll(apart).toBe(3);
    await picture(page, 'holder-folded-again');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(places).toEqual(folded);
    await page.getByRole('button', { name: 'Ungroup' }).click();
    await expect.poll(apart).toBe(42);
    await page.setViewportSize({ width: 390, height: 800 });
    await page.goBack();
    const reason = page.getByRole('row').filter({ has: page.getByTitle(purse) });
    await reason.getByText('paid together in one transaction').waitFor();
    // Rule and evidence stand inside a phone's width.
    const { x, width } = (await reason.boundingBox())!;
    expect(x + width).toBeLessThanOrEqual(390);
    await expectAccessible(page);
  });

  it('draws of a holder what a limit of the plan leaves, and says how much', async () => {
    const purse = roleOf(get().demo.world, 'bitcoin', 'wallet_of_forty', 'purse_0').address;
    await api(`/public/scan?chain=bitcoin&address=${purse}`);
    const { entity } = await api(`/graph/entity-of/${purse}?chain=bitcoin`);
    const page = await get().open('#/none');
    let left = 11;
    await page.route('**/api/v1/graph/counterparties/*', (route) => {
      left -= 1;
      return left >= 0 ? route.continue() : route.fulfill({ status: 429, json: { detail: 'Too many requests' } });
    });
    await page.goto(`${get().demo.url}/#/investigate/entity/${entity.id}`);
    await page.getByText('11 of its 40 addresses are drawn.').waitFor();
    await page.getByText('Too many requests').waitFor();
    const cards = await drawn<string[]>(page, `cy.nodes('.group').map((one) => one.data('title'))`);
    expect(cards).toEqual([expect.stringMatching(/\(11\)$/)]);
  });

  it('leads from a holder of strangers to the money of its first address alone', async () => {
    const purse = roleOf(get().demo.world, 'bitcoin', 'wallet_of_forty', 'purse_0').address;
    await api(`/public/scan?chain=bitcoin&address=${purse}`);
    const { entity } = await api(`/graph/entity-of/${purse}?chain=bitcoin`);
    const page = await get().open('#/none');
    await page.route('**/api/v1/graph/entities/**', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ json: { ...(await answer.json()), overgrown: true, received: null, sent: null } });
    });
    await page.goto(`${get().demo.url}/#/entity/${entity.id}`);
    const link = page.getByRole('link', { name: 'Investigate the money' });
    expect(await link.getAttribute('href')).toBe(`#/investigate/${entity.id.replace(':', '/')}`);
  });

  it('says that nothing is known, without a level and with the way to one, and fits a phone in Japanese and dark', async () => {
    const page = await get().open(`#/address/ethereum/0x${'7'.repeat(40)}`, { language: 'ja', theme: 'dark' });
    await page.getByText('まだスキャンしていないため、レベルは不明です。').waitFor();
    await page.getByRole('button', { name: 'スキャン · スキャン1回' }).waitFor();
    await page.getByText('既知の移転はまだありません。').waitFor();
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await expectAccessible(page);
  });

  it('says once that what was asked for cannot be an address', async () => {
    const page = await get().open('#/address');
    // Its parts are refused before the page itself.
    const parts = ['/graph/counterparties/', '/exposure/'].map((part) =>
      page.waitForResponse((answer) => answer.url().includes(`${part}0x1234`)),
    );
    let before = -1;
    await page.route('**/graph/profile/**', async (route) => {
      await Promise.all(parts);
      await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
      before = await page.getByRole('alert').count();
      await route.continue();
    });
    await page.goto(`${get().demo.url}/#/address/ethereum/0x1234`);
    await page.getByText('Unrecognized address format').first().waitFor();
    expect(before).toBe(0);
    await page.waitForLoadState('networkidle');
    expect(await page.getByRole('alert').count()).toBe(1);
  });

  it('leads from a page that is not there to the search of the start page', async () => {
    const page = await get().open('#/adress/ethereum/0x1234');
    await page.getByRole('link', { name: 'Search from the start page.' }).click();
    await page.getByRole('combobox').waitFor();
  });

  it('prints dark letters on white paper without what is to be pressed, its chart within the page', async () => {
    const { demo, open } = get();
    const thief = roleOf(demo.world, 'ethereum', 'bridge_theft', 'vault_thief').address;
    await fetch(`${demo.url}/api/v1/public/scan?address=${thief}&chain=ethereum`, {
      headers: { 'x-api-key': demo.keys.enterprise },
    });
    const page = await open(`#/address/ethereum/${thief}`, { theme: 'dark' });
    await page.locator('.uplot canvas').waitFor();
    await page.emulateMedia({ media: 'print' });
    // The window is as wide as the paper; the chart does not hear of that.
    await page.evaluate(`document.querySelector('.activity-chart').style.width = '300px'`);
    const chart = `document.querySelector('.uplot canvas').getBoundingClientRect().width`;
    await expect.poll(() => page.evaluate(chart)).toBeLessThan(301);
    expect(await page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(26, 34, 48)');
    expect(await page.locator('button:visible, a.button:visible, header:visible, nav:visible').count()).toBe(0);
    await page.emulateMedia({ media: null });
  });
});
