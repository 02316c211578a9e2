import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { builtCli } from './cli.ts';

let cli: string;
beforeAll(async () => {
  cli = await builtCli();
});

/** A name space of its own for what is mounted. */
const [UNSHARE, ...APART] = ['unshare', '--map-root-user', '--mount'] as const;
const MOUNT = 'mount -t tmpfs -o size=8m tmpfs "$DATA_DIR"';
const probe = mkdtempSync(join(tmpdir(), 'traceflow-mount-'));
const canMount =
  spawnSync(UNSHARE, [...APART, 'sh', '-c', MOUNT], { env: { ...process.env, DATA_DIR: probe } }).status === 0;
rmSync(probe, { recursive: true, force: true });

it('is not ready while the disk of DATA_DIR is full, and is again by itself', { timeout: 120_000 }, async ({
  skip,
}) => {
  if (!canMount) skip('no file system of a chosen size can be mounted here (unshare --map-root-user --mount)');
  const folder = mkdtempSync(join(tmpdir(), 'traceflow-full-'));
  const data = join(folder, 'data');
  mkdirSync(data);
  const env = { PATH: process.env.PATH, DATA_DIR: data, PORT: '0', LOG_LEVEL: 'info' };
  const command = ['sh', '-c', `${MOUNT} && exec "$0" "$1" serve`, process.execPath, cli];
  const server = spawn(UNSHARE, [...APART, ...command], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    server.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  let output = '';
  server.stdout.on('data', (chunk) => {
    output += chunk;
  });
  await expect.poll(() => output).toContain('is listening');
  const url = /"url":"([^"]+)"/.exec(output)![1];
  const ready = async () => {
    const answer = await fetch(`${url}/health/ready`);
    return { status: answer.status, body: await answer.json() };
  };
  expect(await ready()).toMatchObject({ status: 200 });

  // The server's own view of its file system.
  const inside = join(`/proc/${server.pid}/root`, data);
  const { bavail, bsize } = statfsSync(inside);
  writeFileSync(join(inside, 'filler'), Buffer.alloc(bavail * bsize - 64 * 1024));
  await expect
    .poll(ready, { interval: 500 })
    .toMatchObject({ status: 503, body: { status: 'not_ready', records: 'read_only', graph: 'read_only' } });
  expect((await fetch(`${url}/health/live`)).status).toBe(200);

  rmSync(join(inside, 'filler'));
  await expect.poll(ready, { interval: 500 }).toMatchObject({ status: 200 });
  expect(output).toContain('store takes writes again');
});
