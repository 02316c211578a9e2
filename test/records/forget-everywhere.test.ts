import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import type { Context } from '../../src/context.ts';
import { bareNode, EMPTY_SCENE } from '../../src/domain/scene/empty-scene.ts';
import { createTransfer } from '../../src/domain/transfers/transfer.ts';
import { recordEvent } from '../../src/events/outbox.ts';
import { openGrafeo } from '../../src/graph/grafeo/grafeo.ts';
import { ingestTransfers } from '../../src/graph/ingest/ingest.ts';
import type { Attempt } from '../../src/jobs/port.ts';
import { openLabelStore } from '../../src/labels/label-store.ts';
import { forgetEverywhere } from '../../src/operator/forget-everywhere.ts';
import { PLANS } from '../../src/plans.ts';
import { addCaseAddress } from '../../src/questions/cases/case-addresses.ts';
import { addNote } from '../../src/questions/cases/case-notes.ts';
import { createCase, updateCase } from '../../src/questions/cases/manage-cases.ts';
import { startScanJob } from '../../src/questions/jobs/scan-jobs.ts';
import { createBoard, saveBoard } from '../../src/questions/manage-boards.ts';
import { runBacktest, startBacktest } from '../../src/questions/rules/backtest.ts';
import { createRule } from '../../src/questions/rules/manage-rules.ts';
import { startTransfer } from '../../src/questions/transfers/start-transfers.ts';
import { createAccount } from '../../src/records/accounts/accounts.ts';
import { insertKey } from '../../src/records/accounts/keys.ts';
import { readQuota } from '../../src/records/accounts/quota.ts';
import { saveRiskSettings } from '../../src/records/accounts/risk-settings.ts';
import { pageAudit } from '../../src/records/audit/audit-log.ts';
import { OPERATOR_CHAIN } from '../../src/records/audit/chain.ts';
import type { Records } from '../../src/records/database/database.ts';
import { raiseAlert } from '../../src/records/monitoring/alerts.ts';
import { insertScan } from '../../src/records/scans/scans.ts';
import { onBothStores } from './on-both-stores.ts';
import { watchItem } from './watched-item.ts';

const NOW = Date.parse('2026-11-20T10:00:00Z');
const SUBJECT = `0x${'a'.repeat(40)}`;
const OTHER = `0x${'b'.repeat(40)}`;
const THIRD = `0x${'c'.repeat(40)}`;

const payment = (i: number, from: string, to: string, source?: string) =>
  createTransfer({
    ...{ chain: 'ethereum', txHash: `0x${i.toString(16).padStart(64, '0')}`, index: 'native', at: NOW - i },
    ...{ from, to, asset: 'ETH', amount: '1', kind: 'native', usd: 1, source },
  });

async function openHouse(records: Records) {
  const graph = await openGrafeo({ path: null });
  onTestFinished(() => graph.close());
  const labels = openLabelStore(records, () => NOW);
  const jobs = { offer: async () => {} };
  const ctx = { records, graph, labels, jobs, now: () => NOW } as unknown as Context;
  await ingestTransfers(graph, [
    payment(1, SUBJECT, OTHER, 'explorer'),
    payment(2, OTHER, SUBJECT),
    payment(3, OTHER, THIRD, 'explorer'),
  ]);
  const openDesk = async () => {
    const { id: accountId } = await createAccount(records, { name: 'Desk', planId: 'enterprise' }, NOW);
    const { id: keyId } = await insertKey(records, { accountId, name: 'desk' }, NOW);
    const tenant = { accountId, keyId, planId: 'enterprise', plan: PLANS.enterprise } as const;
    for (const address of [SUBJECT, OTHER]) {
      const chain = 'ethereum' as const;
      await insertScan(records, {
        ...{ id: randomUUID(), account_id: accountId, chain, address, source: 'sync', lang: 'en' },
        result: JSON.stringify({ chain, address, risk_level: 'LOW', risk_score: 1, detections: [], metadata: {} }),
        ...{ risk_level: 'LOW', risk_score: 1, detection_count: 0, rule_set_version: '1', units: 1, created_at: NOW },
      });
      await watchItem(records, accountId, { chain, address });
      await raiseAlert(records, {
        ...{ accountId, rule: 'high_risk', severity: 'high', title: 't', chain, address, party: null },
        ...{ reference: null, eventId: null, data: {}, at: NOW },
      });
      await recordEvent(records, { type: 'scan.completed', accountId, subject: 's', data: { address }, at: NOW });
    }
    return { accountId, tenant };
  };
  const left = async (table: 'scans' | 'watchlist_items' | 'alerts') =>
    (await records.selectFrom(table).select('address').execute()).map(({ address }) => address).sort();
  return { ctx, openDesk, left };
}

