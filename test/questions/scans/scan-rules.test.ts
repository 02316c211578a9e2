import { expect, it } from 'vitest';
import { roleOf } from '../../../fixtures/demo/world.ts';
import { PLANS } from '../../../src/plans.ts';
import { type ScanRequest, scanAddress } from '../../../src/questions/scans/scan-address.ts';
import { reachOf, scanRules } from '../../../src/questions/scans/scan-rules.ts';
import { listRecordedScans } from '../../../src/records/scans/scans.ts';
import { openApp, serveWorld, world } from '../../app/demo-world.ts';

serveWorld();

const { address } = roleOf(world, 'ethereum', 'clean_saver');
const SCAN = { chain: 'ethereum', address, lang: 'en', source: 'sync' } as const satisfies ScanRequest;

async function open() {
  const test = await openApp();
  const { accountId } = await test.issue('business');
  const payer = { accountId, plan: PLANS.business };
  const recorded = async (source?: 'batch') => {
    const found = await listRecordedScans(test.ctx.records, accountId, { from: 0, source }, { limit: 10, offset: 0 });
    return found.scans.map((scan) => scan.source);
  };
  const rules = (asked: Partial<ScanRequest> = {}) => {
    const request = { ...SCAN, ...asked };
    return scanRules(test.ctx, accountId, { ...request, reach: reachOf(request) });
  };
  return { test, payer, recorded, rules };
}

it('one scan of many opens fewer addresses than a single one, a repeated one none, and a fresh one asks the chain', async () => {
  const { test, payer, rules } = await open();
  const cacheMs = test.ctx.config.CACHE_SCAN_SECONDS * 1_000;
  const first = { isRepeated: false, maxAgeMs: cacheMs, readsAll: false };
  expect(await rules()).toEqual({ ...first, reach: 'scan' });
  for (const source of ['batch', 'case', 'watchlist'] as const) {
    expect(await rules({ source })).toEqual({ ...first, reach: 'row' });
  }
  expect(await rules({ trace: 'off' })).toEqual({ ...first, reach: 'none' });
  await scanAddress(test.ctx, payer, SCAN);
  const repeated = { isRepeated: true, maxAgeMs: 2 * cacheMs, readsAll: false, reach: 'none' };
  for (const source of ['sync', 'batch'] as const) expect(await rules({ source })).toEqual(repeated);
  const fresh = { isRepeated: false, maxAgeMs: 0 };
  expect(await rules({ fresh: true })).toEqual({ ...fresh, readsAll: true, reach: 'scan' });
  expect(await rules({ fresh: true, source: 'watchlist' })).toEqual({ ...fresh, readsAll: false, reach: 'row' });
  test.time.at += cacheMs + 1;
  expect(await rules()).toMatchObject({ isRepeated: false });
});

it('a row of a batch is a scan of the account: it is recorded, and the next one repeats it', async () => {
  const { test, payer, recorded } = await open();
  const scan = (source: 'batch' | 'sync') =>
    scanAddress(test.ctx, payer, { ...SCAN, source, signal: AbortSignal.timeout(60_000) });
  expect((await scan('batch')).cached).toBe(false);
  expect(await recorded('batch')).toEqual(['batch']);
  expect(await recorded()).toEqual([]);
  expect((await scan('sync')).cached).toBe(true);
  expect((await scan('batch')).cached).toBe(true);
});
