import { startChainServers } from '../../fixtures/chain-servers/start.ts';
import { makeWorld, roleOf } from '../../fixtures/demo/world.ts';
import { ledgerSource } from '../../fixtures/ledger-source.ts';
import { createTransfer, type Transfer } from '../../src/domain/transfers/transfer.ts';
import { startBatch } from '../../src/questions/jobs/start-batch.ts';
import { createAccount } from '../../src/records/accounts/accounts.ts';
import { startWorkers } from '../../workers/workers.ts';
import { watchEventLoop } from '../event-loop.ts';
import { isMet, median, ms, table } from '../table.ts';
import { openDesk, runTrace, scan } from './desk.ts';

const CHAIN = 'ethereum';
const REPLY_MS = 100;
const ADDRESSES = 25;
const AT_ONCE = 4;
const HUB_PAYERS = 5_000;
const BATCH = 500;
/** Scans of the other account while the batch runs, and of a service without one. */
const OTHER_SCANS = 12;
const DELAY_MAX_MS = 50;

/** The goals of tracing: time for 25 addresses, bounds at a hub, and what a batch of 500 leaves for others. */
export async function benchTraceGoals(): Promise<void> {
  const rows = [await wideTrace(), await hubOnTheWay(), await besideBatch()];
  table(['goal', 'figure', 'at most', ''], rows.flat());
}

const address = (n: number) => `0x${n.toString(16).padStart(40, '0')}`;
const SUBJECT = address(1);

function payment(n: number, from: string, to: string, at: number, usd: number): Transfer {
  const amount = String(usd / 1_000);
  return createTransfer({
    chain: CHAIN,
    txHash: `0x${n.toString(16).padStart(64, '0')}`,
    index: 'native',
    at,
    from,
    to,
    asset: 'ETH',
    amount,
    usd,
    kind: 'native',
  });
}

/** The subject's money came through 24 unlabelled wallets, each with a payer of its own; each reply takes a while. */
async function wideTrace(): Promise<string[][]> {
  const transfers = Array.from({ length: ADDRESSES - 1 }, (_, i) => [
    payment(2 * i, address(1_000 + i), address(100 + i), 1, 1_000),
    payment(2 * i + 1, address(100 + i), SUBJECT, 2 + i, 1_000),
  ]).flat();
  const { source } = ledgerSource(CHAIN, transfers, { delayMs: REPLY_MS });
  const desk = await openDesk({ chainSource: async () => source });
  const { record, tookMs } = await runTrace(desk, received(ADDRESSES));
  await desk.ctx.close();
  const most = 2_000 + (ADDRESSES * REPLY_MS) / AT_ONCE;
  const goal = `${record.addresses_read} addresses at ${REPLY_MS} ms a reply`;
  return [[goal, ms(tookMs), ms(most), isMet(tookMs <= most && record.addresses_read === ADDRESSES)]];
}

/** Money that came out of an address with 5,000 payers. */
async function hubOnTheWay(): Promise<string[][]> {
  const hub = address(2);
  const transfers = [
    ...Array.from({ length: HUB_PAYERS }, (_, i) => payment(i, address(10_000 + i), hub, i, 1_000)),
    payment(HUB_PAYERS, hub, SUBJECT, HUB_PAYERS, 1_000_000),
  ];
  const { source } = ledgerSource(CHAIN, transfers);
  const desk = await openDesk({ chainSource: async () => source });
  const endWatch = watchEventLoop();
  const budget = 40;
  const { record, tookMs } = await runTrace(desk, received(budget));
  const { p99 } = endWatch();
  await desk.ctx.close();
  return [
    [
      `addresses read behind a hub of ${HUB_PAYERS} payers, in ${ms(tookMs)}`,
      String(record.addresses_read),
      String(budget),
      isMet(record.addresses_read <= budget),
    ],
    ['event-loop delay p99 meanwhile', ms(p99), ms(DELAY_MAX_MS), isMet(p99 <= DELAY_MAX_MS)],
  ];
}

function received(maxAddresses: number) {
  return { chain: CHAIN, address: SUBJECT, direction: 'received', maxAddresses } as const;
}

/** First reads of another account while a batch of 500 is read from the same source, and requests of the batch. */
async function besideBatch(): Promise<string[][]> {
  const world = makeWorld();
  const chains = await startChainServers(world);
  chains.servers.etherscan.inject({ delayMs: REPLY_MS });
  const desk = await openDesk({ env: chains.env, prices: world.prices, labels: world.labels });
  const giver = roleOf(world, CHAIN, 'airdrop', 'airdropper').address;
  const given = [...new Set(world.moves[CHAIN].filter(({ from }) => from === giver).map(({ to }) => to))];
  const [batch, others] = [given.slice(0, BATCH), given.slice(BATCH, BATCH + 2 * OTHER_SCANS)];
  const other = { ...desk.tenant, accountId: '' };
  const account = await createAccount(desk.ctx.records, { name: 'Other', planId: 'enterprise' }, desk.ctx.now());
  other.accountId = account.id;
  const scans = async (addresses: string[]) => {
    const times: number[] = [];
    for (const one of addresses) {
      const startedAt = performance.now();
      await scan({ ctx: desk.ctx, tenant: other }, { chain: CHAIN, address: one, trace: 'off' });
      times.push(performance.now() - startedAt);
    }
    return times;
  };
  const alone = await scans(others.slice(0, OTHER_SCANS));
  const workers = startWorkers(desk.ctx);
  const request = {
    rows: batch.map((one) => ({ chain: CHAIN, address: one, refusal: null }) as const),
    lang: 'en',
    includeAiAnalysis: false,
    notifyEmail: null,
  } as const;
  const before = chains.servers.etherscan.requests.length;
  await startBatch(desk.ctx, desk.tenant, { ...request, rows: [...request.rows] });
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const startedAt = performance.now();
  const beside = await scans(others.slice(OTHER_SCANS));
  const seconds = (performance.now() - startedAt) / 1_000 + 1;
  const requests = chains.servers.etherscan.requests.length - before;
  await workers.stop();
  await desk.ctx.close();
  await chains.close();
  const ratio = median(beside) / median(alone);
  return [
    [
      `first reads of another account beside a batch of ${batch.length} (${requests} requests in ${seconds.toFixed(1)} s)`,
      `${ratio.toFixed(2)} × alone (${ms(median(alone))})`,
      '2.00 ×',
      isMet(ratio <= 2),
    ],
  ];
}
