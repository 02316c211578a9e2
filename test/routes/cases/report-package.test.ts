import { spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type ChainServers, startChainServers } from '../../../fixtures/chain-servers/start.ts';
import type { World } from '../../../fixtures/demo/model.ts';
import { demoWorld, roleOf } from '../../../fixtures/demo/world.ts';
import { chainName } from '../../../src/domain/chain.ts';
import type { PlanId } from '../../../src/plans.ts';
import { savePrices } from '../../../src/prices/price-store.ts';
import { PACKAGE_COLUMN_NAMES } from '../../../src/questions/cases/report-package/columns.ts';
import type { Detection } from '../../../src/risk/detection.ts';
import { openTestApp } from '../../app/test-app.ts';
import { workFor } from '../../app/work-for.ts';
import { putLabels } from '../../labels/label-of.ts';
import { markupOf } from '../../reports/docx-text.ts';
import { missingReader, textOf } from '../../reports/pdf-text.ts';

let world: World;
let chains: ChainServers;

beforeAll(async () => {
  world = demoWorld();
  chains = await startChainServers(world);
});
afterAll(() => chains.close());

const FILES = ['download', 'draft.docx', 'transactions.csv', 'columns.json', 'manifest.json'];
const wallet = (name: string) => roleOf(world, 'ethereum', 'laundering', name).address;
const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

async function openDesk({ working = true, planId = 'enterprise' as PlanId } = {}) {
  const test = await openTestApp(chains.env);
  await savePrices(test.ctx.records, [...world.prices, { date: '2026-01-01', asset: 'JPY', usd: 0.0065 }]);
  await putLabels(test.ctx.labels, world.labels);
  test.time.at += 1_000;
  const work = () => workFor(test.ctx);
  if (working) work();
  const headers = await test.headers(planId);
  const call = async (method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) => {
    const reply = await test.app.inject({ method, url: `/api/v1${url}`, headers, ...(payload ? { payload } : {}) });
    return { status: reply.statusCode, body: reply.json(), headers: reply.headers };
  };
  const file = async (url: string) => {
    const reply = await test.app.inject({ url, headers });
    expect(reply.statusCode, reply.body.slice(0, 300)).toBe(200);
    return { bytes: reply.rawPayload, headers: reply.headers };
  };
  /** A case of two addresses, scanned. */
  const openCase = async () => {
    const { id } = (await call('POST', '/cases', { title: '盗難 Theft =1+1' })).body.case;
    for (const name of ['layer_4', 'layer_3']) {
      expect((await call('POST', '/public/scan', { address: wallet(name) })).status).toBe(200);
      await call('POST', `/cases/${id}/addresses`, { address: wallet(name) });
      test.time.at += 1_000;
    }
    return id as string;
  };
  const generate = async (caseId: string, body: { language?: string } = { language: 'en' }) => {
    const { status, body: accepted } = await call('POST', `/cases/${caseId}/str-package`, body);
    expect([status, accepted]).toEqual([202, expect.objectContaining({ success: true, status: 'queued' })]);
    const job = test.ctx.records.selectFrom('jobs').selectAll().where('id', '=', accepted.generation_id);
    await expect
      .poll(async () => (await job.executeTakeFirstOrThrow()).status, { interval: 20 })
      .toMatch(/completed|failed/);
    const { generations } = (await call('GET', `/cases/${caseId}/str-package/status`)).body;
    const { generation_id } = accepted;
    const { language = 'ja' } = body;
    expect(generations[0]).toMatchObject({ generation_id, language, status: 'completed' });
    const url = `/api/v1/cases/${caseId}/str-package/${accepted.generation_id}`;
    return { url, accepted, generation: generations[0] };
  };
  return { ...test, call, file, openCase, generate, work };
}

