import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { roleOf } from '../../../fixtures/demo/world.ts';
import { addressesOfWallet } from '../../../src/domain/address/public-key.ts';
import type { BridgeMessage } from '../../../src/domain/bridges/message.ts';
import type { Chain } from '../../../src/domain/chain.ts';
import type { Label } from '../../../src/domain/label.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/domain/time.ts';
import { GraphUnavailableError, SourceError } from '../../../src/errors.ts';
import { keepCrossings } from '../../../src/graph/ingest/keep-crossings.ts';
import type { PlanId } from '../../../src/plans.ts';
import { hastenRelabelled } from '../../../src/questions/monitoring/label-changes.ts';
import { sayLive } from '../../../src/questions/monitoring/say-live.ts';
import { setPlan } from '../../../src/records/accounts/accounts.ts';
import { keepHeard, setListener } from '../../../src/records/monitoring/live.ts';
import { claimItem, takeItem } from '../../../src/records/monitoring/watch-queue.ts';
import { countScansSince } from '../../../src/records/scans/scans.ts';
import { startWatchWorker } from '../../../workers/watch-worker.ts';
import { chains, openApp, serveWorld, world } from '../../app/demo-world.ts';
import { putLabels } from '../../labels/label-of.ts';
import { crossing } from '../../tracing/engine/crossings.ts';
import { sceneOf } from '../cases/scenes.ts';

const NO_ID = '11111111-2222-4333-8444-555555555555';

serveWorld();

const place = (story: string, name?: string) => roleOf(world, 'ethereum', story, name).address;

async function openWatchApp({ working = true, env = {} as Record<string, string> } = {}) {
  const test = await openApp(env);
  const { ctx } = test;
  const work = () => {
    const worker = startWatchWorker(ctx, 5);
    onTestFinished(() => worker.stop());
  };
  if (working) work();
  const looked = vi.spyOn(ctx.watchScans, 'get');
  /** Waits until rescans that wait for a scan have looked for its end so often again. */
  const looks = async (times: number) => {
    looked.mockClear();
    await expect.poll(() => looked.mock.calls.length, { interval: 10 }).toBeGreaterThanOrEqual(times);
  };
  const client = async (plan: PlanId = 'pro') => {
    const { key, accountId } = await test.issue(plan);
    const send = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) =>
      test.app.inject({ method, url: `/api/v1${url}`, headers: { 'x-api-key': key }, payload });
    const ask = async (...call: Parameters<typeof send>) => {
      const reply = await send(...call);
      return { status: reply.statusCode, body: reply.json() };
    };
    const items = ctx.records.selectFrom('watchlist_items').selectAll().where('account_id', '=', accountId);
    const row = async (id: string) => (await items.where('id', '=', id).execute())[0]!;
    const watch = async (address: string, more: object = {}) => {
      const { item } = (await ask('POST', '/watchlist', { address, ...more })).body;
      return item as { id: string };
    };
    const scanned = (id: string, after = 0) =>
      expect
        .poll(async () => ((await row(id)).last_scanned_at ?? 0) > after && (await row(id)).busy_until === 0, {
          interval: 20,
        })
        .toBe(true);
    const events = async () => {
      const rows = await ctx.records
        .selectFrom('events')
        .select(['type', 'payload'])
        .where('account_id', '=', accountId)
        .where('type', '!=', 'scan.completed')
        .orderBy('type')
        .execute();
      return rows.map(({ type, payload }) => ({ type, data: JSON.parse(payload) }));
    };
    const used = async () => (await ask('GET', '/public/usage')).body.scans_used as number;
    return { accountId, ask, send, row, watch, scanned, events, used };
  };
  return { ...test, work, client, looks };
}

const sanctioned = (address: string): Label => ({
  chain: 'ethereum',
  address,
  category: 'sanctioned',
  label: 'Listed today',
  source: 'ofac',
  confidence: 100,
  entity: null,
  validFrom: null,
  validTo: null,
  maliciousContract: false,
});

it('adds an address, scans it in the background at no cost, and keeps it once', async () => {
  const { client, work } = await openWatchApp({ working: false });
  const api = await client();
  const address = place('clean_saver');
  const added = await api.ask('POST', '/watchlist', {
    address: address.toUpperCase().replace('0X', '0x'),
    label: 'Saver',
  });
  const item = {
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    token_address: address,
    chain: 'ethereum',
    label: 'Saver',
    monitor_type: 'address',
    follow_mode_enabled: false,
    follow_depth: 1,
    last_risk_level: null,
    last_scanned_at: null,
    failing_since: null,
    live: { state: 'off', since: null, last_block: null, last_touch_at: null, reason: 'not_on_plan' },
    movements: 'out',
  };
  expect([added.status, added.body]).toEqual([
    200,
    { success: true, item, initial_scan: { status: 'pending', risk_level: 'UNKNOWN', risk_score: 0, detections: [] } },
  ]);
  const { id } = added.body.item;
  work();
  await api.scanned(id);
  const again = await api.ask('POST', '/watchlist', { address, chain: 'ethereum', label: 'Other' });
  expect(again.body).toMatchObject({ item: { id, label: 'Saver' }, initial_scan: { status: 'completed' } });
  const listed = (await api.ask('GET', '/watchlist')).body;
  expect(listed).toMatchObject({ limit: 50, offset: 0, total: 1 });
  expect(listed.items).toEqual([again.body.item]);
  expect(again.body.item).toMatchObject({ last_risk_level: 'LOW', last_scanned_at: expect.any(String) });
  expect(await api.used()).toBe(0);
  expect(await api.events()).toEqual([]);
  expect((await api.ask('GET', '/public/scans')).body).toMatchObject({ scans: [], total: 0 });
  const rescans = (await api.ask('GET', '/public/scans?source=watchlist')).body;
  expect(rescans).toMatchObject({ scans: [{ address, source: 'watchlist' }], total: 1 });
  expect((await api.ask('GET', '/public/scans?source=case')).status).toBe(422);
  expect((await api.ask('DELETE', `/watchlist/${id}`)).body).toEqual({ deleted: true, id });
  expect((await api.ask('GET', '/watchlist?limit=1&offset=0')).body.items).toEqual([]);
});

