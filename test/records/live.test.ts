import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Heard, Touch } from '../../src/chains/live/port.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/domain/time.ts';
import { createAccount } from '../../src/records/accounts/accounts.ts';
import type { Records } from '../../src/records/database/database.ts';
import { holdTurn, takeTurn } from '../../src/records/jobs/periodic-work.ts';
import { saveDiscovery } from '../../src/records/monitoring/discoveries.ts';
import {
  chainsListened,
  deleteOldTouches,
  endWhereBusy,
  followTouchedAt,
  keepHeard,
  LIVE_SCAN_MS,
  listenedItems,
  listListeners,
  liveAddresses,
  putOffScan,
  touchesOf,
} from '../../src/records/monitoring/live.ts';
import { keepMovement, movementsOf } from '../../src/records/monitoring/movements.ts';
import { findItem } from '../../src/records/monitoring/watchlist.ts';
import { onBothStores } from './on-both-stores.ts';
import { watchItem } from './watched-item.ts';

const NOW = Math.floor(Date.parse('2026-11-20T10:00:00Z') / HOUR_MS) * HOUR_MS;
const INTERVAL_MS = HOUR_MS;

async function start(open: () => Promise<Records>) {
  const records = await open();
  const { id: accountId } = await createAccount(records, { name: 'Desk', planId: 'business' }, NOW);
  const watch = (address: string, more: Parameters<typeof watchItem>[2] = {}) =>
    watchItem(records, accountId, {
      address,
      live: 1,
      live_since: NOW,
      listened_since: NOW,
      last_scanned_at: NOW,
      next_scan_at: NOW + INTERVAL_MS,
      ...more,
    });
  const hear = (touches: Touch[], at: number, more: Partial<Heard> = {}) =>
    keepHeard(
      records,
      'ethereum',
      { touches, marks: new Map(), place: '[]', lastBlock: 100, head: 100, reorganisedFrom: null, ...more },
      at,
    );
  const dueAt = async (id: string) => Number((await findItem(records, accountId, id)).next_scan_at);
  return { records, accountId, watch, hear, dueAt };
}

const touch = (address: string, txHash: string | null, block = 100): Touch => ({ address, txHash, block });
const hashes = (count: number) => Array.from({ length: count }, () => randomUUID());