onBothStores('an address that is forgotten everywhere', (open) => {
  it('is gone from the records of all accounts and from the graph, and nothing else is', async () => {
    const records = await open();
    const { ctx, openDesk, left } = await openHouse(records);
    const { tenant } = await openDesk();
    await openDesk();
    const { id } = await createCase(ctx, tenant, { title: 'Theft' });
    const note = await addNote(ctx, tenant, id, { content: `Ask about ${SUBJECT.toUpperCase().replace('0X', '0x')}` });
    const report = await forgetEverywhere(ctx, { address: SUBJECT, chain: 'ethereum' });
    expect(report).toEqual({
      deleted: { scans: 2, watchlist_items: 2, alerts: 2, events: 2, transfers: 2 },
      ...{ held: [], listed: [], mentions: [{ table: 'case_notes', id: note.id, of: id }] },
    });
    for (const table of ['scans', 'watchlist_items', 'alerts'] as const)
      expect(await left(table)).toEqual([OTHER, OTHER]);
    const keys = (await ctx.graph.read('export/addresses', { after: '', limit: 9 })).map(
      ({ properties }) => (properties as { address: string }).address,
    );
    expect(keys.sort()).toEqual([OTHER, THIRD]);
    const [entry] = await pageAudit(records, OPERATOR_CHAIN, { limit: 1 });
    expect(entry!.subject).toMatch(/^scrypt:/);
    expect(JSON.stringify(entry)).not.toContain(SUBJECT);
    expect((await forgetEverywhere(ctx, { address: SUBJECT })).deleted).toEqual({ transfers: 0 });
  });

  it('is named where people wrote it, also in earlier versions of boards and rules, and backtests that met it are gone', async () => {
    const records = await open();
    const { ctx, openDesk } = await openHouse(records);
    const { accountId, tenant } = await openDesk();
    const scene = { ...EMPTY_SCENE, nodes: [bareNode({ chain: 'ethereum', address: SUBJECT })] };
    const { board } = await createBoard(ctx, tenant, { title: 'Flow', caseId: null, scene });
    await saveBoard(ctx, tenant, { id: board.id, version: 1 }, { scene: EMPTY_SCENE });
    await createBoard(ctx, tenant, { title: 'Other', caseId: null, scene: EMPTY_SCENE });
    await saveRiskSettings(records, accountId, { whitelist: [{ chain: 'ethereum', address: SUBJECT, note: '' }] }, NOW);
    const ruleOf = (fact: string, operator: string, value: unknown) =>
      createRule(ctx, tenant, {
        ...{ name: 'One', mode: 'test', severity: 'low' },
        when: { all: [{ fact, operator, value }] },
      });
    const backtest = async (ruleId: string, from: number) => {
      const { job_id } = await startBacktest(ctx, tenant, ruleId, { from, to: NOW + 2 });
      const running = records.updateTable('jobs').set({ status: 'running' }).where('id', '=', job_id);
      const job = await running.returningAll().executeTakeFirstOrThrow();
      const attempt = { job, signal: new AbortController().signal, stopping: () => false, close: async () => {} };
      await runBacktest(ctx, attempt as unknown as Attempt);
      return job_id;
    };
    const { rule } = await ruleOf('address', 'equal', SUBJECT);
    const { rule: other } = await ruleOf('address', 'equal', OTHER);
    const { rule: every } = await ruleOf('score', 'greaterThanInclusive', 0);
    await backtest(rule.id, NOW + 1);
    await backtest(every.id, NOW);
    const kept = await backtest(other.id, NOW);
    const { deleted, mentions } = await forgetEverywhere(ctx, { address: SUBJECT, chain: 'ethereum' });
    expect(deleted.jobs).toBe(2);
    expect(await records.selectFrom('jobs').select('id').execute()).toEqual([{ id: kept }]);
    expect(mentions).toEqual([
      { table: 'risk_settings', id: accountId, of: accountId },
      { table: 'rule_versions', id: `${rule.id} 1`, of: accountId },
      { table: 'boards', id: board.id, of: accountId },
    ]);
  });

  it('takes its jobs with it, running ones too, and gives back their units', async () => {
    const records = await open();
    const { ctx, openDesk } = await openHouse(records);
    const { accountId, tenant } = await openDesk();
    const scan = { chain: 'ethereum', lang: 'en', fresh: false, trace: 'on', crossChain: 'on' } as const;
    const { txHash: tx_hash } = payment(1, SUBJECT, OTHER);
    const unnamed = { asset: null, amount: null, customer_ref: null } as const;
    const transfer = { chain: 'ethereum', direction: 'deposit', lang: 'en', tx_hash, ...unnamed } as const;
    const start = async (address: string) => [
      (await startScanJob(ctx, tenant, { ...scan, address })).job_id,
      (await startTransfer(ctx, tenant, { ...transfer, address, reference: address })).transfer.id,
    ];
    await start(SUBJECT);
    const kept = await start(OTHER);
    await records.updateTable('jobs').set({ status: 'running' }).execute();
    const { deleted } = await forgetEverywhere(ctx, { address: SUBJECT, chain: 'ethereum' });
    expect(deleted).toMatchObject({ jobs: 2, screened_transfers: 1 });
    const left = await records.selectFrom('jobs').select('id').execute();
    expect(left.map(({ id }) => id).sort()).toEqual(kept.sort());
    expect((await readQuota(records, accountId, NOW)).used).toBe(2);
  });

  it('stays where a case is on hold, in its account and in the graph, and the report names the case', async () => {
    const records = await open();
    const { ctx, openDesk, left } = await openHouse(records);
    const { accountId, tenant } = await openDesk();
    await openDesk();
    const { id } = await createCase(ctx, tenant, { title: 'Theft' });
    await addCaseAddress(ctx, tenant, id, { address: SUBJECT, chain: 'ethereum' });
    await updateCase(ctx, tenant, id, { legal_hold: true });
    const report = await forgetEverywhere(ctx, { address: SUBJECT });
    expect(report.held).toEqual([{ chain: 'ethereum', case_id: id, account_id: accountId }]);
    expect(report.deleted).toMatchObject({ scans: 1, watchlist_items: 1, alerts: 1, events: 1 });
    expect(await left('scans')).toEqual([SUBJECT, OTHER, OTHER]);
    expect(await ctx.graph.read('stats/edges', {})).toMatchObject([{ transfers: 3 }]);
  });
});
