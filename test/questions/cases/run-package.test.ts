import { createHash } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import { localBlock, localWallet } from '../../../fixtures/local-block.ts';
import type { ChainSource } from '../../../src/chains/port.ts';
import { DAY_MS } from '../../../src/domain/time.ts';
import { ingestTransfers } from '../../../src/graph/ingest/ingest.ts';
import { markRead } from '../../../src/graph/ingest/mark-read.ts';
import { openPackage, unpacked } from '../../../src/proofs/check-package.ts';
import { proveEvm } from '../../../src/proofs/evm-block.ts';
import { checkProofs } from '../../../src/proofs/proofs-file.ts';
import { addCaseAddress } from '../../../src/questions/cases/case-addresses.ts';
import { getCase } from '../../../src/questions/cases/case-contents.ts';
import { listPackages } from '../../../src/questions/cases/report-package/get-packages.ts';
import { openZip } from '../../../src/questions/cases/report-package/package-files.ts';
import { PACKAGE_FILES, type PackageRenderer } from '../../../src/questions/cases/report-package/package-inputs.ts';
import { scanAddress } from '../../../src/questions/scans/scan-address.ts';
import { expireRecords } from '../../../workers/cleaning.ts';
import { address, openDesk, payment, renderer, SUBJECT } from './package-desk.ts';

it('an attempt after a killed one draws what the first one froze, and lists each transaction once', async () => {
  const desk = await openDesk(Array.from({ length: 1_201 }, (_, i) => payment(i)));
  const { ctx, tenant, caseId, attempt, found, bytesOf } = desk;
  const killed: PackageRenderer = {
    ...renderer,
    evidence: () => new Promise(() => {}),
    transactions: () => {
      throw new Error('killed');
    },
  };
  await expect(attempt(killed)).rejects.toThrow('killed');
  await expect(found()).rejects.toThrow('Report package is not ready: stale');
  const [row] = await ctx.records.selectFrom('report_packages').selectAll().execute();
  await ingestTransfers(ctx.graph, [payment(9_999)]);
  await addCaseAddress(ctx, tenant, caseId, { address: address(2) });
  await attempt(renderer);
  const inputs = await desk.frozen();
  expect(Date.parse(inputs.report.madeAt)).toBeLessThanOrEqual(row!.created_at);
  expect(inputs.report.addresses).toHaveLength(1);
  const rows: Record<string, string>[] = parse((await bytesOf(PACKAGE_FILES.transactions))!, {
    bom: true,
    columns: true,
  });
  expect(rows.map(({ row_no }) => row_no)).toEqual(Array.from({ length: 1_201 }, (_, i) => String(i + 1)));
  expect(inputs.totals).toMatchObject({ rows: 1_201, inUsd: '0.00', outUsd: '1201300.25', unpriced: 0 });
});

it('an attempt after one of another version freezes its inputs again', async () => {
  const { ctx, attempt, frozen, found } = await openDesk([payment(1)]);
  await expect(attempt({ ...renderer, evidence: () => Promise.reject(new Error('ended')) })).rejects.toThrow('ended');
  await ctx.records.updateTable('report_packages').set({ format: 0, inputs: 'of another form' }).execute();
  await attempt(renderer);
  expect((await frozen()).totals.rows).toBe(1);
  expect((await found()).files).toHaveLength(4);
});

it('lists the transfers of addresses too that its evidence does not lay out', async () => {
  const others = Array.from({ length: 100 }, (_, i) => address(301 + i));
  const transfers = others.map((from, i) => payment(i, { from, to: address(5_000) }));
  const { ctx, tenant, caseId, attempt, frozen, bytesOf } = await openDesk(transfers);
  for (const other of others) await addCaseAddress(ctx, tenant, caseId, { address: other });
  await attempt(renderer);
  const { report, totals } = await frozen();
  expect(report.others).toHaveLength(1);
  const rows: Record<string, string>[] = parse((await bytesOf(PACKAGE_FILES.transactions))!, {
    bom: true,
    columns: true,
  });
  expect(rows.map(({ tx_hash }) => tx_hash)).toEqual(transfers.map(({ txHash }) => txHash));
  expect(totals).toMatchObject({ rows: 100, truncated: false, cutAddresses: [] });
});

