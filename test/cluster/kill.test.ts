import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { buildCli, openShell } from '../cli/cli.ts';

const ROWS = 20_000;
const KILLS = Number(process.env.KILLS ?? 3);

let cli: string;
beforeAll(() => {
  cli = buildCli('cluster-kill');
});

const address = (n: number) => `0x${n.toString(16).padStart(40, '0')}`;
const row = (n: number) =>
  `ethereum,0x${n.toString(16).padStart(64, '0')},0,1,2024-01-06,${address(1 + (n % 7))},${address(100 + (n % 900))},ETH,1,1`;

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
    const loading = shell.run(['load', 'transfers', 'a.csv', '--json']);
    const before = kept;
    // Somewhere in the middle: the load has written something new, and is not done.
    while ((await stats().catch(() => ({ transfers: before }))).transfers <= before && server.exitCode === null) {
      await sleep(20);
      if (round > 0) break;
    }
    const gone = once(server, 'exit');
    server.kill('SIGKILL');
    await gone;
    expect((await loading).code).toBe(1);
    kept = (await stats()).transfers;
    expect(kept).toBeGreaterThanOrEqual(before);
  }
  await shell.serve();
  expect((await shell.run(['load', 'transfers', 'a.csv', '--json'])).code).toBe(0);
  const found = await stats();
  expect(found).toMatchObject({ transfers: ROWS, addresses: 907 });
});
