import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { load } from '../../graph-loaders/load.ts';
import { readConfig } from '../../src/config.ts';
import { openContext } from '../../src/context.ts';
import { GRAPH_FILE } from '../../src/data-folder/data-dir.ts';
import { createTransfer } from '../../src/domain/transfers/transfer.ts';
import { openGrafeo } from '../../src/graph/grafeo/grafeo.ts';
import { ingestTransfers } from '../../src/graph/ingest/ingest.ts';
import { markScanned } from '../graph/world.ts';
import { builtCli, type Outcome, openShell } from './cli.ts';

let cli: string;
beforeAll(async () => {
  cli = await builtCli();
});

const address = (n: number) => `0x${n.toString(16).padStart(40, '0')}`;
const LABELS = `chain,address,category,label,source,confidence,entity,valid_from,valid_to
ethereum,${address(0xa1)},exchange,"Kraken, deposits",mine,90,Kraken,,
`;
const TRANSFERS = [
  'chain,tx_hash,index,block,timestamp,from,to,asset,amount,usd',
  ...[1, 2, 3].map(
    (n) => `ethereum,0x${String(n).repeat(64)},0,1,2026-01-0${n},${address(n)},${address(0xa1)},ETH,1,9`,
  ),
].join('\n');
const TOTALS = { addresses: 4, transfers: 3, flows: 3, entities: 1 };

/** With `--json` standard output is one JSON value, also of a failure. */
function failure({ code, stdout }: Outcome): { code: number | null; error: string } {
  expect(stdout.trimEnd()).not.toContain('\n');
  return { code, error: (JSON.parse(stdout) as { error: string }).error };
}

function digests(folder: string): Record<string, string> {
  const names = readdirSync(folder).filter((name) => name !== 'README.txt');
  return Object.fromEntries(
    names.sort().map((name) => {
      const lines = readFileSync(join(folder, name), 'utf8').split('\n').sort().join('\n');
      return [name, createHash('sha256').update(lines).digest('hex')];
    }),
  );
}

async function shellWithGraph(running: boolean) {
  const shell = openShell(cli);
  writeFileSync(join(shell.folder, 'labels.csv'), LABELS);
  writeFileSync(join(shell.folder, 'transfers.csv'), TRANSFERS);
  const ctx = await openContext(readConfig({ DATA_DIR: join(shell.folder, 'data'), LOG_LEVEL: 'silent' }));
  for (const source of ['labels', 'transfers']) {
    expect((await load({ source, input: join(shell.folder, `${source}.csv`) }, ctx)).errors).toEqual([]);
  }
  await ctx.close();
  if (running) await shell.serveHere();
  const exportTo = (folder: string) => shell.run(['graph', 'export', '--format', 'neo4j-admin', folder, '--json']);
  return { ...shell, exportTo, inside: (name: string) => join(shell.folder, name) };
}

const WAYS = [
  ['without a server', false],
  ['while the server holds the graph', true],
] as const;

describe('graph commands', () => {
  it.each(WAYS)(
    '%s count what is there, and export it into a new or empty folder, as text and as one JSON value',
    async (_, running) => {
      const { exportTo, inside, run } = await shellWithGraph(running);
      const stats = await run(['graph', 'stats', '--json']);
      expect({ ...stats, stdout: JSON.parse(stats.stdout) }).toMatchObject({
        code: 0,
        stderr: '',
        stdout: { engine: 'grafeo', ...TOTALS },
      });
      const table = await run(['graph', 'stats']);
      expect(table.code).toBe(0);
      expect(table.stdout).toMatch(/^engine +addresses/);

      const first = await exportTo('out/files');
      const report = JSON.parse(first.stdout);
      expect({ ...first, stdout: report }).toMatchObject({
        code: 0,
        stderr: '',
        stdout: { folder: inside('out/files'), ...TOTALS },
      });
      expect(report.command).toContain('neo4j-admin database import full');
      expect(report.command).toContain(inside('out/files'));
      expect(readFileSync(inside('out/files/README.txt'), 'utf8')).toContain(report.command);

      mkdirSync(inside('empty'));
      const shown = await run(['graph', 'export', 'empty', '--format', 'neo4j-admin']);
      expect({ code: shown.code, stderr: shown.stderr }).toEqual({ code: 0, stderr: '' });
      expect(shown.stdout).toContain('neo4j-admin database import full');
      expect(digests(inside('empty'))).toEqual(digests(inside('out/files')));
    },
  );

  it('refuse a folder that holds something, is a file or cannot be made, and touch nothing', async () => {
    const { exportTo, inside } = await shellWithGraph(false);
    mkdirSync(inside('full'));
    writeFileSync(inside('full/mine.txt'), 'mine');
    expect(failure(await exportTo('full'))).toEqual({ code: 1, error: `${inside('full')} is not empty` });
    expect(readdirSync(inside('full'))).toEqual(['mine.txt']);

    writeFileSync(inside('file'), 'mine');
    for (const folder of ['file', 'file/below']) {
      const refused = failure(await exportTo(folder));
      expect(refused).toMatchObject({ code: 1, error: expect.stringContaining(inside('file')) });
    }
    expect(readFileSync(inside('file'), 'utf8')).toBe('mine');

    // Nobody can make a folder there, not even who may write everywhere.
    const { code, error } = failure(await exportTo('/proc/traceflow'));
    expect({ code, error }).toMatchObject({ code: 1, error: expect.stringContaining('/proc/traceflow') });
  });
});

