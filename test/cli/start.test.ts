import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ChainServers, startChainServers } from '../../fixtures/chain-servers/start.ts';
import { demoWorld, roleOf } from '../../fixtures/demo/world.ts';
import { PUBLISHED_LISTS } from '../../graph-loaders/sources.ts';
import { PAUSES } from '../../src/chains/http.ts';
import type { ShownList } from '../../src/questions/check-sources.ts';
import { builtCli, openShell } from './cli.ts';

const world = demoWorld();
let cli: string;
let chains: ChainServers;
beforeAll(async () => {
  cli = await builtCli();
  chains = await startChainServers(world);
});
afterAll(() => chains.close());
beforeEach(() => {
  for (const server of Object.values(chains.servers)) server.clearFaults();
});

/** The environment wins over `.env`: it puts local servers in the place of the public ones. */
const localSources = () => ({
  BITCOIN_ESPLORA_URL: chains.env.BITCOIN_ESPLORA_URL!,
  ETHEREUM_RPC_URL: chains.env.ETHEREUM_RPC_URL!,
  ETHEREUM_EXPLORER_URL: `${chains.servers.blockscout.url}/ethereum`,
  PRICE_API_URL: 'http://127.0.0.1:1',
});

/** What a desk is offered after its sources: prices and each list. */
const REFUSED = ['prices', ...PUBLISHED_LISTS.map(({ source }) => source)];

const page = readFileSync(new URL('../../docs/start.md', import.meta.url), 'utf8');
/** Lines of the page's shell blocks that begin so. */
const lines = (beginning: string) =>
  [...page.matchAll(/```sh\n([\s\S]*?)```/g)]
    .flatMap(([, block]) => block!.split('\n'))
    .filter((line) => line.startsWith(beginning));

describe('docs/start.md', () => {
  it('leads from an empty folder to the first scan, at sources as slow and as rude as public ones', async () => {
    const shell = openShell(cli);
    const [init, ...others] = lines('npx traceflow ').map((line) => line.split(' ').slice(2));
    const made = await shell.run([...init!, '--yes', '--json']);
    expect(made.stderr).toBe('');
    const { key, lists, settings } = JSON.parse(made.stdout);
    expect({ lists, settings }).toMatchObject({
      lists: ['ofac', 'ofac-list', 'tagpack', 'darklist', 'eth-labels', 'forta', 'ransomwhere', 'domains'],
      settings: expect.arrayContaining(['ETHEREUM_RPC_URL']),
    });
    expect(statSync(join(shell.folder, '.env')).mode & 0o777).toBe(0o600);
    const kept = JSON.parse((await shell.run(['lists', '--json'])).stdout) as ShownList[];
    expect(Object.fromEntries(kept.map(({ source, every_hours }) => [source, every_hours]))).toMatchObject({
      ofac: 24,
      tagpack: 720,
    });
    // The lists lie in the network; one of its own stands for them.
    for (const list of lists) await shell.run(['lists', 'remove', list]);
    const own = 'chain,address,category,label,source,confidence,entity,valid_from,valid_to';
    writeFileSync(join(shell.folder, 'own.csv'), `${own}\nevm,0x${'5'.repeat(40)},sanctioned,Listed,desk,100,,,\n`);
    await shell.run(['lists', 'add', 'labels', 'own.csv']);

    for (const server of Object.values(chains.servers)) server.limit(25);
    // The limit counts what comes in a second.
    Object.assign(PAUSES, { firstMs: 250, longestMs: 1_000 });
    chains.servers.blockscout.inject({ status: 502, body: '<html>Bad gateway</html>', times: 2 });
    for (const args of others) {
      const outcome = await shell.run(args, localSources());
      expect([args, outcome.code, outcome.stderr]).toEqual([args, 0, '']);
    }
    const port = 20_000 + Math.floor(Math.random() * 20_000);
    await shell.serve([], { ...localSources(), PORT: String(port) });
    const [curl] = lines('curl ');
    const { address } = roleOf(world, 'ethereum', 'exchange_hot_wallet', 'exchange');
    const command = curl!.replace('8080', String(port)).replace(/0x[0-9a-f]{40}/, address);
    const { stdout } = await promisify(execFile)('sh', ['-c', command], { env: { ...process.env, KEY: key } });
    expect(JSON.parse(stdout)).toMatchObject({ success: true, address, metadata: { coverage: { complete: true } } });
  });
});

