import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import type { openRenderer } from '../../reports/render.ts';
import { PLANS } from '../../src/plans.ts';
import { gatherAddressReport } from '../../src/questions/cases/report/gather-address-report.ts';
import { openTestApp } from '../app/test-app.ts';
import { builtProduct } from '../setup/services.ts';

const ADDRESS = `0x${'a1'.repeat(20)}`;

/** Renders the report of an address as the service does, in a process with these bounds. */
async function openDrawing() {
  const { ctx, issue } = await openTestApp();
  const tenant = { ...(await issue()), planId: 'pro', plan: PLANS.pro } as const;
  const where = { chain: 'ethereum', address: ADDRESS, maxHops: 1, language: 'en' } as const;
  const { input } = await gatherAddressReport(ctx, tenant, where);
  const built = pathToFileURL(join(await builtProduct(), 'reports/render.js')).href;
  const open: typeof openRenderer = (await import(built)).openRenderer;
  return (bounds?: { ms: number; mib: number }) => {
    const renderer = open(bounds);
    onTestFinished(() => renderer.close());
    const draw = () => renderer.render({ report: 'address', input }, { accountId: 'desk' });
    return { draw, prepare: () => renderer.prepare() };
  };
}

/** Ids of the processes that draw. */
function drawing(): number[] {
  return execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, ...args]) => Number(parent) === process.pid && args.join(' ').includes('draw-process'))
    .map(([pid]) => Number(pid));
}

it('draws in another process, which is replaced after a report beyond its time', async () => {
  const open = await openDrawing();
  expect((await open().draw()).subarray(0, 5).toString()).toBe('%PDF-');
  const short = open({ ms: 1, mib: 512 });
  const refused = { status: 500, message: 'Report could not be drawn: it takes longer than 0.001 s' };
  // The next one starts a process of its own, and meets its own bound.
  for (let i = 0; i < 2; i++) await expect(short.draw()).rejects.toMatchObject(refused);
});

it('ends a report beyond its memory, and the service goes on', async () => {
  const small = (await openDrawing())({ ms: 30_000, mib: 8 });
  const refused = { status: 500, message: 'Report could not be drawn: it needs more than 8 MiB of memory' };
  await expect(small.draw()).rejects.toMatchObject(refused);
});

it('draws in a new process where the one before was killed, idle or at work', async () => {
  const { draw } = (await openDrawing())();
  await draw();
  const [idle] = drawing();
  process.kill(idle!, 'SIGKILL');
  expect((await draw()).subarray(0, 5).toString()).toBe('%PDF-');
  const [busy] = drawing();
  expect(busy).not.toBe(idle);
  const drawn = draw();
  process.kill(busy!, 'SIGKILL');
  expect((await drawn).subarray(0, 5).toString()).toBe('%PDF-');
});

it('draws in the process that was made ready while the report was gathered', async () => {
  const before = drawing();
  const { draw, prepare } = (await openDrawing())();
  prepare();
  prepare();
  const ready = drawing().filter((pid) => !before.includes(pid));
  expect(ready).toHaveLength(1);
  await draw();
  expect(drawing().filter((pid) => !before.includes(pid))).toEqual(ready);
});