describe('the report package', () => {
  it('gives the same bytes at every download, whatever happened to the case since', async () => {
    const { call, file, openCase, generate, ctx, time } = await openDesk();
    const id = await openCase();
    const { url, accepted, generation } = await generate(id);
    expect(accepted).toEqual({
      success: true,
      generation_id: accepted.generation_id,
      status: 'queued',
      status_url: `/api/v1/cases/${id}/str-package/status`,
      download_url: `${url}/download`,
      draft_url: `${url}/draft.docx`,
      csv_url: `${url}/transactions.csv`,
    });
    expect(generation).toMatchObject({ progress: 1, degraded: false, error_message: null });
    const first = new Map<string, Buffer>();
    for (const name of FILES) first.set(name, (await file(`${url}/${name}`)).bytes);
    const zone = process.env.TZ;
    process.env.TZ = 'Asia/Tokyo';
    time.at += 86_400_000;
    await call('POST', `/cases/${id}/addresses`, { address: wallet('layer_2') });
    await ctx.labels.put([{ ...world.labels[0]!, address: wallet('layer_3') }], {
      stamp: await ctx.labels.beginLoad(),
      list: false,
    });
    for (const name of FILES) {
      const { bytes, headers } = await file(`${url}/${name}`);
      expect(bytes.equals(first.get(name)!), name).toBe(true);
      expect(headers['x-str-generation-id']).toBe(accepted.generation_id);
      expect(headers['x-str-output-hash']).toBe(generation.output_hash);
      expect(headers['x-str-degraded']).toBe('0');
    }
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
    expect(digest(first.get('download')!)).toBe(generation.output_hash);
    const manifest = JSON.parse(first.get('manifest.json')!.toString());
    const made = { 'transactions.csv': 'transactions.csv', 'evidence.pdf': 'download', 'draft.docx': 'draft.docx' };
    for (const [name, path] of Object.entries(made)) {
      const bytes = first.get(path)!;
      expect(manifest.files).toContainEqual({ name, sha256: digest(bytes), bytes: bytes.length });
    }
    // What would be drawn now does not matter.
    await ctx.records.updateTable('report_packages').set({ format: 0 }).execute();
    for (const name of FILES) expect((await file(`${url}/${name}`)).bytes.equals(first.get(name)!), name).toBe(true);
    const { notes } = (await call('GET', `/cases/${id}`)).body;
    const contents = notes
      .filter(({ author }: { author: string }) => author === 'test')
      .map(({ content }: { content: string }) => content);
    expect(contents).toContain(`Report package generated: ${accepted.generation_id}`);
    // Every download is a row, too.
    expect(contents).toContain(`Report package downloaded: draft.docx of ${accepted.generation_id}`);
  });

  it('lists every transfer once in 43 columns that add up to the exposure', async () => {
    const { call, file, openCase, generate } = await openDesk();
    const id = await openCase();
    const { url } = await generate(id, { language: 'ja' });
    const { bytes } = await file(`${url}/transactions.csv`);
    expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    const rows: Record<string, string>[] = parse(bytes, { bom: true, columns: true });
    expect(PACKAGE_COLUMN_NAMES).toHaveLength(43);
    expect(Object.keys(rows[0]!)).toEqual(PACKAGE_COLUMN_NAMES);
    const { columns } = JSON.parse((await file(`${url}/columns.json`)).bytes.toString());
    expect(columns).toHaveLength(43);
    expect(columns[0]).toEqual({ number: 1, name: 'row_no', type: 'integer', about: '1からの連番' });
    expect(rows.map((row) => row.row_no)).toEqual(rows.map((_, index) => String(index + 1)));
    const names = rows.map((row) => `${row.chain_name} ${row.tx_hash} ${row.transfer_index}`);
    expect(new Set(names).size).toBe(rows.length);
    const { body } = await call('GET', `/exposure/${wallet('layer_4')}?max_hops=5`);
    const mine = rows.filter((row) => row.subject_address === wallet('layer_4'));
    const cents = (direction: string) =>
      mine
        .filter((row) => row.direction === direction)
        .reduce((sum, row) => sum + Math.round(Number(row.value_usd) * 100), 0);
    expect(cents('in')).toBe(Math.round(body.received_usd * 100));
    expect(cents('out')).toBe(Math.round(body.sent_usd * 100));
    const illicitUsd = (direction: string) =>
      [...body.direct, ...body.indirect]
        .filter((bucket) => bucket.direction === direction && bucket.category === 'sanctioned')
        .reduce((sum, { usd }) => sum + usd, 0);
    const taintedUsd = (direction: string) =>
      mine.filter((row) => row.direction === direction).reduce((sum, row) => sum + Number(row.tainted_value_usd), 0);
    expect(illicitUsd('received')).toBeGreaterThan(0);
    expect(taintedUsd('in')).toBeCloseTo(illicitUsd('received'), 1);
    // What it sent is on the way of the case's money, whoever it goes to.
    expect(illicitUsd('sent')).toBe(0);
    expect(taintedUsd('out')).toBeCloseTo(body.sent_usd, 1);
    for (const row of rows) {
      expect(row.chain_id).toBe('eip155:1');
      expect(row.evidence_sha256).toMatch(/^[0-9a-f]{64}$/);
      expect(row.block_time_jst).toMatch(/\+09:00$/);
      expect(Date.parse(row.block_time_jst!)).toBe(Date.parse(row.block_time_utc!));
    }
    expect(rows.some((row) => row.detector_ids !== '' && /[ぁ-んァ-ヶ一-龠]/.test(row.reason_ja!))).toBe(true);
    expect(rows.some((row) => row.exposure_tier === 'indirect' && Number(row.hop_distance) > 1)).toBe(true);
  });

  it.skipIf(missingReader).each(['ja', 'en', 'es'])(
    'names in %s every address, hash and digest it rests on, and the chain of each of the largest transfers',
    async (language) => {
      const { file, openCase, generate } = await openDesk();
      const id = await openCase();
      const { url, accepted } = await generate(id, { language });
      const csv = (await file(`${url}/transactions.csv`)).bytes;
      const rows: Record<string, string>[] = parse(csv, { bom: true, columns: true });
      const reasons = rows.map((row) => row.reason_ja).join('');
      expect(reasons).not.toBe('');
      expect(/[ぁ-んァ-ヶ一-龠]/.test(reasons)).toBe(language === 'ja');
      const pdf = textOf((await file(`${url}/download`)).bytes);
      for (const one of [accepted.generation_id, wallet('layer_4'), wallet('layer_3'), digest(csv)]) {
        expect(pdf).toContain(one);
      }
      expect(pdf).not.toMatch(/undefined|NaN|\[object/);

      const text = markupOf((await file(`${url}/draft.docx`)).bytes).replace(/<[^>]+>/g, ' ');
      expect(text).not.toMatch(/undefined|null|NaN|\[object/);
      for (const one of [wallet('layer_4'), digest(csv), String(rows.length)]) expect(text).toContain(one);
      // The subjects are one party: what moves among them counts for nothing.
      const subjects = [wallet('layer_3'), wallet('layer_4')];
      const isOwn = (address = '') => subjects.includes(address);
      const counted = rows.filter((row) => isOwn(row.from_address) !== isOwn(row.to_address));
      expect(counted.length).toBeLessThan(rows.length);
      const largest = counted.sort((a, b) => Number(b.value_usd) - Number(a.value_usd)).slice(0, 5);
      for (const row of largest) {
        expect(text).toMatch(new RegExp(`${chainName(row.chain_name!)}\\s+${row.tx_hash}`));
        expect(pdf).toContain(`${chainName(row.chain_name!)}${row.tx_hash}`);
      }
    },
  );

  it('names in the evidence the transactions behind the findings of addresses beside the subjects', async () => {
    const { call, file, openCase, generate } = await openDesk();
    const id = await openCase();
    const address = roleOf(world, 'ethereum', 'structuring').address;
    const scan = (await call('POST', '/public/scan', { address })).body;
    await call('POST', `/cases/${id}/addresses`, { address, role: 'counterparty' });
    const { url } = await generate(id, { language: 'en' });
    const pdf = textOf((await file(`${url}/download`)).bytes);
    const found = scan.detections.filter(({ details }: Detection) => details.evidence.length > 0) as Detection[];
    expect(found.length).toBeGreaterThan(0);
    for (const { details } of found) expect(pdf).toContain(details.evidence[0]!.split('#')[0]);
  });

  it('keeps a dismissed detection out of the draft, and names at the finding who dismissed it', async () => {
    const { call, file, openCase, generate, time } = await openDesk();
    const id = await openCase();
    const draftOf = async () => {
      const { url } = await generate(id);
      const draft = (await file(`${url}/draft.docx`)).bytes;
      return { url, text: markupOf(draft).replace(/<[^>]+>/g, ' ') };
    };
    const before = await draftOf();
    const { addresses } = (await call('GET', `/cases/${id}`)).body;
    const judged = new Set<string>();
    for (const { id: address_id, last_scan_id } of addresses) {
      const { detections } = (await call('GET', `/public/scans/${last_scan_id}`)).body;
      for (const { detector_id, detector_name } of detections) {
        const given = { address_id, detector_id, disposition: 'dismissed', reason: 'Own_wallet_of_the_customer' };
        expect((await call('PUT', `/cases/${id}/dispositions`, given)).status).toBe(200);
        judged.add(detector_name);
      }
    }
    for (const name of judged) expect(before.text).toContain(name);
    time.at += 1_000;
    const after = await draftOf();
    for (const name of judged) expect(after.text).not.toContain(name);
    expect(after.text).toContain('No detection was found');
    if (missingReader) return;
    const pdf = textOf((await file(`${after.url}/download`)).bytes);
    expect(pdf).toMatch(/Judgementof\S+:dismissed\.Own_wallet_of_the_customer/);
  });

  it('runs once for a case at a time and refuses what it cannot do, by plan, case and generation', async () => {
    const { call, openCase, headers, app, ctx, time, work } = await openDesk({ working: false });
    const { id: empty } = (await call('POST', '/cases', { title: 'Empty' })).body.case;
    expect(await call('POST', `/cases/${empty}/str-package`)).toMatchObject({
      status: 400,
      body: { detail: 'Case has no addresses' },
    });
    expect((await call('GET', `/cases/${empty}/str-package/status`)).body).toEqual({ generations: [] });
    const id = await openCase();
    const backwards = { from: '2026-02-01', to: '2026-01-01' };
    expect((await call('POST', `/cases/${id}/str-package`, backwards)).status).toBe(400);
    const both = await Promise.all([
      call('POST', `/cases/${id}/str-package`),
      call('POST', `/cases/${id}/str-package`),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([202, 409]);
    expect(both.find(({ status }) => status === 409)!.body).toMatchObject({
      detail: 'A report package is already being generated for this case',
    });
    const { generation_id: generation } = both.find(({ status }) => status === 202)!.body;
    const url = `/cases/${id}/str-package/${generation}`;
    for (const name of FILES) {
      expect(await call('GET', `${url}/${name}`)).toMatchObject({
        status: 409,
        body: { detail: 'Report package is not ready: queued' },
      });
    }
    expect((await call('GET', `/cases/${id}/str-package/${randomUUID()}/download`)).status).toBe(404);
    expect((await call('GET', `/cases/${empty}/str-package/${generation}/download`)).status).toBe(404);

    work();
    await expect
      .poll(async () => (await call('GET', `/cases/${id}/str-package/status`)).body.generations[0].status, {
        interval: 200,
      })
      .toBe('completed');
    // As a package of another version is, of which no file was kept.
    await ctx.records.updateTable('report_packages').set({ format: 0 }).where('id', '=', generation).execute();
    await ctx.records.deleteFrom('report_package_files').execute();
    for (const name of FILES) {
      expect(await call('GET', `${url}/${name}`)).toMatchObject({
        status: 410,
        body: { detail: 'This report package cannot be rebuilt. Generate it again.' },
      });
    }
    time.at += 60_000;
    const trial = await headers('enterprise_trial');
    for (const path of [`/cases/${id}/str-package/status`, `${url.slice(0)}/download`]) {
      const reply = await app.inject({ url: `/api/v1${path}`, headers: trial });
      expect([reply.statusCode, reply.json()]).toMatchObject([
        403,
        { detail: 'Report package is an Enterprise feature.' },
      ]);
    }
    const stranger = await headers('enterprise');
    expect((await app.inject({ url: `/api/v1${url}/download`, headers: stranger })).statusCode).toBe(404);
  });

  it.skipIf(!process.env.CI && spawnSync('soffice', ['--version']).error)(
    'opens in LibreOffice, the draft and the table alike',
    { timeout: 120_000 },
    async () => {
      const { file, openCase, generate } = await openDesk();
      const { url } = await generate(await openCase(), { language: 'ja' });
      const folder = mkdtempSync(join(tmpdir(), 'traceflow-package-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      writeFileSync(join(folder, 'draft.docx'), (await file(`${url}/draft.docx`)).bytes);
      const options = ['--headless', `-env:UserInstallation=file://${folder}/profile`, '--convert-to', 'pdf'];
      const run = spawnSync('soffice', [...options, '--outdir', folder, join(folder, 'draft.docx')]);
      expect(run.status).toBe(0);
      expect(textOf(readFileSync(join(folder, 'draft.pdf')))).toContain(wallet('layer_4'));
    },
  );
});
