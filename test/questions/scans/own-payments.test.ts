import { secp256k1 } from '@noble/curves/secp256k1.js';
import { expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { addressesOfKey } from '../../../src/domain/address/public-key.ts';
import type { Label } from '../../../src/domain/label.ts';
import { GraphTimeoutError } from '../../../src/errors.ts';
import { ingestTransfers } from '../../../src/graph/ingest/ingest.ts';
import { markRead } from '../../../src/graph/ingest/mark-read.ts';
import type { Params, QueryOptions, Row } from '../../../src/graph/port.ts';
import { PLANS } from '../../../src/plans.ts';
import { scanAddress } from '../../../src/questions/scans/scan-address.ts';
import { openTestApp } from '../../app/test-app.ts';
import { transfer } from '../../graph/world.ts';

const keyOf = (n: number) => secp256k1.getPublicKey(Uint8Array.from(Buffer.alloc(32, n)));
const [legacy, , , native] = addressesOfKey(keyOf(71)).map(({ address }) => address) as [
  string,
  string,
  string,
  string,
];
const addressOf = (n: number) => addressesOfKey(keyOf(n))[3]!.address;
const [scam, shop, saver] = [72, 73, 74].map(addressOf) as [string, string, string];
const AT = Date.UTC(2026, 9, 1);

type Payment = [from: string, to: string, usd: number, minute: number];

/** Scans the one form of a key, with and without the key that shows the other one to be the same holder's. */
async function scans(payments: Payment[], late: string | null = null, overgrown: object | null = null) {
  const found = [];
  for (const isKeyKnown of [false, true]) {
    const test = await openTestApp();
    const { ctx, time } = test;
    const stamp = await ctx.labels.beginLoad();
    const label = { chain: 'bitcoin', address: scam, category: 'scam', label: 'Fake mine', source: 'list' };
    const rest = { confidence: 90, entity: null, validFrom: null, validTo: null, maliciousContract: false };
    await ctx.labels.put([{ ...label, ...rest } as Label], { stamp, list: false });
    time.at += 1_000;
    const node = {
      category: 'scam',
      label: 'Fake mine',
      label_source: 'list',
      label_sure: true,
      entity_id: null,
    } as const;
    const transfers = payments.map(([from, to, usd, minute], nth) =>
      transfer({
        chain: 'bitcoin',
        asset: 'BTC',
        txHash: `${nth}`.padStart(64, '0'),
        from,
        to,
        usd,
        at: AT + minute * 60_000,
      }),
    );
    await ingestTransfers(ctx.graph, transfers, new Map([[`bitcoin:${scam}`, node]]));
    const proven = { publicKey: Buffer.from(keyOf(71)).toString('hex'), txHash: 'f'.repeat(64), at: AT };
    const reading = {
      chain: 'bitcoin' as const,
      at: AT,
      intervals: [],
      isHub: false,
      complete: null,
      isContract: null,
    };
    if (isKeyKnown) await markRead(ctx.graph, { ...reading, address: legacy, proven });
    const { accountId, keyId } = await test.issue('enterprise');
    const tenant = { accountId, keyId, planId: 'enterprise', plan: PLANS.enterprise } as const;
    const request = { chain: 'bitcoin', address: legacy, lang: 'en', source: 'sync' } as const;
    if (late !== null) failsOn(ctx, late);
    if (overgrown) growsTo(ctx, overgrown);
    const { detections, metadata, top_counterparties } = await scanAddress(ctx, tenant, request);
    const counted = metadata.entity?.basis ?? null;
    const reasons = metadata.coverage?.reasons ?? [];
    found.push({ ids: detections.map((one) => one.detector_id), detections, counted, top_counterparties, reasons });
  }
  return found as [(typeof found)[number], (typeof found)[number]];
}

/** The graph has no time for this question. */
function failsOn(ctx: Context, late: string) {
  const read = ctx.graph.read.bind(ctx.graph);
  ctx.graph.read = async (statement, ...rest) => {
    if (statement === late) throw new GraphTimeoutError();
    return read(statement, ...rest);
  };
}

/** The graph knows holders to be so. */
function growsTo(ctx: Context, overgrown: object) {
  const read = ctx.graph.read.bind(ctx.graph);
  ctx.graph.read = async <T extends Row>(statement: string, ...rest: [Params, QueryOptions?]) => {
    const rows = await read<T>(statement, ...rest);
    return statement === 'entities/of-addresses' ? rows.map((row) => ({ ...row, ...overgrown })) : rows;
  };
}

const shareOf = ({ detections }: { detections: { detector_id: string; details: { measured: object } }[] }) =>
  (detections.find(({ detector_id }) => detector_id === 'scam_exposure')?.details.measured as { share?: number })
    ?.share;

it('a share of exposure is of all that came in, also from another address of the same key', async () => {
  const [before, now] = await scans([
    [saver, native, 9_000, 0],
    [native, legacy, 9_000, 10],
    [scam, legacy, 1_000, 20],
    [legacy, shop, 10_000, 30],
  ]);
  expect([before.counted, now.counted]).toEqual([null, 'same_key']);
  expect(shareOf(before)).toBeCloseTo(0.1);
  // A stranger's payment would be all of it without the holder's own money.
  expect(shareOf(now)).toBeCloseTo(0.1);
  expect(now.top_counterparties.map(({ address }) => address).sort()).toEqual([native, scam, shop].sort());
});

it('payments to and fro between addresses of one key build no pattern', async () => {
  const parts = Array.from({ length: 14 }, (_, nth): Payment => [legacy, native, 9_600 + nth, 100 + nth * 90]);
  const [before, now] = await scans([[saver, legacy, 150_000, 0], ...parts, [native, shop, 130_000, 3_000]]);
  expect(before.ids).toContain('structuring');
  expect(now.ids).not.toContain('structuring');
});

it('where the graph does not name the addresses of the same key in time, the coverage says so', async () => {
  const payments: Payment[] = [
    [saver, legacy, 9_000, 0],
    [legacy, native, 9_000, 10],
  ];
  for (const { reasons } of await scans(payments)) expect(reasons).not.toContain('own_addresses_unknown');
  const late = (await scans(payments, 'entities/exact-with'))[1].reasons;
  expect(late).toContain('own_addresses_unknown');
  // A level made again is not lowered by it.
  expect(late).toContain('indirect_time_budget');
});

it('where the graph does not say in time whom the address paid for first, the coverage says so', async () => {
  const payments: Payment[] = [
    [saver, legacy, 9_000, 0],
    [legacy, scam, 1_000, 10],
  ];
  for (const { reasons } of await scans(payments)) expect(reasons).not.toContain('indirect_time_budget');
  for (const { reasons } of await scans(payments, 'scan/first-day')) expect(reasons).toContain('indirect_time_budget');
});

it('a holder that joined strangers still counts the addresses of the same key as its own, or the coverage says so', async () => {
  const payments: Payment[] = [
    [saver, native, 9_000, 0],
    [native, legacy, 9_000, 10],
    [scam, legacy, 1_000, 20],
  ];
  const [, joined] = await scans(payments, null, { several_services: true });
  expect(shareOf(joined)).toBeCloseTo(0.1);
  expect(joined.reasons).not.toContain('own_addresses_unknown');
  const [before, vast] = await scans(payments, null, { size: 100_001 });
  expect(before.reasons).not.toContain('own_addresses_unknown');
  expect(vast.reasons).toContain('own_addresses_unknown');
  // Time would not help.
  expect(vast.reasons).not.toContain('indirect_time_budget');
});

it('money of a listed payer that came over another address of the key is found all the same', async () => {
  const [before, now] = await scans([
    [scam, native, 9_000, 0],
    [native, legacy, 9_000, 10],
    [legacy, shop, 9_000, 30],
  ]);
  expect(now.ids).toContain('indirect_exposure');
  const indirect = ({ detections }: typeof now) =>
    detections.find(({ detector_id }) => detector_id === 'indirect_exposure')!.details.measured;
  expect(indirect(now)).toEqual(indirect(before));
});
