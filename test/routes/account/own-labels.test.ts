import { describe, expect, it } from 'vitest';
import { ingestTransfers } from '../../../src/graph/ingest/ingest.ts';
import { updateNodes } from '../../../src/labels/node-labels.ts';
import { OWN_LABELS_PER_ACCOUNT, PLANS } from '../../../src/plans.ts';
import { gatherAddressReport } from '../../../src/questions/cases/report/gather-address-report.ts';
import type { ScanAnswer } from '../../../src/questions/scans/record-scan.ts';
import { allOwnLabels } from '../../../src/records/lists/own-labels.ts';
import { openTestApp } from '../../app/test-app.ts';
import { workFor } from '../../app/work-for.ts';
import { transfer } from '../../graph/world.ts';

const [far, near, subject, shop] = ['f1', 'e2', 'd3', 'c4'].map((end) => `0x${end.padStart(40, '0')}`) as [
  string,
  string,
  string,
  string,
];
const DAY = Date.UTC(2026, 9, 1);
/** Far pays near, near pays the subject, and the subject a shop. */
const FLOW = [
  { from: far, to: near, at: DAY },
  { from: near, to: subject, at: DAY + 60_000 },
  { from: subject, to: shop, at: DAY + 120_000 },
].map((one) => transfer({ chain: 'ethereum', usd: 20_000, ...one }));

async function open() {
  const test = await openTestApp();
  await ingestTransfers(test.ctx.graph, FLOW);
  const desk = async (scopes?: Parameters<typeof test.issue>[1]) => {
    const { key, accountId } = await test.issue('enterprise', scopes);
    const ask = async (method: 'GET' | 'POST' | 'DELETE', path: string, payload?: object) => {
      const url = `/api/v1${path}`;
      const reply = await test.app.inject({ method, url, headers: { 'x-api-key': key }, payload });
      return {
        status: reply.statusCode,
        text: reply.body,
        body: String(reply.headers['content-type']).includes('json') ? reply.json() : null,
      };
    };
    const scan = async (): Promise<ScanAnswer> => {
      const { status, body, text } = await ask('GET', `/public/scan?address=${subject}&chain=ethereum`);
      expect(status, text).toBe(200);
      return body;
    };
    const label = (given: object) =>
      ask('POST', '/labels', { address: far, chain: 'ethereum', label: 'Ring of Mo', category: 'scam', ...given });
    return { accountId, ask, scan, label };
  };
  return { ...test, desk };
}

/** Without what differs from scan to scan. */
function said({ risk_level, risk_score, detections, metadata, top_counterparties }: ScanAnswer) {
  const { as_of, ...rest } = metadata;
  return { risk_level, risk_score, detections, metadata: rest, top_counterparties };
}

