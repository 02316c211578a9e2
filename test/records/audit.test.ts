import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../src/domain/time.ts';
import { createAccount } from '../../src/records/accounts/accounts.ts';
import { insertKey } from '../../src/records/accounts/keys.ts';
import { type AuditPage, insertAudit, OPERATOR, pageAudit } from '../../src/records/audit/audit-log.ts';
import { FIRST_HASH, hashEntry } from '../../src/records/audit/chain.ts';
import { deleteOldAudit, listChains, readChain, verifyChain } from '../../src/records/audit/keep-audit.ts';
import { countSignInFailure, listSignInFailures } from '../../src/records/audit/sign-in-failures.ts';
import type { Records } from '../../src/records/database/database.ts';
import { onBothStores } from './on-both-stores.ts';

const NOW = Date.parse('2026-11-20T10:00:00Z');

/** An account whose chain has `count` entries, a minute apart. */
async function openLog(records: Records, count: number) {
  const { id: accountId } = await createAccount(records, { name: 'Desk', planId: 'pro' }, NOW);
  const { id: keyId } = await insertKey(records, { accountId, name: 'Mia' }, NOW);
  const actor = { accountId, keyId, ip: '192.0.2.7' };
  for (let i = 1; i <= count; i++) {
    const action = i % 2 ? 'note_added' : 'note_deleted';
    await insertAudit(records, { ...actor, action, subject: `note ${i}` }, NOW + i * MINUTE_MS);
  }
  return { accountId, actor };
}

async function subjects(records: Records, chain: string, query: Partial<AuditPage> = {}): Promise<string[]> {
  return (await pageAudit(records, chain, { limit: 100, ...query })).map(({ subject }) => subject);
}

