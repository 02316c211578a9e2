import { expect, it } from 'vitest';
import type { Role } from '../../src/domain/account/rights.ts';
import { changePerson, invitePerson, removePerson } from '../../src/questions/account/manage-people.ts';
import { createAccount } from '../../src/records/accounts/accounts.ts';
import { insertKey, listKeyRows } from '../../src/records/accounts/keys.ts';
import { authorName, pagePeople, updatePerson } from '../../src/records/accounts/people.ts';
import { operatorFor, pageAudit } from '../../src/records/audit/audit-log.ts';
import type { Records } from '../../src/records/database/database.ts';
import { listAlertMails, saveAlertMails } from '../../src/records/monitoring/alert-mails.ts';
import { onBothStores } from './on-both-stores.ts';
import { expectUnbrokenAudit } from './sound-records.ts';

const NOW = Date.parse('2026-11-20T10:00:00Z');
const ALL = { limit: 100, offset: 0 };

async function openDesk(records: Records) {
  const { id: accountId } = await createAccount(records, { name: 'Desk', planId: 'pro' }, NOW);
  const operator = { actor: operatorFor(accountId) };
  const invite = (email: string, roles: Role[], name?: string) =>
    invitePerson(records, operator, { email, roles, name }, NOW);
  const join = (id: string) =>
    updatePerson(records, id, { state: 'active', issuer: 'https://id.example', subject: id, joined_at: NOW });
  return { accountId, operator, invite, join };
}

onBothStores('people', (open) => {
  it('are invited once, get other roles, are removed, and can be invited again as another', async () => {
    const records = await open();
    const { accountId, operator, invite, join } = await openDesk(records);
    const ana = await invite('ana@desk.example', ['reviewer', 'viewer', 'viewer']);
    expect(ana).toMatchObject({ name: 'ana@desk.example', roles: ['viewer', 'reviewer'], state: 'invited' });
    await expect(invite('ana@desk.example', ['admin'])).rejects.toThrow('Person is already here: ana@desk.example');
    expect(await changePerson(records, operator, ana.id, { name: 'Ana', roles: ['admin'] }, NOW)).toMatchObject({
      name: 'Ana',
      roles: ['admin'],
    });

    await join(ana.id);
    const mails = (address: string) => ({ address, rhythm: 'daily' as const });
    await saveAlertMails(records, accountId, [mails('Ana@Desk.example'), mails('desk@desk.example')], NOW);
    await removePerson(records, operator, ana.id, NOW);
    expect((await listAlertMails(records, accountId)).map(({ address }) => address)).toEqual(['desk@desk.example']);
    await expect(removePerson(records, operator, ana.id, NOW)).rejects.toThrow('Not found');
    await expect(changePerson(records, operator, ana.id, { name: 'Eve' }, NOW)).rejects.toThrow('Not found');
    const again = await invite('ana@desk.example', ['viewer'], 'Ana');
    expect([again.name, again.id === ana.id]).toEqual(['Ana', false]);
    expect((await pagePeople(records, accountId, ALL)).people.map(({ id }) => id)).toEqual([again.id]);
    expect(await pagePeople(records, accountId, { ...ALL, state: 'removed' })).toMatchObject({
      people: [{ id: ana.id }],
      total: 1,
    });
    expect(await authorName(records, ana.id)).toBe('Ana');
    await expectUnbrokenAudit(records);
  });

  it('holds one identity of a provider once in an account, whatever the code above does', async () => {
    const records = await open();
    const { invite, join } = await openDesk(records);
    const [ana, eve] = [await invite('ana@desk.example', ['viewer']), await invite('eve@desk.example', ['viewer'])];
    const joined = await join(ana.id);
    const same = { state: 'active' as const, issuer: joined.issuer, subject: joined.subject };
    await expect(updatePerson(records, eve.id, same)).rejects.toThrow(/unique/i);
  });

  it('invites an address once where two ask at the same time', async () => {
    const records = await open();
    const { invite } = await openDesk(records);
    const asked = await Promise.allSettled([1, 2, 3].map(() => invite('ana@desk.example', ['viewer'])));
    expect(asked.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
  });

  it('gives names that differ to live keys and people of an account, look-alikes too', async () => {
    const records = await open();
    const { accountId, operator, invite } = await openDesk(records);
    const key = (name: string) => insertKey(records, { accountId, name }, NOW);
    const named = [await key('laptop'), await key('laptop'), await key('Lapt\u043ep')].map(({ name }) => name);
    expect(named).toEqual(['laptop', 'laptop (2)', 'Lapt\u043ep (3)']);
    expect((await invite('ana@desk.example', ['viewer'], 'Laptop')).name).toBe('Laptop (ana@desk.example)');
    await expect(invite('eve@desk.example', ['viewer'], 'Operator')).rejects.toThrow('Name is reserved: Operator');
    const other = await openDesk(records);
    expect((await other.invite('ana@desk.example', ['viewer'], 'laptop')).name).toBe('laptop');
    await expect(changePerson(records, operator, 'none', { name: 'x' }, NOW)).rejects.toThrow('Not found');
  });

  it('acts in the audit log under their own name and id, and their keys say who made them', async () => {
    const records = await open();
    const { accountId, invite, join } = await openDesk(records);
    const ana = await invite('ana@desk.example', ['admin'], 'Ana');
    await expect(insertKey(records, { accountId, name: 'k', askedBy: ana.id }, NOW)).rejects.toThrow('Invalid API key');
    await join(ana.id);
    const byAna = { actor: { accountId, keyId: ana.id } };
    const bob = await invitePerson(records, byAna, { email: 'bob@desk.example', roles: ['viewer'] }, NOW);
    const key = await insertKey(records, { accountId, name: 'robot', askedBy: ana.id }, NOW);
    expect([bob.invited_by, key.created_by, key.scopes.length]).toEqual(['Ana', 'Ana', 5]);
    await insertKey(records, { accountId, name: 'its own', askedBy: key.id }, NOW + 1);
    expect((await listKeyRows(records, accountId, NOW + 1)).map((one) => one.created_by)).toEqual(['Ana', 'robot']);
    const makers = await records.selectFrom('api_keys').select('made_by_person').execute();
    expect(makers).toEqual([{ made_by_person: ana.id }, { made_by_person: ana.id }]);
    expect(await pageAudit(records, accountId, { person: ana.id, limit: 9 })).toMatchObject([
      { action: 'person_invited', actor: 'Ana', person_id: ana.id, key_id: null, subject: bob.id },
    ]);
    await expectUnbrokenAudit(records);
    // Who it was belongs to what the chain proves.
    await records.updateTable('audit_log').set({ person_id: bob.id }).where('person_id', '=', ana.id).execute();
    await expect(expectUnbrokenAudit(records)).rejects.toThrow('was changed');
  });
});
