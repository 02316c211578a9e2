import { secp256k1 } from '@noble/curves/secp256k1.js';
import { expect, it, vi } from 'vitest';
import { openDemoCase } from '../../../fixtures/demo/open-case.ts';
import { roleOf } from '../../../fixtures/demo/world.ts';
import { addressesOfKey } from '../../../src/domain/address/public-key.ts';
import type { Chain } from '../../../src/domain/chain.ts';
import type { Label } from '../../../src/domain/label.ts';
import { DAY_MS, iso, MINUTE_MS } from '../../../src/domain/time.ts';
import { GraphTimeoutError } from '../../../src/errors.ts';
import { ingestTransfers } from '../../../src/graph/ingest/ingest.ts';
import { markRead } from '../../../src/graph/ingest/mark-read.ts';
import { PLANS } from '../../../src/plans.ts';
import type { CaseAddressRecord } from '../../../src/questions/cases/case-records.ts';
import { gatherCaseReport } from '../../../src/questions/cases/report/gather-case-report.ts';
import { findPartyHistories } from '../../../src/questions/party-histories.ts';
import { currentLevels, findCurrentScan } from '../../../src/questions/scans/current-level.ts';
import type { ScanAnswer } from '../../../src/questions/scans/record-scan.ts';
import { scanAddress } from '../../../src/questions/scans/scan-address.ts';
import { hashOf, packMet, unpackMet } from '../../../src/records/scans/scans.ts';
import { RULE_SET_VERSION } from '../../../src/risk/rules.ts';
import { openApp, serveWorld, world } from '../../app/demo-world.ts';
import { transfer } from '../../graph/world.ts';
import { labelOf, putLabels } from '../../labels/label-of.ts';

serveWorld();

const chain = 'ethereum';

/** A desk with a LOW scan of an address; later a list names who paid it. */
async function openScanned() {
  const test = await openApp();
  const { ctx, time } = test;
  const account = await test.issue('enterprise');
  const tenant = { ...account, planId: 'enterprise', plan: PLANS.enterprise } as const;
  const address = roleOf(world, chain, 'clean_saver').address;
  const ask = async <Body>(method: 'GET' | 'POST', url: string, payload?: object) => {
    const headers = { 'x-api-key': account.key };
    const reply = await test.app.inject({ method, url: `/api/v1${url}`, headers, payload });
    expect(reply.statusCode, reply.body.slice(0, 300)).toBeLessThan(300);
    return reply.json() as Body;
  };
  time.at += DAY_MS;
  const request = { chain, address, lang: 'en', source: 'sync' } as const;
  const scan = await scanAddress(ctx, tenant, request);
  expect(scan.risk_level).toBe('LOW');
  const payer = scan.top_counterparties.find(({ received_count: received }) => received > 0)!.address;
  const listPayer = async () => {
    time.at += DAY_MS;
    const stamp = await ctx.labels.beginLoad();
    const label = { chain, address: payer, category: 'sanctioned', label: 'Listed later', source: 'late_list' };
    const rest = { confidence: 100, entity: null, validFrom: null, validTo: null, maliciousContract: false };
    await ctx.labels.put([{ ...label, ...rest } as Label], { stamp, list: false });
    time.at += DAY_MS;
  };
  return { test, ctx, time, tenant, address, payer, scan, ask, listPayer, request };
}

it('every place that shows a level as that of now shows what a scan of now says, once a list names who paid', async () => {
  const { ctx, tenant, address, ask, listPayer, request, scan } = await openScanned();
  const { case: made } = await ask<{ case: { id: string } }>('POST', '/cases', { title: 'Savings' });
  await ask('POST', `/cases/${made.id}/addresses`, { address });
  await listPayer();
  const inCase = await ask<{ addresses: object[] }>('GET', `/cases/${made.id}`);
  const paged = await ask<{ addresses: object[] }>('GET', `/cases/${made.id}/addresses`);
  const { input } = await gatherCaseReport(ctx, tenant, { caseId: made.id, language: 'en' });
  const [reported] = input.addresses;
  const now = (await scanAddress(ctx, tenant, request)).risk_level;
  expect(now).not.toBe('LOW');
  const shown = { last_scan_id: scan.scan_id, last_risk_level: now };
  expect([inCase.addresses[0], paged.addresses[0]]).toMatchObject([shown, shown]);
  expect(reported!.record.last_risk_level).toBe(now);
  expect(reported!.report.scan).toMatchObject({ risk_level: now, scan_id: scan.scan_id, created_at: scan.created_at });
  // The record of that day stays as it was.
  expect((await ask<ScanAnswer>('GET', `/public/scans/${scan.scan_id}`)).risk_level).toBe('LOW');
});

