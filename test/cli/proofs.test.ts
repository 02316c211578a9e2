import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { answerRpc, RpcFailure } from '../../fixtures/chain-servers/json-rpc.ts';
import { serveChain } from '../../fixtures/chain-servers/serve.ts';
import { askBlock, demoBlock, type LocalBlock } from '../../fixtures/local-block.ts';
import { runHere } from './run-here.ts';

/** A folder whose Ethereum is a node that knows one block, and answers receipts as `change` makes them. */
async function openFolder(change: (local: LocalBlock) => LocalBlock = (local) => local) {
  const local = await demoBlock();
  const node = await serveChain(({ body }) =>
    answerRpc(body, (method, params) => {
      if (method === 'eth_chainId') return '0x1';
      const known = askBlock(change(local), method, params);
      if (known === undefined && method.startsWith('eth_getTransaction')) return null;
      if (known === undefined) throw new RpcFailure(-32601, 'Method not found');
      return known;
    }),
  );
  const folder = mkdtempSync(join(tmpdir(), 'traceflow-proofs-'));
  onTestFinished(async () => {
    await node.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const env = { ETHEREUM_RPC_URL: node.url, LOG_LEVEL: 'silent', DATA_DIR: join(folder, 'data') };
  const run = (...args: string[]) => runHere(args, { folder, env });
  return { local, run, file: join(folder, 'proofs.json') };
}

const UNKNOWN = `0x${'1'.repeat(64)}`;

it('proves transactions into a file, which holds without any source until a byte of it differs', async () => {
  const { local, run, file } = await openFolder();
  const hash = local.block.transactions[1]!.hash as string;
  const made = await run(
    'prove',
    `ethereum:${hash}`,
    `ethereum:${UNKNOWN}`,
    'solana:'.concat('1'.repeat(64)),
    '--output',
    file,
  );
  expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining('1 of 3 transactions are proved') });
  const found = await run('verify', file);
  expect([found.code, found.stdout.trim().split('\n')]).toEqual([
    0,
    [
      `holds  ethereum ${hash} in block 18000000 ${local.block.hash}`,
      `no proof  ethereum ${UNKNOWN}: not_found`,
      `no proof  solana ${'1'.repeat(64)}: no_source`,
    ],
  ]);
  writeFileSync(file, readFileSync(file, 'utf8').replace('not_found', 'time_budget'));
  expect(await run('verify', file)).toMatchObject({ code: 1, stdout: expect.stringContaining('CHANGED') });
  writeFileSync(file, readFileSync(file, 'utf8').replace('"1000', '"9000').replace('"2000', '"9000'));
  const forged = await run('verify', file);
  expect([forged.code, forged.stdout]).toEqual([
    1,
    expect.stringContaining(`DOES NOT HOLD  ethereum ${hash}: other_transfers`),
  ]);
});

it.each([
  [
    'whose receipts do not build the header’s root',
    'other_roots',
    ({ block, receipts }: LocalBlock) => ({
      block,
      receipts: receipts.map((one) => ({ ...one, cumulativeGasUsed: '0x1' })),
    }),
  ],
  [
    'whose header is not the block hash’s',
    'other_header_form',
    ({ block, receipts }: LocalBlock) => ({ block: { ...block, gasUsed: '0x1' }, receipts }),
  ],
  [
    'whose transaction has another hash',
    'other_transaction_form',
    ({ block, receipts }: LocalBlock) => ({
      block: { ...block, transactions: block.transactions.map((one) => ({ ...one, value: '0x7' })) },
      receipts,
    }),
  ],
  [
    'with the receipts of another block',
    'not_in_block',
    ({ block, receipts }: LocalBlock) => ({ block, receipts: receipts.slice(1) }),
  ],
])('a source %s proves nothing, and its file says why', async (_, reason, change) => {
  const { local, run, file } = await openFolder(change);
  const hash = local.block.transactions[0]!.hash as string;
  expect(await run('prove', `ethereum:${hash}`, '--output', file)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(`no proof  ethereum ${hash}: ${reason}`),
  });
  expect(await run('verify', file)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('NO PROOF  the file of proofs holds none'),
  });
});

it('refuses what names no transaction, no case and no file of proofs', async () => {
  const { run, file } = await openFolder();
  for (const args of [[], ['nothing'], ['ethereum:0x1'], ['--case', 'none']]) {
    expect((await run('prove', ...args, '--output', file)).code, args.join()).toBe(1);
  }
  expect(await run('verify', file)).toMatchObject({ code: 1, stderr: expect.stringContaining('Cannot read') });
  writeFileSync(file, '{"proofs": 1}');
  expect(await run('verify', file)).toMatchObject({ code: 1, stderr: expect.stringContaining('not a file of proofs') });
});