describe('graph forget', () => {
  /** Two transfers of one explorer, one of a node, and one from a file; the first address was scanned. */
  async function shellWithScans(running: boolean) {
    const shell = await shellWithGraph(false);
    const ctx = await openContext(readConfig({ DATA_DIR: join(shell.folder, 'data'), LOG_LEVEL: 'silent' }));
    const chain = 'ethereum';
    const facts = (['explorer', 'explorer', 'rpc'] as const).map((source, n) =>
      createTransfer({
        chain,
        txHash: `0x${String(n + 5).repeat(64)}`,
        index: 'native',
        at: 1_767_225_600_000,
        from: address(n === 1 ? 0xc : 0xb),
        to: address(n === 2 ? 0xc : 0xa1),
        asset: 'ETH',
        amount: '1',
        kind: 'native',
        source,
        readAt: 1_780_000_000_000,
      }),
    );
    await ingestTransfers(ctx.graph, facts);
    const read = { found: true, transfers: [], coverage: { sources: [], reasons: [], complete: true } } as never;
    for (const one of [0xa1, 0xb, 0x1]) {
      await markScanned(ctx.graph, { chain, address: address(one), at: 1, complete: true });
      await ctx.reads.save(chain, address(one), { history: read, readAt: Date.now() }, Date.now() + 60_000);
    }
    await ctx.close();
    const server = running ? await shell.serveHere() : null;
    const forget = (...args: string[]) => shell.run(['graph', 'forget', ...args, '--yes', '--json']);
    /** Which addresses count as scanned, and which have a reply of their source kept. */
    const left = async () => {
      await server?.close();
      const again = await openContext(readConfig({ DATA_DIR: join(shell.folder, 'data'), LOG_LEVEL: 'silent' }));
      const rows = await again.graph.read('export/addresses', { after: '', limit: 100 });
      const scanned = rows.flatMap(({ properties }) => {
        const { address, scanned_at } = properties as { address: string; scanned_at?: number };
        return scanned_at === undefined ? [] : [address];
      });
      const cached = (await again.records.selectFrom('scan_cache').select('address').execute()).map(
        (row) => row.address,
      );
      await again.close();
      return { scanned, cached: cached.sort() };
    };
    return { ...shell, forget, left };
  }

  it.each(WAYS)(
    '%s deletes what sources reported about an address; files stay, and addresses that lost a transfer count as never read',
    async (_, running) => {
      const { run, forget, left } = await shellWithScans(running);
      const forgotten = await forget(
        '--chain',
        'ethereum',
        '--address',
        address(0xa1).toUpperCase().replace('0X', '0x'),
      );
      expect({ code: forgotten.code, report: JSON.parse(forgotten.stdout) }).toEqual({
        code: 0,
        report: { transfers: 2, addresses: 3 },
      });
      const stats = JSON.parse((await run(['graph', 'stats', '--json'])).stdout);
      expect(stats).toMatchObject({ transfers: 4, flows: 4 });
      expect(await left()).toEqual({ scanned: [address(1)], cached: [address(1)] });
    },
  );

  it.each(WAYS)('%s deletes what one source said, on one chain or on all', async (_, running) => {
    const { run, forget, left } = await shellWithScans(running);
    const elsewhere = await forget('--source', 'explorer', '--chain', 'bsc');
    expect(JSON.parse(elsewhere.stdout)).toEqual({ transfers: 0, addresses: 0 });
    const shown = await run(['graph', 'forget', '--source', 'rpc', '--yes']);
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringMatching(/^transfers +addresses\n1 +2\n$/) });
    expect(JSON.parse((await run(['graph', 'stats', '--json'])).stdout)).toMatchObject({ transfers: 5, flows: 5 });
    expect(await left()).toEqual({ scanned: [address(1), address(0xa1)], cached: [address(1), address(0xa1)] });
  });

  it('deletes what loaded files gave, and leaves what chain sources said', async () => {
    const { run, forget } = await shellWithScans(false);
    expect(JSON.parse((await forget('--source', 'file')).stdout)).toMatchObject({ transfers: 3 });
    expect(JSON.parse((await run(['graph', 'stats', '--json'])).stdout)).toMatchObject({ transfers: 3, flows: 3 });
  });

  it('refuses an address of another chain, and what is not confirmed', async () => {
    const { run, forget } = await shellWithScans(false);
    const wrong = await forget('--chain', 'bitcoin', '--address', address(1));
    expect(failure(wrong)).toEqual({ code: 1, error: 'Address does not match chain bitcoin' });
    const unconfirmed = await run(['graph', 'forget', '--source', 'explorer', '--json']);
    expect(failure(unconfirmed)).toMatchObject({ code: 2, error: expect.stringContaining('--yes') });
    expect(JSON.parse((await run(['graph', 'stats', '--json'])).stdout)).toMatchObject({ transfers: 6 });
  });
});

