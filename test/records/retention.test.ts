import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import type { Context } from '../../src/context.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import { deleteOldEvents, recordEvent } from '../../src/events/outbox.ts';
import type { Graph } from '../../src/graph/port.ts';
import { openLabelStore } from '../../src/labels/label-store.ts';
import { PLANS } from '../../src/plans.ts';
import { addCaseAddress } from '../../src/questions/cases/case-addresses.ts';
import { createCase, updateCase } from '../../src/questions/cases/manage-cases.ts';
import { deleteScans } from '../../src/questions/scans/delete-scans.ts';
import { createAccount } from '../../src/records/accounts/accounts.ts';
import { insertKey } from '../../src/records/accounts/keys.ts';
import { pageAudit } from '../../src/records/audit/audit-log.ts';
import { citeScans, insertReportPackage } from '../../src/records/cases/report-packages.ts';
import type { Records } from '../../src/records/database/database.ts';
import type { RecordedScan } from '../../src/records/database/tables/scans.ts';
import { cancelJob, insertJob } from '../../src/records/jobs/jobs.ts';
import { raiseAlert } from '../../src/records/monitoring/alerts.ts';
import { insertTransfer } from '../../src/records/monitoring/screened-transfers.ts';
import { insertScan } from '../../src/records/scans/scans.ts';
import { findRead, saveTraced } from '../../src/records/scans/traced-addresses.ts';
import { expireRecords } from '../../workers/cleaning.ts';
import { onBothStores } from './on-both-stores.ts';

const NOW = Date.parse('2026-11-20T10:00:00Z');
const OLD = NOW - 40 * DAY_MS;
const address = (i: number) => `0x${i.toString(16).padStart(40, '0')}`;
const KEPT = { RETENTION_SCANS_DAYS: '30', RETENTION_JOBS_DAYS: '30', RETENTION_EVENTS_DAYS: '30' };

async function openDesk(records: Records, settings: Record<string, string> = KEPT) {
  // The distance of a subject asks no graph.
  const ctx = {
    records,
    now: () => NOW,
    graph: {} as Graph,
    labels: openLabelStore(records, () => NOW),
    config: readConfig(settings),
  };
  const { id: accountId } = await createAccount(records, { name: 'Desk', planId: 'enterprise' }, NOW);
  const { id: keyId } = await insertKey(records, { accountId, name: 'desk' }, NOW);
  const tenant = { accountId, keyId, planId: 'enterprise', plan: PLANS.enterprise } as const;
  const scan = async (more: Partial<RecordedScan> = {}) => {
    const id = randomUUID();
    await insertScan(records, {
      ...{ id, account_id: accountId, chain: 'ethereum', address: address(1), source: 'sync', lang: 'en' },
      ...{ risk_level: 'LOW', risk_score: 1, detection_count: 0, rule_set_version: '1', result: '{}', units: 1 },
      ...{ created_at: OLD, ...more },
    });
    return id;
  };
  const openCase = async (of: string, legal_hold = false) => {
    const { id } = await createCase(ctx, tenant, { title: 'Theft' });
    await addCaseAddress(ctx, tenant, id, { address: of, chain: 'ethereum' });
    if (legal_hold) await updateCase(ctx, tenant, id, { legal_hold });
    return id;
  };
  const left = async (table: 'scans' | 'jobs' | 'job_rows' | 'screened_transfers' | 'alerts' | 'events') =>
    (await records.selectFrom(table).selectAll().execute()).length;
  const ids = async () => (await records.selectFrom('scans').select('id').orderBy('id').execute()).map((row) => row.id);
  const expire = () => expireRecords.run(ctx as unknown as Context);
  return { ctx, tenant, accountId, scan, openCase, left, ids, expire };
}