it('says why it refuses: address, chain, ceiling, Follow Mode, other tenants', async () => {
  const { client } = await openWatchApp({ working: false });
  const api = await client('free');
  const add = (payload: object) => api.ask('POST', '/watchlist', payload);
  expect((await add({})).status).toBe(422);
  expect(await add({ address: ' ' })).toMatchObject({ status: 400, body: { detail: 'Address is required' } });
  expect(await add({ address: 'nonsense' })).toMatchObject({
    status: 400,
    body: { detail: 'Unrecognized address format' },
  });
  expect(await add({ address: place('clean_saver'), chain: 'bitcoin' })).toMatchObject({
    status: 400,
    body: { detail: 'Address does not match chain bitcoin' },
  });
  expect(await add({ address: place('clean_saver'), follow_mode_enabled: true })).toMatchObject({
    status: 403,
    body: { detail: 'Follow Mode is a Pro feature.' },
  });
  const racing = await Promise.all(['clean_saver', 'sanctioned'].map((story) => add({ address: place(story) })));
  expect(racing.map(({ status }) => status).sort()).toEqual([200, 403]);
  expect(racing.find(({ status }) => status === 403)!.body).toMatchObject({
    detail: 'Watchlist limit reached (1 items)',
  });

  const [owner, other] = [await client(), await client()];
  const { id } = await owner.watch(place('clean_saver'));
  for (const item of [id, NO_ID]) {
    for (const reply of [
      await other.ask('DELETE', `/watchlist/${item}`),
      await other.ask('POST', `/watchlist/${item}/rescan`),
      await other.ask('PATCH', `/watchlist/${item}/follow`, { enabled: true }),
      await other.ask('GET', `/watchlist/${item}/discoveries`),
      await other.ask('POST', `/watchlist/discoveries/${item}/dismiss`),
      await other.ask('POST', `/watchlist/discoveries/${item}/promote`),
    ]) {
      expect(reply).toMatchObject({ status: 404, body: { detail: 'Not found' } });
    }
  }
});

it('rescans at the interval of the plan, each item by one worker, and none above the ceiling', async () => {
  const { client, ctx, time, work } = await openWatchApp({ working: false });
  const api = await client('enterprise_trial');
  const [first, second] = [await api.watch(place('clean_saver')), await api.watch(place('sanctioned'))];
  await ctx.records
    .updateTable('watchlist_items')
    .set({ created_at: time.at + 1 })
    .where('id', '=', second.id)
    .execute();
  for (let i = 0; i < 3; i++) work();
  await api.scanned(first.id);
  await api.scanned(second.id);
  const scans = async () => (await ctx.records.selectFrom('scans').select('address').execute()).length;
  expect(await scans()).toBe(2);
  const { next_scan_at, last_scanned_at } = await api.row(first.id);
  expect(next_scan_at - last_scanned_at!).toBeGreaterThanOrEqual(5.4 * HOUR_MS);
  expect(next_scan_at - last_scanned_at!).toBeLessThanOrEqual(6 * HOUR_MS);
  await setPlan(ctx.records, api.accountId, 'free');
  const before = time.at;
  time.at += 6 * HOUR_MS;
  await api.scanned(first.id, before);
  await expect.poll(async () => (await api.row(second.id)).next_scan_at).toBe(time.at + DAY_MS);
  expect(await scans()).toBe(3);
});

it('alerts of a high level at the first scan, and fires no risk event then', async () => {
  const { client } = await openWatchApp();
  const api = await client();
  const { id } = await api.watch(place('sanctioned'));
  await api.scanned(id);
  const [alert, ...more] = await api.events();
  expect(more).toEqual([]);
  expect(alert).toMatchObject({
    type: 'watchlist.alert',
    data: {
      reason: 'high_risk',
      item_id: id,
      address: place('sanctioned'),
      risk_level: 'CRITICAL',
      cause: 'transfers',
    },
  });
});

it('names the holder of the address in its alerts', async () => {
  const { client, ctx } = await openWatchApp();
  const api = await client();
  const { address } = roleOf(world, 'bitcoin', 'wallet_of_forty', 'purse_0');
  const listed: Label = { ...sanctioned(address), chain: 'bitcoin' };
  await putLabels(ctx.labels, [listed]);
  const { id } = await api.watch(address);
  await api.scanned(id);
  const [alert] = await api.events();
  expect(alert?.data).toMatchObject({ reason: 'high_risk', address, entity: { name: 'Listed today', size: 40 } });
  const { entity } = (await api.ask('GET', `/graph/entity-of/${address}?chain=bitcoin`)).body;
  expect(alert?.data.entity.id).toBe(entity.id);
});

it('notices a list change on a watched address without waiting for its rescan', async () => {
  const { client, ctx, time } = await openWatchApp();
  const api = await client();
  const address = place('clean_saver');
  const { id } = await api.watch(address);
  await api.scanned(id);
  time.at += MINUTE_MS;
  expect(await hastenRelabelled(ctx)).toBe(0);
  await putLabels(ctx.labels, [sanctioned(address)]);
  time.at += MINUTE_MS;
  const before = time.at - 1;
  expect(await hastenRelabelled(ctx)).toBe(1);
  await api.scanned(id, before);
  const events = await api.events();
  expect(events.map(({ type }) => type)).toEqual(['risk.changed', 'risk.critical_detected', 'watchlist.alert']);
  for (const { data } of events.slice(0, 2)) {
    expect(data).toMatchObject({
      address,
      chain: 'ethereum',
      previous_risk_level: 'LOW',
      risk_level: 'CRITICAL',
      risk_score: 100,
      cause: 'labels',
      score_semantics: 'risk_0to100',
      detail_url: expect.stringContaining('/api/v1/public/scans/'),
    });
    expect(Object.keys(data.detections[0]).sort()).toEqual(['description', 'detector_id', 'detector_name', 'severity']);
  }
  expect(events[2]!.data.reason).toBe('label_changed');
  expect(await hastenRelabelled(ctx)).toBe(0);
  expect(await api.used()).toBe(0);
});

