import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ChainServer, serveChain } from '../fixtures/chain-servers/serve.ts';
import { startMovingBitcoin } from '../fixtures/moving-chains/bitcoin.ts';
import { startMovingSolana } from '../fixtures/moving-chains/solana.ts';
import { startMovingTron } from '../fixtures/moving-chains/tron.ts';
import { startMovingXrp } from '../fixtures/moving-chains/xrp.ts';
import type { Chain } from '../src/domain/chain.ts';
import { createAccount } from '../src/records/accounts/accounts.ts';
import { insertKey } from '../src/records/accounts/keys.ts';
import { openRecords, type Records } from '../src/records/database/database.ts';
import { type Anvil, anvilMissing, startAnvil } from '../test/setup/anvil.ts';
import { startService } from './service-process.ts';
import { claim, ms, percentile, table } from './table.ts';

const ADDRESSES = 100;
/** Each by another address; a scan a minute is an address's share. */
const PAYMENTS = 60;
const PAUSE_MS = 1_000;
const P95_MS = 15_000;
const WAIT_MS = 300_000;
/** An address is scanned once a minute: its first scan is to be as long ago. */
const SETTLE_MS = 61_000;
const ETHER = 10n ** 18n;

/** A chain of this machine whose blocks come when they are mined. */
interface LocalChain {
  env: Record<string, string>;
  /** Where it is listened to over HTTP alone. */
  listening: ChainServer | null;
  addresses: string[];
  pay(from: string, to: string): string | Promise<string>;
  mine(): void | Promise<void>;
  close(): Promise<void>;
}

interface Family {
  name: string;
  chain: Chain;
  blockMs: number;
  start(): Promise<LocalChain>;
}

/** With the pace of each chain, but for Bitcoin's, whose blocks take ten minutes. */
const FAMILIES: Family[] = [
  { name: 'EVM', chain: 'ethereum', blockMs: 12_000, start: startEvm },
  { name: 'Bitcoin', chain: 'bitcoin', blockMs: 15_000, start: () => startMovingBitcoin(COUNT) },
  { name: 'Solana', chain: 'solana', blockMs: 400, start: () => startMovingSolana(COUNT) },
  { name: 'TRON', chain: 'tron', blockMs: 3_000, start: () => startMovingTron(COUNT) },
  { name: 'XRP Ledger', chain: 'xrp', blockMs: 4_000, start: () => startMovingXrp(COUNT) },
];
const COUNT = { addresses: ADDRESSES + 1 };

/**
 * Prints, for each family of chains, the time from the block of a payment to its signed webhook: one service listens to all of
 * them, 100 watched addresses each, on chains of this machine.
 */
