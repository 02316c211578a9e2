import { expect, it, onTestFinished } from 'vitest';
import { openSmtp } from '../../../src/events/mail/smtp.ts';
import { startMailServer } from './mail-server.ts';

it('hands a message to the mail server, from an address of its host', async () => {
  const { received, host } = await startMailServer();
  const mail = openSmtp(`smtp://${host}`);
  onTestFinished(() => mail.close());
  await mail.send({
    to: 'desk@example.org',
    subject: 'Batch scan completed',
    text: 'All done.',
    page: 'https://risk.example.org/mail/x',
  });
  expect(received).toMatchObject([{ from: 'traceflow@127.0.0.1', to: ['desk@example.org'] }]);
  expect(received[0]!.text).toContain('Subject: Batch scan completed');
  expect(received[0]!.text).toContain('All done.');
  expect(received[0]!.text).toContain('No more of these mails: https://risk.example.org/mail/x');
  expect(received[0]!.text).toContain('List-Unsubscribe: <https://risk.example.org/mail/x/end>');
});

it('logs in with the user of the URL, who is the sender', async () => {
  const { received, host } = await startMailServer({ login: true });
  const mail = openSmtp(`smtp://alerts%40example.org:secret@${host}`);
  onTestFinished(() => mail.close());
  await mail.send({ to: 'desk@example.org', subject: 's', text: 't', page: 'https://risk.example.org/mail/x' });
  expect(received).toMatchObject([{ from: 'alerts@example.org', user: 'alerts@example.org' }]);
});

it('is from the address that the URL names: relays log in by a word or a key', async () => {
  const { received, host } = await startMailServer({ login: true });
  const mail = openSmtp(`smtp://apikey:secret@${host}?from=Desk%20%3Calerts@desk.example%3E`);
  onTestFinished(() => mail.close());
  await mail.send({ to: 'desk@example.org', subject: 's', text: 't', page: 'https://risk.example.org/mail/x' });
  expect(received).toMatchObject([{ from: 'alerts@desk.example', user: 'apikey' }]);
  expect(received[0]!.text).toContain('From: Desk <alerts@desk.example>');
});

it('keeps the plus of a sender', async () => {
  const { received, host } = await startMailServer();
  const mail = openSmtp(`smtp://${host}?from=alerts+desk@desk.example`);
  onTestFinished(() => mail.close());
  await mail.send({ to: 'desk@example.org', subject: 's', text: 't', page: 'https://risk.example.org/mail/x' });
  expect(received).toMatchObject([{ from: 'alerts+desk@desk.example' }]);
});

it.each(['', 'Desk', 'a@desk.example,b@desk.example', 'a@'])('takes no sender %j', (from) => {
  const url = `smtp://127.0.0.1?from=${encodeURIComponent(from)}`;
  expect(() => openSmtp(url)).toThrow('SMTP_URL: from must be one address');
});

it('throws what the mail server answered', async () => {
  const { host } = await startMailServer({ refuse: true });
  const mail = openSmtp(`smtp://${host}`);
  onTestFinished(() => mail.close());
  await expect(
    mail.send({ to: 'nobody@example.org', subject: 's', text: 't', page: 'https://risk.example.org/mail/x' }),
  ).rejects.toThrow('no such mailbox');
});
