import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it, vi } from 'vitest';
import { openSqliteFile } from '../../src/records/database/sqlite-driver.ts';
import { migrations } from '../../src/records/migrations/list.ts';
import { builtCli, openShell } from './cli.ts';

// Many processes, one after the other.
vi.setConfig({ testTimeout: 180_000 });

let cli: string;
beforeAll(async () => {
  cli = await builtCli();
});

const A = '0x00000000000000000000000000000000000000a1';
const HEAD = 'chain,tx_hash,index,block,timestamp,from,to,asset,amount,usd';
const row = (n: number) =>
  `ethereum,0x${n.toString(16).padStart(64, '0')},0,1,2024-01-06,${A},0x${(n % 900).toString(16).padStart(40, '0')},ETH,1,1`;
const csv = (from: number, to: number) =>
  [HEAD, ...Array.from({ length: to - from }, (_, n) => row(from + n))].join('\n');

type Shell = ReturnType<typeof openShell>;

const json = async (shell: Shell, args: string[], env?: Record<string, string>) => {
  const { code, stdout, stderr } = await shell.run([...args, '--json'], env);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
};
const refusal = async (shell: Shell, args: string[], env?: Record<string, string>) => {
  const { code, stdout } = await shell.run([...args, '--json'], env);
  expect(code).toBe(1);
  return JSON.parse(stdout).error as string;
};
const account = (shell: Shell, name: string) =>
  json(shell, ['accounts', 'create', '--name', name, '--plan', 'free']) as Promise<{ id: string }>;
const names = async (shell: Shell, env?: Record<string, string>) =>
  ((await json(shell, ['accounts', 'list'], env)) as { name: string }[]).map((one) => one.name).sort();
const ended = (child: { once: (event: 'exit', then: () => void) => unknown }) =>
  new Promise<void>((resolve) => child.once('exit', resolve));

it('copies a running service amid writes, each store whole and of one moment, and brings it back elsewhere', async () => {
  const shell = openShell(cli);
  writeFileSync(join(shell.folder, 'a.csv'), csv(0, 3_000));
  writeFileSync(join(shell.folder, 'b.csv'), csv(3_000, 12_000));
  const server = await shell.serve();
  await json(shell, ['load', 'transfers', 'a.csv']);
  await account(shell, 'before');
  writeFileSync(join(shell.folder, 'data/secret.key'), 'kept', { mode: 0o600 });

  // Another process writes records while the copy is made; it commits many times a second.
  const writer = openSqliteFile(join(shell.folder, 'data/records.sqlite'), { timeout: 5_000 });
  writer.pragma('foreign_keys = OFF');
  const insert = writer.prepare('insert into prices (date, asset, usd) values (?, ?, ?)');
  let written = 0;
  const write = () => insert.run('2026-01-01', `W${written++}`, 1);
  while (written < 500) write();
  const writing = setInterval(write, 2);
  const loading = json(shell, ['load', 'transfers', 'b.csv']);
  const manifest = await json(shell, ['backup', 'copy']);
  clearInterval(writing);
  writer.close();
  await loading;
  await account(shell, 'after');

  expect(manifest.files.map((file: { name: string }) => file.name)).toEqual([
    'graph.grafeo',
    'records.sqlite',
    'secret.key',
  ]);
  expect(JSON.parse(readFileSync(join(shell.folder, 'copy/manifest.json'), 'utf8'))).toMatchObject({
    format: 1,
    versions: { traceflow: expect.any(String), grafeo: expect.any(String), records_schema: expect.any(String) },
    files: manifest.files,
  });
  for (const file of readdirSync(join(shell.folder, 'copy'))) {
    expect(statSync(join(shell.folder, 'copy', file)).mode & 0o077, file).toBe(0);
  }
  expect(await refusal(shell, ['backup', 'copy'])).toContain('is not empty');
  server.kill('SIGTERM');
  await ended(server);

  const there = { DATA_DIR: 'elsewhere' };
  await json(shell, ['restore', 'copy'], there);
  expect(await names(shell, there)).toEqual(['before']);
  const copied = openSqliteFile(join(shell.folder, 'elsewhere/records.sqlite'));
  expect(copied.pragma('integrity_check', { simple: true })).toBe('ok');
  // A prefix of what was written, without a gap: one moment.
  const { count, last } = copied
    .prepare(
      "select count(*) as count, max(cast(substr(asset, 2) as integer)) as last from prices where asset like 'W%'",
    )
    .get() as { count: number; last: number };
  copied.close();
  expect(count).toBeGreaterThanOrEqual(500);
  expect(last).toBe(count - 1);
  expect(readFileSync(join(shell.folder, 'elsewhere/secret.key'), 'utf8')).toBe('kept');
  const transfers = (await json(shell, ['graph', 'stats'], there)).transfers;
  expect([3_000, 12_000]).toContain(transfers);
  // What was cut off is loaded again, and nothing twice.
  await json(shell, ['load', 'transfers', 'b.csv'], there);
  expect((await json(shell, ['graph', 'stats'], there)).transfers).toBe(12_000);
});

