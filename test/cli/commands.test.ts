import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { builtCli, type Outcome, openShell } from './cli.ts';

let cli: string;
beforeAll(async () => {
  cli = await builtCli();
});

/** What `--json` promises: standard output is one JSON value and nothing else. */
function json(outcome: Outcome): unknown {
  expect(outcome.stderr).toBe('');
  expect(outcome.code).toBe(0);
  expect(outcome.stdout.trimEnd()).not.toContain('\n');
  return JSON.parse(outcome.stdout);
}

const LABELS = `chain,address,category,label,source,confidence,entity,valid_from,valid_to
ethereum,0x00000000000000000000000000000000000000a1,exchange,Kraken,mine,90,,,
dogecoin,D1,exchange,Kraken,mine,90,,,
`;
const TRANSFERS = `chain,tx_hash,index,block,timestamp,from,to,asset,amount,usd
ethereum,0x${'ab'.repeat(32)},0,1,2026-01-01T00:00:00Z,0x${'00'.repeat(19)}a1,0x${'00'.repeat(19)}b2,ETH,1,2000
`;

describe('the commands of the operator', () => {
  it('accounts and keys come and go with exactly the promised JSON', async () => {
    const { run } = openShell(cli);
    const account = json(await run(['accounts', 'create', '--name', 'Acme', '--plan', 'pro', '--json'])) as {
      id: string;
    };
    expect(account).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), name: 'Acme', plan_id: 'pro' });
    const limits = ['--scopes', 'read,scan', '--expires', '2126-01-31', '--allow-ip', '127.0.0.1,10.0.0.0/8'];
    const key = json(await run(['keys', 'create', '--account', account.id, '--name', 'ci', ...limits, '--json'])) as {
      id: string;
      key: string;
    };
    expect(key).toEqual({
      id: expect.any(String),
      key: expect.stringMatching(/^tfk_/),
      prefix: key.key.slice(0, 8),
      name: 'ci',
    });
    expect(json(await run(['keys', 'list', '--account', account.id, '--json']))).toEqual([
      {
        id: key.id,
        prefix: key.key.slice(0, 8),
        name: 'ci',
        scopes: ['read', 'scan'],
        expires_at: '2126-01-31T00:00:00.000Z',
        allowed_ips: ['127.0.0.1', '10.0.0.0/8'],
        created_at: expect.stringMatching(/Z$/),
        created_by: 'operator',
        last_used_at: null,
      },
    ]);
    expect(json(await run(['accounts', 'set-plan', account.id, 'business', '--json']))).toEqual({
      ...account,
      plan_id: 'business',
    });
    expect(json(await run(['accounts', 'topup', account.id, '25', '--json']))).toEqual({
      ...account,
      plan_id: 'business',
      topup_remaining: 25,
    });
    expect(json(await run(['accounts', 'list', '--json']))).toEqual([
      { ...account, plan_id: 'business', topup_remaining: 25, created_at: expect.stringMatching(/Z$/) },
    ]);
    expect(json(await run(['keys', 'revoke', key.id, '--json']))).toEqual({ revoked: true, id: key.id });
    expect(json(await run(['keys', 'list', '--account', account.id, '--json']))).toEqual([]);
  });

  it('watched addresses are added, listed and listened to as the plan has room', async () => {
    const { run } = openShell(cli);
    const made = await run(['accounts', 'create', '--name', 'Desk', '--plan', 'business', '--json']);
    const account = ['--account', (json(made) as { id: string }).id, '--json'];
    const address = `0x${'00'.repeat(19)}b2`;
    const add = ['watch', 'add', `ethereum:${address}`, '--label', 'Thief', '--movements', '1000', ...account];
    const item = json(await run(add)) as { id: string };
    expect(item).toEqual({ id: expect.any(String), chain: 'ethereum', address, live: true });
    const listed = async () => (json(await run(['watch', 'list', ...account])) as object[])[0];
    const shown = { id: item.id, label: 'Thief', movements: '{"above":1000}' };
    expect(await listed()).toMatchObject({ ...shown, live: 'unavailable', reason: 'not_started' });
    json(await run(['watch', 'set', item.id, '--no-live', ...account]));
    expect(await listed()).toMatchObject({ ...shown, live: 'off', reason: 'switched_off' });
    const wrong = await run(['watch', 'set', item.id, '--movements', 'some', ...account]);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('One of out, all, none')]);
  });

  it('load and graph stats open the stores themselves when no server runs', async () => {
    const { run, runProcess, folder } = openShell(cli);
    writeFileSync(join(folder, 'labels.csv'), LABELS);
    expect(json(await runProcess(['load', 'labels', 'labels.csv', '--json']))).toEqual({
      source: 'labels',
      read: 2,
      loaded: 1,
      skipped: 1,
      errors: [{ line: 3, reason: 'unsupported chain: dogecoin' }],
    });
    expect(json(await run(['graph', 'stats', '--json']))).toMatchObject({
      engine: 'grafeo',
      addresses: 0,
      transfers: 0,
    });
    const text = await run(['load', 'labels', 'labels.csv']);
    expect(text.stdout).toBe('labels: 2 read, 1 loaded, 1 skipped\n  line 3: unsupported chain: dogecoin\n');
    writeFileSync(join(folder, 'transfers.csv'), TRANSFERS);
    expect((await run(['load', 'transfers', 'transfers.csv'])).code).toBe(0);
    const whole = json(await run(['load', 'transfers', 'transfers.csv', '--from-start', '--json']));
    expect(whole).toMatchObject({ skipped: 0, whole_addresses: expect.any(Number) });
    const stats = (await run(['graph', 'stats'])).stdout;
    expect(stats).toMatch(/^engine +addresses.*\ngrafeo +2 +0 +1 +1 +0 +0\n\nchain .*\nethereum +2 +0 +1\n/);
    expect(stats).toMatch(/\ncategory +addresses\nexchange +1\n$/);
  });

  it('config masks secrets and openapi needs no settings', async () => {
    const { run } = openShell(cli);
    const settings = json(await run(['config', '--json'], { TRON_API_KEY: 'hush-hush' })) as { name: string }[];
    expect(settings.find((one) => one.name === 'TRON_API_KEY')).toEqual({
      name: 'TRON_API_KEY',
      value: '********',
      source: 'environment',
    });
    expect(settings.find((one) => one.name === 'HOST')).toEqual({
      name: 'HOST',
      value: '127.0.0.1',
      source: 'default',
    });
    const document = json(await run(['openapi', '--json']));
    expect(document).toMatchObject({ openapi: expect.stringMatching(/^3\.1/), info: { version: '2026.08.14' } });
  });

  it('config masks what may be a secret in a URL: user, password, query values, unknown parts of a path', async () => {
    const { run } = openShell(cli);
    const env = {
      DATABASE_URL: 'postgres://desk:hush-1@db.example:5432/traceflow_records_of_2026?sslmode=require',
      REDIS_URL: 'redis://:hush-2@cache.example:6379',
      ETHEREUM_RPC_URL: 'https://rpc.example/v2/hush3/eth',
      POLYGON_EXPLORER_URL: 'https://api.example/api?apikey=hush-4&chain=137#hush-5',
      BITCOIN_ESPLORA_URL: 'https://blockstream.example/api',
    };
    const { stdout } = await run(['config', '--json'], env);
    expect(stdout).not.toContain('hush');
    const value = (name: string) =>
      (JSON.parse(stdout) as { name: string; value: string }[]).find((one) => one.name === name)?.value;
    expect(Object.keys(env).map(value)).toEqual([
      'postgres://********@db.example:5432/traceflow_records_of_2026?sslmode=********',
      'redis://********@cache.example:6379',
      'https://rpc.example/v2/********/eth',
      'https://api.example/api?apikey=********&chain=********#********',
      'https://blockstream.example/api',
    ]);
  });

  it.each([
    [['accounts', 'create', '--name', 'A', '--plan', 'platinum'], /Unknown plan. One of free/],
    [['accounts', 'create', '--plan', 'free'], /--name/],
    [['accounts', 'create', '--name', ' ', '--plan', 'free'], /1 to 200 characters/],
    [['accounts', 'topup', 'x', '-5'], /./],
    [['accounts', 'topup', 'x', 'many'], /whole number/],
    [['accounts', 'set-plan', 'x'], /plan/],
    [['load', 'villains', 'x'], /Unknown source. One of transfers/],
    [['load', 'labels'], /input/],
    [['config', 'more'], /too many arguments|excess/i],
    [['nonsense'], /unknown command/],
    [['accounts', 'list', '--nonsense'], /unknown option/],
    [
      ['accounts', 'create', '--name', 'Acme', '--plan', 'pro', '--plan', 'free'],
      /'--plan <.*> *' is given more than once/,
    ],
    [['restore', 'x', '--force', '--force'], /'--force' is given more than once/],
  ])('%j is wrong usage: code 2, the reason on standard error', async (args, message) => {
    const outcome = await openShell(cli).run(args);
    expect(outcome).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
  });

  it.each([
    [['accounts', 'set-plan', 'nobody', 'free'], {}, 'Account not found: nobody'],
    [['keys', 'create', '--account', 'nobody'], {}, 'Account not found: nobody'],
    [['keys', 'list', '--account', 'nobody'], {}, 'Account not found: nobody'],
    [['keys', 'revoke', 'nothing'], {}, 'Not found'],
    [['load', 'labels', 'nowhere.csv'], {}, 'no such file'],
    [['accounts', 'list'], { PORT: 'eighty' }, 'PORT: must be a whole number'],
    [['accounts', 'list'], { DATA_DIR: '/dev/null/data' }, 'DATA_DIR: '],
    [['accounts', 'list'], { DATA_DIR: '/proc/no/data' }, 'DATA_DIR: '],
  ])('%j with %j fails: code 1, the reason on standard error', async (args, env, message) => {
    const outcome = await openShell(cli).run(args, env);
    expect(outcome).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining(message) });
  });

  it.each([
    [['nonsense'], 2, 'unknown command'],
    [['keys', 'revoke', 'nothing'], 1, 'Not found'],
  ])('%j --json prints its reason as the one JSON value, with code %d', async (args, code, message) => {
    const outcome = await openShell(cli).run([...args, '--json']);
    expect(outcome.code).toBe(code);
    expect(JSON.parse(outcome.stdout)).toEqual({ error: expect.stringContaining(message) });
  });

  it.each([
    [['accounts', 'list'], { code: 0, stdout: '(none)\n', stderr: '' }],
    [['load', 'labels', 'nowhere.csv'], { code: 1, stdout: '', stderr: expect.stringContaining('no such file') }],
    [['nonsense'], { code: 2, stdout: '', stderr: expect.stringContaining('unknown command') }],
  ])('the process of %j ends by itself, with the code', async (args, outcome) => {
    expect(await openShell(cli).runProcess(args)).toEqual(outcome);
  });

  it('a reader that leaves early is not a failure', () => {
    const { folder } = openShell(cli);
    const line = `"${process.execPath}" "${cli}" openapi | head -c 1`;
    const piped = spawnSync('bash', ['-o', 'pipefail', '-c', line], { cwd: folder, encoding: 'utf8' });
    expect(piped).toMatchObject({ status: 0, stdout: '{', stderr: '' });
  });

  it('--version prints what package.json says, also by a symbolic link as npx has one', async () => {
    const { run, folder } = openShell(cli);
    symlinkSync(cli, join(folder, 'traceflow'));
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    const printed = { code: 0, stdout: `${version}\n`, stderr: '' };
    expect(await run(['--version'])).toEqual(printed);
    expect(await openShell(join(folder, 'traceflow')).runProcess(['--version'])).toEqual(printed);
  });

  it('help goes to standard output with code 0; no command is wrong usage', async () => {
    const { run } = openShell(cli);
    const help = await run(['--help']);
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toContain('accounts');
    expect(await run([])).toMatchObject({ code: 2, stdout: '' });
    expect(await run(['accounts'])).toMatchObject({ code: 2, stdout: '' });
  });
});

it('the process of the service refuses arguments, names its usage and opens nothing', async () => {
  const { runProcess, folder } = openShell(join(dirname(cli), 'main.js'));
  const called = await runProcess(['--salvage']);
  expect({ code: called.code, stderr: called.stderr }).toEqual({
    code: 2,
    stderr: expect.stringMatching(/unknown argument --salvage\. Usage: .*traceflow serve --help/),
  });
  expect(existsSync(join(folder, 'data'))).toBe(false);
});
