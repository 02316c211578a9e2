import { expect, it } from 'vitest';
import { roleOf } from '../../fixtures/demo/world.ts';
import { describeConsole, expectAccessible, picture } from './open-console.ts';

describeConsole('the page of usage and keys', (get) => {
  it('shows the limits of the plan and how much of them is used', async () => {
    const page = await get().open('#/account', { key: get().demo.keys.starter });
    await page.getByRole('heading', { name: 'Plan: starter' }).waitFor();
    await page.getByText('0 of 200').waitFor();
    await page.getByText('0 of 10').waitFor();
    expect(await page.getByRole('progressbar').count()).toBe(4);
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

  it('names the rights of a key in the language of the reader', async () => {
    const page = await get().open('#/account', { language: 'es' });
    await page.getByRole('cell', { name: 'Leer, Analizar, Casos, Vigilar, Administrar' }).waitFor();
    await page.getByRole('checkbox', { name: 'Administrar' }).waitFor();
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

  it('invites a person, changes their roles, and removes them once that is confirmed', async () => {
    const page = await get().open('#/people');
    await page.getByRole('textbox', { name: 'E-mail address' }).fill('ana@desk.example');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Ana Ortiz');
    await page.getByRole('button', { name: 'Invite a person' }).click();
    const row = page.getByRole('row', { name: /Ana Ortiz/ });
    await row.getByText('Invited').waitFor();
    await row.getByRole('button', { name: 'Change: Ana Ortiz' }).click();
    const form = page.getByRole('form', { name: 'Change Ana Ortiz' });
    await form.getByRole('checkbox', { name: /Reviewer/ }).check();
    await form.getByRole('button', { name: 'Save' }).click();
    await row.getByText('Analyst, Reviewer').waitFor();
    await expectAccessible(page);
    await picture(page, 'people');
    await row.getByRole('button', { name: 'Remove: Ana Ortiz' }).click();
    await row.getByRole('button', { name: 'Yes, Remove: Ana Ortiz' }).click();
    await row.waitFor({ state: 'detached' });
  });

  it('lets a second person approve what another prepared, and who prepared it not', async () => {
    const asked = { case_id: 'c1', action: 'close', request: { action: 'close', status: 'closed' }, state: 'open' };
    const undecided = { asked_at: '2026-11-20T10:00:00.000Z', decided_by: null, decided_at: null, reason: '' };
    const approvals = [
      { id: 'a1', ...asked, ...undecided, asked_by: 'Ana' },
      { id: 'a2', ...asked, ...undecided, asked_by: 'Ben' },
    ];
    const person = { id: 'p2', name: 'Ben', email: 'ben@desk.example' };
    const session = { person, rights: ['read', 'approve'], account: { name: 'Desk' }, csrf_token: 't' };
    const answers: Record<string, object> = {
      '/session': { ...session, sign_in_url: '/auth/sign-in', other_accounts: [] },
      '/approvals': { approvals, limit: 200, offset: 0 },
      '/approval-settings': { package: true, close: true, dismiss_critical: false },
      '/cases': { cases: [{ id: 'c1', title: 'Theft' }] },
      '/alerts': { alerts: [], total: 0 },
    };
    const page = await get().open('#/none', { key: null });
    const sent: unknown[] = [];
    await page.route('**/api/v1/**', (route) => {
      const path = new URL(route.request().url()).pathname.replace('/api/v1', '');
      if (route.request().method() === 'POST') {
        sent.push([path, route.request().postDataJSON()]);
        approvals[0] = { ...approvals[0]!, state: 'approved', decided_by: 'Ben' as never };
      }
      return route.fulfill({ json: answers[path] ?? {} });
    });
    await page.goto(`${get().demo.url}/#/people/approvals`);
    await page.reload();
    const waiting = page.getByRole('article');
    await waiting.nth(1).getByText('You asked for it: another person decides.').waitFor();
    expect(await waiting.nth(1).getByRole('button').count()).toBe(0);
    await waiting.nth(0).getByLabel('Reason').fill('Agreed');
    await expectAccessible(page);
    await picture(page, 'approvals');
    await waiting.nth(0).getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('row', { name: /Ana.*Ben.*approved/s }).waitFor();
    expect(sent).toEqual([['/approvals/a1', { decision: 'approved', reason: 'Agreed' }]]);
  });

  it('counts down a rate limit in the language of the reader, in dark too, then asks again by itself', async () => {
    const page = await get().open('#/scan', { language: 'ja', theme: 'dark' });
    const refused = { detail: 'Rate limit exceeded' };
    await page.route(
      '**/api/v1/public/usage',
      (route) => route.fulfill({ status: 429, headers: { 'Retry-After': '3' }, json: refused }),
      { times: 1 },
    );
    await page.goto(`${get().demo.url}/#/account`);
    await page.getByText(/リクエストが多すぎます。[123]秒後に/).waitFor();
    await expectAccessible(page);
    await page.getByRole('heading', { name: 'プラン：Enterprise' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await expectAccessible(page);
    await picture(page, 'account-ja-dark');
  });

  it('says in English that the scans of the month are used up, and what to do', async () => {
    const page = await get().open('#/scan', { key: get().demo.keys.free });
    const detail = '今月のスキャン上限に達しました（使用済み: 10 / 上限: 10）。';
    await page.route('**/api/v1/public/scan', (route) => route.fulfill({ status: 429, json: { detail } }));
    await page.getByLabel('Address').fill(roleOf(get().demo.world, 'ethereum', 'laundering', 'layer_4').address);
    await page.getByRole('button', { name: 'Scan', exact: true }).click();
    await page.getByText('The scans of this month are used up (10 of 10).').waitFor();
  });
});