it('a level that cannot be made again says since when labels changed, and is never LOW', async () => {
  const { ctx, tenant, address, listPayer, scan } = await openScanned();
  const at = Date.parse(scan.created_at);
  const recorded = { chain, address, level: 'LOW', at, ruleSet: RULE_SET_VERSION } as const;
  const levels = () => currentLevels(ctx, tenant.accountId, [recorded], { scoredMax: 0 });
  expect(await levels()).toMatchObject([{ level: 'LOW', changedSince: null }]);
  expect(
    await currentLevels(ctx, tenant.accountId, [{ ...recorded, ruleSet: 'older' }], { scoredMax: 0 }),
  ).toMatchObject([{ level: 'UNKNOWN', changedSince: iso(at) }]);
  await listPayer();
  expect(await levels()).toMatchObject([{ level: 'UNKNOWN', changedSince: iso(at) }]);
  vi.spyOn(ctx.graph, 'read').mockRejectedValue(new Error('the graph is away'));
  expect(await findCurrentScan(ctx, tenant.accountId, { chain, address, from: 0 })).toMatchObject({
    risk_level: 'UNKNOWN',
    risk_score: 0,
    metadata: { labels_changed_since: iso(at) },
  });
});

it('a level beyond those that are scored again says that a label of an address changed that its trace met, and no other', async () => {
  const { ctx, tenant, address, payer, scan, time } = await openScanned();
  const at = Date.parse(scan.created_at);
  const recorded = { chain, address, level: 'LOW', at, ruleSet: RULE_SET_VERSION } as const;
  const levels = () => currentLevels(ctx, tenant.accountId, [recorded], { scoredMax: 0 });
  const rest = {
    category: 'sanctioned',
    label: 'Listed later',
    confidence: 100,
    entity: null,
    validFrom: null,
  } as const;
  const list = async (on: Chain, far: string) => {
    time.at += DAY_MS;
    const label: Label = { chain: on, address: far, source: on, ...rest, validTo: null, maliciousContract: false };
    await putLabels(ctx.labels, [label]);
  };
  const far = transfer({ chain: 'bitcoin', from: 'far', to: 'off', at, txHash: 'f'.repeat(64) });
  await ingestTransfers(ctx.graph, [far]);
  await list('ethereum', `0x${'ab'.repeat(20)}`);
  expect(await levels()).toMatchObject([{ level: 'LOW', changedSince: null }]);
  await list('bitcoin', 'far');
  expect(await levels()).toMatchObject([{ level: 'LOW', changedSince: null }]);
  const layer = (name: string) => roleOf(world, chain, 'laundering', name).address;
  await scanAddress(ctx, tenant, { chain, address: layer('layer_4'), lang: 'en', source: 'sync' });
  const behind = ctx.records.selectFrom('scans').select('met').where('address', '=', layer('layer_4'));
  const known = unpackMet((await behind.executeTakeFirstOrThrow()).met!);
  expect(['layer_4', 'layer_3', 'layer_1', 'thief'].filter((name) => !known.has(hashOf(layer(name))))).toEqual([]);
  const meets = (kept: string | null) => ctx.records.updateTable('scans').set({ met: kept }).execute();
  await meets(packMet(new Set([payer, 'far'])));
  expect(await levels()).toMatchObject([{ level: 'UNKNOWN', changedSince: iso(at) }]);
  // An older record does not say what it met: all that the graph holds may be.
  await meets(null);
  expect(await levels()).toMatchObject([{ level: 'UNKNOWN', changedSince: iso(at) }]);
  // Scored again, it is as it was: that label is none of its money's.
  expect(await currentLevels(ctx, tenant.accountId, [recorded])).toMatchObject([{ level: 'LOW', changedSince: null }]);
  expect(payer).not.toBe('far');
});