it('notices a list change at another address of the key of a watched wallet, and alerts of it', async () => {
  const { client, ctx, time } = await openWatchApp();
  const api = await client();
  const address = place('clean_saver');
  const { id } = await api.watch(address);
  await api.scanned(id);
  const [onTron] = addressesOfWallet('ethereum', address).filter(({ chain }) => chain === 'tron');
  time.at += MINUTE_MS;
  const listed: Label = { ...sanctioned(onTron!.address), chain: 'tron' };
  await ctx.labels.put([listed], { stamp: await ctx.labels.beginLoad(), list: false });
  time.at += MINUTE_MS;
  const before = time.at - 1;
  expect(await hastenRelabelled(ctx)).toBe(1);
  await api.scanned(id, before);
  const events = await api.events();
  expect(events.map(({ type }) => type)).toEqual(['risk.changed', 'risk.critical_detected', 'watchlist.alert']);
  expect(events[0]!.data).toMatchObject({ address, chain: 'ethereum', risk_level: 'CRITICAL', cause: 'labels' });
  expect(events[2]!.data.reason).toBe('label_changed');
  expect(await hastenRelabelled(ctx)).toBe(0);
  // Before signing, the same label blocks what it makes CRITICAL.
  const presign = await api.ask('GET', `/public/presign/check?chain=ethereum&to=${address}`);
  expect(presign.body).toMatchObject({ verdict: 'danger' });
});

it('finds a label that was written while a scan ran, and alerts of it once', async () => {
  const { client, ctx, time } = await openWatchApp();
  const api = await client();
  const address = place('clean_saver');
  const { id } = await api.watch(address);
  await api.scanned(id);
  // The label bears a moment before the end of the scan that did not see it.
  await putLabels(ctx.labels, [sanctioned(address)]);
  await ctx.records
    .updateTable('watchlist_items')
    .set({ last_scanned_at: time.at + MINUTE_MS })
    .where('id', '=', id)
    .execute();
  expect(await hastenRelabelled(ctx)).toBe(1);
  await expect.poll(async () => (await api.row(id)).last_risk_level).toBe('CRITICAL');
  expect(await hastenRelabelled(ctx)).toBe(0);
});

it('alerts once of a label whose day lies ahead of the clock', async () => {
  const { client, ctx, time } = await openWatchApp();
  const api = await client();
  const address = place('clean_saver');
  const { id } = await api.watch(address);
  await api.scanned(id);
  time.at += HOUR_MS;
  await putLabels(ctx.labels, [sanctioned(address)]);
  time.at -= HOUR_MS - MINUTE_MS;
  const before = time.at - 1;
  expect(await hastenRelabelled(ctx)).toBe(1);
  await api.scanned(id, before);
  expect(await hastenRelabelled(ctx)).toBe(0);
  const alerts = (await api.events()).filter(({ data }) => data.reason === 'label_changed');
  expect(alerts).toHaveLength(1);
});

it('watches an address without history, and hears of a list that names it', async () => {
  const { client, ctx, time } = await openWatchApp();
  const api = await client();
  const address = `0x${'2'.repeat(40)}`;
  const { id } = await api.watch(address);
  await api.scanned(id);
  const added = await api.ask('POST', '/watchlist', { address, chain: 'ethereum' });
  expect(added.body.initial_scan).toEqual({
    status: 'completed',
    risk_level: 'UNKNOWN',
    risk_score: 0,
    detections: [],
  });
  expect((await api.ask('POST', `/watchlist/${id}/rescan`)).status).toBe(200);
  time.at += MINUTE_MS;
  await putLabels(ctx.labels, [sanctioned(address)]);
  const before = time.at - 1;
  expect(await hastenRelabelled(ctx)).toBe(1);
  await api.scanned(id, before);
  const events = await api.events();
  expect(events.map(({ type }) => type)).toEqual(['risk.changed', 'risk.critical_detected', 'watchlist.alert']);
  const again = await api.ask('POST', '/watchlist', { address, chain: 'ethereum' });
  expect(again.body.initial_scan.detections[0]).toMatchObject({ detector_id: 'sanctions_self' });
});

it('alerts of a list that names an address whose source is down', async () => {
  const { client, ctx, time } = await openWatchApp();
  const api = await client();
  const address = place('clean_saver');
  const { id } = await api.watch(address);
  await api.scanned(id);
  for (const server of Object.values(chains.servers)) server.inject({ status: 403, body: 'no' });
  time.at += HOUR_MS;
  await putLabels(ctx.labels, [sanctioned(address)]);
  expect(await hastenRelabelled(ctx)).toBe(1);
  await expect.poll(async () => (await api.row(id)).failing_since).toBe(time.at);
  const [alert, ...others] = await api.events();
  for (const server of Object.values(chains.servers)) server.clearFaults();
  expect(others).toEqual([]);
  expect(alert).toMatchObject({
    type: 'watchlist.alert',
    data: { reason: 'label_changed', address, risk_level: 'CRITICAL', risk_score: 100, cause: 'labels' },
  });
  expect(await hastenRelabelled(ctx)).toBe(0);
  expect((await api.row(id)).last_risk_level).toBe('LOW');
});

it('alerts once of a list that names an address while the graph is away, and of nothing that was known of its key', async () => {
  const { client, ctx, time } = await openWatchApp();
  const api = await client();
  const address = place('clean_saver');
  const [onTron] = addressesOfWallet('ethereum', address).filter(({ chain }) => chain === 'tron');
  const scam: Label = { ...sanctioned(onTron!.address), chain: 'tron', category: 'scam', source: 'tags' };
  await putLabels(ctx.labels, [scam]);
  const { id } = await api.watch(address);
  await api.scanned(id);
  await ctx.records.deleteFrom('events').execute();
  const alerts = async () => (await api.events()).filter(({ type }) => type === 'watchlist.alert');
  const away = vi.spyOn(ctx.graph, 'read').mockRejectedValue(new GraphUnavailableError());
  const failed = async () => {
    time.at += HOUR_MS;
    expect((await api.ask('POST', `/watchlist/${id}/rescan`)).status).toBeGreaterThanOrEqual(500);
  };
  await failed();
  expect(await alerts()).toEqual([]);
  // Of another EVM chain: no label bears the chain of the item.
  await ctx.labels.put([{ ...sanctioned(address), chain: 'polygon' }], {
    stamp: await ctx.labels.beginLoad(),
    list: false,
  });
  expect(await hastenRelabelled(ctx)).toBe(1);
  await expect.poll(alerts).toMatchObject([{ data: { reason: 'label_changed', address, risk_level: 'CRITICAL' } }]);
  await failed();
  expect(await hastenRelabelled(ctx)).toBe(0);
  away.mockRestore();
  const before = time.at;
  time.at += HOUR_MS;
  await api.scanned(id, before);
  expect(await alerts()).toHaveLength(1);
});