onBothStores('the audit log', (open) => {
  it('keeps who did what, when, from where, on what and how it ended, each chain for itself', async () => {
    const records = await open();
    const { accountId, actor } = await openLog(records, 1);
    await insertAudit(records, { ...OPERATOR, action: 'load_ended', subject: 'ofac', outcome: 'failed' }, NOW);
    const caseId = 'a case';
    const hostile = `\u0000'); drop table audit_log;--\ud800${'x'.repeat(600)}`;
    await insertAudit(
      records,
      { ...actor, action: 'case_updated', subject: hostile, detail: 'title', caseId },
      NOW + 1,
    );
    const [changed] = await pageAudit(records, accountId, { limit: 1, action: 'case_updated' });
    expect(changed).toMatchObject({
      ...{ chain: accountId, seq: 2, at: NOW + 1, key_id: actor.keyId, actor: 'Mia', ip: '192.0.2.7' },
      ...{ action: 'case_updated', detail: 'title', case_id: caseId, outcome: 'done' },
    });
    expect(changed!.subject).toMatch(/^\ufffd'\); drop table audit_log;--\ufffdx+$/);
    const [loaded] = await pageAudit(records, OPERATOR.accountId, { limit: 2 });
    expect(loaded).toMatchObject({ seq: 1, key_id: null, actor: 'operator', ip: null, outcome: 'failed' });
    for (const chain of await listChains(records)) {
      expect(await verifyChain(records, chain)).toMatchObject({ problem: null });
    }
  });

  it('stays one chain while many write at once, and has no entry of what was undone', async () => {
    const records = await open();
    const { accountId, actor } = await openLog(records, 0);
    const work = Array.from({ length: 30 }, (_, i) =>
      records.transaction().execute(async (transaction) => {
        await insertAudit(transaction, { ...actor, action: 'note_added', subject: String(i) }, NOW);
        if (i % 3 === 0) throw new Error('undone');
      }),
    );
    await Promise.allSettled(work);
    expect(await verifyChain(records, accountId)).toMatchObject({ entries: 20, problem: null });
    expect((await subjects(records, accountId)).filter((subject) => Number(subject) % 3 === 0)).toEqual([]);
  });

  it('is read by page, action and time, newest first', async () => {
    const records = await open();
    const { accountId } = await openLog(records, 6);
    expect(await subjects(records, accountId)).toEqual([6, 5, 4, 3, 2, 1].map((i) => `note ${i}`));
    expect(await subjects(records, accountId, { action: 'note_added' })).toEqual(['note 5', 'note 3', 'note 1']);
    const span = { from: NOW + 2 * MINUTE_MS, to: NOW + 4 * MINUTE_MS };
    expect(await subjects(records, accountId, span)).toEqual(['note 4', 'note 3', 'note 2']);
    const [, last] = await pageAudit(records, accountId, { limit: 2 });
    expect(await subjects(records, accountId, { after: last, limit: 2 })).toEqual(['note 4', 'note 3']);
    expect(await subjects(records, 'another account')).toEqual([]);
  });

  it('shows every change that is made to it', async () => {
    type Tamper = (records: Records, chain: string, other: string) => Promise<unknown>;
    const entry = (records: Records, chain: string, seq: number) =>
      records.updateTable('audit_log').where('chain', '=', chain).where('seq', '=', seq);
    const remove = (records: Records, chain: string, upTo: number, from = 1) =>
      records
        .deleteFrom('audit_log')
        .where('chain', '=', chain)
        .where('seq', '>=', from)
        .where('seq', '<=', upTo)
        .execute();
    const end = (records: Records, chain: string) => records.updateTable('audit_chains').where('chain', '=', chain);
    const row = async (records: Records, chain: string, seq: number) =>
      records
        .selectFrom('audit_log')
        .selectAll()
        .where('chain', '=', chain)
        .where('seq', '=', seq)
        .executeTakeFirstOrThrow();
    const forge =
      (seq: number, previous: number): Tamper =>
      async (records, chain) => {
        const { hash, ...copied } = await row(records, chain, Math.max(previous, 1));
        const forged = { ...copied, seq, actor: 'Eve' };
        await records
          .insertInto('audit_log')
          .values({ ...forged, hash: hashEntry(previous ? hash : FIRST_HASH, forged) })
          .execute();
      };
    const tampering: [string, Tamper][] = [
      ['entry 2 was changed', (records, chain) => entry(records, chain, 2).set({ actor: 'Eve' }).execute()],
      ['entry 2 is missing', (records, chain) => remove(records, chain, 2, 2)],
      ['entry 4 is missing', (records, chain) => remove(records, chain, 4, 4)],
      ['entry 1 is missing', (records, chain) => remove(records, chain, 4)],
      ['the end of the chain was changed', (records, chain) => end(records, chain).set({ hash: 'x' }).execute()],
      ['entry 5 was added from outside', forge(5, 4)],
      ['entry 0 was added from outside', forge(0, 0)],
      [
        'entry 1 was changed',
        async (records, chain) => {
          for (const [from, to] of [
            [1, 9],
            [2, 1],
            [9, 2],
          ] as const)
            await entry(records, chain, from).set({ seq: to }).execute();
        },
      ],
      [
        'entry 4 was changed',
        async (records, chain, other) => {
          await remove(records, chain, 4, 4);
          await entry(records, other, 4).set({ chain }).execute();
        },
      ],
      [
        'entries up to 2 are missing',
        async (records, chain) => {
          const { hash } = await row(records, chain, 2);
          await remove(records, chain, 2);
          await end(records, chain).set({ anchor_seq: 2, anchor_hash: hash }).execute();
        },
      ],
      [
        'the chain is missing',
        (records, chain) => records.deleteFrom('audit_chains').where('chain', '=', chain).execute(),
      ],
    ];
    const records = await open();
    for (const [problem, tamper] of tampering) {
      const [{ accountId }, other] = [await openLog(records, 4), await openLog(records, 4)];
      expect(await verifyChain(records, accountId)).toMatchObject({ entries: 4, problem: null });
      await tamper(records, accountId, other.accountId);
      expect(await verifyChain(records, accountId)).toMatchObject({ problem });
      expect(await listChains(records)).toContain(accountId);
    }
  });

  it('forgets what is too old and says so, and goes on from the hash of the last entry of that', async () => {
    const records = await open();
    const { accountId, actor } = await openLog(records, 4);
    // A clock that was behind: a young entry is before it, so it stays.
    await insertAudit(records, { ...actor, action: 'note_added', subject: 'late' }, NOW - DAY_MS);
    await countSignInFailure(records, { accountId, reason: 'elsewhere' }, NOW);
    const later = NOW + 2 * DAY_MS;
    const rest = async () => {
      const entries = [];
      for await (const { seq, subject } of readChain(records, accountId)) entries.push([seq, subject]);
      return entries;
    };
    expect(await deleteOldAudit(records, NOW, later)).toBe(0);
    expect(await deleteOldAudit(records, NOW + 3 * MINUTE_MS, later)).toBe(2);
    const kept = [
      [3, 'note 3'],
      [4, 'note 4'],
      [5, 'late'],
      [6, 'entries up to 2'],
    ];
    expect(await rest()).toEqual(kept);
    expect(await verifyChain(records, accountId)).toMatchObject({ entries: 4, problem: null });
    expect(await listSignInFailures(records, accountId, { limit: 9 })).toEqual([]);
    expect(await deleteOldAudit(records, NOW + DAY_MS, later)).toBe(3);
    expect(await rest()).toEqual([
      [6, 'entries up to 2'],
      [7, 'entries up to 5'],
    ]);
    expect(await deleteOldAudit(records, later + 1, later)).toBe(0);
    expect(await verifyChain(records, accountId)).toMatchObject({ entries: 2, problem: null });
  });

  it('stays one chain where another process has deleted more meanwhile', async () => {
    const records = await open();
    const { accountId, actor } = await openLog(records, 4);
    const later = NOW + 2 * DAY_MS;
    const deleting = await records.transaction().execute(async (transaction) => {
      await insertAudit(transaction, { ...actor, action: 'note_added', subject: 'young' }, later);
      const less = deleteOldAudit(records, NOW + 3 * MINUTE_MS, later);
      await sleep(100);
      await deleteOldAudit(transaction, NOW + DAY_MS, later);
      return () => less;
    });
    expect(await deleting()).toBe(0);
    expect(await verifyChain(records, accountId)).toMatchObject({ entries: 2, problem: null });
  });

  it('counts refused keys by minute, account and reason', async () => {
    const records = await open();
    const mine = { accountId: 'mine', reason: 'lacks_right' } as const;
    for (const at of [0, 1, MINUTE_MS - 1, MINUTE_MS]) await countSignInFailure(records, mine, NOW + at);
    await countSignInFailure(records, { ...mine, reason: 'elsewhere' }, NOW);
    await countSignInFailure(records, { accountId: null, reason: 'unknown_key' }, NOW);
    expect(await listSignInFailures(records, 'mine', { limit: 9 })).toEqual([
      { account_id: 'mine', minute: NOW + MINUTE_MS, reason: 'lacks_right', count: 1 },
      { account_id: 'mine', minute: NOW, reason: 'elsewhere', count: 1 },
      { account_id: 'mine', minute: NOW, reason: 'lacks_right', count: 3 },
    ]);
    expect(await listSignInFailures(records, 'mine', { from: NOW + MINUTE_MS + 5, limit: 9 })).toHaveLength(1);
  });

  it('is followed beyond one page', async () => {
    const records = await open();
    const { accountId, actor } = await openLog(records, 0);
    await records.transaction().execute(async (transaction) => {
      for (let i = 1; i <= 1_001; i++) {
        await insertAudit(transaction, { ...actor, action: 'note_added', subject: String(i) }, NOW);
      }
    });
    expect(await verifyChain(records, accountId)).toMatchObject({ entries: 1_001, problem: null });
  });
});
