import { randomUUID, scryptSync } from 'node:crypto';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import type { Graph } from '../../src/graph/port.ts';
import { openLabelStore } from '../../src/labels/label-store.ts';
import { PLANS } from '../../src/plans.ts';
import { eraseAccount } from '../../src/questions/account/erase-account.ts';
import { openAccount, resumeAccount, suspendAccount } from '../../src/questions/account/manage-accounts.ts';
import { addCaseAddress } from '../../src/questions/cases/case-addresses.ts';
import { createCase, updateCase } from '../../src/questions/cases/manage-cases.ts';
import { insertKey } from '../../src/records/accounts/keys.ts';
import { insertPerson } from '../../src/records/accounts/people.ts';
import { insertView, pageAudit } from '../../src/records/audit/audit-log.ts';
import { OPERATOR_CHAIN } from '../../src/records/audit/chain.ts';
import { deleteOldAudit, verifyChain } from '../../src/records/audit/keep-audit.ts';
import { insertApproval } from '../../src/records/cases/approvals.ts';
import type { Records } from '../../src/records/database/database.ts';
import { isPostgres } from '../../src/records/dialect.ts';
import { claimJob } from '../../src/records/jobs/claim-job.ts';
import { renewLease } from '../../src/records/jobs/job-leases.ts';
import { insertJob } from '../../src/records/jobs/jobs.ts';
import { raiseAlert } from '../../src/records/monitoring/alerts.ts';
import { claimItem } from '../../src/records/monitoring/watch-queue.ts';
import { insertScan } from '../../src/records/scans/scans.ts';
import { onBothStores } from './on-both-stores.ts';
import { watchItem } from './watched-item.ts';

const NOW = Date.parse('2026-11-20T10:00:00Z');
const SCANS = 450;
const ANY_BATCH = { type: 'batch_scan', lanes: ['any'] } as const;

/** An account with something in most tables, a job that runs, and an approval that names two people. */
async function openDesk(records: Records) {
  // The distance of a subject asks no graph.
  const labels = openLabelStore(records, () => NOW);
  const ctx = { records, now: () => NOW, graph: {} as Graph, labels, config: readConfig({}) };
  const { id } = await openAccount(records, { name: 'Desk', planId: 'enterprise' }, NOW);
  const { id: keyId } = await insertKey(records, { accountId: id, name: 'desk' }, NOW);
  const tenant = { accountId: id, keyId, planId: 'enterprise', plan: PLANS.enterprise } as const;
  const { id: caseId } = await createCase(ctx, tenant, { title: 'Theft' });
  await addCaseAddress(ctx, tenant, caseId, { address: `0x${'1'.repeat(40)}`, chain: 'ethereum' });
  const person = (email: string) =>
    insertPerson(records, { accountId: id, email, name: email, roles: ['admin'], invitedBy: 'operator' }, NOW);
  const [ana, ben] = [await person('ana@example.org'), await person('ben@example.org')];
  await insertApproval(records, {
    ...{ id: randomUUID(), account_id: id, case_id: caseId, action: 'close', subject: '', request: '{}' },
    ...{ state: 'approved', asked_by: ana.id, asked_at: NOW, decided_by: ben.id, decided_at: NOW, reason: '' },
  });
  for (let i = 0; i < SCANS; i++) {
    await insertScan(records, {
      ...{ id: randomUUID(), account_id: id, chain: 'ethereum', address: `0x${i}`, source: 'sync', lang: 'en' },
      ...{ risk_level: 'LOW', risk_score: 1, detection_count: 0, rule_set_version: '1', result: '{}', units: 1 },
      created_at: NOW,
    });
  }
  await raiseAlert(records, {
    ...{ accountId: id, rule: 'high_risk', severity: 'high', title: 't', chain: 'ethereum', address: '0x1' },
    ...{ party: null, reference: null, eventId: null, data: {}, at: NOW },
  });
  await watchItem(records, id, { address: '0x2', next_scan_at: NOW });
  await insertJob(records, { accountId: id, type: 'batch_scan', input: {}, total: 1 }, NOW);
  const job = (await claimJob(records, ANY_BATCH, NOW, 60_000))!;
  return { ctx, tenant, id, caseId, job };
}

