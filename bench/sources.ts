import { startChainServers } from '../fixtures/chain-servers/start.ts';
import { day, HOUR, MINUTE } from '../fixtures/demo/calendar.ts';
import type { StoryWriter } from '../fixtures/demo/story-writer.ts';
import { makeWorld, roleOf } from '../fixtures/demo/world.ts';
import { CHAINS, type Chain, isEvmChain } from '../src/domain/chain.ts';
import { scanAddress } from '../src/questions/scans/scan-address.ts';
import type { DailyPrice } from '../src/records/database/tables/prices.ts';
import { isMet, table } from './table.ts';
import { openDesk } from './tracing/desk.ts';

const MOVEMENTS = 400;
const PAYERS = 300;
const REPLY_MS = 100;
const RATES = [25, 5];
/** Most requests of a scan without expansion; Kaia, which has a node alone, has no target. */
const TARGETS: Partial<Record<Chain, number>> = { bitcoin: 18, solana: 30, tron: 5, xrp: 3 };
const EVM_TARGET = 17;
const EXPANSION_TARGET = 40;

/** Requests, bytes and time of a scan at the limits that providers set, for each chain. */
export async function benchSources(): Promise<void> {
  const world = makeWorld('bench-sources', writeWallets);
  const rows: string[][] = [];
  for (const chain of CHAINS) {
    const wallet = roleOf(world, chain, 'bench_wallet').address;
    const chains = await startChainServers(world);
    const serving = { chains, prices: world.prices };
    const whole = await scanCost(serving, { chain, address: wallet, trace: 'off' });
    const subject = roleOf(world, chain, 'bench_subject').address;
    const expansion = await scanCost(serving, { chain, address: subject, trace: 'on' });
    for (const server of Object.values(chains.servers)) server.inject({ delayMs: REPLY_MS });
    const times: number[] = [];
    for (const rate of RATES) {
      times.push((await scanCost(serving, { chain, address: wallet, trace: 'off', perSecond: rate })).ms);
    }
    await chains.close();
    const target = TARGETS[chain] ?? EVM_TARGET;
    rows.push([
      chain,
      String(whole.transfers),
      `${whole.requests}, again ${whole.again}`,
      chain === 'kaia' ? '' : isMet(whole.requests <= target && whole.transfers >= MOVEMENTS),
      `${(whole.bytes / 1024).toFixed(0)} KiB`,
      ...times.map((ms) => `${(ms / 1_000).toFixed(1)} s`),
      String(expansion.requests),
      chain === 'kaia' ? '' : isMet(expansion.requests <= EXPANSION_TARGET),
    ]);
  }
  const head = [
    `wallet of ${MOVEMENTS} movements`,
    'transfers',
    'requests',
    `at most ${EVM_TARGET} (Bitcoin ${TARGETS.bitcoin}, Solana ${TARGETS.solana}, TRON ${TARGETS.tron}, XRP ${TARGETS.xrp})`,
    'bytes',
    ...RATES.map((rate) => `${REPLY_MS} ms a reply, ${rate}/s`),
    `behind a payee of ${PAYERS}`,
    `at most ${EXPANSION_TARGET}`,
  ];
  table(head, rows);
}

/** Half of the movements come in, half go out, each with a party of its own; tokens where the chain has a dollar of its own. */
function writeWallets(writer: StoryWriter): void {
  const { pay, role } = writer;
  const asset = isEvmChain(writer.chain) ? 'stable' : 'coin';
  const start = day(200);
  for (let n = 0; n < PAYERS; n++) pay(start - 48 * HOUR + n * MINUTE, 'exchange', `bench_party_${n}`, 300, 'coin');
  for (let n = 0; n < MOVEMENTS / 2; n++) {
    pay(start + n * HOUR, n === 0 ? 'exchange' : 'other_exchange', 'bench_wallet', n === 0 ? 1_000 : 100, asset);
    pay(start + n * HOUR + 30 * MINUTE, 'bench_wallet', `bench_receiver_${n}`, 90, asset);
  }
  for (let n = 0; n < PAYERS; n++) pay(start + n * 10 * MINUTE, `bench_party_${n}`, 'bench_payee', 100, 'coin');
  pay(start + 72 * HOUR, 'bench_payee', 'bench_subject', 20_000, 'coin');
  role('bench_wallet', 'bench_wallet');
  role('bench_subject', 'bench_subject');
}

type Chains = Awaited<ReturnType<typeof startChainServers>>;

async function scanCost(
  { chains, prices }: { chains: Chains; prices: DailyPrice[] },
  { chain, address, trace, perSecond }: { chain: Chain; address: string; trace: 'on' | 'off'; perSecond?: number },
) {
  const servers = Object.values(chains.servers);
  const rate = perSecond === undefined ? {} : ratesOf(chains.env, perSecond);
  const { ctx, tenant } = await openDesk({ env: { ...chains.env, ...rate }, prices });
  const count = () => servers.reduce((sum, { requests }) => sum + requests.splice(0).length, 0);
  count();
  for (const server of servers) server.bytes = 0;
  const startedAt = performance.now();
  const request = { chain, address, lang: 'en', source: 'sync', fresh: true, trace } as const;
  const answer = await scanAddress(ctx, tenant, request);
  const ms = performance.now() - startedAt;
  const requests = count();
  const bytes = servers.reduce((sum, server) => sum + server.bytes, 0);
  await scanAddress(ctx, tenant, { ...request, source: 'watchlist' });
  const again = count();
  await ctx.close();
  const { transfers } = (answer as unknown as { metadata: { coverage: { transfers: number } } }).metadata.coverage;
  return { ms, requests, again, bytes, transfers };
}

/** The same rate for every source. */
function ratesOf(env: Record<string, string>, perSecond: number): Record<string, string> {
  const urls = Object.keys(env).filter((name) => name.endsWith('_URL'));
  return Object.fromEntries(urls.map((name) => [name.replace(/_URL$/, '_RPS'), String(perSecond)]));
}
