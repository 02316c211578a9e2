import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { roleOf } from '../../fixtures/demo/world.ts';
import { clickOn, drawn, idle } from './canvas.ts';
import { describeConsole, expectAccessible, picture } from './open-console.ts';

describeConsole('the cases page', (get) => {
  const layer = (name: string) => roleOf(get().demo.world, 'ethereum', 'laundering', name).address;

  it('opens a case, scans it with progress, takes up a suggestion, and keeps a timeline', async () => {
    const page = await get().open('#/cases');
    await openCase(page, 'Stolen withdrawal');
    await page.getByRole('textbox', { name: 'Address' }).fill(layer('layer_4'));
    await page.getByRole('textbox', { name: 'Label' }).fill('Last wallet');
    await page.keyboard.press('Enter');
    const subject = page.getByRole('article', { name: layer('layer_4') });
    await subject.getByText('not scanned').waitFor();

    await page.getByRole('checkbox', { name: /trace the money/ }).check();
    await page.getByRole('button', { name: 'Scan the case' }).click();
    await page.getByRole('progressbar', { name: 'Completed' }).waitFor();
    await subject.getByText('Critical').waitFor();
    await page.getByText('1 of 1').waitFor();

    const suggestions = page.getByRole('region', { name: 'Suggested addresses' }).first();
    const suggestion = suggestions.getByRole('row').filter({ has: page.getByTitle(layer('layer_3')) });
    // Of one subject alone, no row names it again.
    expect(await suggestion.getByTitle(layer('layer_4')).count()).toBe(0);
    await picture(page, 'case-suggestions');
    await suggestions.getByRole('button', { name: `Add: ${layer('layer_3')}` }).click();
    const added = page.getByRole('article', { name: layer('layer_3') });
    await added.getByText('1 hop from a subject').waitFor();

    await added.locator('summary').click();
    await added.getByRole('combobox', { name: 'Role' }).selectOption('Victim');
    await added.getByRole('textbox', { name: 'Your notes' }).fill('Says that the key was stolen.');
    await added.getByRole('button', { name: 'Save' }).click();
    await added.locator('.badge', { hasText: 'Victim' }).waitFor();
    expect(await added.getByRole('combobox', { name: 'Role' }).inputValue()).toBe('victim');

    await openTab(page, 'Timeline');
    await page.getByRole('textbox', { name: 'Note', exact: true }).fill('The exchange was asked.');
    await page.getByRole('combobox', { name: 'Kind' }).selectOption('Decision');
    await page.getByRole('button', { name: 'Write into the timeline' }).click();
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await timeline.getByRole('listitem').filter({ hasText: 'The exchange was asked.' }).waitFor();
    await page.getByRole('combobox', { name: 'Status' }).selectOption('In review');
    await timeline.getByText(/Status changed from Open to In review/).waitFor();
    await expectAccessible(page);
    await picture(page, 'case');

    await timeline.getByRole('button', { name: /^Delete: .*The exchange/ }).click();
    await timeline.getByRole('button', { name: /^Yes, Delete/ }).click();
    await expect.poll(() => timeline.getByText('The exchange was asked.').count()).toBe(0);

    await openTab(page, 'Who did what');
    const activity = page.getByRole('region', { name: 'Who did what' }).getByRole('table');
    await activity.getByRole('row').filter({ hasText: 'Note deleted' }).first().getByText('demo').waitFor();
    expect(await activity.getByRole('link', { name: 'Case' }).count()).toBe(0);
    await expectAccessible(page);
    await picture(page, 'case-people');
    await openTab(page, 'Addresses');
    await added.locator('summary', { hasText: /^Change$/ }).click();
    await added.getByRole('button', { name: /^Take out/ }).click();
    await added.getByRole('button', { name: /^Yes, Take out/ }).click();
    await expect.poll(() => added.count()).toBe(0);
  });

  it('leads from each suggestion to the subject whose money it is, where the case has two', async () => {
    const page = await get().open('#/cases');
    const subjects = [layer('layer_4'), layer('layer_3')];
    const suggestions = subjects.map((of_address, i) => ({
      ...{ chain: 'ethereum', address: layer(`layer_${i + 1}`), of_chain: 'ethereum', of_address },
      ...{ direction: 'received', hop: 1, usd: 10, share: 0.5, why: 'held', role: 'intermediary' },
      ...{ label: null, category: null },
    }));
    await page.route('**/api/v1/cases/*/suggestions', (route) =>
      route.fulfill({ json: { suggestions, truncated: false } }),
    );
    await openCase(page, 'Of two subjects');
    const table = page.getByRole('region', { name: 'Suggested addresses' }).first();
    for (const { address, of_address } of suggestions) {
      const row = table.getByRole('row').filter({ has: page.getByTitle(address, { exact: true }) });
      const link = row.getByTitle(of_address, { exact: true });
      expect(await link.getAttribute('href')).toBe(`#/address/ethereum/${of_address}`);
    }
  });

  it('says of an address who calls it what, beside its own label', async () => {
    const page = await get().open('#/cases');
    await openCase(page, 'Named by a list');
    const thief = roleOf(get().demo.world, 'ethereum', 'bridge_theft', 'vault_thief').address;
    await page.getByRole('textbox', { name: 'Address' }).fill(thief);
    await page.getByRole('textbox', { name: 'Label' }).fill('Suspect 1');
    await page.keyboard.press('Enter');
    const article = page.getByRole('article', { name: thief });
    const said = article.getByRole('list', { name: 'Who says what' }).getByRole('listitem');
    await article.getByText('Suspect 1').first().waitFor();
    expect(await said.allTextContents()).toEqual(['Kelp Vault exploiter theft demo-thefts']);
  });

  it('states what the victim lost beside what became of it, as the report does, and the parts add up', async () => {
    const { world, url, keys } = get().demo;
    const at = (chain: 'ethereum' | 'arbitrum', name: string) => roleOf(world, chain, 'bridge_theft', name).address;
    const thief = at('ethereum', 'vault_thief');
    const vault = world.moves.ethereum.find(({ to, kind }) => to === thief && kind === 'token')!.from;
    const ask = async (path: string, body?: object) => {
      const headers = { 'x-api-key': keys.enterprise, 'content-type': 'application/json' };
      const init = body ? { method: 'POST', body: JSON.stringify(body) } : {};
      const answer = await fetch(`${url}/api/v1${path}`, { ...init, headers });
      expect(answer.ok, path).toBe(true);
      return answer.json() as Promise<Record<string, never>>;
    };
    const { id } = (await ask('/cases', { title: 'The vault' })).case as unknown as { id: string };
    for (const [address, role] of [
      [thief, 'subject'],
      [vault, 'victim'],
    ] as const) {
      await ask(`/public/scan?chain=ethereum&address=${address}`);
      await ask(`/cases/${id}/addresses`, { chain: 'ethereum', address, role });
    }
    const { total_usd: sent } = (await ask(`/cases/${id}/funds`)) as unknown as { total_usd: number };
    const page = await get().open(`#/cases/${id}`);
    const figure = async (name: string) => {
      const text = await page.locator('dl.sums > div', { hasText: name }).locator('dd').textContent();
      return Number(text!.replace(/[$,]/g, ''));
    };
    await page.locator('dl.sums').getByText('Lost by the victims').waitFor();
    expect(await figure('Lost by the victims')).toBe(95_000);
    expect(await figure('Sent by the subjects')).toBe(sent);
    expect((await figure('Followed to an end')) + (await figure('Not known'))).toBeCloseTo(sent, 1);
    // What came back stands beside what was lost; what has no price is named.
    await page.route('**/funds?*', async (route) => {
      const { victims, ...others } = await (await route.fetch()).json();
      const lost = { ...victims.lost, unpriced: { MEME: '1500' } };
      const returned = { ...victims.returned, usd: 1_234 };
      await route.fulfill({ json: { ...others, victims: { ...victims, lost, returned } } });
    });
    await page.reload();
    await page.getByText('$95,000and 1,500 MEME, without a price').waitFor();
    expect(await figure('Returned to who paid')).toBe(1_234);
  });

  it('is drawn by the names that the case gives, which no list replaces, with what its addresses paid each other', async () => {
    const page = await get().open('#/cases');
    const { world, url, keys } = get().demo;
    const [victim, scammer] = ['victim', 'scammer'].map((name) => roleOf(world, 'ethereum', 'scam', name).address);
    const headers = { 'x-api-key': keys.enterprise };
    await fetch(`${url}/api/v1/public/scan?chain=ethereum&address=${scammer}`, { headers });
    await openCase(page, 'The robbed');
    const named = [
      [victim!, 'Widow', 'Victim'],
      [scammer!, 'Suspect 1', 'Subject'],
    ] as const;
    for (const [address, label, role] of named) {
      if (label !== named[0][1]) await page.locator('summary', { hasText: 'Add an address' }).click();
      await page.getByRole('textbox', { name: 'Address' }).fill(address);
      await page.getByRole('textbox', { name: 'Label' }).fill(label);
      await page.getByRole('combobox', { name: 'Role' }).first().selectOption(role);
      await page.keyboard.press('Enter');
      await page.getByRole('article', { name: address }).waitFor();
    }
    await page.getByRole('button', { name: 'Draw this case' }).click();
    await idle(page);
    const titleOf = (address: string) => drawn(page, `cy.getElementById('ethereum:${address}').data('title')`);
    await expect.poll(() => titleOf(scammer!)).toBe('Suspect 1');
    await expect.poll(() => titleOf(victim!)).toBe('Widow');
    const arrow = `cy.getElementById('ethereum:${victim}').edgesTo(cy.getElementById('ethereum:${scammer}')).length`;
    await expect.poll(() => drawn(page, arrow)).toBe(1);
    await picture(page, 'case-drawn');
    // What lists call it comes with its counterparties.
    await clickOn(page, `ethereum:${scammer}`);
    await page.getByRole('button', { name: 'Show counterparties' }).click();
    await expect.poll(() => drawn<number>(page, `cy.nodes('.address, .bundle').length`)).toBeGreaterThan(10);
    await idle(page);
    expect(await titleOf(scammer!)).toBe('Suspect 1');
  });

  it('takes a pasted list or a file, and says which lines it did not understand', async () => {
    const page = await get().open('#/cases');
    await openCase(page, 'Pasted');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.locator('summary', { hasText: 'Paste an address list' }).click();
    const form = page.getByRole('form', { name: 'Paste an address list' });
    const field = form.getByRole('textbox', { name: 'Addresses with their chain' });
    await field.fill(
      [
        'address,chain,role,label',
        `${layer('layer_1')},Ethereum,victim,"First, of four"`,
        `${layer('layer_2')},nowhere`,
        `${layer('layer_3')},ethereum`,
        `${'z'.repeat(40)},ethereum`,
      ].join('\n'),
    );
    await form.getByText('3 addresses found, 1 line not understood.').waitFor();
    await form.getByRole('button', { name: 'Add the list' }).click();
    await form.getByText(/^2 added\./).waitFor();
    const refused = await form.getByRole('listitem').allTextContents();
    expect(refused).toEqual([
      expect.stringMatching(/^Line 3: no address of a served chain/),
      expect.stringMatching(/^Line 5: /),
    ]);
    expect((await field.inputValue()).split('\n')).toEqual([
      'address,chain,role,label',
      expect.stringContaining('nowhere'),
      expect.stringContaining('zzz'),
    ]);
    await page
      .getByRole('article', { name: layer('layer_1') })
      .getByText('First, of four')
      .waitFor();
    await expectAccessible(page);
    expect(await widthOf(page)).toBe(390);
    await picture(page, 'case-list-390');
    await form.locator('input[type=file]').setInputFiles({
      name: 'wallets.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from(`Seen on ethereum: ${layer('layer_1')}, then ${layer('layer_4')}.\nno address here\n`),
    });
    await form.getByRole('button', { name: 'Add the list' }).click();
    await form.getByText(/^1 added, 1 was in the case already\./).waitFor();
    expect(await field.inputValue()).toBe('no address here');
    await page
      .getByRole('article', { name: layer('layer_4') })
      .getByText('Intermediary')
      .first()
      .waitFor();
  });

  it('the rest of a pasted table that was cut short keeps its columns and line numbers', async () => {
    const page = await get().open('#/cases');
    await openCase(page, 'Cut short');
    await page.locator('summary', { hasText: 'Paste an address list' }).click();
    const form = page.getByRole('form', { name: 'Paste an address list' });
    const rows = [`${layer('layer_1')},ethereum,victim,One`, 'nothing', `${layer('layer_2')},ethereum,victim,Two`];
    await form.getByRole('textbox').fill(['address,chain,role,label', ...rows].join('\n'));
    let sent = 0;
    await page.route('**/api/v1/cases/*/addresses', async (route) => {
      if (route.request().method() !== 'POST' || ++sent !== 2) return route.continue();
      await route.fulfill({ status: 429, json: { detail: 'Too many requests' } });
    });
    await form.getByRole('button', { name: 'Add the list' }).click();
    await form.getByText(/^Line 4: not sent yet/).waitFor();
    await form.getByText(/^1 added\./).waitFor();
    await form.getByRole('button', { name: 'Add the list' }).click();
    await expect.poll(() => form.getByText(/^Line 4/).count()).toBe(0);
    await form.getByText(/^Line 3: no address of a served chain/).waitFor();
    const second = page.getByRole('article', { name: layer('layer_2') });
    await second.getByText('Two').first().waitFor();
    await second.getByText('Victim').first().waitFor();
  });

  it('a link with a crafted id reaches no other path of the API', async () => {
    const { demo, open } = get();
    const page = await open('#/cases');
    const asked: string[] = [];
    const called: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    for (const id of [`${demo.caseId}%3F`, `${demo.caseId}%23`, '..%2Fpublic%2Fusage', '..', '%2E%2E']) {
      await page.goto(`${demo.url}/#/cases`);
      await page.getByText('Stolen money').first().waitFor();
      asked.length = 0;
      await page.goto(`${demo.url}/#/cases/${id}`);
      await page.getByRole('alert').waitFor();
      expect(await page.getByRole('heading', { level: 1 }).count()).toBe(0);
      called.push(...asked.filter((path) => path.startsWith('/api/')));
    }
    expect(called.length).toBeGreaterThan(0);
    for (const path of called) expect(path).toMatch(/^\/api\/v1\/cases\/[^/]+$/);
  });

  it('unbroken and right-to-left text of a person leaves the page in shape', async () => {
    const page = await get().open('#/cases');
    await openCase(page, 'W'.repeat(200));
    await openTab(page, 'Timeline');
    await page
      .getByRole('textbox', { name: 'Note', exact: true })
      .fill(`${'x'.repeat(3_000)}\u0645\u0631\u062d\u0628\u0627`);
    await page.getByRole('button', { name: 'Write into the timeline' }).click();
    await page.getByRole('listitem').filter({ hasText: 'xxx' }).waitFor();
    await picture(page, 'case-long-text');
    expect(await widthOf(page)).toBe(1280);
    await page.goto(`${get().demo.url}/#/cases`);
    await page.getByText('WWW').first().waitFor();
    await picture(page, 'cases-long-text');
    expect(await widthOf(page)).toBe(1280);
  });

  it('judges a detection with a reason', async () => {
    const { demo, open } = get();
    const page = await open(`#/cases/${demo.caseId}`);
    const subject = page.getByRole('article', { name: roleOf(demo.world, 'tron', 'laundering', 'layer_4').address });
    await subject.locator('summary', { hasText: 'Detections of the newest scan' }).click();
    await subject
      .locator('summary', { hasText: /^Judge$/ })
      .first()
      .click();
    const form = subject.getByRole('form', { name: 'Judge: Indirect exposure to sanctions' });
    await form.getByRole('combobox', { name: 'Judgement' }).selectOption('Escalated');
    await form.getByRole('textbox', { name: 'Reason' }).fill('The exchange confirmed the deposit.');
    await page.keyboard.press('Enter');
    await subject.getByText(/The exchange confirmed the deposit\. · demo · /).waitFor();
    await subject.locator('.badge', { hasText: 'Escalated' }).waitFor();
    await expectAccessible(page);
    await picture(page, 'case-judgement');
    await openTab(page, 'Timeline');
    const judged = page
      .getByRole('region', { name: 'Timeline' })
      .getByText(/Indirect exposure to sanctions .*judged: Escalated/i);
    await judged.waitFor();
  });

  it('asks another person where an account wants two, and shows what is asked for', async () => {
    const page = await get().open('#/cases');
    const sent: { action: string }[] = [];
    const of = (request: { action: string }, i: number) => ({
      ...{ id: String(i), case_id: 'c', action: request.action, request, state: 'open', reason: '' },
      ...{ asked_by: 'Ana', asked_at: '2026-11-20T10:00:00.000Z', decided_by: null, decided_at: null },
    });
    const needed = { package: true, close: true, dismiss_critical: true };
    await page.route('**/api/v1/approval-settings', (route) => route.fulfill({ json: needed }));
    await page.route('**/api/v1/approvals?*', (route) => route.fulfill({ json: { approvals: sent.map(of) } }));
    await page.route('**/api/v1/cases/*/approvals', (route) => {
      sent.push(route.request().postDataJSON());
      return route.fulfill({ status: 201, json: of(sent.at(-1)!, sent.length) });
    });
    await openCase(page, 'For two');
    const waiting = page.getByRole('region', { name: 'Approvals' }).getByRole('listitem');
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Closed');
    await page.getByRole('region', { name: 'For two' }).getByRole('button', { name: 'Ask for approval' }).click();
    await waiting.getByText('Close the case waits', { exact: false }).waitFor();
    expect(await page.getByRole('combobox', { name: 'Status' }).inputValue()).toBe('open');
    await openTab(page, 'Reports');
    await page.getByRole('form', { name: 'Report package' }).getByRole('button', { name: 'Ask for approval' }).click();
    await expect.poll(() => waiting.count()).toBe(2);
    await page
      .getByRole('region', { name: 'Reports' })
      .getByRole('status')
      .getByText(/^Asked for approval\./)
      .waitFor();
    await expectAccessible(page);
    await picture(page, 'case-approvals');

    // A judgement is on all detections of one detector: the lesser one of a critical one is asked for too.
    await page.route('**/api/v1/public/scans/*', async (route) => {
      const response = await route.fetch();
      const scan = (await response.json()) as { detections: { severity: string }[] };
      const critical = scan.detections.find(({ severity }) => severity === 'CRITICAL');
      scan.detections.push({ ...critical!, severity: 'LOW', detector_name: 'The lesser' } as { severity: string });
      await route.fulfill({ response, json: scan });
    });
    await page.goto(`${get().demo.url}/#/cases/${get().demo.caseId}`);
    const name = roleOf(get().demo.world, 'tron', 'laundering', 'layer_4').address;
    const subject = page.getByRole('article', { name });
    await subject.locator('summary', { hasText: 'Detections of the newest scan' }).click();
    const grave = subject.locator('.entry', { hasText: 'The lesser' });
    await grave.locator('summary', { hasText: /^Judge$/ }).click();
    await grave.getByText('another person must approve').waitFor();
    await grave.getByRole('combobox', { name: 'Judgement' }).selectOption('Dismissed');
    await grave.getByRole('textbox', { name: 'Reason' }).fill('His own exchange.');
    await page.keyboard.press('Enter');
    await expect.poll(() => sent.at(-1)).toMatchObject({ action: 'dismiss_critical', disposition: 'dismissed' });
    expect(sent.map(({ action }) => action)).toEqual(['close', 'package', 'dismiss_critical']);
    await grave.getByRole('status').getByText('It waits until another person decides.', { exact: false }).waitFor();
  });

  it('offers to ask once the service wants approval, where the settings could not be read', async () => {
    const page = await get().open('#/cases');
    await page.route('**/api/v1/approval-settings', (route) =>
      route.fulfill({ status: 403, json: { detail: 'Down' } }),
    );
    const detail = 'Another person must approve this: POST /cases/{case_id}/approvals asks for it (close)';
    await page.route('**/api/v1/cases/*', (route) =>
      route.request().method() === 'PATCH' ? route.fulfill({ status: 409, json: { detail } }) : route.continue(),
    );
    const sent: unknown[] = [];
    await page.route('**/api/v1/cases/*/approvals', (route) => {
      sent.push(route.request().postDataJSON());
      return route.fulfill({ status: 201, json: {} });
    });
    await openCase(page, 'Without settings');
    const status = page.getByRole('combobox', { name: 'Status' });
    await status.selectOption('Closed');
    const region = page.getByRole('region', { name: 'Without settings' });
    await region.getByRole('button', { name: 'Ask for approval' }).click();
    await region
      .getByRole('status')
      .getByText(/^Asked for approval\./)
      .waitFor();
    expect(sent).toEqual([{ action: 'close', status: 'closed' }]);
    expect(await region.getByText(detail).count()).toBe(0);
    expect(await status.inputValue()).toBe('open');
  });

  it('shows who did what to administrators: no tab to another person, no refusal to a key', async () => {
    const { demo, open } = get();
    const withKey = await open('#/cases');
    await withKey.route('**/api/v1/audit?*', (route) => route.fulfill({ status: 403, json: { detail: 'Refused' } }));
    await withKey.goto(`${demo.url}/#/cases/${demo.caseId}/people`);
    await withKey.getByText('Shown to administrators.', { exact: false }).waitFor();
    await expect.poll(() => withKey.getByRole('status').filter({ hasText: 'Loading' }).count()).toBe(0);
    expect(await withKey.getByText('Refused').count()).toBe(0);

    const page = await open('#/none', { key: null });
    const person = { id: 'p2', name: 'Ben', email: 'ben@desk.example' };
    const session = { person, rights: ['read'], account: { name: 'Desk' }, csrf_token: 't', other_accounts: [] };
    await page.route('**/api/v1/**', (route) => {
      if (route.request().url().endsWith('/session'))
        return route.fulfill({ json: { ...session, sign_in_url: '/auth/sign-in' } });
      return route.continue({ headers: { ...route.request().headers(), 'x-api-key': demo.keys.enterprise } });
    });
    await page.goto(`${demo.url}/#/cases/${demo.caseId}/people`);
    await page.reload();
    const tabs = page.getByRole('navigation', { name: 'Parts of the case' });
    await tabs.getByRole('link', { name: 'Timeline' }).waitFor();
    expect(await tabs.getByRole('link', { name: 'Who did what' }).count()).toBe(0);
    expect(await tabs.locator('[aria-current]').textContent()).toBe('Addresses');
  });

  it('takes in the archive of a case, and says why it does not take another file', async () => {
    const { demo, open } = get();
    const page = await open('#/cases');
    await page.locator('summary', { hasText: 'Import a case' }).click();
    const form = page.getByRole('form', { name: 'Import a case' });
    const choose = (buffer: Buffer) =>
      form.locator('input[type=file]').setInputFiles({ name: 'case.zip', mimeType: 'application/zip', buffer });
    await choose(Buffer.from('no archive'));
    await form.getByRole('button', { name: 'Import' }).click();
    await form.getByText(/is damaged/).waitFor();
    await expectAccessible(page);
    const headers = { 'X-API-Key': demo.keys.enterprise };
    const archive = await fetch(`${demo.url}/api/v1/cases/${demo.caseId}/archive.zip`, { headers });
    await choose(Buffer.from(await archive.arrayBuffer()));
    await form.getByRole('button', { name: 'Import' }).click();
    await page.getByRole('heading', { level: 1, name: 'Stolen money on Tron' }).waitFor();
    await openTab(page, 'Timeline');
    await page.getByText(/Imported: \d+ addresses/).waitFor();
    expect(page.url()).not.toContain(demo.caseId);
  });

  it('speaks Japanese, in dark, with detections in its language, whatever the language of the scan', async () => {
    const { demo, open } = get();
    const page = await open(`#/cases/${demo.caseId}/reports`, { language: 'ja', theme: 'dark' });
    await page.getByRole('heading', { name: '届出資料パッケージ' }).waitFor();
    await expectAccessible(page);
    await picture(page, 'case-reports-ja-dark');
    await openTab(page, 'アドレス');
    await page.getByRole('heading', { name: '追加候補のアドレス' }).waitFor();
    await page.locator('summary', { hasText: '最新スキャンの検知項目' }).first().click();
    await page.getByText('制裁対象者との間接的なつながり').first().waitFor();
    await page.getByRole('cell', { name: '< 0.1%' }).waitFor();
    await expectAccessible(page);
    await picture(page, 'case-ja-dark');
  });

  it('says what a bulk scan leaves out, in the words of the API', async () => {
    const page = await get().open(`#/cases/${get().demo.caseId}`);
    await page.getByRole('button', { name: 'Scan the case' }).click();
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('2 already_scanned');
  });

  it('generates a package with progress, and saves its files and the report in a chosen language', async () => {
    const { demo, open } = get();
    const page = await open(`#/cases/${demo.caseId}/reports`);
    await page.getByRole('heading', { name: 'Stolen money on Tron' }).waitFor();
    const sums = page.locator('dl.sums');
    await sums.getByText('Sent by the subjects').waitFor();
    // Nothing was frozen: a sum that is zero is not shown.
    expect(await sums.locator('dt').allTextContents()).toEqual([
      'Sent by the subjects',
      'Followed to an end',
      'Arrived at known parties',
    ]);
    const packages = page.getByRole('article', { name: /Report package/ });
    const reports = page.getByRole('region', { name: 'Reports' });
    await reports.getByRole('form').getByRole('combobox', { name: 'Language' }).selectOption('English');
    await page.getByRole('button', { name: 'Generate', exact: true }).click();
    await packages.getByText('Completed').waitFor();
    await packages.getByText('English').waitFor();
    await expectAccessible(page);
    await picture(page, 'case-reports');

    expect(await saved(page, 'Evidence (PDF)')).toMatch(/^%PDF/);
    expect(await saved(page, 'Draft (DOCX)')).toMatch(/^PK/);
    expect(await saved(page, 'Transactions (CSV)')).toContain('report_id');
    expect(JSON.parse(await saved(page, 'Manifest (JSON)'))).toHaveProperty('files');
    await reports.getByRole('combobox', { name: 'Language' }).first().selectOption('Español');
    expect(await saved(page, 'PDF report of the case')).toMatch(/^%PDF/);
    const japanese = await open(`#/cases/${demo.caseId}/timeline`, { language: 'ja', theme: 'dark' });
    await japanese
      .getByText(/届出資料パッケージ [0-9A-F]{8} を作成/)
      .first()
      .waitFor();
  });

  it('lists cases by status, changes and deletes one', async () => {
    const page = await get().open('#/cases');
    await openCase(page, 'Mistake');
    const header = page.getByRole('region', { name: 'Mistake' });
    await header.locator('summary', { hasText: 'Change' }).click();
    await header.getByRole('textbox', { name: 'Title' }).fill('Written off');
    await header.getByRole('combobox', { name: 'Priority' }).selectOption('Low');
    await header.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Written off' }).waitFor();
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Closed');
    await page.getByRole('link', { name: 'All cases' }).click();
    // The case has a choice of that name too.
    await page.getByRole('heading', { name: 'Cases', level: 1 }).waitFor();
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Closed');
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    await expectAccessible(page);
    await picture(page, 'cases');
    await page.getByRole('link', { name: 'Written off' }).click();
    const renamed = page.getByRole('region', { name: 'Written off' });
    await renamed.locator('summary', { hasText: 'More' }).click();
    await page.locator('summary', { hasText: 'Delete the case' }).click();
    const remove = page.getByRole('button', { name: 'Delete the case: Written off' });
    expect(await remove.isDisabled()).toBe(true);
    await page.getByLabel('Type “Written off” to delete it').fill('Written off');
    await remove.click();
    await page.getByRole('heading', { name: 'Cases', level: 1 }).waitFor();
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Closed');
    await page.getByText('There is no case with this status.').waitFor();
  });

  it('shows a plan without packages what the API says', async () => {
    const page = await get().open('#/cases', { key: get().demo.keys.pro });
    await openCase(page, 'Of another plan');
    await openTab(page, 'Reports');
    await expect
      .poll(() => page.getByRole('region', { name: 'Reports' }).getByRole('alert').textContent())
      .toMatch(/Enterprise/);
  });
});

async function openCase(page: Page, title: string): Promise<void> {
  await page.locator('summary', { hasText: 'Open a case' }).click();
  await page.getByRole('textbox', { name: 'Title' }).fill(title);
  await page.getByRole('button', { name: 'Open a case' }).click();
  await page.getByRole('heading', { name: title }).waitFor();
}

async function openTab(page: Page, name: string): Promise<void> {
  await page.locator('nav.section-links').getByRole('link', { name, exact: true }).click();
}

/** The content of the file that the first button of that name saves. */
async function saved(page: Page, name: string): Promise<string> {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name }).first().click();
  return readFile(await (await download).path(), 'utf8');
}

const widthOf = (page: Page) => page.evaluate('document.documentElement.scrollWidth');
