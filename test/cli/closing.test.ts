import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { openRecords } from '../../src/records/database/database.ts';
import { hex, paymentRow } from '../chains/evm/payment-row.ts';
import { startCommand } from '../cluster/process.ts';
import { serveUpstream } from '../contract/upstream.ts';
import { builtCli, openShell } from './cli.ts';

let cli: string;
beforeAll(async () => {
  cli = await builtCli();
});

const addressOf = (n: number) => hex(0xabc000 + n, 40);
const PAGE = 1_000;
const FIRST = addressOf(0);
/** Far more than fits the memory of the process together. */
const TRANSFERS = 60_000;
const SCANS = 5;
/** Then a history waits for a place of its own. */
const PAGES_UNTIL_LARGE = 6;

const rowOf = (me: string, n: number) => paymentRow(me, n, { from: me, to: hex(4_096 + (n % 50), 40) });

/**
 * An explorer of large histories. The first address is known as large after some pages; when it is read again, in its
 * place, the second page comes after `release`, and is empty.
 */
async function serveExplorer() {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let holdsPlace = () => {};
  const placed = new Promise<void>((resolve) => {
    holdsPlace = resolve;
  });
  let readings = 0;
  const explorer = await serveUpstream(async ({ url: { searchParams: query } }) => {
    if (query.get('module') === 'proxy') return { json: { jsonrpc: '2.0', id: 1, result: '0x' } };
    if (query.get('action') === 'balance') return { json: { status: '1', message: 'OK', result: '5' } };
    const address = query.get('address')!;
    let last = Math.min(TRANSFERS - 1, Number(query.get('endblock') ?? TRANSFERS + PAGE) - PAGE);
    const isList = query.get('action') === 'txlist';
    if (address === FIRST && isList && last === TRANSFERS - 1) readings += 1;
    if (address === FIRST && isList && last < TRANSFERS - 1 && readings > 1) {
      holdsPlace();
      await released;
      last = -1;
    }
    const size = isList ? Math.min(PAGE, last + 1) : 0;
    if (size <= 0) return { json: { status: '0', message: 'No transactions found', result: [] } };
    return {
      json: { status: '1', message: 'OK', result: Array.from({ length: size }, (_, i) => rowOf(address, last - i)) },
    };
  });
  onTestFinished(() => {
    release();
    return explorer.close();
  });
  return { explorer, release, placed };
}

it('SIGTERM refuses scans that wait for a place at once, answers the running one and gives the jobs back', {
  timeout: 240_000,
}, async () => {
  const { explorer, release, placed } = await serveExplorer();
  const shell = openShell(cli);
  const data = join(shell.folder, 'data');
  const server = await startCommand(cli, 'serve', {
    DATA_DIR: data,
    ETHEREUM_EXPLORER_URL: `${explorer.url}/api`,
    // Room for one.
    NODE_OPTIONS: '--max-old-space-size=420',
  });
  const run = async (...args: string[]) => JSON.parse((await shell.run([...args, '--json'])).stdout);
  const account = await run('accounts', 'create', '--name', 'A', '--plan', 'enterprise');
  const { key } = await run('keys', 'create', '--account', account.id);
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const scan = async (address: string) => {
    const { status } = await fetch(`${server.url}/api/v1/public/scan?chain=ethereum&address=${address}&trace=off`, {
      headers,
    });
    return status;
  };
  const first = scan(FIRST);
  await placed;
  const waiting = Array.from({ length: SCANS }, (_, n) => scan(addressOf(n + 1)));
  const body = JSON.stringify({ chain: 'ethereum', address: addressOf(SCANS + 1) });
  const queued = await fetch(`${server.url}/api/v1/public/scan/async`, { method: 'POST', headers, body });
  expect(queued.status).toBe(202);
  const pagesOf = (address: string) =>
    explorer.requests.filter(
      ({ url: { searchParams: query } }) => query.get('address') === address && query.get('action') === 'txlist',
    ).length;
  const others = Array.from({ length: SCANS + 1 }, (_, n) => addressOf(n + 1));
  await expect.poll(() => others.map(pagesOf), { timeout: 120_000 }).toEqual(others.map(() => PAGES_UNTIL_LARGE));
  const ended = server.end('SIGTERM');
  expect(await Promise.all(waiting)).toEqual(Array.from({ length: SCANS }, () => 503));
  release();
  expect(await first).toBe(200);
  expect(await ended).toBe(0);
  expect(server.output()).not.toContain('did not close in time');

  const records = await openRecords({ databaseUrl: undefined, path: join(data, 'records.sqlite') });
  onTestFinished(() => records.destroy());
  const jobs = await records.selectFrom('jobs').select(['status', 'attempts', 'tries_left']).execute();
  expect(jobs).toEqual([{ status: 'queued', attempts: 1, tries_left: 4 }]);
});

it('for DRAIN_SECONDS after SIGTERM readiness says no, while requests are still taken', {
  timeout: 240_000,
}, async () => {
  const shell = openShell(cli);
  const server = await startCommand(cli, 'serve', { DATA_DIR: join(shell.folder, 'data'), DRAIN_SECONDS: '60' });
  const statusOf = async (path: string) => (await fetch(server.url + path)).status;
  expect(await statusOf('/health/ready')).toBe(200);
  const ended = server.end('SIGTERM');
  while ((await statusOf('/health/ready')) === 200) await sleep(50);
  expect([await statusOf('/health/ready'), await statusOf('/health/live')]).toEqual([503, 200]);
  expect(await statusOf('/openapi.json')).toBe(200);
  void server.end('SIGKILL');
  await ended;
});
