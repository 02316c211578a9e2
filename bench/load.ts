import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { startChainServers } from '../fixtures/chain-servers/start.ts';
import { makeWorld } from '../fixtures/demo/world.ts';
import { createAccount } from '../src/records/accounts/accounts.ts';
import { insertKey } from '../src/records/accounts/keys.ts';
import { openRecords } from '../src/records/database/database.ts';
import { mib, readMemory, startService } from './service-process.ts';
import { ms, percentile, table } from './table.ts';

/** `LOAD_SECONDS=600 npm run bench -- load` is the long run. */
const SECONDS = Number(process.env.LOAD_SECONDS ?? 60);
const STEPS = [1, 2, 3, 5];
const ACCOUNTS = 60;
const KEYS_EACH = 5;
const CONNECTIONS = 400;

interface Step {
  sent: number;
  accepted: number;
  /** Refused with 429 or 503 and `Retry-After`. */
  refused: number;
  /** Any other answer, and no answer. */
  other: number;
  latencies: number[];
}

/** Fresh scans at rising rates, to five times what the service can do: accepted ones wait little, the rest is refused with a time to retry. */
export async function benchLoad(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'traceflow-bench-'));
  const world = makeWorld();
  const chains = await startChainServers(world);
  const keys = await issueKeys(dataDir);
  const env = { ...chains.env, DATA_DIR: dataDir, PORT: '0', CACHE_SCAN_SECONDS: '0' };
  const service = await startService(env);
  const addresses = [...new Set(world.labels.filter(({ chain }) => chain === 'bitcoin').map(({ address }) => address))];
  let nth = 0;
  const nextRequest = () => {
    nth += 1;
    const address = addresses[nth % addresses.length];
    const headers = { 'x-api-key': keys[nth % keys.length]! };
    return { method: 'GET' as const, path: `/api/v1/public/scan?chain=bitcoin&address=${address}`, headers };
  };
  try {
    const partS = Math.max(2, Math.round(SECONDS / (STEPS.length + 2)));
    await drive(service.url, nextRequest, { seconds: partS, connections: 8 });
    const alone = await drive(service.url, nextRequest, { seconds: partS, connections: 8 });
    const capacity = alone.accepted / partS;
    const rows = [];
    for (const factor of STEPS) {
      const perSecond = Math.max(1, Math.round(capacity * factor));
      const step = await drive(service.url, nextRequest, { seconds: partS, connections: CONNECTIONS, perSecond });
      rows.push([
        `${factor} ×`,
        String(perSecond),
        (step.accepted / partS).toFixed(0),
        ms(percentile(step.latencies, 0.5)),
        ms(percentile(step.latencies, 0.99)),
        String(step.refused),
        String(step.other),
        ...(await readMemory(service.url)).map(mib),
      ]);
    }
    console.log(`capacity ${capacity.toFixed(0)} fresh scans/s (${partS} s a step)`);
    table(['load', 'sent/s', 'accepted/s', 'p50', 'p99', '429 or 503', 'other', 'rss', 'heap'], rows);
  } finally {
    service.child.kill('SIGKILL');
    await chains.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function issueKeys(dataDir: string): Promise<string[]> {
  const records = await openRecords({ path: join(dataDir, 'records.sqlite') });
  const keys: string[] = [];
  for (let account = 0; account < ACCOUNTS; account++) {
    const { id } = await createAccount(records, { name: `Desk ${account}`, planId: 'enterprise' }, Date.now());
    for (let nth = 0; nth < KEYS_EACH; nth++) {
      keys.push((await insertKey(records, { accountId: id, name: 'bench' }, Date.now())).key);
    }
  }
  await records.destroy();
  return keys;
}

async function drive(
  url: string,
  nextRequest: () => autocannon.Request,
  { seconds, connections, perSecond }: { seconds: number; connections: number; perSecond?: number },
): Promise<Step> {
  const step: Step = { sent: 0, accepted: 0, refused: 0, other: 0, latencies: [] };
  const instance = autocannon({
    url,
    connections,
    duration: seconds,
    timeout: 60,
    // One for all connections: each would build a list of its own, for seconds, while answers wait to be read.
    requests: [
      {
        setupRequest: nextRequest,
        onResponse: (status: number, _body: string, _context: object, headers?: object) => {
          const retryAfter = new Map(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
          if (status >= 200 && status < 300) step.accepted += 1;
          else if ((status === 429 || status === 503) && Number(retryAfter.get('retry-after')) >= 1) step.refused += 1;
          else step.other += 1;
        },
      },
    ],
    ...(perSecond ? { overallRate: perSecond } : {}),
  });
  return new Promise((resolve, reject) => {
    const running = instance as unknown as autocannon.Instance;
    running.on('response', (_client, status, _bytes, latencyMs) => {
      if (status >= 200 && status < 300) step.latencies.push(latencyMs);
    });
    running.on('error' as never, reject);
    running.on('done', (result) => {
      step.sent = result.requests.sent;
      step.other += result.errors;
      resolve(step);
    });
  });
}
