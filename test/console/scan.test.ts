import { expect, it } from 'vitest';
import { roleOf } from '../../fixtures/demo/world.ts';
import { describeConsole, expectAccessible, picture } from './open-console.ts';

describeConsole('the scan page', (get) => {
  const launderer = () => roleOf(get().demo.world, 'ethereum', 'laundering', 'layer_4').address;

  it('leads from an address to its verdict, score, detections with evidence, flows and counterparties', async () => {
    const page = await get().open('#/scan');
    await page.getByLabel('Address').fill(launderer());
    await page.getByRole('button', { name: 'Scan', exact: true }).click();
    await page.getByRole('heading', { name: 'How the score comes about: 85' }).waitFor();
    const terms = page.getByRole('region', { name: 'How the score comes about: 85' });
    await terms.getByText('Indirect exposure').first().waitFor();
    expect(await page.getByLabel('Level').textContent()).toContain('Critical');
    await page.getByText('100% of the inflow (75,300 USD: 18.24 ETH) comes from a sanctioned party').waitFor();
    await page.locator('.detection summary').first().click();
    expect(await page.locator('.detection .evidence li').count()).toBeGreaterThan(0);
    await page
      .getByRole('region', { name: 'Flow totals' })
      .getByRole('row')
      .filter({ hasText: 'ETH18.236243' })
      .waitFor();
    const headings = await page.getByRole('heading', { level: 2 }).allTextContents();
    expect(headings.findIndex((one) => one.startsWith('Detections'))).toBeLessThan(
      headings.indexOf('How the score comes about: 85'),
    );
    await page.getByRole('region', { name: 'Counterparties' }).getByRole('row').nth(1).waitFor();
    expect(page.url()).toMatch(/#\/scan\/auto\/0x/);
    await expectAccessible(page);
    await picture(page, 'scan');
  });

  it('opens from a link in Japanese and dark, and writes days and figures as the reader of each language does', async () => {
    const page = await get().open(`#/scan/ethereum/${launderer()}`, { language: 'ja', theme: 'dark' });
    await page.getByRole('heading', { name: /スコアの内訳/ }).waitFor();
    await page.getByRole('heading', { name: '制裁対象者との間接的なつながり' }).waitFor();
    await expectAccessible(page);
    await picture(page, 'scan-ja-dark');
    const text = async () => (await page.locator('main').textContent())!.replaceAll('\u00a0', ' ');
    for (const [language, ...written] of [
      ['es', '28/02/2026 08:00:00 UTC', '18,236243', '80,0 %'],
      ['en', '2026-02-28 08:00:00 UTC', '18.236243', '80.0%'],
      ['ja', '2026/02/28 08:00:00 UTC', '18.236243', '80.0%'],
    ]) {
      const choice = page.locator('.choices select').first();
      if (!(await choice.isVisible())) await page.locator('.choices summary').first().click();
      await choice.selectOption(language!);
      for (const one of written) await expect.poll(text).toContain(one);
    }
  });

  it('names in words what was measured, what does not count, and why', async () => {
    const company = roleOf(get().demo.world, 'ethereum', 'payroll', 'company').address;
    const page = await get().open(`#/scan/ethereum/${company}`, { language: 'ja', theme: 'dark' });
    const detections = page.getByRole('region', { name: /検知項目/ });
    await detections.waitFor();
    for (const summary of await detections.locator('summary').all()) await summary.click();
    await detections.getByText('多数の送付先への分散送付：定期的な送付先である').waitFor();
    await detections.getByText('24時間以内に送付された割合').last().waitFor();
    for (const name of await detections.locator('dl dt').allTextContents()) expect(name).toMatch(/[ぁ-んァ-ヶ一-龠]/);
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    const english = await get().open(`#/scan/ethereum/${company}`);
    await english
      .getByText('Distribution to many receivers: the receivers are paid regularly')
      .waitFor({ state: 'attached' });
    await picture(page, 'scan-ja-figures');
  });

  it('shows what the API says of an address that it refuses', async () => {
    const page = await get().open('#/scan/ethereum/0x123');
    await expect.poll(() => page.getByRole('alert').textContent()).toBe('Unrecognized address format');
  });

  it('names a counterparty a thief where its label does', async () => {
    const party = (name: string) => roleOf(get().demo.world, 'ethereum', 'bridge_theft', name).address;
    const page = await get().open(`#/scan/ethereum/${party('ferry_1')}`);
    const rows = page.getByRole('region', { name: 'Counterparties' }).getByRole('row');
    await rows
      .filter({ has: page.getByTitle(party('vault_thief')) })
      .getByText('theft', { exact: true })
      .waitFor();
    await picture(page, 'scan-theft');
  });

  it('links the thief on another chain to its page on its chain, with each transaction of the path', async () => {
    const last = roleOf(get().demo.world, 'optimism', 'bridge_theft', 'ferry_5').address;
    const thief = roleOf(get().demo.world, 'ethereum', 'bridge_theft', 'vault_thief').address;
    const page = await get().open(`#/scan/optimism/${last}`);
    const detection = page.locator('.detection', { hasText: 'Kelp Vault exploiter' });
    await detection.locator('summary').click();
    const links = detection.locator(`a[title="${thief}"]`);
    expect(await links.count()).toBe(2);
    for (const link of await links.all()) expect(await link.getAttribute('href')).toBe(`#/address/ethereum/${thief}`);
    const path = await detection.locator('.ways ol li').allTextContents();
    expect(path).toHaveLength(7);
    for (const transfer of path) expect(transfer).toMatch(/^0x[0-9a-f]{64}#/);
    await expectAccessible(page);
    await picture(page, 'scan-bridges');
  });

  it('serves plans without scans in the background', async () => {
    const { demo, open } = get();
    const page = await open(`#/scan/ethereum/${launderer()}`, { key: demo.keys.free });
    await page.getByRole('heading', { name: /How the score comes about/ }).waitFor();
  });

  it('lists the recent scans, each with a link to it', async () => {
    const page = await get().open('#/scan');
    await page.getByRole('region', { name: 'Recent scans' }).getByRole('link').first().click();
    await page.getByRole('heading', { name: /How the score comes about/ }).waitFor();
  });

  it('offers the chains on which an address that was not found is in use', async () => {
    const { address } = roleOf(get().demo.world, 'optimism', 'clean_saver');
    const page = await get().open(`#/scan/ethereum/${address}`);
    await page.getByText('It is in use on:').waitFor();
    await page.getByRole('link', { name: 'Optimism' }).click();
    await page.getByRole('heading', { name: /How the score comes about/ }).waitFor();
  });

  it('looks up the hash of a transaction, and on all chains that write it so', async () => {
    const { demo, open } = get();
    const { hash, from } = demo.world.evm.ethereum.txs.find((tx) => tx.ok && tx.value > 0n)!;
    const page = await open('#/scan');
    await page.getByLabel('Address').fill(hash);
    await page.getByRole('button', { name: 'Scan', exact: true }).click();
    const found = page.getByRole('region', { name: 'Transaction' });
    await found.getByTitle(from).waitFor();
    await expectAccessible(page);
    const elsewhere = await open(`#/scan/auto/${hash.slice(2)}`);
    await elsewhere.getByText('Transaction not found. Not on Bitcoin, TRON, XRP Ledger.').waitFor();
  });
});