onBothStores('retention', (open) => {
  it('deletes nothing without its settings', async () => {
    const { scan, left, expire } = await openDesk(await open(), {});
    await scan();
    await expire();
    expect(await left('scans')).toBe(1);
  });

  it('deletes old scans in steps, and the log says how many', async () => {
    const records = await open();
    const { accountId, scan, left, expire } = await openDesk(records);
    for (let i = 0; i < 450; i++) await scan({ address: address(i + 10), created_at: OLD + (i % 3) });
    await scan({ created_at: NOW - 29 * DAY_MS });
    await expire();
    expect(await left('scans')).toBe(1);
    const [entry] = await pageAudit(records, accountId, { action: 'records_expired', limit: 9 });
    expect(entry).toMatchObject({ subject: 'scans: 450', actor: 'system' });
    await expire();
    expect(await pageAudit(records, accountId, { action: 'records_expired', limit: 9 })).toHaveLength(1);
  });

  it('keeps the scans of cases on hold, of this account alone, whoever asks for their end', async () => {
    const records = await open();
    const { ctx, tenant, scan, openCase, ids, expire } = await openDesk(records);
    const other = await openDesk(records);
    await openCase(address(1), true);
    const held = [await scan(), await scan({ created_at: OLD + 1 })];
    await scan({ chain: 'bsc' });
    await other.scan();
    await expire();
    expect(await ids()).toEqual(held.sort());
    expect(await deleteScans(ctx, tenant, { before: NOW })).toEqual({ deleted: 0, left: 0 });
    expect(await ids()).toEqual(held.sort());
  });

  it('keeps the newest scan of an address of a case, and what its reports cite', async () => {
    const records = await open();
    const { scan, openCase, ids, expire } = await openDesk(records);
    const caseId = await openCase(address(1));
    const cited = await scan();
    await scan({ created_at: OLD + 1 });
    const newest = await scan({ created_at: OLD + 2 });
    await citeScans(records, caseId, [cited, cited]);
    await citeScans(records, caseId, [cited]);
    await expire();
    expect(await ids()).toEqual([cited, newest].sort());
  });

  it('forgets addresses that were opened long ago, unless the account has a case on hold', async () => {
    const records = await open();
    for (const hold of [false, true]) {
      const { accountId, openCase, expire } = await openDesk(records);
      if (hold) await openCase(address(1), true);
      const opened = (chain: 'ethereum' | 'bsc', at: number, [from, to]: [number, number]) => {
        const rows = Array.from({ length: to - from + 1 }, (_, i) => ({ chain, address: address(from + i) }));
        return saveTraced(records, accountId, rows, at);
      };
      await opened('ethereum', OLD, [0, 699]);
      // The page of 500 ends between the two chains of address 250, which were opened at one moment.
      await opened('bsc', OLD, [1, 250]);
      await opened('bsc', NOW, [0, 0]);
      await expire();
      const addresses = [address(0), address(1)];
      const find = async (chain: 'ethereum' | 'bsc') =>
        [...(await findRead(records, accountId, chain, addresses))].sort();
      expect(await find('ethereum')).toEqual(hold ? addresses : []);
      expect(await find('bsc')).toEqual(hold ? addresses : [address(0)]);
      const [entry] = await pageAudit(records, accountId, { action: 'records_expired', limit: 1 });
      expect(entry?.subject).toBe(hold ? undefined : 'traced: 950');
    }
  });

  it('lets an account delete opened addresses with its old scans, unless it asks for some scans or has a case on hold', async () => {
    const records = await open();
    const { ctx, tenant, accountId, scan, openCase } = await openDesk(records);
    const opened = (from: number, count: number, at: number) => {
      const rows = Array.from({ length: count }, (_, i) => ({ chain: 'bsc' as const, address: address(from + i) }));
      return saveTraced(records, accountId, rows, at);
    };
    const some = [0, 699, 700].map(address);
    const find = async () => [...(await findRead(records, accountId, 'bsc', some))];
    await opened(0, 700, OLD);
    await opened(700, 1, NOW);
    await scan();
    expect(await deleteScans(ctx, tenant, { before: NOW, chain: 'bsc' })).toEqual({ deleted: 0, left: 0 });
    expect(await find()).toHaveLength(3);
    expect(await deleteScans(ctx, tenant, { before: NOW })).toEqual({ deleted: 1, left: 0 });
    expect(await find()).toEqual([address(700)]);
    const [entry] = await pageAudit(records, accountId, { action: 'scans_deleted', limit: 9 });
    expect(entry).toMatchObject({ detail: '1, traced: 700' });
    await opened(0, 700, OLD);
    await openCase(address(1), true);
    expect(await deleteScans(ctx, tenant, { before: NOW })).toEqual({ deleted: 0, left: 0 });
    expect(await find()).toHaveLength(3);
  });

  it('keeps one row a day of rescans that change nothing', async () => {
    const { scan, left, expire } = await openDesk(await open(), {});
    await scan({ created_at: NOW - 3 * DAY_MS });
    for (let i = 1; i < 5; i++) await scan({ created_at: NOW - 3 * DAY_MS + i, repeats: 1 });
    await scan({ created_at: NOW - 1, repeats: 1 });
    await expire();
    expect(await left('scans')).toBe(2);
  });

  it('deletes ended jobs with their rows, but no package, nothing that runs and nothing of a case on hold', async () => {
    const records = await open();
    const { accountId, openCase, left, expire } = await openDesk(records);
    const [held, plain] = [await openCase(address(1), true), await openCase(address(2))];
    const job = async (caseId?: string, ends = true) => {
      const type = caseId ? ('str_package' as const) : ('batch_scan' as const);
      const { id } = await insertJob(records, { accountId, type, caseId, input: {}, total: 1_200 }, OLD);
      if (ends) await cancelJob(records, id, OLD);
      return id;
    };
    const batch = await job();
    const row = { chain: 'ethereum', valid: 1, status: 'completed', error_message: null, completed_at: OLD } as const;
    for (let part = 0; part < 3; part++) {
      const rows = Array.from({ length: 400 }, (_, i) => ({ ...row, address: address(i), position: part * 400 + i }));
      await records
        .insertInto('job_rows')
        .values(rows.map((one) => ({ ...one, job_id: batch, result: null })))
        .execute();
    }
    const [ofHeld, running, made] = [await job(held), await job(undefined, false), await job(plain)];
    await job(plain);
    const frozen = {
      id: made,
      case_id: plain,
      format: 1,
      inputs: '{}',
      files: null,
      degraded: 0,
      stamp: null,
      created_at: OLD,
    };
    await insertReportPackage(records, frozen);
    await expire();
    const found = await records.selectFrom('jobs').select('id').execute();
    expect(found.map(({ id }) => id).sort()).toEqual([ofHeld, running, made].sort());
    expect(await left('job_rows')).toBe(0);
  });

  it('deletes transfers that ended and are watched no more, but those with a party of a case on hold', async () => {
    const records = await open();
    const { accountId, openCase, left, expire } = await openDesk(records);
    await openCase(address(7), true);
    const transfer = async (ended_at: number | null, party: string, watched_until: number) => {
      const id = randomUUID();
      await insertTransfer(records, {
        ...{
          id,
          account_id: accountId,
          chain: 'ethereum',
          tx_hash: id,
          direction: 'deposit',
          asset: null,
          amount: null,
        },
        ...{ address: null, customer_ref: null, reference: 'r', lang: 'en', state: 'screened', reason: null, seen: 1 },
        ...{ wait_until: OLD, result: '{}', risk_level: 'LOW', risk_score: 1, category: null, usd: 1 },
        ...{ created_at: OLD, ended_at },
      });
      const row = { transfer_id: id, chain: 'ethereum' as const, address: party, adverse: '[]', watched_until };
      await records.insertInto('transfer_parties').values(row).execute();
    };
    await transfer(OLD, address(1), OLD);
    await transfer(OLD, address(2), NOW + 1);
    await transfer(null, address(3), OLD);
    await transfer(OLD, address(7), OLD);
    await expire();
    expect(await left('screened_transfers')).toBe(3);
  });

  it('deletes closed alerts, but no open one and none of a case on hold', async () => {
    const records = await open();
    const { accountId, openCase, left, expire } = await openDesk(records);
    await openCase(address(7), true);
    const raise = async (of: string, closed_at: number | null) => {
      const { id } = await raiseAlert(records, {
        ...{ accountId, rule: 'high_risk', severity: 'high', title: 't', chain: 'ethereum', address: of, party: null },
        ...{ reference: null, eventId: null, data: {}, at: OLD },
      });
      await records.updateTable('alerts').set({ closed_at }).where('id', '=', id).execute();
    };
    await raise(address(1), OLD);
    await raise(address(2), null);
    await raise(address(3), NOW - DAY_MS);
    await raise(address(7), OLD);
    await expire();
    expect(await left('alerts')).toBe(3);
  });

  it('deletes old events in steps until none is left', async () => {
    const records = await open();
    const { accountId, left } = await openDesk(records);
    for (let i = 0; i < 520; i++) {
      await recordEvent(records, { type: 'scan.completed', accountId, subject: `${i}`, data: {}, at: OLD });
    }
    await records.updateTable('events').set({ dispatched_at: OLD }).execute();
    await deleteOldEvents(records, NOW);
    expect(await left('events')).toBe(0);
  });
});