export async function benchDelay(): Promise<void> {
  if (anvilMissing) console.log(`EVM: not measured, ${anvilMissing}`);
  const families = FAMILIES.filter(({ chain }) => chain !== 'ethereum' || !anvilMissing);
  const folder = mkdtempSync(join(tmpdir(), 'traceflow-bench-'));
  const chains = await Promise.all(families.map(async (family) => ({ ...family, local: await family.start() })));
  const receiver = await startReceiver();
  const keys = await newKeys(folder, families.length);
  const service = await startService({
    ...{ DATA_DIR: folder, PORT: '0', WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', WEBHOOK_ALLOW_HTTP: '1' },
    ...Object.assign({}, ...chains.map(({ local }) => local.env)),
  });
  const blocks = chains.map(({ local, blockMs }) => mineEvery(local, blockMs));
  try {
    const measured = Promise.all(
      chains.map(async ({ chain, local }, place) => {
        const desk = { ask: askService(service.url, keys[place]!), path: `/${chain}` };
        return measure(chain, local, { desk, receiver, minedAt: blocks[place]!.minedAt });
      }),
    );
    report(chains, await Promise.race([measured, ...blocks.map(({ failed }) => failed)]));
  } finally {
    for (const { stop } of blocks) stop();
    service.child.kill('SIGKILL');
    receiver.close();
    await Promise.all(chains.map(({ local }) => local.close()));
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Measured {
  delays: number[];
  once: number;
  alerts: number;
  unsigned: number;
  requestsPerMinute: number | null;
}

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

async function measure(
  chain: Chain,
  local: LocalChain,
  { desk, receiver, minedAt }: { desk: { ask: Ask; path: string }; receiver: Receiver; minedAt: Map<string, number> },
): Promise<Measured> {
  const { ask, path } = desk;
  const [target, ...watched] = local.addresses as [string, ...string[]];
  const hook = { webhook_url: `${receiver.url}${path}`, events: ['watchlist.alert'] };
  const { secret } = await ask('POST', '/webhooks/configs', hook);
  for (const address of watched) await ask('POST', '/watchlist', { address, chain });
  await untilListened(ask);
  await sleep(SETTLE_MS);
  const [asked, startedAt] = [local.listening?.requests.length ?? 0, Date.now()];
  const hashes: string[] = [];
  for (const from of watched.slice(0, PAYMENTS)) {
    hashes.push(await local.pay(from, target));
    await sleep(PAUSE_MS);
  }
  const minutes = (Date.now() - startedAt) / 60_000;
  const requests = local.listening && (local.listening.requests.length - asked) / minutes;
  const until = Date.now() + WAIT_MS;
  const received = () => receiver.received.filter((one) => one.path === `/hook${path}`);
  while (received().length < PAYMENTS && Date.now() < until) await sleep(100);
  // What would be alerted twice is by then.
  await sleep(PAUSE_MS);
  const found = new Map<string, number[]>();
  let unsigned = 0;
  for (const { at, signature, body } of received()) {
    const hash = String(JSON.parse(body).data.movement?.tx_hash);
    found.set(hash, [...(found.get(hash) ?? []), at - (minedAt.get(hash) ?? Number.NaN)]);
    if (signature !== `sha256=${createHmac('sha256', String(secret)).update(body).digest('hex')}`) unsigned++;
  }
  const once = hashes.filter((hash) => found.get(hash)?.length === 1);
  return {
    delays: once.map((hash) => found.get(hash)![0]!),
    once: once.length,
    alerts: received().length,
    unsigned,
    requestsPerMinute: requests,
  };
}

function report(families: readonly Family[], measured: readonly Measured[]): void {
  const rows = families.map(({ name, blockMs }, place) => {
    const { delays, requestsPerMinute: requests } = measured[place]!;
    const [p50, p95, longest] = [percentile(delays, 0.5), percentile(delays, 0.95), Math.max(...delays)];
    return [name, ms(blockMs), ms(p50), ms(p95), ms(longest), requests === null ? '' : requests.toFixed(0)];
  });
  table(['from block to webhook', 'a block every', 'p50', 'p95', 'longest', 'requests a minute to listen'], rows);
  for (const [place, { name }] of families.entries()) {
    const { delays, once, alerts, unsigned } = measured[place]!;
    claim(
      `${name}, ${ADDRESSES} addresses: each of ${PAYMENTS} payments alerted once, signed`,
      once === PAYMENTS && alerts === PAYMENTS && unsigned === 0,
      `${once} once, ${alerts} alerts, ${unsigned} unsigned`,
    );
    const p95 = percentile(delays, 0.95);
    claim(`${name}: from block to webhook within ${P95_MS / 1_000} s (p95)`, p95 <= P95_MS, ms(p95));
  }
}

/**
 * Remembers in which moment each payment got its block. Payments and blocks take turns, so that a block holds just the payments
 * that were answered before it. `failed` rejects with the failure of a block.
 */
function mineEvery(local: LocalChain, blockMs: number) {
  const minedAt = new Map<string, number>();
  const waiting: string[] = [];
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => T | Promise<T>): Promise<T> => {
    const done = turn.then(work);
    turn = done.catch(() => {});
    return done;
  };
  const { pay } = local;
  local.pay = (from, to) =>
    inTurn(async () => {
      const hash = await pay(from, to);
      waiting.push(hash);
      return hash;
    });
  const mine = async () => {
    const at = Date.now();
    await local.mine();
    for (const hash of waiting.splice(0)) minedAt.set(hash, at);
  };
  let timer: NodeJS.Timeout | undefined;
  const failed = new Promise<never>((_, reject) => {
    timer = setInterval(() => inTurn(mine).catch(reject), blockMs);
  });
  return { minedAt, failed, stop: () => clearInterval(timer) };
}

/** A real node, whose requests of the listener are counted on their way. */
async function startEvm(): Promise<LocalChain> {
  const anvil = await startAnvil({ chainId: 1, args: ['--accounts', String(ADDRESSES + 1)] });
  await goOnInRealTime(anvil);
  await anvil.rpc('evm_setAutomine', [false]);
  const headers = { 'content-type': 'application/json' };
  const listening = await serveChain(async ({ body }) => {
    const answer = await fetch(anvil.url, { method: 'POST', headers, body: JSON.stringify(body) });
    return { bytes: Buffer.from(await answer.arrayBuffer()) };
  });
  return {
    env: { ETHEREUM_RPC_URL: anvil.url, ETHEREUM_LIVE_URL: listening.url },
    listening,
    addresses: anvil.accounts,
    pay: async (from, to) =>
      String(await anvil.rpc('eth_sendTransaction', [{ from, to, value: `0x${ETHER.toString(16)}`, gas: '0x5208' }])),
    mine: async () => {
      await anvil.rpc('evm_mine');
    },
    close: async () => {
      await listening.close();
      await anvil.stop();
    },
  };
}

/** A chain that begins now, and whose blocks come when they come. */
async function goOnInRealTime(anvil: Anvil): Promise<void> {
  await anvil.rpc('anvil_removeBlockTimestampInterval');
  await anvil.rpc('evm_setNextBlockTimestamp', [Math.floor(Date.now() / 1_000)]);
  await anvil.rpc('anvil_mine', ['0x1']);
}

interface Received {
  path: string;
  at: number;
  signature: string;
  body: string;
}

async function startReceiver() {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const signature = String(request.headers['x-service-signature']);
    const body = Buffer.concat(chunks).toString('utf8');
    received.push({ path: String(request.url), at: Date.now(), signature, body });
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

/** Keys of accounts of their own. */
async function newKeys(folder: string, count: number): Promise<string[]> {
  const records = await openRecords({ path: join(folder, 'records.sqlite') });
  const keys: string[] = [];
  for (let n = 0; n < count; n++) keys.push(await newKey(records));
  await records.destroy();
  return keys;
}

async function newKey(records: Records): Promise<string> {
  const { id } = await createAccount(records, { name: 'Desk', planId: 'business' }, Date.now());
  const { key } = await insertKey(records, { accountId: id, name: 'bench' }, Date.now());
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

interface Watched {
  last_scanned_at: string | null;
  live: { state: string; reason: string | null };
}

async function untilListened(ask: Ask): Promise<void> {
  const until = Date.now() + WAIT_MS;
  for (;;) {
    const { items } = (await ask('GET', '/watchlist?limit=100')) as { items: Watched[] };
    const isReady = ({ live, last_scanned_at }: Watched) => live.state === 'listening' && last_scanned_at !== null;
    const left = items.filter((item) => !isReady(item));
    if (items.length === ADDRESSES && left.length === 0) return;
    if (Date.now() > until) throw new Error(`${left.length} not ready in time: ${JSON.stringify(left[0])}`);
    await sleep(2_000);
  }
}
