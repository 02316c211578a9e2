import { expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import { createAccount, findAccount, listAccounts, setPlan, topUp } from '../../src/records/accounts/accounts.ts';
import {
  findKeyByHash,
  hashKey,
  insertKey,
  isKeyForm,
  type KeyLimits,
  listKeyRows,
  markKeyUsed,
  revokeKeyRow,
} from '../../src/records/accounts/keys.ts';
import { deleteOldKeys } from '../../workers/cleaning.ts';
import { onBothStores } from './on-both-stores.ts';

const NOW = Date.parse('2026-11-20T10:00:00Z');

onBothStores('accounts and keys', (open) => {
  it('keeps a key only as its SHA-256 and finds its holder by it', async () => {
    const records = await open();
    const account = await createAccount(records, { name: 'Desk', planId: 'pro' }, NOW);
    const created = await insertKey(records, { accountId: account.id, name: 'laptop' }, NOW);

    expect(created.key).toMatch(/^tfk_[0-9A-Za-z]{36}$/);
    expect(created.key.startsWith(created.prefix)).toBe(true);
    expect(await findKeyByHash(records, hashKey(created.key))).toEqual({
      keyId: created.id,
      accountId: account.id,
      planId: 'pro',
      isSuspended: false,
      lastUsedAt: null,
      scopes: ['read', 'scan', 'cases', 'monitor', 'admin'],
      expiresAt: null,
      allowedIps: [],
    });
    const stored = await records.selectFrom('api_keys').selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(created.key);
  });

  it('forgets a revoked key and frees its place', async () => {
    const records = await open();
    const { id: accountId } = await createAccount(records, { name: 'Desk', planId: 'free' }, NOW);
    const keys = [];
    for (let i = 0; i < 5; i++) keys.push(await insertKey(records, { accountId, name: `k${i}` }, NOW + i));
    await expect(insertKey(records, { accountId, name: 'sixth' }, NOW)).rejects.toThrow(
      'API key limit reached (5 keys)',
    );

    await revokeKeyRow(records, { id: keys[2]!.id, accountId }, NOW);
    expect(await findKeyByHash(records, hashKey(keys[2]!.key))).toBeUndefined();
    await expect(revokeKeyRow(records, { id: keys[2]!.id, accountId }, NOW)).rejects.toThrow('Not found');
    await insertKey(records, { accountId, name: 'again' }, NOW + 9);
    expect((await listKeyRows(records, accountId, NOW)).map((key) => key.name)).toEqual([
      'k0',
      'k1',
      'k3',
      'k4',
      'again',
    ]);
  });

  it("does not revoke another account's key", async () => {
    const records = await open();
    const mine = await createAccount(records, { name: 'A', planId: 'free' }, NOW);
    const theirs = await createAccount(records, { name: 'B', planId: 'free' }, NOW);
    const key = await insertKey(records, { accountId: theirs.id, name: 'k' }, NOW);
    await expect(revokeKeyRow(records, { id: key.id, accountId: mine.id }, NOW)).rejects.toThrow('Not found');
    expect(await findKeyByHash(records, hashKey(key.key))).toBeDefined();
  });

  it('gives out five keys and no more under 20 creations at once', async () => {
    const records = await open();
    const { id: accountId } = await createAccount(records, { name: 'Desk', planId: 'free' }, NOW);
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => insertKey(records, { accountId, name: `k${i}` }, NOW)),
    );
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(5);
    expect(await listKeyRows(records, accountId, NOW)).toHaveLength(5);
  });

  it('counts revoked keys of the day, and those from before the clock was set back for one day at most', async () => {
    const records = await open();
    const { id: accountId } = await createAccount(records, { name: 'Desk', planId: 'free' }, NOW);
    const make = async (at: number) =>
      revokeKeyRow(records, { id: (await insertKey(records, { accountId, name: 'k' }, at)).id }, at);
    for (let i = 0; i < 20; i++) await make(NOW + i);
    await expect(make(NOW + 1_000)).rejects.toMatchObject({ status: 429, headers: { 'Retry-After': '86399' } });
    await expect(make(NOW - 7 * DAY_MS)).rejects.toMatchObject({ headers: { 'Retry-After': '86400' } });
    await make(NOW + DAY_MS);
    await expect(make(NOW + DAY_MS)).rejects.toMatchObject({ headers: { 'Retry-After': '1' } });
  });

  it('gives a new key no more than the asking one has: rights, time and addresses', async () => {
    const records = await open();
    const { id: accountId } = await createAccount(records, { name: 'Desk', planId: 'free' }, NOW);
    const limits = { scopes: ['read', 'admin'], expiresAt: NOW + DAY_MS, allowedIps: ['10.0.0.0/8'] } as const;
    const { id: askedBy } = await insertKey(records, { accountId, name: 'asking', ...limits }, NOW);
    const make = (wanted: Partial<KeyLimits>, at = NOW) =>
      insertKey(records, { accountId, name: 'k', askedBy, ...wanted }, at);

    expect(await make({})).toMatchObject(limits);
    const narrower = { scopes: ['read'], expiresAt: NOW + 1, allowedIps: ['10.1.0.0/16', '10.2.3.4'] } as const;
    const { key } = await make(narrower);
    expect(await findKeyByHash(records, hashKey(key))).toMatchObject(narrower);
    const wider: [Partial<KeyLimits>, string][] = [
      [{ scopes: ['read', 'cases'] }, 'This key lacks the right: cases'],
      [{ expiresAt: null }, 'expires_at must not be later'],
      [{ expiresAt: NOW + DAY_MS + 1 }, 'expires_at must not be later'],
      [{ expiresAt: NOW }, 'expires_at must lie in the future'],
      [{ allowedIps: [] }, 'allowed_ips must lie within'],
      [{ allowedIps: ['10.0.0.0/7'] }, 'allowed_ips must lie within'],
      [{ allowedIps: ['10.0.0.1', '::1'] }, 'allowed_ips must lie within'],
    ];
    for (const [wanted, text] of wider) await expect(make(wanted)).rejects.toThrow(text);
    await expect(make({}, NOW + DAY_MS)).rejects.toThrow('Invalid API key');
  });

  it('does not list expired keys or count them among the five', async () => {
    const records = await open();
    const { id: accountId } = await createAccount(records, { name: 'Desk', planId: 'free' }, NOW);
    for (let i = 0; i < 5; i++) await insertKey(records, { accountId, name: 'k', expiresAt: NOW + 10 + i }, NOW);
    expect(await listKeyRows(records, accountId, NOW + 9)).toHaveLength(5);
    await insertKey(records, { accountId, name: 'new' }, NOW + 10);
    expect(await listKeyRows(records, accountId, NOW + 14)).toMatchObject([{ name: 'new' }]);
  });

  it('deletes keys 90 days after they were revoked or expired, and no live one', async () => {
    const records = await open();
    const { id: accountId } = await createAccount(records, { name: 'Desk', planId: 'free' }, NOW);
    const [old, revoked] = [
      await insertKey(records, { accountId, name: 'old' }, NOW),
      await insertKey(records, { accountId, name: 'revoked' }, NOW),
    ];
    await revokeKeyRow(records, { id: revoked.id }, NOW + 5);
    await insertKey(records, { accountId, name: 'expired', expiresAt: NOW + 5 }, NOW);
    const clean = (at: number) => deleteOldKeys.run({ records, now: () => at } as Context);
    await clean(NOW + 5 + 90 * DAY_MS - 1);
    expect(await records.selectFrom('api_keys').select('id').execute()).toHaveLength(3);
    await clean(NOW + 5 + 90 * DAY_MS);
    expect(await records.selectFrom('api_keys').select('id').execute()).toEqual([{ id: old.id }]);
  });

  it('changes plan, top-up and last use, and says which account is unknown', async () => {
    const records = await open();
    const { id } = await createAccount(records, { name: 'Desk', planId: 'free' }, NOW);
    const key = await insertKey(records, { accountId: id, name: 'k' }, NOW);
    await markKeyUsed(records, key.id, NOW + 5);
    await setPlan(records, id, 'business');
    await topUp(records, id, 30);
    expect(await topUp(records, id, 12)).toMatchObject({ plan_id: 'business', topup_remaining: 42, created_at: NOW });
    expect(await findAccount(records, id)).toEqual((await listAccounts(records))[0]);
    expect((await listKeyRows(records, id, NOW))[0]?.last_used_at).toBe(NOW + 5);

    await expect(setPlan(records, 'nobody', 'pro')).rejects.toThrow('Account not found: nobody');
    await expect(topUp(records, 'nobody', 1)).rejects.toThrow('Account not found: nobody');
    await expect(insertKey(records, { accountId: 'nobody', name: 'k' }, NOW)).rejects.toThrow('Account not found');
  });
});

it('recognises its own keys by their check characters', async () => {
  const { openRecords } = await import('../../src/records/database/database.ts');
  const records = await openRecords({ path: null });
  const { id: accountId } = await createAccount(records, { name: 'Desk', planId: 'free' }, NOW);
  const { key } = await insertKey(records, { accountId, name: 'k' }, NOW);
  await records.destroy();

  expect(isKeyForm(key)).toBe(true);
  const other = key.at(-10) === 'a' ? 'b' : 'a';
  expect(isKeyForm(key.slice(0, -10) + other + key.slice(-9))).toBe(false);
  for (const text of ['', 'tfk_', key.slice(1), `${key} `, `${key}\n`, key.toLowerCase().replace('tfk', 'TFK')]) {
    expect(isKeyForm(text)).toBe(false);
  }
});