it('says that transfers moved a level beside a new label that says nothing of the address', async () => {
  const { client, ctx, time } = await openWatchApp();
  const api = await client();
  const address = place('clean_saver');
  const { id } = await api.watch(address);
  await api.scanned(id);
  await ctx.records.deleteFrom('events').execute();
  await ctx.records
    .updateTable('watchlist_items')
    .set({ last_risk_level: 'MEDIUM', unconfirmed_level: 'LOW' })
    .execute();
  time.at += MINUTE_MS;
  await putLabels(ctx.labels, [{ ...sanctioned(address), category: 'other', source: 'tags', confidence: 50 }]);
  const before = time.at;
  time.at += HOUR_MS;
  expect(await hastenRelabelled(ctx)).toBe(1);
  await api.scanned(id, before);
  const changed = (await api.events()).filter(({ type }) => type === 'risk.changed');
  expect(changed).toMatchObject([{ data: { previous_risk_level: 'MEDIUM', cause: 'transfers' } }]);
});

it('gives no more first scans for adding and deleting than for keeping', async () => {
  const { client, time } = await openWatchApp();
  const api = await client('free');
  for (const story of ['clean_saver', 'sanctioned', 'laundering']) {
    const { id } = await api.watch(roleOf(world, 'ethereum', story).address);
    await api.scanned(id);
    await api.ask('DELETE', `/watchlist/${id}`);
  }
  const { id } = await api.watch(place('clean_saver'));
  const tomorrow = time.at - (time.at % DAY_MS) + DAY_MS;
  expect((await api.row(id)).next_scan_at).toBe(tomorrow);
  time.at = tomorrow;
  await api.scanned(id);
});

it('takes the accounts in turn, however many items of one are due', async () => {
  const { client, ctx, time } = await openWatchApp({ working: false });
  const [many, one] = [await client('enterprise'), await client('pro')];
  for (const { address } of world.roles.filter(({ chain }) => chain === 'ethereum').slice(0, 12))
    await many.watch(address);
  time.at += 1;
  const { id } = await one.watch(place('clean_saver'));
  const claim = () => claimItem(ctx.records, ['ethereum'], time.at, time.at + MINUTE_MS);
  const claimed = [await claim(), await claim(), await claim()];
  expect(claimed.map((item) => item!.account_id)).toEqual([many.accountId, one.accountId, many.accountId]);
  expect(claimed[1]!.id).toBe(id);
});

it('takes up an item whose process died within a minute', async () => {
  const { client, ctx, time, work } = await openWatchApp({ working: false });
  const api = await client();
  const { id } = await api.watch(place('clean_saver'));
  expect(await takeItem(ctx.records, id, time.at, time.at + MINUTE_MS)).toBeDefined();
  const byHand = api.ask('POST', `/watchlist/${id}/rescan`);
  expect(await Promise.race([byHand, setTimeout(100, 'waits')])).toBe('waits');
  time.at += MINUTE_MS;
  expect((await byHand).status).toBe(200);
  work();
  await api.scanned(id);
});

it('walks for a Follow Mode that was switched on while the scan ran', async () => {
  const { client } = await openWatchApp();
  const api = await client('business');
  const servers = Object.values(chains.servers);
  for (const server of servers) server.inject({ delayMs: 300, times: 3 });
  const { id } = await api.watch(place('laundering', 'thief'));
  await expect.poll(async () => (await api.row(id)).busy_until > 0, { interval: 5 }).toBe(true);
  await api.ask('PATCH', `/watchlist/${id}/follow`, { enabled: true, depth: 1 });
  for (const server of servers) server.clearFaults();
  await api.scanned(id);
  const list = async () => (await api.ask('GET', `/watchlist/${id}/discoveries`)).body.discoveries.length;
  await expect.poll(list, { interval: 500 }).toBeGreaterThan(0);
});

it('keeps no discovery beyond the depth of the item', async () => {
  const { client, time } = await openWatchApp();
  const api = await client('business');
  const { id } = await api.watch(place('laundering', 'thief'), { follow_mode_enabled: true, follow_depth: 2 });
  await api.scanned(id);
  const hops = async () => {
    const { discoveries } = (await api.ask('GET', `/watchlist/${id}/discoveries`)).body;
    return new Set(discoveries.map(({ hop }: { hop: number }) => hop));
  };
  expect(await hops()).toEqual(new Set([1, 2]));
  await api.ask('PATCH', `/watchlist/${id}/follow`, { enabled: true, depth: 1 });
  time.at += HOUR_MS;
  await expect.poll(hops, { interval: 500 }).toEqual(new Set([1]));
});

it('keeps the level of an address whose source is down, and says since when', async () => {
  const { client, time } = await openWatchApp();
  const api = await client('enterprise');
  const { id } = await api.watch(place('sanctioned'));
  await api.scanned(id);
  for (const server of Object.values(chains.servers)) server.inject({ status: 403, body: 'no' });
  time.at += MINUTE_MS;
  const failed = await api.ask('POST', `/watchlist/${id}/rescan`);
  expect([failed.status, failed.body]).toMatchObject([
    502,
    { detail: 'Rescan failed: ethereum data source unavailable' },
  ]);
  const item = (await api.ask('GET', '/watchlist')).body.items[0];
  expect(item).toMatchObject({ last_risk_level: 'CRITICAL', failing_since: new Date(time.at).toISOString() });
  for (const server of Object.values(chains.servers)) server.clearFaults();
  expect(await api.ask('POST', `/watchlist/${id}/rescan`)).toEqual({
    status: 200,
    body: { success: true, follow_mode: null },
  });
  expect((await api.ask('GET', '/watchlist')).body.items[0].failing_since).toBe(null);
});