it('say how they are called where they are called wrongly, and open nothing', async () => {
  const { run, folder } = openShell(cli);
  for (const args of [
    ['graph', 'export', 'out'],
    ['graph', 'export', '--format', 'neo4j-admin'],
    ['graph', 'export', 'out', '--format', 'gexf'],
    ['graph', 'stats', 'more'],
    ['graph', 'forget', '--yes'],
    ['graph', 'forget', '--yes', '--address', address(1)],
    ['graph', 'forget', '--yes', '--chain', 'bnb', '--source', 'rpc'],
    ['graph', 'forget', '--yes', '--chain', 'ethereum', '--address', address(1), '--source', 'rpc'],
  ]) {
    const called = await run(args);
    expect({ args, code: called.code, stdout: called.stdout }).toEqual({ args, code: 2, stdout: '' });
    expect(called.stderr).toContain('--help');
  }
  const asJson = await run(['graph', 'export', 'out', '--json']);
  expect(failure(asJson)).toMatchObject({ code: 2, error: expect.stringContaining('--format') });
  expect(existsSync(join(folder, 'out'))).toBe(false);
  expect(existsSync(join(folder, 'data'))).toBe(false);
});

it('a graph of an earlier version is refused in one line, and rebuilt once', async () => {
  const { run, folder } = await shellWithGraph(false);
  const data = join(folder, 'data');
  const old = await openGrafeo({ path: join(data, GRAPH_FILE) });
  await ingestTransfers(old, [
    createTransfer({
      id: 'ethereum:0x5:native',
      chain: 'ethereum',
      txHash: '0x5',
      index: 'native',
      at: 5,
      from: address(8),
      to: address(9),
      asset: 'ETH',
      amount: '1',
      kind: 'native',
    }),
  ]);
  await old.close();
  for (const args of [['graph', 'stats'], ['serve']]) {
    const refused = await run(args);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toMatch(/^.*earlier version.*: traceflow graph rebuild\n$/);
  }
  const rebuilt = await run(['graph', 'rebuild', '--json']);
  expect(JSON.parse(rebuilt.stdout)).toEqual({ changed: 1, merged: 0, rolled_up: 1 });
  const again = await run(['graph', 'rebuild', '--json']);
  expect(JSON.parse(again.stdout)).toEqual({ changed: 0, merged: 0, rolled_up: 0 });
  expect(JSON.parse((await run(['graph', 'stats', '--json'])).stdout)).toMatchObject({ transfers: 4 });
});
