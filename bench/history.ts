import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { pino } from 'pino';
import { readConfig } from '../src/config.ts';
import { openContext } from '../src/context.ts';
import { PLANS } from '../src/plans.ts';
import { scanAddress } from '../src/questions/scans/scan-address.ts';
import { createAccount } from '../src/records/accounts/accounts.ts';
import { watchEventLoop } from './event-loop.ts';
import { isMet, ms, table } from './table.ts';

const COINS = 50_000;
const TOKENS = 25_000;
const MEMORY_MIB_MAX = 400;
const STALL_MS_MAX = 150;
const TICK_MS = 5;
const ADDRESS = '0x00000000000000000000000000000000000000aa';

/** Scans of an address with few and with 75,000 transfers: how much more memory the process takes, and how long others wait. */
export async function benchHistory(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const rows: string[][] = [];
  for (const part of [0.01, 1]) {
    const source = spawn(process.execPath, ['-e', SOURCE, String(COINS * part), String(TOKENS * part)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [port] = await once(source.stdout, 'data');
    const folder = mkdtempSync(join(tmpdir(), 'traceflow-bench-'));
    const settings = { DATA_DIR: folder, ETHEREUM_EXPLORER_URL: `http://127.0.0.1:${String(port).trim()}/api` };
    const ctx = await openContext(readConfig(settings), { log: pino({ level: 'silent' }) });
    const account = await createAccount(ctx.records, { name: 'Bench', planId: 'enterprise' }, Date.now());
    const payer = { accountId: account.id, plan: PLANS.enterprise };
    collect();
    const before = process.memoryUsage();
    const endWatch = watchEventLoop();
    let [heap, rss] = [0, 0];
    const timer = setInterval(() => {
      const now = process.memoryUsage();
      heap = Math.max(heap, now.heapUsed + now.external - before.heapUsed - before.external);
      rss = Math.max(rss, now.rss - before.rss);
    }, TICK_MS);
    const startedAt = performance.now();
    const request = { chain: 'ethereum', address: ADDRESS, lang: 'en', source: 'sync', trace: 'off' } as const;
    const { metadata } = await scanAddress(ctx, payer, request);
    const tookMs = performance.now() - startedAt;
    clearInterval(timer);
    const { longest: stall } = endWatch();
    const { transfers } = metadata.coverage as { transfers: number };
    const mib = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MiB`;
    const met = heap / 2 ** 20 <= MEMORY_MIB_MAX && stall <= STALL_MS_MAX;
    rows.push([String(transfers), ms(tookMs), mib(heap), mib(rss), ms(stall), part === 1 ? isMet(met) : '']);
    await ctx.close();
    source.kill();
    rmSync(folder, { recursive: true });
  }
  const target = `${MEMORY_MIB_MAX} MiB, ${STALL_MS_MAX} ms`;
  table(['transfers', 'scan', 'JavaScript memory', 'process memory', 'longest delay', target], rows);
}

/** An explorer with one address: each of its transfers in a block of its own, from and to many others. */
const SOURCE = `
const [coins, tokens] = process.argv.slice(1).map(Number);
const me = '${ADDRESS}';
const hex = (n, size) => '0x' + n.toString(16).padStart(size, '0');
const party = (n) => hex(4096 + (n % 9000), 40);
const row = (n, isToken) => ({
  blockNumber: String(1000 + n), timeStamp: String(1600000000 + n * 60), hash: hex(n + (isToken ? 2 ** 40 : 1), 64),
  from: n % 2 ? me : party(n), to: n % 2 ? party(n) : me, value: String(1000000 + n), nonce: String(n),
  gasUsed: '21000', gasPrice: '1000000000', transactionIndex: '3', blockHash: hex(n + 2 ** 41, 64), input: '0x',
  ...(isToken ? { contractAddress: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', tokenSymbol: 'USDC', tokenDecimal: '6', logIndex: '7' }
              : { contractAddress: '', isError: '0', txreceipt_status: '1', methodId: '0x' }),
});
require('node:http').createServer((request, answer) => {
  const query = new URL(request.url, 'http://localhost').searchParams;
  const count = { txlist: coins, tokentx: tokens }[query.get('action')] ?? 0;
  const first = Math.max(0, Number(query.get('startblock')) - 1000);
  const last = Math.min(count - 1, query.has('endblock') ? Number(query.get('endblock')) - 1000 : count - 1);
  const size = Math.min(1000, Number(query.get('offset')));
  const found = [];
  for (let n = last; n >= first && found.length < size; n--) found.push(row(n, query.get('action') === 'tokentx'));
  const isList = /list|tx$/.test(query.get('action'));
  const result = isList ? found : query.get('action') === 'eth_getCode' ? '0x' : '1000000';
  const body = query.get('module') === 'proxy' ? { jsonrpc: '2.0', id: 1, result }
    : { status: isList && !found.length ? '0' : '1', message: isList && !found.length ? 'No transactions found' : 'OK', result };
  answer.setHeader('content-type', 'application/json').end(JSON.stringify(body));
}).listen(0, '127.0.0.1', function () { console.log(this.address().port); });
`;