it('alerts once an account of what a new rule set changed', async () => {
  const { client, ctx, time } = await openWatchApp();
  const api = await client();
  const items = [await api.watch(place('sanctioned')), await api.watch(place('clean_saver'))];
  for (const { id } of items) await api.scanned(id);
  await ctx.records.deleteFrom('events').execute();
  // As if an older rule set had made the last scans.
  const older = { last_rule_set: 'older', last_risk_level: 'MEDIUM' } as const;
  await ctx.records.updateTable('watchlist_items').set(older).execute();
  const before = time.at;
  time.at += 6 * HOUR_MS;
  for (const { id } of items) await api.scanned(id, before);
  const events = await api.events();
  expect(events).toHaveLength(1);
  expect(events[0]).toMatchObject({ type: 'watchlist.alert', data: { reason: 'rule_set', cause: 'rule_set' } });
  expect(events[0]!.data.changes).toMatchObject([
    { previous_risk_level: 'MEDIUM', risk_level: 'CRITICAL' },
    { previous_risk_level: 'MEDIUM', risk_level: 'LOW' },
  ]);
});

it('rings for what a list says although a new rule set scans next, and mutes what the rules alone change', async () => {
  const { client, ctx, time } = await openWatchApp({ env: { CACHE_SCAN_SECONDS: '0' } });
  const api = await client();
  const address = place('clean_saver');
  const { id } = await api.watch(address);
  await api.scanned(id);
  const upgrade = async (last_risk_level: 'LOW' | 'MEDIUM') => {
    await ctx.records.deleteFrom('events').execute();
    await ctx.records.updateTable('watchlist_items').set({ last_rule_set: 'older', last_risk_level }).execute();
    const before = time.at;
    time.at += 6 * HOUR_MS;
    return before;
  };
  // The rules alone: the old facts under the new rules are LOW.
  await api.scanned(id, await upgrade('MEDIUM'));
  expect((await api.events()).map(({ data }) => data.reason)).toEqual(['rule_set']);
  // A list names the address, and then another version comes: no scan is due before both are there.
  time.at += MINUTE_MS;
  await putLabels(ctx.labels, [sanctioned(address)]);
  await api.scanned(id, await upgrade('MEDIUM'));
  const events = await api.events();
  expect(events.map(({ type, data }) => [type, data.reason, data.previous_risk_level, data.cause])).toEqual([
    ['risk.changed', undefined, 'LOW', 'labels'],
    ['risk.critical_detected', undefined, 'LOW', 'labels'],
    ['watchlist.alert', 'label_changed', undefined, 'labels'],
    ['watchlist.alert', 'rule_set', undefined, 'rule_set'],
  ]);
});

it('counts for the alert of a new rule set only items that the plan scans', async () => {
  const { client, ctx, time } = await openWatchApp();
  const api = await client('enterprise_trial');
  const [first, second] = [await api.watch(place('clean_saver')), await api.watch(place('sanctioned'))];
  for (const { id } of [first, second]) await api.scanned(id);
  const items = ctx.records.updateTable('watchlist_items');
  await items
    .set({ created_at: time.at + 1 })
    .where('id', '=', second.id)
    .execute();
  await items.set({ last_rule_set: 'older', last_risk_level: 'MEDIUM' }).execute();
  await setPlan(ctx.records, api.accountId, 'free');
  await ctx.records.deleteFrom('events').execute();
  const before = time.at;
  time.at += 6 * HOUR_MS;
  await api.scanned(first.id, before);
  expect((await api.events()).map(({ data }) => data.changes)).toMatchObject([[{ address: place('clean_saver') }]]);
});

it('rescans by hand at most 24 times a day', async () => {
  const { client, ctx, time } = await openWatchApp({ working: false });
  const api = await client();
  const { id } = await api.watch(place('clean_saver'));
  expect((await api.ask('POST', `/watchlist/${id}/rescan`)).body).toEqual({ success: true, follow_mode: null });
  await ctx.records.updateTable('watchlist_items').set({ manual_rescans: 24 }).execute();
  const refused = await api.send('POST', `/watchlist/${id}/rescan`);
  expect(refused.statusCode).toBe(429);
  expect(refused.json()).toMatchObject({ detail: 'Rescan limit reached (24 per day)' });
  expect(refused.headers['retry-after']).toBe(String(Math.ceil((DAY_MS - (time.at % DAY_MS)) / 1_000)));
  time.at += Number(refused.headers['retry-after']) * 1_000;
  expect((await api.ask('POST', `/watchlist/${id}/rescan`)).status).toBe(200);
});

it('joins the scan of the address that is running, and counts it as none by hand', async () => {
  const { client, ctx, time, looks } = await openWatchApp({ working: false });
  const api = await client();
  const { id } = await api.watch(place('clean_saver'));
  const hold = (change: object) => ctx.records.updateTable('watchlist_items').set(change).execute();
  const rescan = () => api.ask('POST', `/watchlist/${id}/rescan`);
  await hold({ busy_until: time.at + MINUTE_MS });
  const { SCAN_DEADLINE_MS } = ctx.config;
  ctx.config.SCAN_DEADLINE_MS = 250;
  expect(await rescan()).toMatchObject({ status: 409, body: { detail: 'A scan of this address is running' } });
  ctx.config.SCAN_DEADLINE_MS = SCAN_DEADLINE_MS;
  const joined = rescan();
  await looks(1);
  await hold({ last_scanned_at: time.at });
  expect(await joined).toEqual({ status: 200, body: { success: true, follow_mode: null } });
  const detail = 'Rescan failed: ethereum data source unavailable';
  // In another process: the address begins to fail, and then fails again.
  for (const change of [{ failing_since: time.at }, { next_scan_at: time.at + 10 * MINUTE_MS }]) {
    const failed = rescan();
    await looks(1);
    // Due at once, as where a list changed what it says: no scan ended.
    await hold({ next_scan_at: time.at });
    await looks(2);
    await hold(change);
    expect(await failed).toMatchObject({ status: 502, body: { detail } });
  }
  const { manual_rescans } = await ctx.records.selectFrom('watchlist_items').selectAll().executeTakeFirstOrThrow();
  expect(manual_rescans).toBe(0);
});