onBothStores('what listeners hear', (open) => {
  it('makes an address due, a minute after its last scan, and counts a transaction once', async () => {
    const { records, watch, hear, dueAt } = await start(open);
    const [id, other] = [await watch('a'), await watch('b')];
    expect(await hear([touch('a', 't1'), touch('a', 't1')], NOW + 1_000)).toBe(1);
    expect([await dueAt(id), await dueAt(other)]).toEqual([NOW + LIVE_SCAN_MS, NOW + INTERVAL_MS]);
    await putOffScan(records, id, { startedAt: NOW + LIVE_SCAN_MS, nextScanAt: NOW + INTERVAL_MS, isLate: false });
    expect(await hear([touch('a', 't1')], NOW + 2 * MINUTE_MS)).toBe(0);
    expect(await dueAt(id)).toBe(NOW + INTERVAL_MS);
    expect(await hear([touch('a', 't2')], NOW + 5 * MINUTE_MS)).toBe(1);
    expect(await dueAt(id)).toBe(NOW + 5 * MINUTE_MS);
  });

  it('makes an address due once more when a block has what was heard before it was in one', async () => {
    const { records, watch, hear, dueAt } = await start(open);
    const id = await watch('a');
    const before = { address: 'a', txHash: 't1', block: null };
    expect([await hear([before], NOW), await hear([before], NOW)]).toEqual([1, 0]);
    await records
      .updateTable('watchlist_items')
      .set({ next_scan_at: NOW + INTERVAL_MS })
      .execute();
    expect(await hear([touch('a', 't1')], NOW + 5 * MINUTE_MS)).toBe(1);
    expect(await dueAt(id)).toBe(NOW + 5 * MINUTE_MS);
    expect(await hear([touch('a', 't1')], NOW + 6 * MINUTE_MS)).toBe(0);
  });

  it('stays due where it is heard while a scan runs, and where the source lacks it yet', async () => {
    const { records, watch, hear, dueAt } = await start(open);
    const id = await watch('a', { next_scan_at: NOW, taken_at: NOW });
    await hear([touch('a', 't1')], NOW + 5_000);
    expect(await dueAt(id)).toBe(NOW);
    const startedAt = NOW + 1_000;
    await records
      .updateTable('watchlist_items')
      .set({ next_scan_at: startedAt + 9_000 })
      .where('id', '=', id)
      .execute();
    await putOffScan(records, id, { startedAt, nextScanAt: NOW + INTERVAL_MS, isLate: false });
    expect(await dueAt(id)).toBe(startedAt + 9_000);
    const later = startedAt + 9_000;
    await putOffScan(records, id, { startedAt: later, nextScanAt: NOW + INTERVAL_MS, isLate: true });
    expect(await dueAt(id)).toBe(later + LIVE_SCAN_MS);
  });

  it('keeps touches, marks and place together, and where the listener is', async () => {
    const { records, watch, hear } = await start(open);
    await watch('a');
    await hear([], NOW, { marks: new Map([['a', '7']]), place: '[[1,"x"]]', lastBlock: 1, head: 9 });
    expect(await liveAddresses(records, 'ethereum')).toEqual(new Map([['a', '7']]));
    expect(await listListeners(records)).toMatchObject([{ state: 'catching_up', place: '[[1,"x"]]' }]);
    await hear([touch('a', null)], NOW + 1_000, { lastBlock: 9, head: 9 });
    const [listener] = await listListeners(records);
    expect([listener!.state, Number(listener!.since), Number(listener!.touches)]).toEqual([
      'listening',
      NOW + 1_000,
      1,
    ]);
  });

  it('doubts what was heard of blocks that are no more, and makes it due', async () => {
    const { records, watch, hear, dueAt } = await start(open);
    const id = await watch('a');
    await hear([touch('a', 't1', 90), touch('a', 't2', 95)], NOW);
    await records
      .updateTable('watchlist_items')
      .set({ next_scan_at: NOW + INTERVAL_MS })
      .execute();
    await hear([], NOW + 2 * MINUTE_MS, { reorganisedFrom: 92 });
    expect(await dueAt(id)).toBe(NOW + 2 * MINUTE_MS);
    const heard = await touchesOf(records, { chain: 'ethereum', address: 'a', since: NOW, limit: 9 });
    expect(heard.filter(({ doubted }) => doubted === 1).map(({ tx_hash }) => tx_hash)).toEqual(['t2']);
  });

  it('bounds a flood to few rows, and to a scan a minute', async () => {
    const { records, watch, hear, dueAt } = await start(open);
    const id = await watch('hub');
    for (const hour of [0, 1, 2, 3]) {
      await hear(
        hashes(1_000).map((hash) => touch('hub', hash)),
        NOW + hour * HOUR_MS,
      );
    }
    const heard = await touchesOf(records, { chain: 'ethereum', address: 'hub', since: 0, limit: 10_000 });
    expect(heard.length).toBeLessThanOrEqual(210);
    expect(await dueAt(id)).toBe(NOW + LIVE_SCAN_MS);
    // What was heard may be anyone's dust: by itself it ends nothing.
    expect(await liveAddresses(records, 'ethereum')).toHaveProperty('size', 1);
  });

  it('ends listening after three hours with more than 60 movements each that count, of each account by itself', async () => {
    const { records, accountId, watch } = await start(open);
    const now = NOW + 3 * HOUR_MS;
    const { id: other } = await createAccount(records, { name: 'Other', planId: 'business' }, NOW);
    const late = { account_id: other, live_since: NOW + 2 * HOUR_MS, listened_since: NOW + 2 * HOUR_MS };
    const move = async (item_id: string, [hour, count]: [number, number], counts = 1) => {
      for (const hash of hashes(count)) {
        const at = NOW + hour * HOUR_MS + MINUTE_MS;
        await keepMovement(records, {
          item_id,
          transfer_id: hash,
          tx_hash: hash,
          at,
          alert: null,
          stage: 'confirmed',
          counts,
        });
      }
      return findItem(records, item_id === second ? other : accountId, item_id);
    };
    const second = await watch('b', late);
    const busy = async (id: string, hours: [number, number][], counts = 1) => {
      let item = await move(id, [0, 0]);
      for (const hour of hours) item = await move(id, hour, counts);
      await endWhereBusy(records, item, now);
      return (await move(id, [0, 0])).too_busy_since;
    };
    const each = (count: number): [number, number][] => [0, 1, 2].map((hour) => [hour, count]);
    expect(Number(await busy(await watch('hub'), each(61)))).toBe(now);
    expect(await busy(await watch('dust'), each(61), 0)).toBeNull();
    expect(
      await busy(await watch('calm'), [
        [0, 61],
        [1, 60],
        [2, 61],
      ]),
    ).toBeNull();
    expect(await busy(second, each(61))).toBeNull();
    expect([...(await liveAddresses(records, 'ethereum')).keys()].sort()).toEqual(['b', 'calm', 'dust']);
  });

  it('listens to as many items of an account as its plan has, the oldest ones', async () => {
    const { records, accountId, watch, hear, dueAt } = await start(open);
    await records.updateTable('accounts').set({ plan_id: 'enterprise' }).where('id', '=', accountId).execute();
    const ids = [];
    for (let n = 0; n < 103; n++) ids.push(await watch(`a${n}`, { created_at: n }));
    expect(await liveAddresses(records, 'ethereum')).toHaveProperty('size', 103);
    await records.updateTable('accounts').set({ plan_id: 'business' }).where('id', '=', accountId).execute();
    const left = await liveAddresses(records, 'ethereum');
    expect([left.size, left.has('a99'), left.has('a100')]).toEqual([100, true, false]);
    expect((await listenedItems(records, accountId)).has(ids[100]!)).toBe(false);
    await hear([touch('a99', 't'), touch('a100', 't')], NOW + 5 * MINUTE_MS);
    expect([await dueAt(ids[99]!), await dueAt(ids[100]!)]).toEqual([NOW + 5 * MINUTE_MS, NOW + INTERVAL_MS]);
  });

  it('listens to what Follow Mode found, and makes its item due five minutes after its last scan', async () => {
    const { records, accountId, watch, hear, dueAt } = await start(open);
    const id = await watch('a', { follow_mode_enabled: 1, follow_depth: 3 });
    const found = (address: string, listened: number) => ({
      id: randomUUID(),
      account_id: accountId,
      item_id: id,
      chain: 'tron' as const,
      address,
      hop: 1,
      direction: 'sent' as const,
      category: 'other' as const,
      label: null,
      risk_level: 'UNKNOWN' as const,
      risk_score: 0,
      usd: 1,
      path: '[]',
      status: 'active' as const,
      discovered_at: NOW,
      listened,
    });
    for (const [address, listened] of [
      ['T1', 1],
      ['T2', 0],
    ] as const)
      await saveDiscovery(records, found(address, listened));
    expect((await chainsListened(records)).sort()).toEqual(['ethereum', 'tron']);
    expect([...(await liveAddresses(records, 'tron')).keys()]).toEqual(['T1']);
    expect(await followTouchedAt(records, id)).toBeNull();
    const heard = { marks: new Map(), place: '[]', lastBlock: 1, head: 1, reorganisedFrom: null };
    await keepHeard(records, 'tron', { ...heard, touches: [touch('T1', 'x')] }, NOW + 1_000);
    expect([await dueAt(id), await followTouchedAt(records, id)]).toEqual([NOW + 5 * MINUTE_MS, NOW + 1_000]);
    // The address itself comes sooner.
    await hear([touch('a', 'y')], NOW + 2_000);
    expect(await dueAt(id)).toBe(NOW + LIVE_SCAN_MS);
    await records.updateTable('watchlist_items').set({ follow_mode_enabled: 0 }).execute();
    expect(await chainsListened(records)).toEqual(['ethereum']);
  });

  it('listens to live addresses of plans that have it', async () => {
    const { records, accountId, watch } = await start(open);
    await watch('a');
    await watch('b', { live: 0 });
    expect([...(await liveAddresses(records, 'ethereum')).keys()]).toEqual(['a']);
    await records.updateTable('accounts').set({ plan_id: 'pro' }).where('id', '=', accountId).execute();
    expect(await liveAddresses(records, 'ethereum')).toHaveProperty('size', 0);
    expect(await chainsListened(records)).toEqual([]);
  });

  it('keeps a movement once in each stage, and none before it was taken back', async () => {
    const { records, watch } = await start(open);
    const item_id = await watch('a');
    const row = { item_id, transfer_id: 'x', tx_hash: 't', at: NOW, alert: null, counts: 1 };
    const keep = (stage: 'unconfirmed' | 'confirmed' | 'reorganised') => keepMovement(records, { ...row, stage });
    const kept = [];
    for (const stage of ['unconfirmed', 'unconfirmed', 'confirmed', 'unconfirmed', 'confirmed'] as const) {
      kept.push(await keep(stage));
    }
    expect(kept).toEqual([true, false, true, false, false]);
    expect([await keep('reorganised'), await keep('confirmed')]).toEqual([true, true]);
    expect((await movementsOf(records, item_id, NOW)).get('x')).toMatchObject({ stage: 'confirmed' });
  });

  it('forgets touches after an hour, and marks of addresses that are not live', async () => {
    const { records, watch, hear } = await start(open);
    const id = await watch('a');
    await hear([touch('a', 't1')], NOW, { marks: new Map([['a', '7']]) });
    await deleteOldTouches(records, NOW + 2 * HOUR_MS);
    expect(await touchesOf(records, { chain: 'ethereum', address: 'a', since: 0, limit: 9 })).toEqual([]);
    expect((await liveAddresses(records, 'ethereum')).get('a')).toBe('7');
    await records.updateTable('watchlist_items').set({ live: 0 }).where('id', '=', id).execute();
    await deleteOldTouches(records, NOW + 2 * HOUR_MS);
    await records.updateTable('watchlist_items').set({ live: 1 }).where('id', '=', id).execute();
    expect((await liveAddresses(records, 'ethereum')).get('a')).toBeNull();
  });

  it('gives the turn to listen to one process, which may hold it and give it back', async () => {
    const { records } = await start(open);
    expect([await takeTurn(records, 'listen', 30_000, NOW), await takeTurn(records, 'listen', 30_000, NOW)]).toEqual([
      true,
      false,
    ]);
    expect(await holdTurn(records, 'listen', NOW + 30_000, NOW + 40_000)).toBe(true);
    expect(await takeTurn(records, 'listen', 30_000, NOW + 30_000)).toBe(false);
    expect(await holdTurn(records, 'listen', NOW + 30_000, NOW + 50_000)).toBe(false);
    expect(await holdTurn(records, 'listen', NOW + 40_000, 0)).toBe(true);
    expect(await takeTurn(records, 'listen', 30_000, NOW + 30_000)).toBe(true);
  });
});
