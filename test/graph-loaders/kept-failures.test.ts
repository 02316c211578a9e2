import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { addKeptList } from '../../graph-loaders/kept/keep.ts';
import { refreshDueLists, refreshKeptLists } from '../../graph-loaders/kept/refresh-lists.ts';
import { DAY_MS, HOUR_MS, iso, MINUTE_MS } from '../../src/domain/time.ts';
import { describeKeptLists } from '../../src/questions/check-sources.ts';
import { keepList, readKeptLists, removeKeptLists } from '../../src/records/lists/kept-lists.ts';
import { openTestApp } from '../app/test-app.ts';
import { drip, serve } from '../setup/dripping-source.ts';
import { fileOf, folderOf } from './loading.ts';

const A = '0x00000000000000000000000000000000000000a1';
const HEADER = 'chain,address,category,label,source,confidence,entity,valid_from,valid_to';
const DARKLIST = JSON.stringify([{ address: A, comment: '' }]);

afterEach(() => {
  vi.useRealTimers();
});

async function open() {
  const test = await openTestApp({ WEBHOOK_ALLOW_HTTP: '1', WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' });
  const { ctx } = test;
  const keep = (source: string, place: string) =>
    addKeptList(ctx, ctx.webhookGuard, { source, place, everyMs: DAY_MS, asOfHeader: false });
  return { ...test, keep };
}

const answer =
  (text: string): RequestListener =>
  (_, response) =>
    void response.end(text);

it('a list that is kept speaks in its own name, never in that of a public list', async () => {
  const { ctx, keep, logged } = await open();
  const rows = ['ofac', 'Tagpack:x / y', 'sc\u200Bamdb', 'mine', ''].map((name) => `ethereum,${A},scam,x,${name},,,,`);
  const place = await serve(answer([HEADER, ...rows].join('\n')));
  await keep('labels', place.href);
  await refreshDueLists(ctx);
  expect(logged()).toContain('ofac is the name of another list');
  const [{ report } = { report: null }] = await refreshKeptLists(ctx, { endings: 'end' });
  expect(report).toMatchObject({ read: 5, skipped: 3 });
  expect(report!.errors.filter(({ reason }) => reason.includes('another list'))).toEqual([
    { line: 2, reason: 'ofac is the name of another list: a kept list speaks in its own' },
    { line: 3, reason: 'Tagpack:x / y is the name of another list: a kept list speaks in its own' },
    { line: 4, reason: 'scamdb is the name of another list: a kept list speaks in its own' },
  ]);
  const labels = (await ctx.labels.find('ethereum', [A])).get(A)!;
  expect(labels.map(({ source }) => source).sort()).toEqual(['mine', 'operator']);
});

it('a list whose URL ends with a longer name than a file may have is loaded', async () => {
  const { ctx, keep } = await open();
  const place = await serve(answer(`${HEADER}\nethereum,${A},scam,x,mine,,,,`));
  await keep('labels', new URL(`/${'\u65e5'.repeat(100)}.csv`, place).href);
  const [{ report } = { report: null }] = await refreshKeptLists(ctx, {});
  expect(report).toMatchObject({ read: 1, skipped: 0 });
});

it('a list that drips holds up no other, and is given up after ten minutes with its reason', async () => {
  const { ctx, keep } = await open();
  const dripping = await serve(drip('[', () => {}));
  for (const n of [1, 2, 3]) await keep('darklist', new URL(`/${n}`, dripping).href);
  await keep('scamsniffer', (await serve(answer(JSON.stringify([A])))).href);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const dataDir = folderOf({});
  const refreshed = refreshDueLists({ ...ctx, dataDir });
  const stateOf = async (source: string) => (await readKeptLists(ctx.records)).find((list) => list.source === source)!;
  await expect.poll(async () => (await stateOf('scamsniffer')).state).toBe('current');
  await expect.poll(() => readdirSync(dataDir)).toHaveLength(3);
  expect((await stateOf('darklist')).state).toBe('new');
  await vi.advanceTimersByTimeAsync(10 * MINUTE_MS);
  await refreshed;
  expect(await stateOf('darklist')).toMatchObject({
    state: 'failed',
    problem: expect.stringContaining('timeout: no whole answer within 600000 ms'),
  });
  expect(readdirSync(dataDir)).toEqual([]);
});

it('a newer list that gives nothing is refused: it ends nothing, waits for nothing and is asked for again', async () => {
  const { ctx, keep } = await open();
  let text = DARKLIST;
  const place = await serve((_, response) => void response.end(text));
  await keep('darklist', place.href);
  await refreshKeptLists(ctx, {});
  text = JSON.stringify([{ address: 'moved to example.org', comment: '' }]);
  for (const endings of [undefined, 'end'] as const) {
    expect(await refreshKeptLists(ctx, { endings })).toMatchObject([
      { state: 'failed', problem: expect.stringContaining('none of 1 rows can be used'), report: null },
    ]);
    expect(await ctx.labels.countLive('darklist')).toBe(1);
  }
});

it('a failure is named once: in the answer to a refresh by hand, in the log of the service', async () => {
  const { ctx, keep, logged } = await open();
  await keep('darklist', (await serve(answer('<html/>'))).href);
  expect(await refreshKeptLists(ctx, {})).toMatchObject([{ state: 'failed' }]);
  expect(logged()).not.toContain('could not be refreshed');
  await ctx.records.updateTable('kept_lists').set({ next_at: 0 }).execute();
  await refreshDueLists(ctx);
  expect(logged()).toContain('could not be refreshed');
});

it('a list whose place or answer makes its load fail in a way of its own fails alone', async () => {
  const { ctx, keep, logged } = await open();
  const place = await serve(answer(DARKLIST));
  await expect(keep('darklist', `${place.href}%ZZ`)).rejects.toThrow('an escape that stands for no character');
  await expect(keep('darklist', `${place.href}a%00b`)).rejects.toThrow('an escape that stands for no character');
  // As an older version let it in.
  const named = { source: 'darklist', every_ms: DAY_MS, as_of_header: 0 };
  for (const path of ['%00', '%ZZ']) await keepList(ctx.records, { ...named, place: place.href + path }, ctx.now());
  await keepList(ctx.records, { ...named, place: 'https://lists.example/' }, ctx.now());
  await ctx.records.updateTable('kept_lists').set({ place: 'https://' }).where('place', 'like', '%example%').execute();
  await keep('darklist', `${place.href}..%2F`);
  await refreshDueLists(ctx);
  const states = (await readKeptLists(ctx.records)).map((list) => [list.place.slice(-3), list.state]);
  expect(states).toEqual([
    ['%00', 'failed'],
    ['%ZZ', 'failed'],
    ['%2F', 'current'],
    ['://', 'failed'],
  ]);
  expect(logged()).toContain('Invalid URL');
});

it('keeps no file or folder that is not there or gives nothing, and shows when a list was last asked for in vain', async () => {
  const { app, ctx, keep, time, headers } = await open();
  await expect(keep('labels', '/nowhere/labels.csv')).rejects.toThrow('no such file');
  await expect(keep('tagpack', folderOf({}))).rejects.toThrow('Nothing to load');
  await expect(keep('scamsniffer', fileOf('domains.json', '["x.example"]'))).rejects.toThrow('none of 1 rows');
  await expect(keep('ofac', fileOf('sdn.xml', '<html/>'))).rejects.toThrow('ofac takes the SDN list');
  expect(await readKeptLists(ctx.records)).toEqual([]);
  const path = fileOf('labels.csv', `${HEADER}\nethereum,${A},scam,x,mine,,,,`);
  await keep('labels', path);
  rmSync(path);
  await refreshDueLists(ctx);
  expect(await describeKeptLists(ctx.records)).toMatchObject([
    { state: 'failed', problem: expect.stringContaining(path), checked_at: iso(time.at), loaded_at: null },
  ]);
  const shown = (await app.inject({ url: '/api/v1/sources', headers: await headers() })).json();
  expect(shown.lists).toMatchObject([{ source: 'labels', place: null, state: 'failed' }]);
  expect(JSON.stringify(shown)).not.toContain('Cannot read');
});

it('deletes what a killed process had fetched, and nothing that may be in use', async () => {
  const { ctx, keep } = await open();
  const dataDir = folderOf({});
  const folders = ['list-a1B2c3', 'list-d4E5f6', 'lists-of-mine'].map((name) => join(dataDir, name));
  for (const folder of folders) mkdirSync(folder);
  const old = (Date.now() - HOUR_MS - MINUTE_MS) / 1_000;
  for (const folder of [folders[0]!, folders[2]!]) utimesSync(folder, old, old);
  await keep('darklist', (await serve(answer(DARKLIST))).href);
  expect(await refreshKeptLists({ ...ctx, dataDir }, {})).toMatchObject([{ state: 'current' }]);
  expect(folders.map((folder) => existsSync(folder))).toEqual([false, true, true]);
});

it('the audit log names who kept, loaded, replaced and removed which list, and no key of a place', async () => {
  const { ctx, keep } = await open();
  const { href } = await serve(answer(DARKLIST));
  await keep('darklist', `${href}list.json?token=secret`);
  await refreshDueLists(ctx);
  await refreshKeptLists(ctx, { endings: 'end' });
  await removeKeptLists(ctx.records, { source: 'darklist' }, ctx.now());
  const rows = await ctx.records
    .selectFrom('audit_log')
    .selectAll()
    .where('chain', '=', 'operator')
    .orderBy('seq')
    .execute();
  expect(rows.map(({ actor, action, detail }) => `${actor} ${action}: ${detail}`)).toEqual([
    `operator list_kept: ${href}list.json every 24 h`,
    `service load_started: ${href}list.json`,
    'service load_ended: 1 read, 1 loaded, 0 skipped',
    `operator load_started: ${href}list.json --replace`,
    'operator load_ended: 1 read, 1 loaded, 0 skipped',
    `operator list_removed: ${href}list.json`,
  ]);
});
