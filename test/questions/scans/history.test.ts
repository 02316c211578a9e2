import { describe, expect, it } from 'vitest';
import { ledgerSource } from '../../../fixtures/ledger-source.ts';
import { Planted } from '../../../fixtures/levels/planted.ts';
import { DAY_MS } from '../../../src/domain/time.ts';
import { assess } from '../../../src/risk/scoring/assess.ts';
import { storeHistory, withOldest } from '../../../src/tracing/read/history.ts';
import { inquire } from '../../../src/tracing/read/inquiry.ts';
import { openTestApp } from '../../app/test-app.ts';

const START = Date.UTC(2026, 0, 1);
const signal = new AbortController().signal;

/** A payment a day, the first by a mixer; `newestMax` of them fit into the pages of a history. */
function busyAddress(days: number, newestMax: number) {
  const planted = new Planted(7);
  const mixer = planted.labelled('mixer');
  for (let day = 0; day < days; day++) {
    planted.receive(day === 0 ? mixer : planted.someone(), day === 0 ? 500 : 20, START + day * DAY_MS);
  }
  const { address } = planted.input().subject;
  const { source } = ledgerSource('ethereum', planted.transfers, { newestMax, pageSize: 3 });
  return { planted, address, source };
}

describe('a history too long to be read whole', () => {
  it('holds its oldest and its newest transfers, and names the time between them', async () => {
    const { address, source } = busyAddress(40, 10);
    const history = await withOldest(source, address, await source.history(address), { signal });
    const days = history.transfers.map(({ at }) => (at - START) / DAY_MS).sort((a, b) => a - b);
    expect(days).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39]);
    const gap = { from: START + 8 * DAY_MS + 1, to: START + 30 * DAY_MS - 1 };
    expect(history.coverage).toEqual({ complete: false, sources: ['ledger'], reasons: ['page_limit'], gap });
    expect(history.read.filter(({ list }) => list === 'coin')).toEqual([
      { list: 'coin', from: 0, to: START + 8 * DAY_MS },
      { list: 'coin', from: START + 30 * DAY_MS, to: null },
    ]);
  });

  it('has no gap where the oldest pages reach the newest', async () => {
    const { address, source } = busyAddress(15, 10);
    const history = await withOldest(source, address, await source.history(address), { signal });
    expect(history.transfers).toHaveLength(15);
    expect(history.coverage.gap).toBeUndefined();
    expect(history.read.every(({ from, to }) => from === 0 && to === null)).toBe(true);
  });

  it('is left as it is where the source cannot begin at the first transfer, or all was read', async () => {
    const { address, source } = busyAddress(40, 10);
    const cut = await source.history(address);
    expect(await withOldest({ ...source, readsOldestFirst: false }, address, cut, { signal })).toBe(cut);
    const short = busyAddress(5, 10);
    const whole = await short.source.history(short.address);
    expect(await withOldest(short.source, short.address, whole, { signal })).toBe(whole);
  });

  it('shows who funded the address first, and does not count the unread time as read', async () => {
    const { planted, address, source } = busyAddress(400, 10);
    const newest = await source.history(address);
    const history = await withOldest(source, address, newest, { signal });
    const judged = (read: typeof history) =>
      assess({
        ...planted.input(),
        transfers: read.transfers,
        coverage: { ...read.coverage, historyRead: true },
        indirect: [],
      });
    expect(judged(newest)).toMatchObject({ risk_level: 'UNKNOWN' });
    const whole = judged(history);
    expect(whole.detections.map(({ detector_id }) => detector_id)).toContain('mixer_exposure');
    expect(whole.risk_level).toBe('MEDIUM');
    const clean = judged({ ...history, transfers: history.transfers.filter(({ at }) => at > START) });
    expect(clean.risk_level).toBe('UNKNOWN');
  });
});

it('a reading that scans of several accounts share is as it was after one of them has stored it', async () => {
  const { ctx, issue } = await openTestApp();
  const { accountId } = await issue();
  const { address, source } = busyAddress(5, 10);
  const history = await source.history(address);
  history.coverage.unconfirmed = history.transfers.slice(-1);
  const before = structuredClone(history);
  const inquiry = { ...(await inquire(ctx, accountId)), signal };
  const read = { history, readAt: ctx.now(), isCached: false, expiresAt: 0 };
  await storeHistory(inquiry, { chain: 'ethereum', address }, read);
  expect(history).toEqual(before);
});
