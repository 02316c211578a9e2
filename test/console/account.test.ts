import { expect, it } from 'vitest';
import { describeConsole, expectAccessible, picture } from './open-console.ts';

describeConsole('the page of usage and keys', (get) => {
  it('shows the limits of the plan and how much of them is used', async () => {
    const page = await get().open('#/account', { key: get().demo.keys.starter });
    await page.getByRole('heading', { name: 'Plan: starter' }).waitFor();
    await page.getByText('0 of 200').waitFor();
    await page.getByText('0 of 10').waitFor();
    expect(await page.getByRole('progressbar').count()).toBe(3);
    await page.getByText('not on the plan').waitFor();
  });

  it('creates a key that is shown once and works, and revokes it once that is confirmed', async () => {
    const { demo, open } = get();
    const page = await open('#/account');
    await page.getByRole('textbox', { name: 'Name' }).fill('Night desk');
    await page.getByRole('button', { name: 'Create a key' }).click();
    const secret = page.getByRole('status', { name: 'Your new key: Night desk' });
    const key = (await secret.locator('code').textContent()) as string;
    expect(key).toMatch(/^tfk_/);
    await expectAccessible(page);
    await picture(page, 'account');
    const usage = () => fetch(`${demo.url}/api/v1/public/usage`, { headers: { 'x-api-key': key } });
    expect((await usage()).status).toBe(200);
    await secret.getByRole('button', { name: 'I have stored it' }).click();
    expect(await page.content()).not.toContain(key);
    await page.getByRole('button', { name: 'Revoke: Night desk' }).click();
    await page.getByRole('button', { name: 'Yes, Revoke: Night desk' }).click();
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    expect((await usage()).status).toBe(401);
  });

  it('shows the refusal of a sixth key', async () => {
    const { demo, open } = get();
    const page = await open('#/account', { key: demo.keys.business });
    await page.getByText('used by this tab').waitFor();
    for (let rows = 3; rows <= 6; rows++) {
      await page.getByRole('textbox', { name: 'Name' }).fill(`Desk ${rows}`);
      await page.keyboard.press('Enter');
      await expect.poll(() => page.getByRole('row').count()).toBe(rows);
    }
    await page.getByRole('textbox', { name: 'Name' }).fill('One more');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('alert').textContent()).toMatch(/5/);
  });

  it('speaks Japanese, in dark', async () => {
    const page = await get().open('#/account', { language: 'ja', theme: 'dark' });
    await page.getByRole('heading', { name: 'プラン：Enterprise' }).waitFor();
    await expectAccessible(page);
    await picture(page, 'account-ja-dark');
  });
});
