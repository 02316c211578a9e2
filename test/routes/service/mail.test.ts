import { expect, it } from 'vitest';
import { DAY_MS } from '../../../src/domain/time.ts';
import { askForConsent, mailStateOf } from '../../../src/questions/account/mail-recipients.ts';
import { openTestApp } from '../../app/test-app.ts';
import { startMailServer } from '../../events/mail/mail-server.ts';

async function openMail(options?: { refuse: boolean }) {
  const mail = await startMailServer(options);
  const test = await openTestApp({ SMTP_URL: `smtp://${mail.host}`, BASE_URL: 'https://risk.example.org/api/v1' });
  const { key, accountId } = await test.issue('pro');
  const recipient = { accountId, address: "o'hara&co@example.org" };
  const state = () => mailStateOf(test.ctx, recipient);
  const ask = async () => {
    await askForConsent(test.ctx, recipient);
    const text = mail.received[0]!.text.replace(/=\r\n/g, '').replace(/\r\n /g, ' ').replaceAll('=3D', '=');
    return { text, path: /https:\/\/risk\.example\.org(\/mail\/[\w.-]+)/.exec(text)![1]! };
  };
  const audit = async () => {
    const { body } = await test.app.inject({ url: '/api/v1/audit', headers: { 'x-api-key': key } });
    return JSON.parse(body).entries as { action: string; actor: string }[];
  };
  return { ...test, mail, recipient, state, ask, audit };
}

it('asks a recipient once; its answer counts, not that a program opened the link', async () => {
  const { app, mail, ctx, recipient, state, ask, audit } = await openMail();
  expect(await state()).toBe('recipient_not_confirmed');
  const { text, path } = await ask();
  expect(text).toContain('The account "Desk"');
  expect(text).toMatch(new RegExp(`List-Unsubscribe: <https://risk.example.org${path}/end>`));
  await askForConsent(ctx, recipient);
  expect(mail.received).toHaveLength(1);
  const page = await app.inject({ url: path });
  expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(page.headers['content-security-policy']).toContain("default-src 'none'");
  expect(page.body).toContain('o&#39;hara&#38;co@example.org');
  expect(await state()).toBe('recipient_not_confirmed');
  expect((await app.inject({ method: 'POST', url: `${path}/confirm` })).body).toContain('You get these mails');
  expect(await state()).toBe('sent_on_completion');
  // As mail programs do at one click.
  const oneClick = { 'content-type': 'application/x-www-form-urlencoded' };
  const ended = {
    method: 'POST',
    url: `${path}/end`,
    headers: oneClick,
    payload: 'List-Unsubscribe=One-Click',
  } as const;
  expect((await app.inject(ended)).statusCode).toBe(200);
  expect(await state()).toBe('recipient_not_confirmed');
  expect((await app.inject({ method: 'POST', url: `${path}/confirm` })).body).toContain('too old');
  expect(await audit()).toMatchObject([
    { action: 'mail_ended', actor: 'recipient' },
    { action: 'mail_confirmed', actor: 'recipient' },
  ]);
});

it('takes no yes after 24 hours, and no link of anyone else', async () => {
  const { app, ask, state, time } = await openMail();
  const { path } = await ask();
  for (const url of [`${path}x/confirm`, '/mail/a.b.c/confirm', '/mail/x/end', `/mail/${'.'.repeat(500)}/end`]) {
    expect([url, (await app.inject({ method: 'POST', url })).statusCode]).toEqual([url, 404]);
  }
  // Whoever gets a mail could send the link on with a page of their own behind it.
  for (const added of ['.%22%3E%3Cmeta http-equiv=refresh content=0%3E', '.x', '%22%3E', '=%3Cb%3E']) {
    expect([added, (await app.inject({ url: path + added })).statusCode]).toEqual([added, 404]);
  }
  time.at += DAY_MS;
  expect((await app.inject({ method: 'POST', url: `${path}/confirm` })).body).toContain('too old');
  expect(await state()).toBe('recipient_not_confirmed');
  const statuses = [];
  for (let i = 0; i < 61; i++) statuses.push((await app.inject({ url: path })).statusCode);
  expect(statuses.at(-1)).toBe(429);
});

it('asks again where the first mail did not go out', async () => {
  const { ctx, recipient, logged } = await openMail({ refuse: true });
  for (let i = 0; i < 2; i++) await askForConsent(ctx, recipient);
  expect(logged().match(/was not asked for consent/g)).toHaveLength(2);
});
