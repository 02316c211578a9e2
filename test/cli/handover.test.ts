import { readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { PLANS } from '../../src/plans.ts';
import { addCaseAddress } from '../../src/questions/cases/case-addresses.ts';
import { createCase } from '../../src/questions/cases/manage-cases.ts';
import { createAccount } from '../../src/records/accounts/accounts.ts';
import type { Tenant } from '../../src/records/accounts/tenant.ts';
import { builtCli, openShell } from './cli.ts';

let cli: string;
beforeAll(async () => {
  cli = await builtCli();
});

const A = '0x00000000000000000000000000000000000000a1';
const row = (n: number) =>
  `ethereum,0x${n.toString(16).padStart(64, '0')},0,1,2024-01-06,${A},0x${(n % 900).toString(16).padStart(40, '0')},ETH,1,1`;
const csv = (from: number, to: number) =>
  [
    'chain,tx_hash,index,block,timestamp,from,to,asset,amount,usd',
    ...Array.from({ length: to - from }, (_, n) => row(from + n)),
  ].join('\n');

describe('commands while the server runs', () => {
  it('hand graph work to it over a socket that its owner alone can open', async () => {
    const shell = openShell(cli);
    writeFileSync(join(shell.folder, 'a.csv'), csv(0, 8_000));
    writeFileSync(join(shell.folder, 'b.csv'), csv(4_000, 9_000));
    const server = await shell.serve();
    const socket = join(shell.folder, 'data/traceflow.sock');
    expect(statSync(socket).mode & 0o777).toBe(0o600);

    const loads = await Promise.all(['a.csv', 'b.csv'].map((file) => shell.run(['load', 'transfers', file, '--json'])));
    expect(loads.map((load) => JSON.parse(load.stdout))).toEqual([
      { source: 'transfers', read: 8_000, loaded: 8_000, skipped: 0, errors: [] },
      { source: 'transfers', read: 5_000, loaded: 5_000, skipped: 0, errors: [] },
    ]);
    const stats = JSON.parse((await shell.run(['graph', 'stats', '--json'])).stdout);
    expect(stats.transfers).toBe(9_000);

    const account = await shell.run(['accounts', 'create', '--name', 'A', '--plan', 'free', '--json']);
    expect(account.code).toBe(0);
    const failed = await shell.run(['load', 'labels', 'nowhere.csv', '--json']);
    expect(failed.code).toBe(1);
    expect(JSON.parse(failed.stdout).error).toContain('no such file');

    server.kill('SIGTERM');
    await new Promise((resolve) => server.once('exit', resolve));
    expect(server.exitCode).toBe(0);
    expect(() => statSync(socket)).toThrow('ENOENT');
  });

  it('write a case in each form that the API gives, with a server and without one, and never over a file', async () => {
    const shell = openShell(cli);
    const { ctx, close } = await shell.serveHere();
    const { id: accountId } = await createAccount(ctx.records, { name: 'Desk', planId: 'pro' }, ctx.now());
    const tenant: Tenant = { accountId, keyId: 'test', planId: 'pro', plan: PLANS.pro };
    const { id } = await createCase(ctx, tenant, { title: 'Theft' });
    await addCaseAddress(ctx, tenant, id, { chain: 'ethereum', address: A, role: 'subject' });
    const write = async (file: string, ...more: string[]) => {
      const { code, stdout, stderr } = await shell.run([
        'cases',
        'export',
        id,
        '--account',
        accountId,
        '--output',
        file,
        ...more,
        '--json',
      ]);
      return code === 0 ? JSON.parse(stdout) : stderr;
    };
    for (const [form, mark] of [
      ['stix', A],
      ['misp', A],
      ['ivms101', 'IVMS101.2023'],
      ['archive', 'manifest.json'],
    ] as const) {
      const { file, bytes } = await write(form, '--format', form);
      expect(file).toBe(join(realpathSync(shell.folder), form));
      expect(statSync(file)).toMatchObject({ size: bytes, mode: 0o100600 });
      expect(readFileSync(file, 'latin1')).toContain(mark);
    }
    expect(await write('goaml', '--format', 'goaml')).toContain('--rentity-id');
    const filed = await write('goaml', '--format', 'goaml', '--rentity-id', '7', '--indicator', 'XX1');
    expect(readFileSync(filed.file, 'utf8')).toContain('<rentity_id>7</rentity_id>');
    expect(await write('stix')).toContain('already exists');
    const exported = await ctx.records
      .selectFrom('audit_log')
      .select('subject')
      .where('action', '=', 'case_exported')
      .execute();
    expect(exported).toHaveLength(5);
    await close();
    expect(await write('alone')).toMatchObject({ sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
    const unknown = await shell.run(['cases', 'export', 'x', '--account', accountId, '--output', 'none']);
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('Not found')]);
    expect(() => statSync(join(shell.folder, 'none'))).toThrow('ENOENT');
  });

  it('work alone beside the socket of a killed server, and the next server takes its place', async () => {
    const shell = openShell(cli);
    writeFileSync(join(shell.folder, 'a.csv'), csv(0, 100));
    const killed = await shell.serve();
    killed.kill('SIGKILL');
    await new Promise((resolve) => killed.once('exit', resolve));
    expect(statSync(join(shell.folder, 'data/traceflow.sock')).isSocket()).toBe(true);
    expect((await shell.run(['load', 'transfers', 'a.csv', '--json'])).code).toBe(0);
    await shell.serve();
    expect(JSON.parse((await shell.run(['graph', 'stats', '--json'])).stdout).transfers).toBe(100);
  });

  it('a second server on the same data is refused, and the first one stays', async () => {
    const shell = openShell(cli);
    await shell.serve();
    const second = await shell.run(['serve']);
    expect(second.code).toBe(1);
    expect((await shell.run(['graph', 'stats', '--json'])).code).toBe(0);
  });

  it('nonsense on the socket harms nobody', async () => {
    const shell = openShell(cli);
    await shell.serve();
    const answers = await Promise.all(
      ['not json\n', '{"kind":"villainy"}\n', 'null\n', 'x'.repeat(100_000)].map(
        (text) =>
          new Promise<string>((resolve) => {
            const socket = connect(join(shell.folder, 'data/traceflow.sock'));
            let answer = '';
            socket.on('data', (chunk) => {
              answer += chunk;
            });
            socket.on('error', () => {});
            socket.on('close', () => resolve(answer));
            socket.write(text);
          }),
      ),
    );
    expect(answers.map((answer) => answer.includes('"error"'))).toEqual([true, true, true, false]);
    expect((await shell.run(['graph', 'stats', '--json'])).code).toBe(0);
  });
});
