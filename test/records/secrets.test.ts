import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { openSecretBox } from '../../src/data-folder/secret-box.ts';
import { checkSecrets, rotateSecrets, watchSecrets } from '../../src/questions/secrets.ts';
import { createAccount } from '../../src/records/accounts/accounts.ts';
import type { Records } from '../../src/records/database/database.ts';
import { insertWebhookConfig, listWebhookConfigs } from '../../src/records/monitoring/webhook-configs.ts';
import { onBothStores } from './on-both-stores.ts';

const NOW = Date.parse('2026-11-20T10:00:00Z');
const [OLD, NEW] = ['the key of last year', 'the key of this year'];
const [before, both, after, wrong] = [
  openSecretBox(OLD, null),
  openSecretBox(NEW, null, OLD),
  openSecretBox(NEW, null),
  openSecretBox('neither of the two keys', null),
];

async function openDesk(records: Records) {
  const logged: string[] = [];
  const log = { error: (text: string) => logged.push(text), warn: (text: string) => logged.push(text) };
  await watchSecrets({ records, secrets: before, log } as unknown as Context);
  const { id: account_id } = await createAccount(records, { name: 'Desk', planId: 'enterprise' }, NOW);
  for (let i = 0; i < 3; i++) {
    const id = randomUUID();
    await insertWebhookConfig(records, {
      ...{ id, account_id, webhook_url: 'https://desk.example/', description: '', events: '[]', is_active: 1 },
      ...{ secret: before.seal(`secret ${i}`, id), failing_since: null, created_at: NOW + i },
      previous_secrets: JSON.stringify([{ secret: before.seal(`earlier ${i}`, id), until: NOW }]),
    });
  }
  const opened = async (box: typeof before) =>
    (await listWebhookConfigs(records, account_id)).map(({ id, secret, previous_secrets }) => {
      const [earlier] = JSON.parse(previous_secrets) as { secret: string }[];
      return [box.open(secret, id), box.open(earlier!.secret, id)];
    });
  return { logged, log, opened };
}
const SECRETS = [0, 1, 2].map((i) => [`secret ${i}`, `earlier ${i}`]);

it('a sealed text opens as it was sealed alone, not with more behind it or with a part of its mark', () => {
  const sealed = after.seal('secret', 'owner');
  expect(after.open(sealed, 'owner')).toBe('secret');
  const mark = Buffer.from(sealed.split('.')[2]!, 'base64url');
  const cut = [4, 8, 12].map((bytes) => sealed.replace(/[\w-]+$/, mark.subarray(0, bytes).toString('base64url')));
  for (const other of [...cut, `${sealed}.x`, `${sealed}"`, `${sealed}=`, `${sealed}\n`])
    expect(() => after.open(other, 'owner')).toThrow('no key opens it');
});

onBothStores('secrets', (open) => {
  it('are sealed with another key, and open with it alone from then on', async () => {
    const records = await open();
    const { opened } = await openDesk(records);
    expect(await checkSecrets({ records, secrets: both })).toBe('rotation_due');
    expect(await opened(both)).toEqual(SECRETS);
    expect(await rotateSecrets(records, both, { now: NOW })).toEqual({ rotated: 6, current: 0, unreadable: [] });
    expect(await opened(after)).toEqual(SECRETS);
    await expect(opened(before)).rejects.toThrow('no key opens it');
    expect(await checkSecrets({ records, secrets: after })).toBe('ok');
    expect(await checkSecrets({ records, secrets: before })).toBe('wrong_key');
  });

  it('stay readable where the rotation ends half-way, and it goes on when it is run again', async () => {
    const records = await open();
    const { opened } = await openDesk(records);
    let left = 3;
    const killed = { ...both, reseal: (...given: [string, string]) => (left-- > 0 ? both.reseal(...given) : end()) };
    const end = () => {
      throw new Error('killed');
    };
    await expect(rotateSecrets(records, killed, { now: NOW })).rejects.toThrow('killed');
    expect(await opened(both)).toEqual(SECRETS);
    expect(await checkSecrets({ records, secrets: both })).toBe('rotation_due');
    expect(await rotateSecrets(records, both, { now: NOW })).toEqual({ rotated: 4, current: 2, unreadable: [] });
    expect(await opened(after)).toEqual(SECRETS);
  });

  it('of which no key opens one stop the rotation, unless they are given up', async () => {
    const records = await open();
    const { log, logged } = await openDesk(records);
    await watchSecrets({ records, secrets: wrong, log } as unknown as Context);
    expect(logged).toEqual([expect.stringMatching(/^SECRET_KEY is not the key of the records/)]);
    expect((await rotateSecrets(records, wrong, { now: NOW })).unreadable).toHaveLength(3);
    expect(await checkSecrets({ records, secrets: wrong })).toBe('wrong_key');
    await rotateSecrets(records, wrong, { lost: true, now: NOW });
    expect(await checkSecrets({ records, secrets: wrong })).toBe('ok');
  });
});
