import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ledgerSource } from '../../fixtures/ledger-source.ts';
import type { Category, Label } from '../../src/domain/label.ts';
import { createTransfer, type Transfer } from '../../src/domain/transfers/transfer.ts';
import { table } from '../table.ts';
import { type Desk, openDesk, runTrace, scan } from './desk.ts';

/** Public data beside the checkout; not a part of the project. */
const FILE = join(process.cwd(), '../shared/data/heist-ronin-ethdata/LazarusTabularTxs1322519.csv');
const CHAIN = 'ethereum';
const THIEF = '0x098b716b8aaf21512996dc57eb0615e2383e2f96';
/** Made up: only shares of the whole are compared. */
const USD_PER_ETH = 2_000;
const CASH_OUT_ETH = 1_000;
const BUDGETS = [5, 10, 25, 40];

/** The theft from the Ronin bridge, served as a chain: how many of its cash-outs are named after how much reading. */
export async function benchRonin(): Promise<void> {
  if (!existsSync(FILE)) {
    console.log('\nthe theft from the Ronin bridge: left out, its data is not beside the checkout');
    return;
  }
  const { transfers, ends, labels } = theft();
  const whole = await withDesk(async (desk) => (await runTrace(desk, forward(500))).results);
  const all = usdNamed(whole);
  const rows: string[][] = [];
  for (const budget of BUDGETS) {
    const { record, results } = await withDesk((desk) => runTrace(desk, forward(budget)));
    const named = namedEnds(results).length;
    rows.push([
      `one trace, at most ${budget} addresses`,
      String(record.addresses_read),
      `${named} of ${ends.length}`,
      `${((usdNamed(results) / all) * 100).toFixed(1)} %`,
      record.attributed.sent?.toFixed(3) ?? '-',
    ]);
  }
  console.log(`\nthe theft from the Ronin bridge (${transfers.length} transfers), asked of the thief:`);
  table(['', 'addresses read', 'cash-outs named', 'of the money of an unbounded trace', 'share attributed'], rows);
  const found = await Promise.all(
    ends.map((address) =>
      withDesk(async (desk) => (await scan(desk, { chain: CHAIN, address, trace: 'on' })).detections),
    ),
  );
  const back = found.filter((detections) => JSON.stringify(detections).includes(THIEF)).length;
  console.log(`one scan of each cash-out names the thief for ${back} of ${ends.length}`);

  function withDesk<T>(ask: (desk: Desk) => Promise<T>): Promise<T> {
    return atDesk({ transfers, labels }, ask);
  }

  type Results = Awaited<ReturnType<typeof runTrace>>['results'];

  function namedEnds({ terminals }: Results) {
    return (terminals?.terminals ?? []).filter(({ address, usd }) => usd > 0 && ends.includes(address));
  }

  function usdNamed(results: Results): number {
    return namedEnds(results).reduce((sum, { usd }) => sum + usd, 0);
  }
}

/**
 * Cash-outs of the theft: those that payments in order of time lead to, the others, and those that a trace without a limit names; null
 * without the data.
 */
export async function roninCashOuts() {
  if (!existsSync(FILE)) return null;
  const { transfers, ends, labels } = theft();
  const reached = new Map([[THIEF, 0]]);
  for (const { from, to, at, usd } of [...transfers].sort((a, b) => a.at - b.at)) {
    const since = reached.get(from);
    if (since !== undefined && at >= since && (usd ?? 0) > 0 && !reached.has(to)) reached.set(to, at);
  }
  const { terminals } = await atDesk(
    { transfers, labels },
    async (desk) => (await runTrace(desk, forward(500))).results,
  );
  const named = (terminals?.terminals ?? []).filter(({ usd }) => usd > 0).map(({ address }) => address);
  return {
    reachable: ends.filter((address) => reached.has(address)),
    others: ends.filter((address) => !reached.has(address)),
    named: new Set(named),
  };
}

async function atDesk<T>({ transfers, labels }: Theft, ask: (desk: Desk) => Promise<T>): Promise<T> {
  const { source } = ledgerSource(CHAIN, transfers);
  const desk = await openDesk({ labels, chainSource: async () => source });
  return ask(desk).finally(() => desk.ctx.close());
}

interface Theft {
  transfers: Transfer[];
  labels: Label[];
}

/** The theft, whose thief and cash-outs are labelled. */
function theft(): Theft & { ends: string[] } {
  const transfers = readTheft();
  const ends = cashOuts(transfers);
  const label = (address: string, category: Category): Label => ({
    chain: CHAIN,
    address,
    category,
    label: category,
    source: 'bench',
    confidence: 100,
    entity: null,
    validFrom: null,
    validTo: null,
    maliciousContract: false,
  });
  return {
    transfers,
    ends,
    labels: [label(THIEF, 'sanctioned'), ...ends.map((address) => label(address, 'exchange'))],
  };
}

function forward(maxAddresses: number) {
  return { chain: CHAIN, address: THIEF, direction: 'sent', maxAddresses } as const;
}

function readTheft(): Transfer[] {
  const rows = readFileSync(FILE, 'utf8').trim().split('\n').slice(1);
  return rows.map((row, i) => {
    const [time = '', from = '', to = '', eth = ''] = row.replaceAll('\\x', '0x').toLowerCase().split(',');
    const amount = eth.includes('e') ? Number(eth).toFixed(18) : eth;
    return createTransfer({
      chain: CHAIN,
      txHash: `ronin-${i + 1}`,
      index: 'native',
      at: Date.parse(time.toUpperCase()),
      from,
      to,
      asset: 'ETH',
      amount,
      usd: Number(eth) * USD_PER_ETH,
      kind: 'native',
    });
  });
}

/** Returns where the money was cashed out: who received much and paid nothing on. */
function cashOuts(transfers: readonly Transfer[]): string[] {
  const received = new Map<string, number>();
  for (const { to, amount } of transfers) received.set(to, (received.get(to) ?? 0) + Number(amount));
  const payers = new Set(transfers.filter(({ usd }) => usd !== null && usd > 0).map(({ from }) => from));
  return [...received]
    .filter(([address, eth]) => eth >= CASH_OUT_ETH && !payers.has(address))
    .map(([address]) => address);
}
