import { expect, it } from 'vitest';
import { roleOf } from '../../fixtures/demo/world.ts';
import { describeConsole, expectAccessible, picture } from './open-console.ts';

describeConsole('the scam database page', (get) => {
  const scammer = () => roleOf(get().demo.world, 'ethereum', 'scam', 'scammer').address;
  const stranger = () => roleOf(get().demo.world, 'ethereum', 'clean_saver', 'saver').address;

  it('looks up a listed address in another form, and one that is not listed', async () => {
    const page = await get().open('#/scamdb');
    const asked = page.getByRole('textbox', { name: 'Address, domain or URL' });
    await asked.fill(scammer().toUpperCase().replace('0X', '0x'));
    await page.keyboard.press('Enter');
    await page.getByText('The listed address, written in another form.').waitFor();
    await expectAccessible(page);
    await picture(page, 'scamdb');
    await asked.fill(stranger());
    await page.keyboard.press('Enter');
    await page.getByText(/Not listed/).waitFor();
    await asked.fill('no such thing');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
  });

  it('lists entries by kind and by words, and shows one with its history', async () => {
    const page = await get().open('#/scamdb');
    const entries = page.getByRole('region', { name: 'Entries' }).first();
    await page.getByText('1–20 of 41').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('41–41 of 41').waitFor();
    await expect.poll(() => entries.getByRole('row').count()).toBe(2);
    expect(await page.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);
    await entries.getByRole('combobox', { name: 'Kind' }).selectOption('romance scam');
    await page.getByText('No entry was found.').waitFor();
    await entries.getByRole('searchbox', { name: 'Search' }).fill(scammer());
    await page.keyboard.press('Enter');
    await expect.poll(() => entries.getByRole('row').count()).toBe(2);
    await entries.getByRole('link').click();
    await page.getByRole('heading', { name: 'History' }).waitFor();
    await page.getByText(/ · listed · /).waitFor();
    await expectAccessible(page);
    await picture(page, 'scamdb-entry');
    await page.getByRole('link', { name: 'Scan the address' }).click();
    await page.getByRole('heading', { name: /How the score comes about/ }).waitFor();
  });

  it('counts what is listed', async () => {
    const page = await get().open('#/scamdb');
    const statistics = page.getByRole('region', { name: 'Statistics' });
    const chains = statistics.getByRole('region', { name: 'By chain' });
    await chains.getByRole('progressbar', { name: 'TRON' }).waitFor();
    expect(await chains.getByRole('progressbar').count()).toBe(12);
  });

  it('takes a report, and shows what the API refuses', async () => {
    const page = await get().open('#/scamdb');
    await page.getByText('Report a scam', { exact: true }).click();
    const form = page.getByRole('form', { name: 'Report a scam' });
    await form.getByRole('textbox', { name: 'Address' }).fill(stranger());
    await form.getByRole('textbox', { name: 'What happened' }).fill('A false wallet page asked for a signature.');
    await form.getByRole('textbox', { name: 'Domains' }).fill('not a domain!');
    await form.getByRole('spinbutton').fill('1200');
    await form.getByRole('button', { name: 'Send the report' }).click();
    await expect.poll(() => form.getByRole('alert').textContent()).toMatch(/domains\.0: .*valid domain/);
    await form.getByRole('textbox', { name: 'Domains' }).fill('claim.example\nwallet.example');
    await form.getByRole('button', { name: 'Send the report' }).click();
    await page.getByText(/Thank you\. The report .* waits/).waitFor();
    await expectAccessible(page);
  });

  it('speaks Japanese, in dark', async () => {
    const page = await get().open('#/scamdb', { language: 'ja', theme: 'dark' });
    await page.getByRole('heading', { name: '統計' }).waitFor();
    await page.getByRole('region', { name: 'チェーン別' }).waitFor();
    await expectAccessible(page);
    await picture(page, 'scamdb-ja-dark');
  });
});
