import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { readConfig } from '../src/config.ts';
import { openContext } from '../src/context.ts';
import type { Label } from '../src/domain/label.ts';
import { createTransfer, type Transfer } from '../src/domain/transfers/transfer.ts';
import { ingestTransfers } from '../src/graph/ingest/ingest.ts';
import { createAccount } from '../src/records/accounts/accounts.ts';
import { insertKey } from '../src/records/accounts/keys.ts';
import { isMet, median, ms, percentile, table } from './table.ts';

const ROUNDS = 3;
const ROUND_S = 4;
const CONNECTIONS = 16;
/** Each may ask 1,200 times a minute; together they never reach a limit. */
const ACCOUNTS = 300;
const KEYS_EACH = 5;
const LABELS = 100_000;
const ADDRESSES = 500;
const RECIPIENTS = 200;

type Requests = autocannon.Request[];

interface Load {
  url: string;
  requests: Requests;
  /** The load that its throughput is compared with. */
  reference?: string;
}

/** Least share of the bare route's throughput, and most milliseconds of p99 at half load. */
const TARGETS: Record<string, { ratio: number; p99Ms: number }> = {
  'presign, cached': { ratio: 0.3, p99Ms: 3 },
  'presign, fresh': { ratio: 0.2, p99Ms: 8 },
};

/**
 * The pre-signing check over HTTP, cached and fresh (calldata, a spender of its own, a signer with a history),
 * beside a bare Fastify route that is sent the same requests in the same run: throughput, and p99 at half of it.
 */
export async function benchPresign(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'traceflow-bench-'));
  const keys = await fillStores(dataDir);
  const bare = await startChild(dataDir, 'bare', ['--input-type=module', '-e', BARE]);
  const service = await startChild(dataDir, 'service', [join(import.meta.dirname, '../src/main.js')]);
  try {
    const asked = { cached: keys.map((key, i) => cached(key, i)), fresh: keys.map((key, i) => fresh(key, i)) };
    const loads: Record<string, Load> = {
      'bare route, asked the same': { url: bare.url, requests: asked.cached },
      'presign, cached': { url: service.url, requests: asked.cached, reference: 'bare route, asked the same' },
      'bare route, asked the longer': { url: bare.url, requests: asked.fresh },
      'presign, fresh': { url: service.url, requests: asked.fresh, reference: 'bare route, asked the longer' },
    };
    const throughput: Record<string, number[]> = {};
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [name, { url, requests }] of Object.entries(loads)) {
        const { perSecond } = await load(url, requests);
        // The first round is for the compiler.
        if (round > 0) throughput[name] = [...(throughput[name] ?? []), perSecond];
      }
    }
    const rows: string[][] = [];
    for (const [name, { url, requests, reference = name }] of Object.entries(loads)) {
      const perSecond = median(throughput[name] ?? []);
      const { latencies } = await load(url, requests, perSecond / 2);
      const ratio = perSecond / median(throughput[reference] ?? []);
      const p99 = percentile(latencies, 0.99);
      const target = TARGETS[name];
      const targets = target
        ? [`≥ ${target.ratio}: ${isMet(ratio >= target.ratio)}`, `≤ ${target.p99Ms} ms: ${isMet(p99 <= target.p99Ms)}`]
        : ['', ''];
      const cells = [perSecond.toFixed(0), ratio.toFixed(2), ms(median(latencies)), ms(p99)];
      rows.push([name, ...cells, ...targets]);
    }
    table(['', 'requests/s', 'ratio', 'p50 at half load', 'p99 at half load', 'ratio', 'p99'], rows);
  } finally {
    await Promise.all([bare.stop(), service.stop()]);
    rmSync(dataDir, { recursive: true });
  }
}

const BARE = `import fastify from 'fastify';
const app = fastify();
app.get('/api/v1/public/presign/check', async () => ({ verdict: 'ok' }));
console.log(JSON.stringify({ url: await app.listen({ host: '127.0.0.1', port: 0 }) }));`;