describe('labels of an account', () => {
  it('are shown to it with who wrote them, are found by name and leave as a TagPack; others see none', async () => {
    const { desk, ctx } = await open();
    const [mine, other] = [await desk(), await desk()];
    const before = said(await other.scan());
    const { case: made } = (await mine.ask('POST', '/cases', { title: 'Ring' })).body;
    const made201 = await mine.label({
      address: near,
      reason: 'Two victims named it',
      case_id: made.id,
      confidence: 65,
    });
    expect(made201.status, made201.text).toBe(201);
    const { label } = made201.body;
    expect(label).toMatchObject({
      ...{ chain: 'ethereum', address: near, label: 'Ring of Mo', category: 'scam', basis: 'claimed', confidence: 65 },
      ...{ reason: 'Two victims named it', author: 'test', case_id: made.id, use_for_levels: false },
    });
    expect((await mine.label({ address: near })).status).toBe(409);
    await mine.label({ address: subject, category: 'other', label: 'Client 7' });

    const seen = await mine.scan();
    // It moves no level.
    expect(said(seen)).toMatchObject({ risk_level: before.risk_level, risk_score: before.risk_score });
    expect(seen.detections).toEqual(before.detections);
    expect(seen.metadata.own_labels).toMatchObject([{ label: 'Client 7', author: 'test' }]);
    const payer = seen.top_counterparties.find(({ address }) => address === near);
    expect(payer).toMatchObject({
      label: null,
      category: 'unknown',
      own_labels: [{ label: 'Ring of Mo', author: 'test' }],
    });
    const again = (await mine.ask('GET', `/public/scans/${seen.scan_id}`)).body as ScanAnswer;
    expect(again.metadata.own_labels).toEqual(seen.metadata.own_labels);
    const page = (await mine.ask('GET', `/public/scans/${seen.scan_id}/counterparties`)).body;
    expect(page.counterparties).toEqual(seen.top_counterparties);
    const holder = (await mine.ask('GET', `/graph/entity-of/${near}?chain=ethereum`)).body;
    expect(holder).toMatchObject({ entity: null, own_labels: [{ basis: 'claimed' }] });
    const search = '/graph/labels?q=ring%20of';
    expect((await mine.ask('GET', search)).body.results).toMatchObject([{ address: near, source: 'own:test' }]);
    expect((await mine.ask('GET', `/labels?case_id=${made.id}`)).body).toMatchObject({ total: 1, labels: [label] });
    expect((await mine.ask('GET', `/labels?address=${subject}`)).body).toMatchObject({ total: 1 });
    const pack = (await mine.ask('GET', '/labels.yaml')).text;
    expect(pack).toContain(`address: "${near}"`);
    expect(pack).toContain('label: "Client 7"');

    expect(said(await other.scan())).toEqual(before);
    expect((await other.ask('GET', '/labels')).body).toMatchObject({ labels: [], total: 0 });
    expect((await other.ask('GET', search)).body.results).toEqual([]);
    expect((await other.ask('GET', '/labels.yaml')).text).not.toContain(near);
    expect((await other.ask('GET', `/graph/entity-of/${near}?chain=ethereum`)).body.own_labels).toBeUndefined();
    expect((await other.ask('DELETE', `/labels/${label.id}`)).status).toBe(404);
    expect((await other.label({ address: near, case_id: made.id })).status).toBe(404);
    expect((await mine.ask('DELETE', `/labels/${label.id}`)).body).toEqual({ deleted: true, id: label.id });
    expect((await mine.ask('DELETE', `/labels/${label.id}`)).status).toBe(404);
    expect(await allOwnLabels(ctx.records, mine.accountId)).toHaveLength(1);
    expect((await mine.label({ valid_from: '2026-02-01', valid_to: '2026-01-01' })).status).toBe(400);
  });

  it('accuse no address that nobody holds, on one chain or on all EVM chains, and may name it', async () => {
    const mine = await (await open()).desk();
    const zero = `0x${'0'.repeat(40)}`;
    for (const chain of ['evm', 'ethereum']) {
      const { status, body } = await mine.label({ address: zero, chain });
      expect([status, body.detail]).toEqual([400, `Nobody holds ${zero}: it is not scam`]);
    }
    expect((await mine.label({ address: zero, chain: 'evm', category: 'unknown' })).status).toBe(201);
  });

  it('move levels, verdicts and records of the account that says so, near and far, and of no other', async () => {
    const { desk, time } = await open();
    const [mine, other] = [await desk(), await desk()];
    const presign = async (one: typeof mine) => {
      const path = `/public/presign/check?chain=ethereum&to=${far}&value=1`;
      const { latency_ms, cached, ...verdict } = (await one.ask('GET', path)).body;
      return verdict;
    };
    const clean = said(await other.scan());
    const first = await mine.scan();
    expect(said(first)).toEqual(clean);
    const safe = await presign(other);
    expect(await presign(mine)).toEqual(safe);
    time.at += 60_000;
    const { label } = (await mine.label({ use_for_levels: true, confidence: 90 })).body;
    time.at += 60_000;

    expect(await presign(mine)).toMatchObject({ verdict: 'danger' });
    const tainted = await mine.scan();
    expect(tainted.risk_level).not.toBe(clean.risk_level);
    const evidence = tainted.detections.flatMap(({ details }) => details.labels);
    expect(evidence).toContainEqual(expect.objectContaining({ address: far, source: 'own:test', category: 'scam' }));
    // After mine: nothing of it is in what accounts share.
    expect(said(await other.scan())).toEqual(clean);
    expect(await presign(other)).toEqual(safe);
    const path = `/exposure/${subject}?chain=ethereum`;
    const categories = async (one: typeof mine) => JSON.stringify((await one.ask('GET', path)).body);
    expect(await categories(mine)).toContain('"scam"');
    expect(await categories(other)).not.toContain('"scam"');

    time.at += 60_000;
    expect((await mine.ask('DELETE', `/labels/${label.id}`)).status).toBe(200);
    time.at += 60_000;
    expect(said(await mine.scan())).toEqual(clean);
    expect(await presign(mine)).toEqual(safe);
  });

  it('stand in profile, counterparties, rows of batches and reports with who wrote them, and in no answer to others', async () => {
    const { desk, ctx, time } = await open();
    workFor(ctx);
    const [mine, other] = [await desk(), await desk()];
    await mine.label({ address: subject, category: 'other', label: 'Client 7', reason: 'Our own file' });
    await mine.label({ address: near, use_for_levels: true, confidence: 90 });
    time.at += 60_000;

    const answersTo = async ({ ask, scan }: typeof mine) => {
      await scan();
      const { body: batch } = await ask('POST', '/public/scan/batch', { addresses: [subject] });
      const status = async () => (await ask('GET', `/public/scan/${batch.job_id}`)).body.status;
      await expect.poll(status, { interval: 50 }).toBe('completed');
      const [row] = (await ask('GET', `/public/scan/${batch.job_id}/results`)).body.results;
      const profile = (await ask('GET', `/graph/profile/${subject}?chain=ethereum`)).body;
      const parties = (await ask('GET', `/graph/counterparties/${subject}?chain=ethereum`)).body.counterparties;
      return { row, profile, parties };
    };
    const seen = await answersTo(mine);
    expect(seen.row.metadata.own_labels).toMatchObject([{ label: 'Client 7', author: 'test', reason: 'Our own file' }]);
    expect(seen.row.risk_level).not.toBe('LOW');
    expect(seen.profile.labels).toMatchObject([
      { label: 'Client 7', source: 'own:test', own: { author: 'test', use_for_levels: false } },
    ]);
    const payer = seen.parties.find(({ address }: { address: string }) => address === near);
    expect(payer).toMatchObject({ label: null, own_labels: [{ label: 'Ring of Mo', use_for_levels: true }] });

    const elsewhere = await answersTo(other);
    expect(elsewhere.row.risk_level).not.toBe(seen.row.risk_level);
    expect(elsewhere.profile.labels).toEqual([]);
    expect(JSON.stringify(elsewhere)).not.toMatch(/Client 7|Ring of Mo|own_labels|own:/);

    const reportOf = (one: typeof mine) =>
      gatherAddressReport(
        ctx,
        { accountId: one.accountId, keyId: 'none', plan: PLANS.enterprise, planId: 'enterprise' },
        {
          ...{ chain: 'ethereum', address: subject, maxHops: 3, language: 'en' },
        },
      );
    const { input } = await reportOf(mine);
    expect(input.labels).toMatchObject([{ label: 'Client 7', source: 'own:test' }]);
    expect(input.parties).toContainEqual(
      expect.objectContaining({ address: near, category: 'scam', label: { label: 'Ring of Mo', source: 'own:test' } }),
    );
    const { input: theirs } = await reportOf(other);
    expect(JSON.stringify([theirs.labels, theirs.parties])).not.toMatch(/Client 7|Ring of Mo|own:/);
  });

  it('make the level of a record again when they come and go, and need the right to change settings', async () => {
    const { desk, time } = await open();
    const [mine, analyst] = [await desk(), await desk(['read', 'scan', 'cases'])];
    const { case: made } = (await mine.ask('POST', '/cases', { title: 'Savings' })).body;
    await mine.ask('POST', `/cases/${made.id}/addresses`, { address: subject, chain: 'ethereum' });
    const before = (await mine.scan()).risk_level;
    const inCase = async () => (await mine.ask('GET', `/cases/${made.id}`)).body.addresses[0].last_risk_level;
    expect(await inCase()).toBe(before);
    time.at += 3_600_000;
    const { label } = (await mine.label({ use_for_levels: true, confidence: 90 })).body;
    time.at += 3_600_000;
    expect(await inCase()).not.toBe(before);
    await mine.ask('DELETE', `/labels/${label.id}`);
    time.at += 3_600_000;
    expect(await inCase()).toBe(before);

    expect((await analyst.label({ use_for_levels: true })).status).toBe(403);
    expect((await analyst.label({})).status).toBe(201);
  });

  it('never set an adverse public label aside', async () => {
    const { desk, ctx, time } = await open();
    const stamp = await ctx.labels.beginLoad();
    const listed = { chain: 'ethereum', address: far, category: 'scam', label: 'Listed', source: 'list' } as const;
    const rest = { confidence: 90, entity: null, validFrom: null, validTo: null, maliciousContract: false };
    await ctx.labels.put([{ ...listed, ...rest }], { stamp, list: false });
    await updateNodes(ctx, [listed]);
    time.at += 1_000;
    const [mine, other] = [await desk(), await desk()];
    await mine.label({ category: 'exchange', label: 'A friend', use_for_levels: true, confidence: 100 });
    time.at += 1_000;
    const { detections, risk_level } = await other.scan();
    expect(risk_level).not.toBe('LOW');
    expect(await mine.scan()).toMatchObject({ risk_level, detections });
  });

  it('are bounded in number', async () => {
    const { desk, ctx } = await open();
    const mine = await desk();
    await mine.label({});
    const [row] = await allOwnLabels(ctx.records, mine.accountId);
    const rows = Array.from({ length: OWN_LABELS_PER_ACCOUNT - 1 }, (_, nth) => ({ ...row!, id: `many ${nth}` }));
    for (let start = 0; start < rows.length; start += 500) {
      await ctx.records
        .insertInto('own_labels')
        .values(rows.slice(start, start + 500))
        .execute();
    }
    expect(await mine.label({ address: near })).toMatchObject({ status: 403 });
    // What was taken away is remembered for as many.
    await ctx.records.updateTable('own_labels').set({ removed_at: 1, use_for_levels: 1 }).execute();
    const { body } = await mine.label({ address: near, use_for_levels: true });
    expect(await mine.ask('DELETE', `/labels/${body.label.id}`)).toMatchObject({ status: 200 });
    const kept = await allOwnLabels(ctx.records, mine.accountId);
    expect([kept.length, kept.some(({ address }) => address === near)]).toEqual([OWN_LABELS_PER_ACCOUNT, true]);
  });
});
