import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { addKeptList } from '../../graph-loaders/kept/keep.ts';
import { refreshDueLists, refreshKeptLists } from '../../graph-loaders/kept/refresh-lists.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/time.ts';
import { createGuard } from '../../src/outbound/guard.ts';
import { readKeptLists, removeKeptLists } from '../../src/records/lists/kept-lists.ts';
import { openTestApp } from '../app/test-app.ts';

const address = (n: number) => `0x${String(n).padStart(40, '0')}`;
const ALLOWED = { WEBHOOK_ALLOW_HTTP: '1', WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' };

/** A server of lists as public hosts are: ETags, a redirect to a store of files, pages of HTML when it is broken. */
async function listServer() {
  const files = new Map<string, { text: string; etag: string; modified?: string; broken?: boolean }>();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url!.split('?')[0]!;
    if (path === '/exports/list.json')
      return void response.writeHead(302, { location: '/store/list.json?sig=1' }).end();
    const file = files.get(path);
    const isSame = file !== undefined && request.headers['if-none-match'] === file.etag;
    const status = file === undefined ? 404 : file.broken ? 200 : isSame ? 304 : 200;
    asked.push(`${path} ${file?.broken ? 'html' : status}`);
    if (file?.broken) return void response.writeHead(200).end('<!DOCTYPE html><title>Maintenance</title>');
    response.writeHead(status, file && { etag: file.etag, ...(file.modified && { 'last-modified': file.modified }) });
    response.end(status === 200 ? file!.text : '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const put = (path: string, count: number, more: { modified?: string } = {}) =>
    files.set(path, {
      text: JSON.stringify(
        Array.from({ length: count }, (_, n) =>
          path.startsWith('/store') ? address(n + 1) : { address: address(n + 1), comment: '' },
        ),
      ),
      etag: `"${count}"`,
      ...more,
    });
  return { url, asked, files, put };
}

async function open() {
  const test = await openTestApp(ALLOWED);
  const server = await listServer();
  const { ctx } = test;
  const keep = (source: string, path: string, more: { everyMs?: number; asOfHeader?: boolean } = {}) =>
    addKeptList(ctx, ctx.webhookGuard, {
      source,
      place: server.url + path,
      everyMs: DAY_MS,
      asOfHeader: false,
      ...more,
    });
  const live = async (source: string) => ctx.labels.countLive(source);
  const state = async (source: string) => (await readKeptLists(ctx.records)).find((list) => list.source === source)!;
  return { ...test, server, keep, live, state };
}

it('keeps lists current over a fortnight in which one breaks and comes back, and asks no more than it must', async () => {
  const { app, ctx, time, server, keep, live, state, logged, headers } = await open();
  server.put('/store/list.json', 100);
  server.put('/darklist.json', 50);
  await keep('scamsniffer', '/exports/list.json');
  await keep('darklist', '/darklist.json', { everyMs: 7 * DAY_MS });
  const start = time.at;
  const seen: string[] = [];
  for (let hour = 0; hour < 14 * 24; hour++) {
    time.at = start + hour * HOUR_MS;
    const day = hour / 24;
    if (day === 3) server.put('/store/list.json', 110);
    if (day === 5) server.files.get('/store/list.json')!.broken = true;
    if (day === 7) server.put('/store/list.json', 70);
    if (day === 10) server.put('/store/list.json', 115);
    await refreshDueLists(ctx);
    const { state: now } = await state('scamsniffer');
    const entry = `${await live('scamsniffer')} ${now}`;
    if (seen.at(-1) !== entry) seen.push(entry);
    if (day === 6) {
      const ready = (await app.inject('/health/ready')).json();
      expect(ready).toMatchObject({ status: 'ready', lists_in_trouble: [{ source: 'scamsniffer', state: 'failed' }] });
      const shown = (await app.inject({ url: '/api/v1/sources', headers: await headers() })).json();
      expect(shown.lists[1]).toMatchObject({ state: 'failed' });
      expect((await state('scamsniffer')).problem).toContain('a page of HTML');
      const metrics = (await app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' })).body;
      expect(metrics).toContain('kept_lists{source="scamsniffer",state="failed"} 1');
    }
    if (day === 8)
      expect((await state('scamsniffer')).problem).toMatch(/40 of 110 labels .* more than a tenth: they wait/);
  }
  expect(seen).toEqual(['100 current', '110 current', '110 failed', '110 waiting', '115 current']);
  // Daily, and hourly while it was broken; the list that did not change was sent once.
  const ofStore = server.asked.filter((line) => line.startsWith('/store'));
  expect(ofStore.filter((line) => line.endsWith('html'))).toHaveLength(48);
  expect(ofStore.filter((line) => line.endsWith('304'))).toHaveLength(6);
  expect(server.asked.filter((line) => line.startsWith('/darklist'))).toEqual([
    '/darklist.json 200',
    '/darklist.json 304',
  ]);
  expect(logged()).toContain('the last good one stays');
});

it('ends what a list lost once the operator decides, also where the server says that nothing changed', async () => {
  const { ctx, server, keep, live, state } = await open();
  server.put('/list.json', 30);
  await keep('darklist', '/list.json');
  await refreshKeptLists(ctx, {});
  server.put('/list.json', 20);
  expect(await refreshKeptLists(ctx, { source: 'darklist' })).toMatchObject([
    { state: 'waiting', report: { read: 20 } },
  ]);
  expect(await live('darklist')).toBe(30);
  expect(await refreshKeptLists(ctx, { source: 'darklist', endings: 'end' })).toMatchObject([{ state: 'current' }]);
  expect(await live('darklist')).toBe(20);
  expect(await state('darklist')).toMatchObject({ problem: null, version: '"20"' });
  expect(await removeKeptLists(ctx.records, { source: 'darklist' }, ctx.now())).toBe(1);
  await expect(refreshKeptLists(ctx, {})).rejects.toThrow('No list is kept');
  expect(await live('darklist')).toBe(20);
});

it('takes the day of a list from its server where it is kept so', async () => {
  const { ctx, server, keep } = await open();
  server.put('/list.json', 3, { modified: 'Tue, 10 Nov 2026 08:00:00 GMT' });
  await keep('darklist', '/list.json', { asOfHeader: true });
  await refreshDueLists(ctx);
  expect((await ctx.labels.lists())[0]).toMatchObject({ source: 'darklist', as_of: '2026-11-10' });
});

it('is done by one of two processes that look at the same time', async () => {
  const { ctx, server, keep } = await open();
  server.put('/list.json', 3);
  await keep('darklist', '/list.json');
  await Promise.all([refreshDueLists(ctx), refreshDueLists(ctx)]);
  expect(server.asked).toEqual(['/list.json 200']);
});

it.each([
  ['transfers', 'https://lists.example/x.csv', false, /cannot be kept/],
  ['prices', 'https://lists.example/x.csv', true, /--as-of-header is for lists of labels/],
  ['darklist', 'http://lists.example/x.json', false, /must begin with https/],
  ['darklist', 'https://127.0.0.1/x.json', false, /its address is not public/],
])('refuses to keep %s of %s', async (source, place, asOfHeader, reason) => {
  const { ctx } = await openTestApp();
  const guard = createGuard({ allowCidrs: [], allowHttp: false });
  await expect(addKeptList(ctx, guard, { source, place, everyMs: DAY_MS, asOfHeader })).rejects.toThrow(reason);
});

it('never follows a redirect to an address that is not public', async () => {
  const { ctx } = await openTestApp({ WEBHOOK_ALLOW_HTTP: '1', WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32' });
  const inner = await listServer();
  inner.put('/x.json', 3);
  const server = createServer((_, response) => {
    response.writeHead(302, { location: inner.url.replace('127.0.0.1', '127.0.0.2') }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const place = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x.json`;
  await addKeptList(ctx, ctx.webhookGuard, { source: 'darklist', place, everyMs: DAY_MS, asOfHeader: false });
  expect(await refreshKeptLists(ctx, {})).toMatchObject([
    { state: 'failed', problem: expect.stringContaining('public') },
  ]);
});
