import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createAccount } from '../../src/records/accounts/accounts.ts';
import { openRecords } from '../../src/records/database/database.ts';
import { openSqliteFile } from '../../src/records/database/sqlite-driver.ts';
import { insertScan } from '../../src/records/scans/scans.ts';
import { builtCli, openShell } from './cli.ts';

let cli: string;
beforeAll(async () => {
  cli = await builtCli();
});

type Shell = ReturnType<typeof openShell>;

const PAGE_BYTES = 4_096;

const address = (n: number) => `0x${n.toString(16).padStart(40, '0')}`;
const row = (n: number) =>
  `ethereum,0x${n.toString(16).padStart(64, '0')},0,1,2024-01-06,${address(1 + (n % 7))},${address(100 + (n % 900))},ETH,1,1`;

/** Overwrites bytes of a file, in its middle unless a place is given. */
function damage(path: string, at = Math.floor(statSync(path).size / 2), bytes = 64): void {
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(bytes, 0xab), 0, bytes, at);
  closeSync(file);
}

async function loadTransfers(shell: Shell, from: number, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, i) => row(from + i));
  writeFileSync(
    join(shell.folder, 'transfers.csv'),
    `chain,tx_hash,index,block,timestamp,from,to,asset,amount,usd\n${rows.join('\n')}\n`,
  );
  expect(await shell.run(['load', 'transfers', 'transfers.csv'])).toMatchObject({ code: 0 });
}

async function recordScans(shell: Shell, count: number): Promise<void> {
  const records = await openRecords({ path: join(shell.folder, 'data/records.sqlite') });
  const { id } = await createAccount(records, { name: 'Desk', planId: 'pro' }, 1);
  for (let i = 0; i < count; i++) {
    await insertScan(records, {
      id: `scan-${i}`,
      account_id: id,
      chain: 'ethereum',
      address: address(i),
      source: 'sync',
      lang: 'en',
      risk_level: 'LOW',
      risk_score: 0,
      detection_count: 0,
      rule_set_version: '1',
      units: 1,
      created_at: i,
      result: JSON.stringify({ address: address(i), pad: 'x'.repeat(2_000) }),
    });
  }
  await records.destroy();
}

const check = async (shell: Shell) => {
  const { code, stdout } = await shell.run(['check', '--json']);
  return { code, stores: JSON.parse(stdout) as { store: string; result: string; problems: string[] }[] };
};

it('check fails where DATA_DIR holds no stores', async () => {
  const { code, stores } = await check(openShell(cli));
  expect([code, stores.map(({ result }) => result)]).toEqual([1, ['missing', 'missing']]);
});

describe('the rights of DATA_DIR', () => {
  it("are the owner's alone, for stores that were there before too, and a line says what changed", async () => {
    const shell = openShell(cli);
    await shell.run(['accounts', 'create', '--name', 'A', '--plan', 'pro']);
    const path = (name: string) => join(shell.folder, 'data', name);
    const mode = (name: string) => (statSync(path(name)).mode & 0o777).toString(8);
    expect([mode(''), mode('records.sqlite')]).toEqual(['700', '600']);

    chmodSync(path(''), 0o755);
    chmodSync(path('records.sqlite'), 0o644);
    mkdirSync(path('graph.grafeo.wal'), { mode: 0o755 });
    const { code, stderr } = await shell.run(['accounts', 'list']);
    expect(code).toBe(0);
    expect(stderr).toContain('data was open to other users: rights changed from 755 to 700');
    expect(stderr).toContain('records.sqlite was open to other users: rights changed from 644 to 600');
    expect([mode(''), mode('records.sqlite'), mode('graph.grafeo.wal')]).toEqual(['700', '600', '700']);
    rmSync(path('graph.grafeo.wal'), { recursive: true });

    await shell.serveHere();
    for (const name of readdirSync(path(''), { recursive: true, encoding: 'utf8' })) {
      expect([name, statSync(path(name)).mode & 0o077]).toEqual([name, 0]);
    }
  });

  it('of a folder that is shared on purpose stay, and a line says so', async () => {
    const shell = openShell(cli);
    mkdirSync(join(shell.folder, 'data'));
    chmodSync(join(shell.folder, 'data'), 0o1777);
    const { code, stderr } = await shell.run(['accounts', 'list']);
    expect([code, stderr]).toEqual([0, expect.stringContaining('choose a folder of its own')]);
    expect(statSync(join(shell.folder, 'data')).mode & 0o777).toBe(0o777);
  });
});