it('gives a rescan that joined another its failure, counted once, also where the address was failing before', async () => {
  const { client, ctx, looks } = await openWatchApp({ working: false });
  const api = await client();
  const { id } = await api.watch(place('clean_saver'));
  await ctx.records.updateTable('watchlist_items').set({ failing_since: 1 }).execute();
  const rescan = async () => (await api.ask('POST', `/watchlist/${id}/rescan`)).status;
  const failures = [
    [new SourceError('ethereum', 'down'), 502],
    [new Error('unforeseen'), 500],
  ] as const;
  for (const [i, [error, status]] of failures.entries()) {
    let fail = () => {};
    const source = new Promise<never>((_, reject) => {
      fail = () => reject(error);
    });
    source.catch(() => undefined);
    ctx.chainSource = () => source;
    const first = rescan();
    await expect.poll(() => ctx.watchScans.size).toBe(1);
    const joined = [rescan(), rescan()];
    await looks(2);
    fail();
    expect(await Promise.all([first, ...joined])).toEqual([status, status, status]);
    expect((await api.row(id)).manual_rescans).toBe(i + 1);
  }
});

it('ends a rescan that waited, and then scans itself, within one deadline, and blames no source', async () => {
  const { client, ctx, time, looks } = await openWatchApp({ working: false, env: { SCAN_DEADLINE_MS: '60000' } });
  const api = await client();
  const { id } = await api.watch(place('clean_saver'));
  const hold = (change: object) => ctx.records.updateTable('watchlist_items').set(change).execute();
  ctx.chainSource = () => new Promise(() => undefined);
  await hold({ busy_until: time.at + MINUTE_MS });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const late = api.ask('POST', `/watchlist/${id}/rescan`);
  await looks(1);
  await hold({ busy_until: 0 });
  await expect
    .poll(async () => {
      await vi.advanceTimersByTimeAsync(100);
      return (await api.row(id)).manual_rescans;
    })
    .toBe(1);
  await vi.advanceTimersByTimeAsync(60_000);
  // The deadline of the wait: one of its own, begun later, would end the scan as a failure of the source.
  expect(await late).toMatchObject({ status: 409, body: { detail: 'A scan of this address is running' } });
  expect(await api.row(id)).toMatchObject({ manual_rescans: 1, failing_since: null });
});

it('answers a rescan by hand with 502 where no source is configured', async () => {
  const { client } = await openWatchApp({
    working: false,
    env: { ETHEREUM_RPC_URL: '', ETHEREUM_EXPLORER_URL: '', ETHEREUM_EXPLORER_STYLE: '' },
  });
  const api = await client();
  const { id } = await api.watch(place('clean_saver'));
  const detail = 'Rescan failed: ethereum data source unavailable';
  expect(await api.ask('POST', `/watchlist/${id}/rescan`)).toMatchObject({ status: 502, body: { detail } });
});

it('says what became of Follow Mode at a rescan', async () => {
  const { client, ctx, time } = await openWatchApp({ working: false });
  const api = await client('business');
  const { id } = await api.watch(place('clean_saver'));
  const rescan = async () => (await api.ask('POST', `/watchlist/${id}/rescan`)).body.follow_mode;
  const follow = async (payload: object) => (await api.ask('PATCH', `/watchlist/${id}/follow`, payload)).body;
  expect(await rescan()).toBe(null);
  expect(await follow({ enabled: true, depth: 9 })).toMatchObject({ follow_mode_enabled: true, follow_depth: 3 });
  expect(await rescan()).toBe('running_in_background');
  const { graph } = ctx;
  const { GraphError } = await import('../../../src/errors.ts');
  ctx.graph = { ...graph, ping: () => Promise.reject(new GraphError()) };
  expect(await rescan()).toBe('graphdb_unavailable');
  ctx.graph = { ...graph, ping: () => Promise.reject(new Error('unforeseen')) };
  expect(await rescan()).toBe('error');
  ctx.graph = graph;
  await setPlan(ctx.records, api.accountId, 'starter');
  time.at += 5_001;
  expect(await rescan()).toBe('plan_not_eligible');
  expect(await follow({ enabled: true })).toMatchObject({ detail: 'Follow Mode is a Pro feature.' });
  expect(await follow({ enabled: false })).toMatchObject({ id, follow_mode_enabled: false });
});

it('follows the money of a watched address, alerts of what is grave, and promotes or dismisses it', async () => {
  const { client, time } = await openWatchApp();
  const api = await client('business');
  const address = place('sanctioned_counterparty');
  const { id } = await api.watch(address, { follow_mode_enabled: true, follow_depth: 2 });
  await api.scanned(id);
  const list = async (query = '') => (await api.ask('GET', `/watchlist/${id}/discoveries${query}`)).body.discoveries;
  const found = await list();
  const listed = found.find((one: { category: string }) => one.category === 'sanctioned');
  expect(listed).toMatchObject({
    item_id: id,
    chain: 'ethereum',
    hop: 1,
    risk_level: 'CRITICAL',
    risk_score: 100,
    status: 'active',
  });
  expect(listed.path).toHaveLength(1);
  expect([listed.path[0].from, listed.path[0].to].sort()).toEqual([address, listed.address].sort());
  const alert = (await api.events()).find(({ data }) => data.reason === 'discovery')!;
  expect(alert.data).toMatchObject({ cause: 'trace', item_id: id });
  expect(alert.data.discoveries.map((one: { id: string }) => one.id)).toContain(listed.id);

  const alerts = (await api.events()).length;
  const before = time.at;
  time.at += HOUR_MS;
  await api.scanned(id, before);
  expect((await api.events()).length).toBe(alerts);
  expect((await list()).map((one: { id: string }) => one.id).sort()).toEqual(
    found.map((one: { id: string }) => one.id).sort(),
  );

  const promoted = await api.ask('POST', `/watchlist/discoveries/${listed.id}/promote`);
  expect(promoted).toMatchObject({
    status: 200,
    body: { success: true, item: { token_address: listed.address }, discovery: { status: 'promoted' } },
  });
  expect(await api.ask('POST', `/watchlist/discoveries/${listed.id}/promote`)).toMatchObject({
    status: 400,
    body: { detail: 'Discovery cannot be promoted' },
  });
  expect((await list('?status=promoted')).map((one: { id: string }) => one.id)).toEqual([listed.id]);
  const [other] = await list();
  const dismissed = await api.ask('POST', `/watchlist/discoveries/${other.id}/dismiss`);
  expect(dismissed.body).toMatchObject({ success: true, discovery: { id: other.id, status: 'dismissed' } });
  const { entries } = (await api.ask('GET', '/audit?action=discovery_dismissed')).body;
  expect(entries).toMatchObject([{ subject: `${other.chain}:${other.address}` }]);
  expect((await list('?status=dismissed')).map((one: { id: string }) => one.id)).toEqual([other.id]);
  expect((await list()).map((one: { id: string }) => one.id)).not.toContain(other.id);
});