const address = (nth: number) => `0x${nth.toString(16).padStart(40, '0')}`;
const SIGNER = address(1_000_000);
const PATH = '/api/v1/public/presign/check?chain=ethereum';

function cached(key: string, i: number): autocannon.Request {
  return { method: 'GET', path: `${PATH}&to=${address(i % ADDRESSES)}`, headers: { 'x-api-key': key } };
}

/** approve(spender, 5) */
function fresh(key: string, i: number): autocannon.Request {
  const data = `0x095ea7b3${address(10_000 + i)
    .slice(2)
    .padStart(64, '0')}${'5'.padStart(64, '0')}`;
  const path = `${PATH}&to=${address(i % ADDRESSES)}&signer=${SIGNER}&data=${data}`;
  return { method: 'GET', path, headers: { 'x-api-key': key } };
}

async function fillStores(dataDir: string): Promise<string[]> {
  const ctx = await openContext(readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' }));
  const now = Date.now();
  const keys: string[] = [];
  for (let account = 0; account < ACCOUNTS; account++) {
    const { id } = await createAccount(ctx.records, { name: `Desk ${account}`, planId: 'enterprise' }, now);
    for (let nth = 0; nth < KEYS_EACH; nth++) {
      keys.push((await insertKey(ctx.records, { accountId: id, name: 'bench' }, now)).key);
    }
  }
  const stamp = await ctx.labels.beginLoad();
  const labels = Array.from({ length: LABELS }, (_, i): Label => {
    const facts = {
      category: 'exchange',
      label: `Exchange ${i}`,
      source: 'bench',
      confidence: 80,
      entity: null,
    } as const;
    return {
      ...facts,
      chain: 'evm',
      address: address(i * 3),
      validFrom: null,
      validTo: null,
      maliciousContract: false,
    };
  });
  for (let start = 0; start < LABELS; start += 5_000) {
    await ctx.labels.put(labels.slice(start, start + 5_000), { stamp, list: true });
  }
  await ingestTransfers(
    ctx.graph,
    Array.from({ length: RECIPIENTS }, (_, i) => payment(i)),
  );
  await ctx.close();
  return keys;
}

/** The signer paid each of its recipients once. */
function payment(nth: number): Transfer {
  const txHash = `0x${nth.toString(16).padStart(64, '0')}`;
  return createTransfer({
    chain: 'ethereum',
    txHash,
    index: 'native',
    block: 18_000_000 + nth,
    position: 0,
    at: 1_700_000_000_000 + nth * 12_000,
    from: SIGNER,
    to: address(2_000_000 + nth),
    asset: 'ETH',
    amount: '1',
    amountRaw: '1000000000000000000',
    decimals: 18,
    usd: 2_000,
    kind: 'native',
    txSender: SIGNER,
  });
}

async function load(url: string, requests: Requests, perSecond?: number) {
  const latencies: number[] = [];
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const run = autocannon(
      {
        url,
        requests,
        connections: CONNECTIONS,
        duration: ROUND_S,
        ...(perSecond ? { overallRate: Math.round(perSecond) } : {}),
      },
      (error, ended) => (error ? reject(error) : resolve(ended)),
    );
    run.on('response', (_client, status, _bytes, responseMs) => {
      if (status !== 200) reject(new Error(`answered with status ${status}`));
      latencies.push(responseMs);
    });
  });
  return { latencies, perSecond: latencies.length / result.duration };
}

/** Starts a server that prints its `url`; what it logs goes to a file, as in service. */
async function startChild(dataDir: string, name: string, args: string[]) {
  const log = join(dataDir, `${name}.log`);
  const file = openSync(log, 'w');
  const child = spawn(process.execPath, args, {
    env: { ...process.env, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'info' },
    stdio: ['ignore', file, 'inherit'],
  });
  closeSync(file);
  const exited = once(child, 'exit');
  let url: string | undefined;
  while (url === undefined) {
    if (child.exitCode !== null) throw new Error(`${name} did not start`);
    await sleep(20);
    url = /"url":"([^"]+)"/.exec(readFileSync(log, 'utf8'))?.[1];
  }
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