it('a level says that a label changed at another address of a key that its scan met, on whichever chain', async () => {
  const { ctx, tenant, address, scan, time } = await openScanned();
  const at = Date.parse(scan.created_at);
  const recorded = { chain, address, level: 'LOW', at, ruleSet: RULE_SET_VERSION } as const;
  const levels = () => currentLevels(ctx, tenant.accountId, [recorded], { scoredMax: 0 });
  const met = async (...addresses: string[]) => {
    const packed = packMet(new Set(addresses));
    await ctx.records.updateTable('scans').set({ met: packed }).execute();
  };
  const list = async (on: Chain, listed: string) => {
    time.at += DAY_MS;
    const label = labelOf({ chain: on, address: listed, category: 'theft', confidence: 90, source: listed });
    await ctx.labels.put([label], { stamp: await ctx.labels.beginLoad(), list: false });
    time.at += DAY_MS;
  };
  const keys = [7, 8].map((seed) => secp256k1.getPublicKey(Uint8Array.from(Buffer.alloc(32, seed))));
  const [known, unknown] = keys.map((key) => new Map(addressesOfKey(key).map((one) => [one.chain, one.address])));
  const proven = { publicKey: Buffer.from(keys[0]!).toString('hex'), txHash: 'f'.repeat(64), at };
  const reading = { chain: 'bitcoin' as const, address: known!.get('bitcoin')!, at, intervals: [], isContract: null };
  await markRead(ctx.graph, { ...reading, isHub: false, complete: null, proven });
  await met(known!.get('ethereum')!, unknown!.get('ethereum')!);
  await list('bitcoin', unknown!.get('bitcoin')!);
  expect(await levels()).toMatchObject([{ level: 'LOW', changedSince: null }]);
  await list('bitcoin', known!.get('bitcoin')!);
  expect(await levels()).toMatchObject([{ level: 'UNKNOWN', changedSince: iso(at) }]);
  // The bytes of a wallet say which address of TRON it has: no key needs to be known.
  await met(unknown!.get('ethereum')!);
  expect(await levels()).toMatchObject([{ level: 'LOW', changedSince: null }]);
  await list('tron', unknown!.get('tron')!);
  expect(await levels()).toMatchObject([{ level: 'UNKNOWN', changedSince: iso(at) }]);
});

it('a level made again that had no time to follow the money lowers no level', async () => {
  const { ctx, issue, app, time } = await openApp();
  const account = await issue('enterprise');
  const tenant = { ...account, planId: 'enterprise', plan: PLANS.enterprise } as const;
  const caseId = await openDemoCase(ctx, tenant, world);
  // The first wallet has two records of one moment of this clock.
  const older = ctx.records.updateTable('scans').set({ created_at: time.at - MINUTE_MS });
  await older.where('risk_level', '=', 'MEDIUM').execute();
  const read = ctx.graph.read.bind(ctx.graph);
  vi.spyOn(ctx.graph, 'read').mockImplementation((statement, ...rest) =>
    statement.startsWith('exposure/') ? Promise.reject(new GraphTimeoutError()) : read(statement, ...rest),
  );
  const headers = { 'x-api-key': account.key };
  const reply = await app.inject({ url: `/api/v1/cases/${caseId}`, headers });
  const { addresses } = reply.json() as { addresses: CaseAddressRecord[] };
  expect(addresses.map(({ last_risk_level }) => last_risk_level)).toEqual(['CRITICAL', 'CRITICAL']);
  for (const { chain: on, address, last_scan_id } of addresses) {
    const found = await findCurrentScan(ctx, tenant.accountId, { chain: on, address, from: 0 });
    expect(found).toMatchObject({ risk_level: 'CRITICAL', metadata: { labels_changed_since: found!.created_at } });
    const again = await scanAddress(ctx, tenant, { chain: on, address, lang: 'en', source: 'case' });
    const { scan_id: id, risk_level, metadata, cached } = again;
    expect([id, risk_level, metadata.labels_changed_since, cached]).toEqual([
      last_scan_id,
      'CRITICAL',
      found!.created_at,
      true,
    ]);
  }
});

it('scores from the graph what was read long ago: the level of an unchanged record stays', async () => {
  const { ctx, tenant, address, scan } = await openScanned();
  await ctx.records.deleteFrom('scan_cache').execute();
  const current = await findCurrentScan(ctx, tenant.accountId, { chain, address, from: 0 });
  const { risk_level, risk_score, metadata } = scan;
  expect(current).toMatchObject({ risk_level, risk_score, metadata: { level_basis: metadata.level_basis } });
});

it('a check before signing does not rely on a LOW score from before a list named who paid', async () => {
  const { ctx, tenant, address, listPayer } = await openScanned();
  const exposures = async () => {
    const labelled = ctx.labels.find(chain, [address]);
    const found = await findPartyHistories(ctx, { chain, parties: [address], accountId: tenant.accountId, labelled });
    return found.get(address)!.exposures.map(({ category }) => category);
  };
  expect(await exposures()).toEqual([]);
  await listPayer();
  // Node labels follow the list with the next load or reading of any party.
  await findCurrentScan(ctx, tenant.accountId, { chain, address, from: 0 });
  expect(await exposures()).toContain('sanctioned');
});