describe('traceflow init', () => {
  it('takes what is typed: chains, keys, own sources, no list, and makes an account of that name', async () => {
    const { run, folder } = openShell(cli);
    const answers = [
      'tron, polygon, xrp',
      '',
      'grid-key',
      'no',
      'https://node.example/rpc',
      'https://scan.example/api',
      'blockscout',
      'own-key',
      '',
      '-',
      'yes',
      'http://127.0.0.1:8090',
      '-',
      'wss://ledger.example',
      ...REFUSED.map(() => 'no'),
      'Night desk',
    ];
    const made = await run(['init', '--json'], {}, `${answers.join('\n')}\n`);
    expect(made.code, made.stderr).toBe(0);
    const env = readFileSync(join(folder, '.env'), 'utf8');
    expect(env.split('\n').filter((line) => /^[A-Z]/.test(line))).toEqual([
      'POLYGON_RPC_URL=https://node.example/rpc',
      'POLYGON_EXPLORER_URL=https://scan.example/api',
      'POLYGON_EXPLORER_STYLE=blockscout',
      'POLYGON_EXPLORER_KEY=own-key',
      'TRON_API_URL=https://api.trongrid.io',
      'TRON_API_KEY=grid-key',
      'TRON_LIVE_URL=http://127.0.0.1:8090',
      'XRP_LIVE_URL=wss://ledger.example',
    ]);
    expect(env).toContain('not verified before');
    const accounts = JSON.parse((await run(['accounts', 'list', '--json'])).stdout);
    expect(accounts).toMatchObject([{ name: 'Night desk', plan_id: 'enterprise' }]);
    const logged = JSON.parse((await run(['audit', 'export', '--json'])).stdout);
    expect(logged).toMatchObject([{ action: 'account_created' }, { action: 'key_created' }]);
    const again = await run(['init', '--yes']);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('.env exists. --force replaces it.')]);
    const forced = JSON.parse((await run(['init', '--yes', '--chains', 'xrp', '--force', '--json'])).stdout);
    expect(forced).toMatchObject({ key: null, settings: expect.arrayContaining(['XRP_RPC_URL', 'XRP_LIVE_URL']) });
  });

  it.each([
    ['an input that ends', 'ethereum\n', /--yes takes the defaults/],
    ['an unknown chain', 'dogecoin\n', /Unknown chain: dogecoin/],
    [
      'a URL that is none',
      `xrp\nno\nnode.example\nno\n${REFUSED.map(() => 'no\n').join('')}\n`,
      /XRP_RPC_URL: must be a URL/,
    ],
  ])('writes nothing for %s', async (_, input, reason) => {
    const { run, folder } = openShell(cli);
    const made = await run(['init'], {}, input);
    expect([made.code, made.stderr]).toEqual([1, expect.stringMatching(reason)]);
    expect(() => statSync(join(folder, '.env'))).toThrow('ENOENT');
  });
});

it('traceflow sources exits with 1 where one fails, and names it', async () => {
  const { run } = openShell(cli);
  const outcome = await run(['sources'], {
    ETHEREUM_RPC_URL: chains.env.POLYGON_RPC_URL!,
    XRP_RPC_URL: chains.env.XRP_RPC_URL!,
    // Nothing listens there.
    XRP_LIVE_URL: 'ws://127.0.0.1:9',
    POLYGON_LIVE_URL: chains.env.POLYGON_RPC_URL!,
    BASE_LIVE_URL: chains.env.POLYGON_RPC_URL!,
  });
  expect(outcome.code).toBe(1);
  expect(outcome.stdout).toMatch(/POLYGON_LIVE_URL +\S+ +ok/);
  expect(outcome.stdout).toMatch(/XRP_LIVE_URL: live: .*ECONNREFUSED/);
  expect(outcome.stdout).toContain('BASE_LIVE_URL: live: it serves polygon (chain id 137), not base');
  expect(outcome.stdout).toContain('ETHEREUM_RPC_URL: rpc: it serves polygon (chain id 137), not ethereum (1)');
});

it('a start that fails says in one line what is wrong and ends the process, whatever it had opened', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  // Of this port nothing speaks the protocol of a store; connections are taken and never answered.
  const silent = `127.0.0.1:${port}`;
  type Case = [Record<string, string>, RegExp];
  /** These leave something open. */
  const opened: Case[] = [
    [{ PORT: String(port) }, /EADDRINUSE/],
    [{ NEO4J_URI: `bolt://${silent}`, NEO4J_PASSWORD: 'x' }, /^NEO4J_URI: /],
    [{ REDIS_URL: 'redis://127.0.0.1:1' }, /^REDIS_URL: /],
  ];
  const refused: Case[] = [
    [{ DATABASE_URL: 'postgres://u:p@127.0.0.1:1/x' }, /^DATABASE_URL: .*ECONNREFUSED/],
    [{ NEO4J_URI: 'bolt://127.0.0.1:1', NEO4J_PASSWORD: 'x' }, /^NEO4J_URI: .*ECONNREFUSED/s],
    [{ PORT: 'abc' }, /PORT: must be a whole number/],
  ];
  const fail = async ([env, problem]: Case, how: 'run' | 'runProcess') => {
    const { code, stderr } = await openShell(cli)[how](['serve'], env);
    expect([env, code, stderr]).toEqual([env, 1, expect.stringMatching(problem)]);
    expect(stderr).not.toMatch(/^\s+at /m);
  };
  await Promise.all(opened.map((one) => fail(one, 'runProcess')));
  for (const one of refused) await fail(one, 'run');
  taken.close();
});