it('is drawn in its simple form where the full one fails, says so, and keeps to it', async () => {
  const { ctx, tenant, caseId, attempt, found, frozen } = await openDesk([payment(1)]);
  await attempt({
    ...renderer,
    evidence: async (inputs, files, options) => {
      if (!options.simple) throw new Error('A glyph cannot be drawn');
      return renderer.evidence(inputs, files, options);
    },
  });
  const generated = await found();
  expect(generated.degraded).toBe(true);
  const [listed] = await listPackages(ctx, tenant, caseId);
  const before = generated.files.slice(0, 2);
  const inputs = await frozen();
  const simple = await renderer.evidence(inputs, before, { simple: true });
  expect(createHash('sha256').update(simple).digest('hex')).toBe(listed!.output_hash);
  const full = await renderer.evidence(inputs, before, { simple: false });
  expect(full.equals(simple)).toBe(false);
  const { notes } = await getCase(ctx, tenant, caseId);
  expect(notes.filter(({ event }) => event?.kind === 'package_generated')).toHaveLength(1);
});

it('gives the same bytes over 20 runs and in any order of documents', async () => {
  const { attempt, found, frozen } = await openDesk([payment(1), payment(2, { usd: null })]);
  await attempt(renderer);
  const inputs = await frozen();
  const { files } = await found();
  const digests = new Set<string>();
  for (let run = 0; run < 20; run++) {
    const copy = structuredClone(inputs);
    const documents = [
      await renderer.evidence(copy, files.slice(0, 2), { simple: false }),
      await renderer.draft(copy, files.slice(0, 3)),
    ];
    digests.add(documents.map((one) => createHash('sha256').update(one).digest('hex')).join());
  }
  expect([...digests]).toEqual([`${files[2]!.sha256},${files[3]!.sha256}`]);
});

it('keeps each file with the digest of its generation', async () => {
  const { attempt, found, bytesOf } = await openDesk([payment(1)]);
  await attempt(renderer);
  const { files } = await found();
  for (const { name, sha256, bytes } of files) {
    const kept = (await bytesOf(name))!;
    expect([createHash('sha256').update(kept).digest('hex'), kept.length], name).toEqual([sha256, bytes]);
  }
  const manifest = JSON.parse(String(await bytesOf(PACKAGE_FILES.manifest)));
  expect(manifest.files).toEqual(files);
});

it('an attempt after one that kept its files and died closes the job alone', async () => {
  const { ctx, tenant, caseId, attempt, allBytes } = await openDesk([payment(1)]);
  await attempt(renderer);
  const generated = await allBytes();
  await ctx.records.updateTable('jobs').set({ status: 'queued', run_at: 0, tries_left: 1 }).execute();
  await attempt({ ...renderer, evidence: () => Promise.reject(new Error('drawn again')) });
  expect(await allBytes()).toEqual(generated);
  const [listed] = await listPackages(ctx, tenant, caseId);
  expect(listed!.status).toBe('completed');
  const { notes } = await getCase(ctx, tenant, caseId);
  expect(notes.filter(({ event }) => event?.kind === 'package_generated')).toHaveLength(1);
});

it('a package whose files were not kept has none: they are not drawn again', async () => {
  const { ctx, attempt, bytesOf } = await openDesk([payment(1)]);
  await attempt(renderer);
  await ctx.records.deleteFrom('report_package_files').execute();
  expect(await bytesOf(PACKAGE_FILES.manifest)).toBeNull();
});