it('reads on by itself to where the money of a watched thief went next', async () => {
  const { client, ctx } = await openWatchApp();
  const api = await client('enterprise');
  const { id } = await api.watch(place('laundering', 'thief'), { follow_mode_enabled: true, follow_depth: 4 });
  await api.scanned(id);
  const { discoveries } = (await api.ask('GET', `/watchlist/${id}/discoveries`)).body;
  for (const hop of [1, 2, 3, 4]) {
    expect(discoveries).toContainEqual(
      expect.objectContaining({ address: place('laundering', `layer_${hop}`), hop, direction: 'sent' }),
    );
  }
  const [far] = discoveries.filter((one: { address: string }) => one.address === place('laundering', 'layer_4'));
  expect(far.path.map(({ to }: { to: string }) => to)).toEqual(
    [1, 2, 3, 4].map((layer) => place('laundering', `layer_${layer}`)),
  );
  expect(await api.used()).toBe(0);
  expect(await ctx.records.selectFrom('scans').select('address').execute()).toHaveLength(1);
});

it('follows money over bridges to other chains, with both transactions on the way', { timeout: 120_000 }, async () => {
  const { client } = await openWatchApp({ env: { SCAN_TRACE_MS: '50000' } });
  const api = await client('enterprise');
  const at = (chain: Chain, name: string) =>
    world.roles.find((role) => role.chain === chain && role.name === name)!.address;
  const { id } = await api.watch(at('ethereum', 'vault_thief'), { follow_mode_enabled: true, follow_depth: 5 });
  expect((await api.ask('GET', `/watchlist/${id}/discoveries`)).body.coverage).toBeNull();
  await api.scanned(id);
  const { discoveries, coverage } = (await api.ask('GET', `/watchlist/${id}/discoveries`)).body;
  for (const [hop, chain, name] of [
    [1, 'ethereum', 'ferry_1'],
    [2, 'arbitrum', 'ferry_2'],
    [3, 'arbitrum', 'ferry_3'],
    [4, 'optimism', 'ferry_4'],
  ] as const) {
    expect(discoveries).toContainEqual(
      expect.objectContaining({ chain, address: at(chain, name), hop, direction: 'sent' }),
    );
  }
  const far = discoveries.find(({ chain }: { chain: string }) => chain === 'optimism');
  expect(far.path.map((hop: { bridge?: { destination: { chain: string } } }) => hop.bridge?.destination.chain)).toEqual(
    [undefined, 'arbitrum', undefined, 'optimism'],
  );
  // The other chain stands in the place of the bridge, which only the money without another side still reaches.
  const bridges = discoveries.filter(({ category }: { category: string }) => category === 'bridge');
  expect(bridges.map(({ chain, path }: { chain: string; path: { to: string }[] }) => [chain, path[0]!.to])).toEqual([
    ['ethereum', at('ethereum', 'strait')],
  ]);
  const strait = { address: at('ethereum', 'strait'), chain: 'ethereum', direction: 'sent', hop: 1, usd: 3_900 };
  const reason = 'bridge_chain_unsupported';
  const bridge = expect.objectContaining({ protocol: 'across', message_id: '3100502', match: null, reason });
  expect(coverage).toEqual({
    frontier: [{ ...strait, share: 1, reason, bridge }],
    frontier_count: 1,
    reasons: [reason],
  });
});

it('says where an address has more crossings of bridges than a walk reads', async () => {
  const { client, ctx } = await openWatchApp();
  const saver = place('clean_saver');
  // Payouts of Across are open statements, which count only where their values agree.
  const attested = (message: BridgeMessage): BridgeMessage => ({ ...message, protocol: 'hop' });
  const statements = Array.from({ length: 1_001 }, (_, i) => {
    // Two recipients, each of fewer than are read: to keep the crossings of a thousand takes as many transactions.
    const [party, stranger] = [`ethereum:${saver}`, `arbitrum:0x${'0'.repeat(39)}${1 + (i % 2)}`];
    const out = { party, at: 1_000, amount: '1' };
    const { source, destination } = crossing(`${i}`, { out, arrived: { ...out, party: stranger, at: 1_500 } });
    const more = { usd: 1, missing: null, likely: null, lookedUpAt: null };
    return [
      { message: attested(source!), near: party, far: 'ethereum:bridge', ...more },
      { message: attested(destination!), near: stranger, far: 'arbitrum:pool', ...more },
    ];
  }).flat();
  await keepCrossings(ctx.graph, statements);
  const api = await client('business');
  const { id } = await api.watch(saver, { follow_mode_enabled: true });
  await api.scanned(id);
  const { coverage } = (await api.ask('GET', `/watchlist/${id}/discoveries`)).body;
  expect(coverage).toEqual({ frontier: [], frontier_count: 0, reasons: ['hub_not_expanded'] });
});

it('finds a counterparty that is sanctioned later', async () => {
  const { client, ctx, time } = await openWatchApp();
  const api = await client('business');
  const { id } = await api.watch(place('clean_saver'), { follow_mode_enabled: true });
  await api.scanned(id);
  const list = async () => (await api.ask('GET', `/watchlist/${id}/discoveries`)).body.discoveries;
  const known = (await list())[0];
  expect(known.risk_level).not.toBe('CRITICAL');
  expect(await api.events()).toEqual([]);
  time.at += 1;
  await putLabels(ctx.labels, [sanctioned(known.address)]);
  const before = time.at;
  time.at += HOUR_MS;
  await api.scanned(id, before);
  const found = (await list()).find((one: { id: string }) => one.id === known.id);
  expect(found).toMatchObject({
    category: 'sanctioned',
    label: 'Listed today',
    risk_level: 'CRITICAL',
    status: 'active',
  });
  const alerts = (await api.events()).filter(({ type }) => type === 'watchlist.alert').map(({ data }) => data);
  expect(alerts.map(({ reason }) => reason).sort()).toEqual(['discovery', 'sanctioned_counterparty']);
  expect(alerts.find(({ reason }) => reason === 'sanctioned_counterparty').counterparties).toEqual([known.address]);
  expect(alerts.find(({ reason }) => reason === 'sanctioned_counterparty').cause).toBe('labels');
});

