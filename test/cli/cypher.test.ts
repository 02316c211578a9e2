import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { load } from '../../graph-loaders/load.ts';
import { readConfig } from '../../src/config.ts';
import { openContext } from '../../src/context.ts';
import { statementText } from '../../src/graph/statements.ts';
import { builtCli, openShell } from './cli.ts';

let cli: string;
beforeAll(async () => {
  cli = await builtCli();
});

const address = (n: number) => `0x${n.toString(16).padStart(40, '0')}`;
const key = (n: number) => `ethereum:${address(n)}`;
/** 1 pays 2, which pays 3, which pays 4. */
const TRANSFERS = [
  'chain,tx_hash,index,block,timestamp,from,to,asset,amount,usd',
  ...[1, 2, 3].map(
    (n) => `ethereum,0x${String(n).repeat(64)},0,1,2026-01-0${n},${address(n)},${address(n + 1)},ETH,1,9`,
  ),
].join('\n');

const pair = ['--from', key(1), '--to', key(4)] as const;
const one = ['--address', key(1)] as const;
/** Each with statements of its answer. */
const QUESTIONS = [
  [
    ['flow-path', ...pair, '--hops', '3'],
    ['walk/sent-3', 'walk/received-3', 'path/transfers'],
  ],
  [
    ['relationship', ...pair],
    ['relationship/dealings', 'walk/sent-4', 'walk/received-4'],
  ],
  [['funds', ...one, '--direction', 'sent'], ['exposure/open']],
  [['exposure', ...one], ['exposure/open']],
  [['terminals', ...one, '--hops', '4'], ['exposure/open']],
  [
    ['follow', ...one, '--hops', '2'],
    ['walk/sent-2', 'path/transfers'],
  ],
] as const;

interface Printed {
  question: string;
  statements: { name: string; params: Record<string, unknown>; text: string }[];
}

describe('the cypher command', { timeout: 120_000 }, () => {
  it.each([
    ['without a server', false],
    ['while the server holds the graph', true],
  ])('%s prints the statements that answer a question, as text and as one JSON value', async (_, running) => {
    const { folder, run, serveHere } = openShell(cli);
    writeFileSync(join(folder, 'transfers.csv'), TRANSFERS);
    const ctx = await openContext(readConfig({ DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'silent' }));
    await load({ source: 'transfers', input: join(folder, 'transfers.csv') }, ctx);
    await ctx.close();
    if (running) await serveHere();
    for (const [args, names] of running ? QUESTIONS.slice(0, 1) : QUESTIONS) {
      const printed = await run(['cypher', ...args, '--json']);
      expect({ code: printed.code, stderr: printed.stderr }, args[0]).toEqual({ code: 0, stderr: '' });
      const { question, statements } = JSON.parse(printed.stdout) as Printed;
      expect(question).toBe(args[0]);
      expect([...new Set(statements.map(({ name }) => name))], args[0]).toEqual(expect.arrayContaining([...names]));
      for (const { name, text } of statements) expect(text).toBe(statementText(name, 'neo4j'));

      const { stdout } = await run(['cypher', ...args]);
      expect(stdout.match(/;\n(?=\n|$)/g), args[0]).toHaveLength(statements.length);
      expect(stdout.match(/^:param \w+ => /gm)).toHaveLength(
        statements.reduce((count, { params }) => count + Object.keys(params).length, 0),
      );
      expect(stdout).toContain(key(1));
    }
  });

  it.each([
    [['flow-path', '--from', key(1)], "required option '--to <chain:address>' not specified"],
    [['flow-path', '--from', key(1), '--to', key(1)], '--from and --to must differ'],
    [['flow-path', '--from', address(1), '--to', key(2)], 'Written as CHAIN:ADDRESS.'],
    [['flow-path', '--from', key(1), '--to', key(2), '--hops', '11'], 'A whole number from 1 to 10.'],
    [['funds', '--address', `dogecoin:${address(1)}`], 'Unknown chain.'],
    [['funds', '--address', 'bitcoin:nothing'], 'No address of bitcoin.'],
    [['funds', '--address', key(1), '--direction', 'both'], 'Allowed choices are sent, received.'],
    [['weather'], 'unknown command'],
  ])('%j is wrong usage, and says why', async (args, reason) => {
    const { run } = openShell(cli);
    const { code, stdout, stderr } = await run(['cypher', ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(reason);
  });
});