it('a package proves its transactions by their blocks, says of the others why not, and shows each file that changed', async () => {
  const to = address(7);
  const { block, receipts } = await localBlock(
    [1, 2, 3].map((payer) => ({ payer, to, amount: 10n ** 18n })),
    { chainId: 1, height: 21_000_000 },
  );
  const hashes = block.transactions.map(({ hash }) => String(hash));
  const paid = hashes.map((txHash, i) =>
    payment(i, { txHash, from: localWallet(i + 1).address.toLowerCase(), to: SUBJECT }),
  );
  const desk = await openDesk([...paid, payment(9)], { proofs: true });
  const prove: ChainSource['prove'] = async (hash) =>
    hashes.includes(hash)
      ? { kind: 'tries', ...(await proveEvm(block, receipts, { hash, rawOf: async () => null })) }
      : { reason: 'other_roots' };
  await desk.attempt(renderer, { ...desk.ctx, chainSource: async () => ({ prove }) as ChainSource });
  const { files } = await desk.found();
  const names = [...files.map(({ name }) => name), 'manifest.json'];
  expect(names).toEqual([
    'transactions.csv',
    'columns.json',
    'proofs.json',
    'verify.html',
    'evidence.pdf',
    'draft.docx',
    'manifest.json',
  ]);
  const given = new Map(unpacked('package.zip', (await openZip(desk.ctx, desk.generationId, names))!));
  const { manifest, proofs } = openPackage([...given]);
  expect(manifest!.files.every(({ state }) => state === 'unchanged')).toBe(true);
  expect(proofs!.intact).toBe(true);
  expect(checkProofs(proofs!.proofs)).toEqual(
    hashes.map((tx_hash) =>
      expect.objectContaining({ tx_hash, block_hash: block.hash, height: 21_000_000, fault: null }),
    ),
  );
  expect(proofs!.notProvable).toEqual([{ chain: 'ethereum', tx_hash: payment(9).txHash, reason: 'other_roots' }]);
  const [listed] = await listPackages(desk.ctx, desk.tenant, desk.caseId);
  expect(listed).toMatchObject({ progress: 1, status: 'completed', files: names.slice(0, -1) });

  // As a browser saves them one by one, one of them changed and one left out.
  const saved = new Map([...given].map(([name, bytes]) => [`${desk.generationId}-${name}`, bytes.slice()]));
  saved.get(`${desk.generationId}-evidence.pdf`)![100]! ^= 1;
  saved.delete(`${desk.generationId}-draft.docx`);
  const states = openPackage([...saved]).manifest!.files.map(({ name, state }) => `${name} ${state}`);
  expect(states).toEqual([
    ...['transactions.csv', 'columns.json', 'proofs.json', 'verify.html'].map((name) => `${name} unchanged`),
    ...['evidence.pdf changed', 'draft.docx not_given'],
  ]);
});

it('keeps the scan that a package rests on, while retention runs as it is frozen and drawn', async () => {
  const { ctx, tenant, attempt, frozen } = await openDesk([payment(1)], { env: { RETENTION_SCANS_DAYS: '30' } });
  const whole = { complete: true, intervals: [], isContract: null, isHub: false };
  await markRead(ctx.graph, { chain: 'ethereum', address: SUBJECT, at: ctx.now(), ...whole });
  const scan = { chain: 'ethereum', address: SUBJECT, lang: 'en', source: 'sync', trace: 'off' } as const;
  const old = ctx.now() - 40 * DAY_MS;
  const { scan_id: newest } = await scanAddress(ctx, tenant, scan);
  await ctx.records.updateTable('scans').set({ created_at: old }).execute();
  const row = await ctx.records.selectFrom('scans').selectAll().executeTakeFirstOrThrow();
  const copy = (id: string, created_at: number) =>
    ctx.records
      .insertInto('scans')
      .values({ ...row, id, created_at })
      .execute();
  await copy('earlier', old - 1);
  const drawn = attempt({
    ...renderer,
    evidence: async (...given) => {
      await expireRecords.run(ctx);
      return renderer.evidence(...given);
    },
  });
  await Promise.all([drawn, expireRecords.run(ctx)]);
  expect((await frozen()).report.addresses[0]!.report.scan!.scan_id).toBe(newest);
  await copy('later', ctx.now());
  await expireRecords.run(ctx);
  const left = await ctx.records.selectFrom('scans').select('id').execute();
  expect(left.map(({ id }) => id).sort()).toEqual([newest, 'later'].sort());
});