it('goes back to the state of the backup, only when asked to replace and when no server holds the data', async () => {
  const shell = openShell(cli);
  writeFileSync(join(shell.folder, 'a.csv'), csv(0, 200));
  await account(shell, 'first');
  await json(shell, ['backup', 'copy']);
  await account(shell, 'second');
  await json(shell, ['load', 'transfers', 'a.csv']);

  const server = await shell.serve();
  expect(await refusal(shell, ['restore', 'copy', '--force'])).toContain('is in use');
  expect(await names(shell)).toEqual(['first', 'second']);
  server.kill('SIGKILL');
  await ended(server);

  expect(await refusal(shell, ['restore', 'copy'])).toContain('--force');
  expect(await names(shell)).toEqual(['first', 'second']);
  await json(shell, ['restore', 'copy', '--force']);
  expect(await names(shell)).toEqual(['first']);
  expect((await json(shell, ['graph', 'stats'])).transfers).toBe(0);
});

it('replaces nothing when a file of the backup is damaged, missing or not its own', async () => {
  const shell = openShell(cli);
  await account(shell, 'kept');
  await json(shell, ['backup', 'copy']);
  const path = (name: string) => join(shell.folder, 'copy', name);
  const attempt = () => refusal(shell, ['restore', 'copy', '--force']);

  const graph = readFileSync(path('graph.grafeo'));
  const damaged = Buffer.from(graph);
  damaged[damaged.length >> 1]! ^= 1;
  writeFileSync(path('graph.grafeo'), damaged);
  expect(await attempt()).toContain('graph.grafeo is damaged');
  rmSync(path('graph.grafeo'));
  expect(await attempt()).toContain('graph.grafeo is missing');
  writeFileSync(path('graph.grafeo'), graph);

  const manifest = JSON.parse(readFileSync(path('manifest.json'), 'utf8'));
  const withManifest = async (changes: object) => {
    writeFileSync(path('manifest.json'), JSON.stringify({ ...manifest, ...changes }));
    return attempt();
  };
  const outside = [...manifest.files, { name: '../outside', bytes: 0, sha256: '' }];
  expect(await withManifest({ files: outside })).toContain('outside of the backup');
  expect(await withManifest({ format: 2 })).toContain('format');
  const versions = { ...manifest.versions, traceflow: '99.0.0', records_schema: '9999-of-the-future' };
  expect(await withManifest({ versions })).toContain('newer version, 99.0.0');
  expect(await withManifest({ versions: { ...versions, records_schema: '0070-bridge-contracts' } })).toContain(
    'start that one on them once',
  );
  rmSync(path('manifest.json'));
  expect(await attempt()).toContain('no finished backup');
  expect(await names(shell)).toEqual(['kept']);
});

it('restores a backup that the version before the one schema file made, and takes it over when it opens it', async () => {
  const shell = openShell(cli);
  await shell.run(['accounts', 'create', '--name', 'A', '--plan', 'pro']);
  await json(shell, ['backup', 'copy']);
  const path = (name: string) => join(shell.folder, 'copy', name);
  rmSync(path('records.sqlite'));
  const old = openSqliteFile(path('records.sqlite'));
  old.exec(readFileSync('fixtures/old-records/sqlite.sql', 'utf8'));
  old.close();
  const manifest = JSON.parse(readFileSync(path('manifest.json'), 'utf8'));
  const records = manifest.files.find((file: { name: string }) => file.name === 'records.sqlite');
  records.sha256 = createHash('sha256')
    .update(readFileSync(path('records.sqlite')))
    .digest('hex');
  manifest.versions.records_schema = '0085-follow-coverage';
  writeFileSync(path('manifest.json'), JSON.stringify(manifest));

  await json(shell, ['restore', 'copy', '--force']);
  expect(await names(shell)).toEqual(["O'Brien", '調査 Desk']);
  expect(await json(shell, ['backup', 'again'])).toMatchObject({
    versions: { records_schema: Object.keys(migrations).at(-1) },
  });
});

it('says which stores are backed up elsewhere', async () => {
  const shell = openShell(cli);
  const servers = { NEO4J_URI: 'bolt://127.0.0.1:1', DATABASE_URL: 'postgres://x@127.0.0.1:1/x' };
  expect(await refusal(shell, ['backup', 'copy'], servers)).toContain('own tools');
  expect(existsSync(join(shell.folder, 'copy'))).toBe(false);
  await shell.run(['accounts', 'create', '--name', 'A', '--plan', 'pro']);
  await json(shell, ['backup', 'copy']);
  mkdirSync(join(shell.folder, 'fresh'));
  const neo4j = { DATA_DIR: 'fresh', NEO4J_URI: 'bolt://127.0.0.1:1' };
  expect(await refusal(shell, ['restore', 'copy'], neo4j)).toContain(
    'holds graph.grafeo, which these settings do not use',
  );
});

it('refuses to back up a folder that holds no store, and creates none', async () => {
  const shell = openShell(cli);
  expect(await refusal(shell, ['backup', 'copy'])).toContain('holds no store; set DATA_DIR as for the service');
  expect(existsSync(join(shell.folder, 'data', 'records.sqlite'))).toBe(false);
});
