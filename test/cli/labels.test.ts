import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { builtCli, openShell } from './cli.ts';

const LIST = 'sanctioned_addresses_ETH.txt';
const address = (n: number) => `0x${n.toString(16).padStart(40, '0')}`;

let cli: string;
beforeAll(async () => {
  cli = await builtCli();
});

it('a list is loaded with its day, shown with its licence, and its losses wait for a decision', async () => {
  const { run, folder } = openShell(cli);
  const put = (name: string, value: unknown) => writeFileSync(join(folder, name), JSON.stringify(value));
  put('combined.json', { 'evil.example': [address(1), address(2)] });
  put('address.json', [address(1)]);
  expect((await run(['labels', 'sources'])).stdout).toBe('(none)\n');
  expect((await run(['load', 'scamsniffer', 'combined.json', '--as-of', '2026-01-05'])).code).toBe(0);

  const shorter = await run(['load', 'scamsniffer', 'address.json', '--as-of', '2026-02-05']);
  expect(shorter.code).toBe(1);
  expect(shorter.stdout.split('\n')[0]).toMatch(/^1 of 2 labels of scamsniffer .* wait/);
  const asJson = await run(['load', 'scamsniffer', 'address.json', '--as-of', '2026-02-05', '--json']);
  expect(asJson.code).toBe(1);
  expect(JSON.parse(asJson.stdout).errors[0].reason).toMatch(/wait/);

  expect((await run(['load', 'scamsniffer', 'address.json', '--as-of', '2026-02-05', '--keep'])).code).toBe(0);
  const [kept] = JSON.parse((await run(['labels', 'sources', '--json'])).stdout);
  expect(kept).toMatchObject({ source: 'scamsniffer', entries: 2, as_of: '2026-02-05', load_again: 'daily' });
  expect((await run(['load', 'scamsniffer', 'address.json', '--as-of', '2026-02-05', '--replace'])).code).toBe(0);
  const text = (await run(['labels', 'sources'])).stdout;
  expect(text).toMatch(/^source +entries +as_of +loaded_at +licence +load_again\nscamsniffer +1 +2026-02-05 /);
});

it('two decisions at once, no real day and a day to come are wrong usage', async () => {
  const { run } = openShell(cli);
  for (const options of [
    ['--keep', '--replace'],
    ['--as-of', '2026-02-30'],
    ['--as-of', 'yesterday'],
    ['--as-of', '9999-01-01'],
  ]) {
    expect((await run(['load', 'ofac-list', '.', ...options])).code).toBe(2);
  }
  expect((await run(['load', 'ofac-list', LIST])).code).toBe(1);
});
