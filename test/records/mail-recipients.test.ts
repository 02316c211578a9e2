import { expect, it } from 'vitest';
import { DAY_MS } from '../../src/domain/time.ts';
import { createAccount } from '../../src/records/accounts/accounts.ts';
import * as recipients from '../../src/records/accounts/mail-recipients.ts';
import { onBothStores } from './on-both-stores.ts';

const NOW = Date.parse('2026-11-20T10:00:00Z');

onBothStores('mail recipients', (open) => {
  const start = async () => {
    const records = await open();
    const newAccount = async () => (await createAccount(records, { name: 'Desk', planId: 'pro' }, NOW)).id;
    return { records, newAccount, accountId: await newAccount() };
  };

  it('are asked once a month, by one account a day, and five a day of an account', async () => {
    const { records, newAccount, accountId } = await start();
    const ask = (address: string, at = NOW, id = accountId) =>
      recipients.askRecipient(records, { accountId: id, address }, at);
    expect(await ask('a@x.example')).toBe(true);
    expect(await ask('a@x.example')).toBe(false);
    const other = await newAccount();
    expect(await ask('a@x.example', NOW + DAY_MS - 1, other)).toBe(false);
    expect(await ask('a@x.example', NOW + DAY_MS, other)).toBe(true);
    for (const name of ['b', 'c', 'd', 'e']) expect(await ask(`${name}@x.example`)).toBe(true);
    expect(await ask('f@x.example')).toBe(false);
    expect(await ask('f@x.example', NOW + DAY_MS)).toBe(true);
    expect(await ask('b@x.example', NOW + 30 * DAY_MS - 1)).toBe(false);
    expect(await ask('b@x.example', NOW + 30 * DAY_MS)).toBe(true);
  });

  it('are asked once though many accounts ask at the same moment', async () => {
    const { records, newAccount } = await start();
    const accounts = await Promise.all(Array.from({ length: 8 }, newAccount));
    const asked = accounts.map((id) =>
      recipients.askRecipient(records, { accountId: id, address: 'a@x.example' }, NOW),
    );
    expect((await Promise.all(asked)).filter(Boolean)).toHaveLength(1);
  });

  it('are asked again where the mail did not go out, and count among the five of the day all the same', async () => {
    const { records, accountId } = await start();
    const ask = (name: string) => recipients.askRecipient(records, { accountId, address: `${name}@x.example` }, NOW);
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      expect(await ask(name)).toBe(true);
      await recipients.noteFailedAsking(records, { accountId, address: `${name}@x.example` });
    }
    expect(await ask('f')).toBe(false);
    expect(await ask('a')).toBe(true);
    expect(await ask('a')).toBe(false);
  });

  it('say yes within 24 hours, and are not asked again after a no', async () => {
    const { records, accountId } = await start();
    const [early, late] = ['a@x.example', 'b@x.example'].map((address) => ({ accountId, address }));
    for (const one of [early!, late!]) await recipients.askRecipient(records, one, NOW);
    expect(await recipients.confirmRecipient(records, early!, NOW + DAY_MS - 1)).toBe(true);
    expect(await recipients.confirmRecipient(records, late!, NOW + DAY_MS)).toBe(false);
    expect(await recipients.recipientState(records, early!)).toBe('confirmed');
    await recipients.endRecipient(records, early!);
    expect(await recipients.takeMail(records, early!, NOW)).toBe(false);
    expect(await recipients.askRecipient(records, early!, NOW + 40 * DAY_MS)).toBe(false);
    expect(await recipients.confirmRecipient(records, early!, NOW)).toBe(false);
    await recipients.allowRecipient(records, early!, NOW);
    expect(await recipients.takeMail(records, early!, NOW)).toBe(true);
    await expect(recipients.allowRecipient(records, { accountId: 'x', address: 'a@x.example' }, NOW)).rejects.toThrow(
      'Account not found: x',
    );
  });

  it('get at most 20 mails a UTC day, from all accounts together', async () => {
    const { records, newAccount, accountId } = await start();
    const both = [accountId, await newAccount()].map((id) => ({ accountId: id, address: 'a@x.example' }));
    for (const one of both) await recipients.allowRecipient(records, one, NOW);
    const atOnce = Array.from({ length: 24 }, (_, i) => recipients.takeMail(records, both[i % 2]!, NOW));
    expect((await Promise.all(atOnce)).filter(Boolean)).toHaveLength(20);
    expect(await recipients.takeMail(records, both[0]!, NOW + DAY_MS)).toBe(true);
    expect(await recipients.takeMail(records, { accountId, address: 'never@x.example' }, NOW)).toBe(false);
  });
});