describe('damage of the record file', () => {
  it('is named at start with what to do, and by check', async () => {
    const shell = openShell(cli, { damages: true });
    await shell.run(['accounts', 'create', '--name', 'A', '--plan', 'pro']);
    await recordScans(shell, 400);
    const path = join(shell.folder, 'data/records.sqlite');
    expect((await check(shell)).stores[0]).toMatchObject({ store: 'records', result: 'ok', problems: [] });

    truncateSync(path, Math.floor(statSync(path).size / 2));
    const { code, stderr } = await shell.run(['serve', '--new-graph']);
    expect(code).toBe(1);
    expect(stderr).toContain('data/records.sqlite cannot be opened: ');
    expect(stderr).toContain('Restore a backup: traceflow restore DIR --force');
    expect(stderr).not.toContain('    at ');
    expect(await check(shell)).toMatchObject({ code: 1, stores: [{ result: 'damaged' }, {}] });

    writeFileSync(path, 'this is a text');
    expect((await shell.run(['accounts', 'list'])).stderr).toContain('cannot be opened: file is not a database');
  });

  it.each([0.2, 0.5, 0.8])('of a page (%d of the file) is found by check', async (share) => {
    const shell = openShell(cli, { damages: true });
    await shell.run(['accounts', 'create', '--name', 'A', '--plan', 'pro']);
    await recordScans(shell, 400);
    const path = join(shell.folder, 'data/records.sqlite');
    const place = Math.floor(statSync(path).size * share);
    damage(path, place - (place % PAGE_BYTES));
    expect(await check(shell)).toMatchObject({ code: 1, stores: [{ result: 'damaged' }, {}] });
  });

  it('of a reference is found by check', async () => {
    const shell = openShell(cli, { damages: true });
    await shell.run(['accounts', 'create', '--name', 'A', '--plan', 'pro']);
    await recordScans(shell, 1);
    const file = openSqliteFile(join(shell.folder, 'data/records.sqlite'));
    file.pragma('foreign_keys = OFF');
    file.exec('delete from accounts');
    file.close();
    const { stores } = await check(shell);
    expect(stores[0]).toMatchObject({ result: 'damaged' });
    expect(stores[0]!.problems).toContain('row 1 of scans names a missing row of accounts');
  });
});

describe('damage of the graph file', () => {
  it('is named at start with what to do, and by check', async () => {
    const shell = openShell(cli, { damages: true });
    await loadTransfers(shell, 0, 2_000);
    expect((await check(shell)).stores).toMatchObject([{ result: 'ok' }, { store: 'graph', result: 'ok' }]);
    damage(join(shell.folder, 'data/graph.grafeo'));
    const { code, stderr } = await shell.run(['serve']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/data\/graph\.grafeo cannot be opened: .*damaged at byte \d+/);
    expect(stderr).toContain('Restore a backup: traceflow restore DIR --force');
    expect(await check(shell)).toMatchObject({ code: 1, stores: [{ result: 'ok' }, { result: 'damaged' }] });
  });

  it('in its log is opened by --salvage with the commits before it', async () => {
    const shell = openShell(cli, { damages: true });
    await loadTransfers(shell, 0, 500);
    const server = await shell.serve();
    await loadTransfers(shell, 500, 4_000);
    const killed = once(server, 'exit');
    server.kill('SIGKILL');
    await killed;
    const log = join(shell.folder, 'data/graph.grafeo.wal');
    const file = readdirSync(log)
      .filter((name) => name.endsWith('.log'))
      .at(-1)!;
    damage(join(log, file));

    const refused = await shell.run(['serve']);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('Or open it with the commits before the damage: traceflow serve --salvage');
    expect(await check(shell)).toMatchObject({ code: 1, stores: [{}, { result: 'damaged' }] });

    const salvaged = await shell.serve(['--salvage']);
    const stats = JSON.parse((await shell.run(['graph', 'stats', '--json'])).stdout) as { transfers: number };
    expect(stats.transfers).toBeGreaterThanOrEqual(500);
    expect(stats.transfers).toBeLessThan(4_500);
    salvaged.kill('SIGTERM');
  });

  it('a file that is missing while scans are recorded is refused, unless a new graph is asked for', async () => {
    const shell = openShell(cli);
    await shell.run(['accounts', 'create', '--name', 'A', '--plan', 'pro']);
    await (await shell.serveHere()).close();
    await recordScans(shell, 1);
    rmSync(join(shell.folder, 'data/graph.grafeo'));
    for (const command of [['serve'], ['graph', 'stats']]) {
      const { code, stderr } = await shell.run(command);
      expect(code).toBe(1);
      expect(stderr).toContain('data/graph.grafeo cannot be opened: it is missing, though the records hold scans');
      expect(stderr).toContain('traceflow serve --new-graph');
    }
    const started = await shell.serve(['--new-graph']);
    started.kill('SIGTERM');
    await expect.poll(() => started.exitCode).toBe(0);
    await shell.serveHere();
  });

  it('cannot be looked for while a server holds the file, which check says and fails', async () => {
    const shell = openShell(cli);
    await shell.serve();
    const { code, stores } = await check(shell);
    expect(code).toBe(1);
    expect(stores).toMatchObject([
      { result: 'ok' },
      { result: 'not_checked', problems: [expect.stringContaining('stop the service')] },
    ]);
  });
});
