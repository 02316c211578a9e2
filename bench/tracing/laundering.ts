import { startChainServers } from '../../fixtures/chain-servers/start.ts';
import { makeWorld, roleOf } from '../../fixtures/demo/world.ts';
import type { Context } from '../../src/context.ts';
import type { Chain } from '../../src/domain/chain.ts';
import { watchEventLoop } from '../event-loop.ts';
import { ms, table } from '../table.ts';
import { type Desk, openDesk, runTrace, type ScanView, scan } from './desk.ts';

const CHAINS = ['bitcoin', 'ethereum', 'polygon', 'solana', 'tron', 'xrp'] as const;
const SCANS_MAX = 10;

/**
 * Who finds the theft behind four fresh wallets from the last one: scans by hand that follow the frontier, one scan,
 * one trace; what each reads, and how long others wait meanwhile.
 */
export async function benchTrace(): Promise<void> {
  const world = makeWorld();
  const chains = await startChainServers(world);
  const rows: string[][] = [];
  for (const chain of CHAINS) {
    const [thief, last] = (['thief', 'layer_4'] as const).map(
      (name) => roleOf(world, chain, 'laundering', name).address,
    );
    const fresh = () => openDesk({ env: chains.env, prices: world.prices, labels: world.labels });
    const byHand = await fresh().then((desk) => scansByHand(desk, chain, last!, thief!));
    const scan = await fresh().then((desk) => oneScan(desk, chain, last!, thief!));
    const trace = await fresh().then((desk) => oneTrace(desk, chain, last!, thief!));
    rows.push([chain, byHand, ...scan, ...trace]);
  }
  await chains.close();
  table(
    [
      'theft behind four wallets',
      'scans by hand',
      'one scan',
      'read',
      'time',
      'one trace',
      'read',
      'attributed',
      'time',
      'delay p99',
    ],
    rows,
  );
}

const names = (found: ScanView, address: string) => JSON.stringify(found.detections).includes(address);

/** As an analyst would: scan the address, then what its frontier names first, and look again. */
async function scansByHand(desk: Desk, chain: Chain, subject: string, end: string): Promise<string> {
  const seen = new Set<string>();
  let count = 0;
  for (let address: string | undefined = subject; address && count < SCANS_MAX; count++) {
    const found = await scan(desk, { chain, address, trace: 'off' });
    seen.add(address);
    const again: ScanView = address === subject ? found : await scan(desk, { chain, address: subject, trace: 'off' });
    if (names(again, end)) return close(desk.ctx, String(count + (address === subject ? 1 : 2)));
    address = again.metadata.coverage.trace.frontier.find((entry) => !seen.has(entry.address))?.address;
  }
  return close(desk.ctx, 'not found');
}

async function oneScan(desk: Desk, chain: Chain, subject: string, end: string): Promise<string[]> {
  const startedAt = performance.now();
  const found = await scan(desk, { chain, address: subject, trace: 'on' });
  const took = performance.now() - startedAt;
  const read = String(found.metadata.coverage.trace.addresses_read);
  return close(desk.ctx, [names(found, end) ? 'found' : 'not found', read, ms(took)]);
}

async function oneTrace(desk: Desk, chain: Chain, subject: string, end: string): Promise<string[]> {
  const endWatch = watchEventLoop();
  const { record, results, tookMs } = await runTrace(desk, {
    chain,
    address: subject,
    direction: 'received',
    maxAddresses: 25,
  });
  const { p99 } = endWatch();
  const share = record.attributed.received;
  const cells = [
    JSON.stringify(results.exposure).includes(end) ? 'found' : 'not found',
    String(record.addresses_read),
    share === null ? '-' : share.toFixed(2),
    ms(tookMs),
    ms(p99),
  ];
  return close(desk.ctx, cells);
}

async function close<T>(ctx: Context, result: T): Promise<T> {
  await ctx.close();
  return result;
}
