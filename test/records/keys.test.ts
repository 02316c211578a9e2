import { expect, it } from 'vitest';
import { createAccount, findAccount, listAccounts, setPlan, topUp } from '../../src/records/accounts/accounts.ts';
import {
  createKey,
  findKeyByHash,
  hashKey,
  isKeyForm,
  listKeys,
  markKeyUsed,
  revokeKey,
} from '../../src/records/accounts/keys.ts';
import { onBothStores } from './on-both-stores.ts';

const NOW = Date.parse('2026-11-20T10:00:00Z');

onBothStores('accounts and keys', (open) => {
  it('keeps a key only as its SHA-256 and finds its holder by it', async () => {
    const records = await open();
    const account = await createAccount(records, { name: 'Desk', planId: 'pro' }, NOW);
    const created = await createKey(records, { accountId: account.id, name: 'laptop' }, NOW);

    expect(created.key).toMatch(/^tfk_[0-9A-Za-z]{36}$/);
    expect(created.key.startsWith(created.prefix)).toBe(true);
    expect(await findKeyByHash(records, hashKey(created.key))).toEqual({
      keyId: created.id,
      accountId: account.id,
      planId: 'pro',
      lastUsedAt: null,
    });
    const stored = await records.selectFrom('api_keys').selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(created.key);
  });

  it('forgets a revoked key and frees its place', async () => {
    const records = await open();
    const { id: accountId } = await createAccount(records, { name: 'Desk', planId: 'free' }, NOW);
    const keys = [];
    for (let i = 0; i < 5; i++) keys.push(await createKey(records, { accountId, name: `k${i}` }, NOW + i));
    await expect(createKey(records, { accountId, name: 'sixth' }, NOW)).rejects.toThrow(
      'API key limit reached (5 keys)',
    );

    await revokeKey(records, { id: keys[2]!.id, accountId }, NOW);
    expect(await findKeyByHash(records, hashKey(keys[2]!.key))).toBeUndefined();
    await expect(revokeKey(records, { id: keys[2]!.id, accountId }, NOW)).rejects.toThrow('Not found');
    await createKey(records, { accountId, name: 'again' }, NOW + 9);
    expect((await listKeys(records, accountId)).map((key) => key.name)).toEqual(['k0', 'k1', 'k3', 'k4', 'again']);
  });

  it("does not revoke another account's key", async () => {
    const records = await open();
    const mine = await createAccount(records, { name: 'A', planId: 'free' }, NOW);
    const theirs = await createAccount(records, { name: 'B', planId: 'free' }, NOW);
    const key = await createKey(records, { accountId: theirs.id, name: 'k' }, NOW);
    await expect(revokeKey(records, { id: key.id, accountId: mine.id }, NOW)).rejects.toThrow('Not found');
    expect(await findKeyByHash(records, hashKey(key.key))).toBeDefined();
  });

  it('gives out five keys and no more under 20 creations at once', async () => {
    const records = await open();
    const { id: accountId } = await createAccount(records, { name: 'Desk', planId: 'free' }, NOW);
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => createKey(records, { accountId, name: `k${i}` }, NOW)),
    );
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(5);
    expect(await listKeys(records, accountId)).toHaveLength(5);
  });

  it('changes plan, top-up and last use, and says which account is unknown', async () => {
    const records = await open();
    const { id } = await createAccount(records, { name: 'Desk', planId: 'free' }, NOW);
    const key = await createKey(records, { accountId: id, name: 'k' }, NOW);
    await markKeyUsed(records, key.id, NOW + 5);
    await setPlan(records, id, 'business');
    await topUp(records, id, 30);
    expect(await topUp(records, id, 12)).toMatchObject({ plan_id: 'business', topup_remaining: 42, created_at: NOW });
    expect(await findAccount(records, id)).toEqual((await listAccounts(records))[0]);
    expect((await listKeys(records, id))[0]?.last_used_at).toBe(NOW + 5);

    for (const attempt of [setPlan(records, 'nobody', 'pro'), topUp(records, 'nobody', 1)]) {
      await expect(attempt).rejects.toThrow('Account not found: nobody');
    }
    await expect(createKey(records, { accountId: 'nobody', name: 'k' }, NOW)).rejects.toThrow('Account not found');
  });
});

it('recognises its own keys by their check characters', async () => {
  const { openRecords } = await import('../../src/records/database/database.ts');
  const records = await openRecords({ path: null });
  const { id: accountId } = await createAccount(records, { name: 'Desk', planId: 'free' }, NOW);
  const { key } = await createKey(records, { accountId, name: 'k' }, NOW);
  await records.destroy();

  expect(isKeyForm(key)).toBe(true);
  const other = key.at(-10) === 'a' ? 'b' : 'a';
  expect(isKeyForm(key.slice(0, -10) + other + key.slice(-9))).toBe(false);
  for (const text of ['', 'tfk_', key.slice(1), `${key} `, `${key}\n`, key.toLowerCase().replace('tfk', 'TFK')]) {
    expect(isKeyForm(text)).toBe(false);
  }
});
