import { once } from 'node:events';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { builtCli, openShell } from '../cli/cli.ts';

const ROWS = 40_000;
const KILLS = Number(process.env.KILLS ?? 1);
const LOG_BYTES = 200_000;

let cli: string;
beforeAll(async () => {
  cli = await builtCli();
});

const address = (n: number) => `0x${n.toString(16).padStart(40, '0')}`;
const row = (n: number) =>
  `ethereum,0x${n.toString(16).padStart(64, '0')},0,1,2024-01-06,${address(1 + (n % 7))},${address(100 + (n % 900))},ETH,1,1`;

/** Bytes of the graph's write-ahead log. */
function logSize(folder: string): number {
  const log = join(folder, 'data/graph.grafeo.wal');
  if (!existsSync(log)) return 0;
  return readdirSync(log).reduce(
    (sum, name) => sum + (statSync(join(log, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

it(`the embedded service loses nothing when it is killed while it ingests, ${KILLS} times`, {
  timeout: 120_000 + KILLS * 60_000,
}, async () => {
  const shell = openShell(cli);
  const csv = [
    'chain,tx_hash,index,block,timestamp,from,to,asset,amount,usd',
    ...Array.from({ length: ROWS }, (_, n) => row(n)),
  ];
  writeFileSync(join(shell.folder, 'a.csv'), csv.join('\n'));
  const stats = async () => JSON.parse((await shell.run(['graph', 'stats', '--json'])).stdout);
  let kept = 0;
  for (let round = 0; round < KILLS; round++) {
    const server = await shell.serve();
    const sizeBefore = logSize(shell.folder);
    const loading = shell.run(['load', 'transfers', 'a.csv', '--json']);
    // In the middle: what is new reaches the log, and most of it is still to come.
    await expect.poll(() => logSize(shell.folder), { interval: 2 }).toBeGreaterThan(sizeBefore + LOG_BYTES);
    const gone = once(server, 'exit');
    server.kill('SIGKILL');
    await gone;
    expect((await loading).code).toBe(1);
    const { transfers } = await stats();
    expect(transfers).toBeGreaterThanOrEqual(kept);
    expect(transfers).toBeLessThan(ROWS);
    kept = transfers;
  }
  await shell.serve();
  expect((await shell.run(['load', 'transfers', 'a.csv', '--json'])).code).toBe(0);
  const found = await stats();
  expect(found).toMatchObject({ transfers: ROWS, addresses: 907 });
});