/** Tables with a row that names the account. */
async function tablesWith(records: Records, id: string): Promise<string[]> {
  const tables = (await records.introspection.getTables()).filter(({ isView }) => !isView);
  const found: string[] = [];
  for (const { name, columns } of tables) {
    for (const column of columns.map((one) => one.name)) {
      if (!['account_id', 'chain', 'id'].includes(column)) continue;
      const like = isPostgres(records) ? sql`cast(${sql.ref(column)} as text)` : sql.ref(column);
      const { rows } = await sql`select 1 from ${sql.table(name)} where ${like} = ${id} limit 1`.execute(records);
      if (rows.length > 0) found.push(name);
    }
  }
  return found;
}

onBothStores('an account', (open) => {
  it('is erased with all that it has, its jobs cancelled, and others keep theirs', async () => {
    const records = await open();
    const { id, job } = await openDesk(records);
    const other = await openDesk(records);
    const before = await tablesWith(records, other.id);
    expect(before.length).toBeGreaterThan(10);
    await eraseAccount(records, id, {}, NOW);
    expect(await tablesWith(records, id)).toEqual([]);
    expect(await renewLease(records, job, NOW + 1)).toBe(false);
    expect(await tablesWith(records, other.id)).toEqual(before);
    const [entry] = await pageAudit(records, OPERATOR_CHAIN, { limit: 1 });
    const [, salt, digest] = entry!.subject.split(':');
    expect(entry!.action).toBe('account_erased');
    expect(scryptSync(id, Buffer.from(salt!, 'base64url'), 32).toString('base64url')).toBe(digest);
    expect((await verifyChain(records, OPERATOR_CHAIN)).problem).toBeNull();
  });

  it('leaves no entry behind of a request that ended after it was erased', async () => {
    const records = await open();
    const { id } = await openDesk(records);
    const other = await openDesk(records);
    await eraseAccount(records, id, {}, NOW);
    const before = await tablesWith(records, other.id);
    await insertView(records, { accountId: id, keyId: 'k' }, [{ action: 'address_viewed', subject: 'bitcoin:x' }], NOW);
    expect((await tablesWith(records, id)).length).toBe(3);
    await deleteOldAudit(records, 0, NOW);
    expect(await tablesWith(records, id)).toEqual([]);
    expect(await tablesWith(records, other.id)).toEqual(before);
    expect((await verifyChain(records, OPERATOR_CHAIN)).problem).toBeNull();
  });

  it('is erased in steps: ended half-way it is refused, and goes on when it is erased again', async () => {
    const records = await open();
    const { id } = await openDesk(records);
    let steps = 25;
    const ended = new Error('killed');
    const signal = {
      throwIfAborted: () => {
        if (steps-- === 0) throw ended;
      },
    } as unknown as AbortSignal;
    await expect(eraseAccount(records, id, { signal }, NOW)).rejects.toBe(ended);
    const left = await tablesWith(records, id);
    expect(left).toContain('scans');
    expect(left).not.toContain('cases');
    await expect(resumeAccount(records, id, NOW)).rejects.toMatchObject({ status: 409 });
    await eraseAccount(records, id, {}, NOW);
    expect(await tablesWith(records, id)).toEqual([]);
    expect(await pageAudit(records, OPERATOR_CHAIN, { action: 'account_erased', limit: 9 })).toHaveLength(1);
  });

  it('with a case on hold is erased only despite it', async () => {
    const records = await open();
    const { ctx, tenant, id, caseId } = await openDesk(records);
    await updateCase(ctx, tenant, caseId, { legal_hold: true });
    await expect(eraseAccount(records, id, {}, NOW)).rejects.toThrow(caseId);
    expect((await records.selectFrom('scans').select('id').execute()).length).toBe(SCANS);
    await eraseAccount(records, id, { despiteHold: true }, NOW);
    expect(await tablesWith(records, id)).toEqual([]);
  });

  it('that is suspended loses its jobs to the queue, where they wait with its watches until it is resumed', async () => {
    const records = await open();
    const { id, job } = await openDesk(records);
    await suspendAccount(records, id, NOW);
    expect(await renewLease(records, job, NOW + 1)).toBe(false);
    expect(await claimJob(records, ANY_BATCH, NOW + 1, 60_000)).toBeUndefined();
    expect(await claimItem(records, ['ethereum'], NOW + 1, NOW + 2)).toBeUndefined();
    await resumeAccount(records, id, NOW + 2);
    expect(await claimJob(records, ANY_BATCH, NOW + 3, 60_000)).toMatchObject({ id: job.id, lost: 0 });
    expect(await claimItem(records, ['ethereum'], NOW + 3, NOW + 4)).toBeDefined();
  });
});
