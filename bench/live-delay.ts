import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAccount } from '../src/records/accounts/accounts.ts';
import { insertKey } from '../src/records/accounts/keys.ts';
import { openRecords } from '../src/records/database/database.ts';
import { type Anvil, anvilMissing, startAnvil } from '../test/setup/anvil.ts';
import { startService } from './service-process.ts';
import { claim, ms, percentile } from './table.ts';

const ADDRESSES = 100;
/** Each by another address; a scan a minute is an address's share. */
const PAYMENTS = 60;
const PAUSE_MS = 1_000;
const P95_MS = 15_000;
const WAIT_MS = 180_000;
/** An address is scanned once a minute: its first scan is to be as long ago. */
const SETTLE_MS = 61_000;
const ETHER = 10n ** 18n;

/** Prints the time from the block of a payment to its signed webhook, on a chain of this machine whose 100 addresses are watched. */
export async function benchDelay(): Promise<void> {
  if (anvilMissing) return console.log(`from block to webhook: not measured, ${anvilMissing}`);
  const folder = mkdtempSync(join(tmpdir(), 'traceflow-bench-'));
  const anvil = await startAnvil({ chainId: 1, args: ['--accounts', String(ADDRESSES + 1)] });
  const receiver = await startReceiver();
  const key = await newKey(folder);
  const service = await startService({
    ...{ DATA_DIR: folder, PORT: '0', ETHEREUM_RPC_URL: anvil.url },
    ...{ WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', WEBHOOK_ALLOW_HTTP: '1' },
  });
  const ask = askService(service.url, key);
  try {
    await goOnInRealTime(anvil);
    const [target, ...watched] = anvil.accounts as [string, ...string[]];
    const { secret } = await ask('POST', '/webhooks/configs', {
      webhook_url: receiver.url,
      events: ['watchlist.alert'],
    });
    for (const address of watched) await ask('POST', '/watchlist', { address, chain: 'ethereum' });
    await untilListened(ask);
    await sleep(SETTLE_MS);
    const sentAt = new Map<string, number>();
    for (const from of watched.slice(0, PAYMENTS)) {
      const { hash } = await anvil.send({ from, to: target, value: ETHER });
      sentAt.set(hash, Date.now());
      await sleep(PAUSE_MS);
    }
    const until = Date.now() + WAIT_MS;
    while (receiver.received.length < PAYMENTS && Date.now() < until) await sleep(100);
    report(receiver.received, sentAt, String(secret));
  } finally {
    service.child.kill('SIGKILL');
    receiver.close();
    await anvil.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Received {
  at: number;
  signature: string;
  body: string;
}

function report(received: readonly Received[], sentAt: ReadonlyMap<string, number>, secret: string): void {
  const delays = new Map<string, number[]>();
  let unsigned = 0;
  for (const { at, signature, body } of received) {
    const hash: string = JSON.parse(body).data.movement?.tx_hash;
    delays.set(hash, [...(delays.get(hash) ?? []), at - (sentAt.get(hash) ?? Number.NaN)]);
    if (signature !== `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`) unsigned++;
  }
  const heard = [...sentAt.keys()].filter((hash) => delays.get(hash)?.length === 1);
  const found = heard.map((hash) => delays.get(hash)![0]!);
  claim(
    `EVM, ${ADDRESSES} addresses: each of ${PAYMENTS} payments alerted once, signed`,
    heard.length === PAYMENTS && delays.size === PAYMENTS && unsigned === 0,
    `${heard.length} once, ${received.length} alerts, ${unsigned} unsigned`,
  );
  const p95 = percentile(found, 0.95);
  claim(
    `from block to webhook within ${P95_MS / 1_000} s (p95)`,
    p95 <= P95_MS,
    `p50 ${ms(percentile(found, 0.5))}, p95 ${ms(p95)}, longest ${ms(Math.max(...found))}`,
  );
}

async function startReceiver() {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const signature = String(request.headers['x-service-signature']);
    received.push({ at: Date.now(), signature, body: Buffer.concat(chunks).toString('utf8') });
    response.writeHead(204).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, close };
}

async function newKey(folder: string): Promise<string> {
  const records = await openRecords({ path: join(folder, 'records.sqlite') });
  const { id } = await createAccount(records, { name: 'Desk', planId: 'business' }, Date.now());
  const { key } = await insertKey(records, { accountId: id, name: 'bench' }, Date.now());
  await records.destroy();
  return key;
}

type Ask = (method: 'GET' | 'POST', path: string, body?: object) => Promise<Record<string, unknown>>;

/** Waits where the plan's requests of a minute are used up. */
function askService(url: string, key: string): Ask {
  return async (method, path, body) => {
    const headers = { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) };
    for (;;) {
      const answer = await fetch(`${url}/api/v1${path}`, { method, headers, body: body && JSON.stringify(body) });
      const content = (await answer.json()) as Record<string, unknown>;
      if (answer.ok) return content;
      if (answer.status !== 429) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(content)}`);
      await sleep(1_000 * Number(answer.headers.get('retry-after') ?? 1));
    }
  };
}

/** A chain that begins now, and whose blocks come when they come. */
async function goOnInRealTime(anvil: Anvil): Promise<void> {
  await anvil.rpc('anvil_removeBlockTimestampInterval');
  await anvil.rpc('evm_setNextBlockTimestamp', [Math.floor(Date.now() / 1_000)]);
  await anvil.rpc('anvil_mine', ['0x1']);
}

interface Watched {
  last_scanned_at: string | null;
  live: { state: string };
}

async function untilListened(ask: Ask): Promise<void> {
  const until = Date.now() + WAIT_MS;
  while (Date.now() < until) {
    const { items } = (await ask('GET', '/watchlist?limit=100')) as { items: Watched[] };
    const ready = items.filter(({ live, last_scanned_at }) => live.state === 'listening' && last_scanned_at !== null);
    if (ready.length === ADDRESSES) return;
    await sleep(2_000);
  }
  throw new Error('not every address was listened to and scanned in time');
}
