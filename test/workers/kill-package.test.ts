import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openContext } from '../../src/context.ts';
import { createTransfer } from '../../src/domain/transfers/transfer.ts';
import { ingestTransfers } from '../../src/graph/ingest/ingest.ts';
import { PLANS } from '../../src/plans.ts';
import { addCaseAddress } from '../../src/questions/cases/case-addresses.ts';
import { getCase } from '../../src/questions/cases/case-contents.ts';
import { createCase } from '../../src/questions/cases/manage-cases.ts';
import { getPackage } from '../../src/questions/cases/report-package/get-packages.ts';
import { openFile } from '../../src/questions/cases/report-package/package-files.ts';
import { startPackage } from '../../src/questions/cases/report-package/start-package.ts';
import { createAccount } from '../../src/records/accounts/accounts.ts';
import { openRecords } from '../../src/records/database/database.ts';
import { findJob } from '../../src/records/jobs/jobs.ts';
import { makeDataFolder } from '../setup/data-folder.ts';
import { startProcess } from './processes.ts';

/** Four parts of frozen rows: a kill after the first still meets the freezing. More only make the drawing longer. */
const TRANSFERS = 2_000;
const SERVICE = '/test/workers/service-process.ts';
const address = (i: number) => `0x${i.toString(16).padStart(40, '0')}`;
const SUBJECT = address(1);

const payments = Array.from({ length: TRANSFERS }, (_, i) =>
  createTransfer({
    chain: 'ethereum',
    txHash: `0x${i.toString(16).padStart(64, '0')}`,
    index: 'native',
    at: Date.UTC(2026, 0, 1) + i * 60_000,
    from: SUBJECT,
    to: address(100 + (i % 500)),
    asset: 'ETH',
    amount: '0.5',
    kind: 'native',
    usd: 1_000.25,
  }),
);

it('a package whose service is killed while it freezes and while it draws is generated once, and whole', {
  timeout: 400_000,
}, async () => {
  const folder = makeDataFolder('kill-package');
  // A process that a busy machine holds up for a second has not lost its job.
  const settings = { DATA_DIR: folder, PORT: '0', JOB_LEASE_MS: '5000', LOG_LEVEL: 'info' };
  const open = () => openContext(readConfig({ ...settings, LOG_LEVEL: 'silent' }), { inMemory: false });
  const ctx = await open();
  await ingestTransfers(ctx.graph, payments);
  const account = await createAccount(ctx.records, { name: 'Desk', planId: 'enterprise' }, ctx.now());
  const tenant = { accountId: account.id, keyId: '', planId: 'enterprise' as const, plan: PLANS.enterprise };
  const { id: caseId } = await createCase(ctx, tenant, { title: 'Theft' });
  await addCaseAddress(ctx, tenant, caseId, { address: SUBJECT });
  const request = { language: 'ja', from: null, to: null } as const;
  const { generation_id: generationId } = await startPackage(ctx, tenant, caseId, request);
  await ctx.close();

  // The graph is the service's alone; the records can be read beside it.
  const records = await openRecords({ path: join(folder, 'records.sqlite') });
  onTestFinished(() => records.destroy());
  const job = async () => (await findJob(records, account.id, generationId))!;
  const hasRows = async () => (await records.selectFrom('report_package_rows').select('part').execute()).length > 0;
  const isFrozen = async () => (await job()).completed > 0;
  for (const reached of [hasRows, isFrozen]) {
    const killed = await startProcess(SERVICE, settings);
    await expect.poll(reached, { timeout: 120_000, interval: 5 }).toBe(true);
    await killed.end('SIGKILL');
    expect(['running', 'queued', 'stale']).toContain((await job()).status);
    // A second loss would set the package aside.
    await records.updateTable('jobs').set({ lost: 0 }).where('id', '=', generationId).execute();
  }
  const last = await startProcess(SERVICE, settings);
  await expect.poll(async () => (await job()).status, { timeout: 300_000, interval: 100 }).toBe('completed');
  await last.end('SIGTERM');
  expect((await job()).attempts).toBe(3);

  const again = await open();
  onTestFinished(() => again.close());
  const bytesOf = async (name: string) => buffer((await openFile(again, generationId, name))!);
  const rows: Record<string, string>[] = parse(await bytesOf('transactions.csv'), { bom: true, columns: true });
  expect(rows.map(({ row_no }) => row_no)).toEqual(payments.map((_, i) => String(i + 1)));
  const usd = rows.reduce((sum, { value_usd }) => sum + Number(value_usd), 0);
  expect(usd).toBeCloseTo(TRANSFERS * 1_000.25, 2);
  const { files } = await getPackage(again, tenant, { caseId, generationId });
  for (const { name, sha256 } of files) {
    expect(
      createHash('sha256')
        .update(await bytesOf(name))
        .digest('hex'),
      name,
    ).toBe(sha256);
  }
  const { notes } = await getCase(again, tenant, caseId);
  const generated = notes.filter(({ content }) => content.startsWith('Report package'));
  expect(generated.map(({ content }) => content)).toEqual([`Report package generated: ${generationId}`]);
});