it('says how an address is listened to from what its own account did, and refuses an empty change', async () => {
  const { client, ctx, time } = await openWatchApp({ working: false });
  const [first, second] = [await client('business'), await client('business')];
  const address = place('clean_saver');
  const { id } = await first.watch(address);
  const heard = { marks: new Map(), place: '[]', lastBlock: 1, head: 1, reorganisedFrom: null };
  const hear = (count: number) => {
    const touches = Array.from({ length: count }, () => ({ address, txHash: randomUUID(), block: 1 }));
    return keepHeard(ctx.records, 'ethereum', { ...heard, touches }, time.at);
  };
  const say = () => sayLive(ctx);
  await hear(1);
  await say();
  await ctx.records.updateTable('watchlist_items').set({ too_busy_since: time.at }).execute();
  await say();
  await say();
  time.at += MINUTE_MS;
  await hear(0);
  const liveOf = async (api: typeof first) => (await api.ask('GET', '/watchlist')).body.items[0].live;
  expect(await liveOf(first)).toMatchObject({ state: 'off', reason: 'too_busy' });
  const { id: other } = await second.watch(address);
  const switchOn = (api: typeof first, item: string) => api.ask('PATCH', `/watchlist/${item}`, { live: true });
  // Nothing of the hours before, and nothing for the first account from the second one.
  expect(await liveOf(second)).toMatchObject({ state: 'listening', last_touch_at: null });
  await switchOn(second, other);
  await hear(1);
  expect(await liveOf(first)).toMatchObject({ state: 'off', reason: 'too_busy' });
  expect((await liveOf(first)).last_touch_at).toBe((await liveOf(first)).since);
  expect((await liveOf(second)).last_touch_at).toBe(new Date(time.at).toISOString());
  expect((await switchOn(first, id)).body.live).toMatchObject({ state: 'listening', reason: null });
  await say();
  // Its chain is lost for a while, and found again.
  await setListener(ctx.records, 'ethereum', { state: 'unavailable', reason: 'no_answer' }, { now: time.at });
  time.at += 9 * MINUTE_MS;
  await setListener(ctx.records, 'ethereum', { state: 'unavailable', reason: 'no_answer' }, { now: time.at });
  await say();
  time.at += 2 * MINUTE_MS;
  await say();
  await hear(0);
  await say();
  const said = (await first.events()).map(({ data }) => [data.reason, data.live.state, data.live.reason]);
  expect(said).toEqual([
    ['live_ended', 'off', 'too_busy'],
    ['live_began', 'listening', null],
    ['live_ended', 'unavailable', 'no_answer'],
    ['live_began', 'listening', null],
  ]);
  expect(await first.ask('PATCH', `/watchlist/${id}`, {})).toMatchObject({
    status: 400,
    body: { detail: 'No fields to update' },
  });
});

it('counts no scan that a touch caused among those of a day', async () => {
  const { client, ctx, time } = await openWatchApp({ working: false });
  const api = await client('business');
  const address = place('clean_saver');
  const { id } = await api.watch(address);
  const counted = () =>
    countScansSince(ctx.records, { accountId: api.accountId, source: 'watchlist', since: time.at - DAY_MS });
  const rescan = async () => {
    time.at += MINUTE_MS;
    await api.ask('POST', `/watchlist/${id}/rescan`);
  };
  await rescan();
  await rescan();
  expect(await counted()).toBe(2);
  time.at += MINUTE_MS;
  const touches = [{ address, txHash: null, block: 1 }];
  await keepHeard(
    ctx.records,
    'ethereum',
    { touches, marks: new Map(), place: '[]', lastBlock: 1, head: 1, reorganisedFrom: null },
    time.at,
  );
  await rescan();
  expect(await counted()).toBe(2);
});

it('watches what moves at the subjects of a case and of a board, all of them or none', async () => {
  const { client } = await openWatchApp({ working: false });
  const [api, free] = [await client('business'), await client('free')];
  const known = place('clean_saver');
  await api.watch(known, { label: 'Mine' });
  const caseOf = async ({ ask }: typeof api, title: string, addresses: string[]) => {
    const { id } = (await ask('POST', '/cases', { title })).body.case;
    for (const address of addresses) {
      await ask('POST', `/cases/${id}/addresses`, { chain: 'ethereum', address, role: 'subject' });
    }
    return `/cases/${id}` as const;
  };
  const subjects = [known, place('gambler')];
  const heist = await caseOf(api, 'Heist', subjects);
  const bystander = { chain: 'ethereum', address: place('laundering', 'layer_3'), role: 'related' };
  await api.ask('POST', `${heist}/addresses`, bystander);
  expect(await api.ask('POST', `${heist}/watch`)).toEqual({
    status: 200,
    body: { success: true, added: 1, already_watched: 1, live: 2 },
  });
  const scene = sceneOf(3);
  const [first, second] = scene.nodes;
  const drawn = { ...scene, subject: first!.key, nodes: [first, { ...second, note: 'waits' }, scene.nodes[2]] };
  const { board } = (await api.ask('POST', '/boards', { title: 'Ways', scene: drawn })).body;
  expect((await api.ask('POST', `/boards/${board.id}/watch`)).body).toMatchObject({ added: 2, already_watched: 0 });
  expect((await api.ask('POST', `/boards/${board.id}/watch`)).body).toMatchObject({ added: 0, already_watched: 2 });
  const { items } = (await api.ask('GET', '/watchlist')).body;
  const labels = items.map(({ label }: { label: string }) => label).sort();
  expect(labels).toEqual(['Board: Ways', 'Board: Ways', 'Case: Heist', 'Mine']);
  // The free plan watches one address.
  expect((await free.ask('POST', `${await caseOf(free, 'Two', subjects)}/watch`)).status).toBe(403);
  expect((await free.ask('GET', '/watchlist')).body.items).toEqual([]);
  expect((await api.ask('POST', `${await caseOf(api, 'Empty', [])}/watch`)).status).toBe(400);
});
