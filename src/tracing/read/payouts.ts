import { parseAddressKey } from '../../domain/address/address-key.ts';
import { groupBy } from '../../domain/group-by.ts';
import type { AddressLabel } from '../../domain/label.ts';
import type { AddressTransfers, TracedTransfer } from '../../domain/tracing/traced-transfer.ts';
import type { Graph, Row } from '../../graph/port.ts';
import {
  type ListedTransfer,
  readTransactions,
  type TransactionParty,
  toTraced,
} from '../../graph/queries/listed-transfers.ts';
import { restOf } from '../engine/net-in-transaction.ts';
import {
  atIssuer,
  isOneSided,
  marketRank,
  type Payout,
  partsOf,
  payoutsInOrder,
  withPaidOut,
} from '../engine/payouts.ts';
import type { TraderOf } from '../engine/swaps.ts';
import type { Rounds } from './rounds.ts';

/** Transactions of one address that are looked at, the most valuable first. */
const TRANSACTIONS_MAX = 100;
/** Rounds of reading: from a wallet to its market, to those the market dealt with, to their other markets. */
const ROUNDS = 3;
/** Transfers between receivers of payouts and their markets that are looked at, the newest first. */
const DEALINGS_MAX = 2_000;

type Histories = ReadonlyMap<string, AddressTransfers>;

/** The known transfers of one transaction, by id. */
type Transaction = Map<string, TracedTransfer>;

interface DealingRow extends Row {
  key: string;
  transfer: ListedTransfer;
}

interface Options {
  labels: Map<string, AddressLabel>;
  kindOf: TraderOf;
  timeoutMs: number;
  /** Rests of transfers that went round inside their transactions; the histories hold them already. */
  rounds: Rounds['left'];
}

/**
 * The histories with what swaps paid out to other parties in place (tracing/engine/payouts), as far as the graph knows
 * those transactions. Adds the labels of their ends to `labels`. Throws GraphError.
 */
export async function readPaidOut<T extends AddressTransfers>(
  graph: Graph,
  histories: ReadonlyMap<string, T>,
  options: Options,
): Promise<Map<string, T>> {
  const { kindOf } = options;
  const reader = new TransactionReader(graph, options);
  for (const [key, { received, sent }] of histories) {
    for (const [, transfers] of oneSided(key, [...received, ...sent], kindOf)) reader.add(key, transfers);
  }
  await reader.complete();
  const found = payoutsInOrder(reader.listed(), kindOf);
  const payouts = found.length > 0 ? await withDeposits(reader, histories, found, kindOf) : found;
  const parts = partsOf(payouts);
  return new Map([...histories].map(([key, history]) => [key, withPaidOut(history, parts)]));
}

/** The payouts once it is known what their receivers had put into the markets themselves. */
async function withDeposits(
  reader: TransactionReader,
  histories: Histories,
  payouts: readonly Payout[],
  kindOf: TraderOf,
): Promise<Payout[]> {
  const until = payouts.reduce((last, { got }) => Math.max(last, got.at), 0);
  const pairs = new Map(payouts.map(({ got: { to, from } }) => [`${to} ${from}`, { party: to, market: from }]));
  const asked = [...pairs.values()].filter(({ market }) => kindOf(market) !== 'issuer');
  const known = await reader.dealings(
    asked.filter(({ party }) => !histories.has(party)),
    until,
  );
  const alone: TracedTransfer[] = [];
  for (const { party, market } of asked) {
    const { received, sent } = histories.get(party) ?? known(party, market);
    const put = sent.filter((one) => one.to === market && one.at <= until && !one.bridge && !reader.has(party, one));
    const largest = put.toSorted((a, b) => b.usd - a.usd || a.at - b.at).slice(0, TRANSACTIONS_MAX);
    for (const transfer of largest) reader.add(party, [transfer]);
    for (const one of received) if (one.from === market && one.at <= until && !one.bridge) alone.push(one);
  }
  await reader.complete();
  return payoutsInOrder(
    reader.listed(),
    kindOf,
    alone.filter((one) => !reader.has(one.to, one)),
  );
}

/** Reads transactions from the addresses that dealt with a market in them, as far as the graph knows them. */
class TransactionReader {
  /** Transactions by chain and hash. */
  private readonly transactions = new Map<string, Transaction>();
  private readonly asked = new Set<string>();
  private readonly graph: Graph;
  private readonly options: Options;
  private readonly deadline: number;

  constructor(graph: Graph, options: Options) {
    this.graph = graph;
    this.options = options;
    this.deadline = performance.now() + options.timeoutMs;
  }

  /** Adds a transaction by what an address moved in it. */
  add(key: string, transfers: readonly TracedTransfer[]): void {
    for (const transfer of transfers) {
      const name = nameOf(key, transfer.txHash);
      const known = this.transactions.get(name) ?? new Map();
      known.set(transfer.id, transfer);
      this.transactions.set(name, known);
      this.asked.add(`${key} ${transfer.txHash}`);
    }
  }

  has(key: string, { txHash }: TracedTransfer): boolean {
    return this.transactions.has(nameOf(key, txHash));
  }

  listed(): TracedTransfer[][] {
    return [...this.transactions.values()].map((transfers) => [...transfers.values()]);
  }

  /** Reads what the other parties moved in the transactions, round by round. */
  async complete(): Promise<void> {
    const { labels, kindOf } = this.options;
    for (let round = 0; round < ROUNDS; round++) {
      const wanted: TransactionParty[] = [];
      for (const transfers of this.transactions.values()) {
        for (const one of transfers.values()) {
          const { from, to } = atIssuer(one, kindOf);
          for (const key of [from, to]) {
            const kind = kindOf(key);
            const isWanted = round === 0 ? marketRank(key, kindOf) > 0 : kind !== 'none' && kind !== 'issuer';
            if (!isWanted || this.asked.has(`${key} ${one.txHash}`)) continue;
            this.asked.add(`${key} ${one.txHash}`);
            wanted.push({ key, one });
          }
        }
      }
      if (wanted.length === 0) break;
      const options = { labels, timeoutMs: this.timeLeftMs() };
      for (const { key, one } of await readTransactions(this.graph, wanted, options)) {
        const known = this.transactions.get(nameOf(key, one.txHash));
        const moved = restOf(one, this.options.rounds);
        // What is listed may be a side of a bridge.
        if (moved && known && !known.has(one.id)) known.set(one.id, moved);
      }
    }
  }

  /** Reads what parties put into markets and took out up to a moment. */
  async dealings(
    pairs: readonly { party: string; market: string }[],
    until: number,
  ): Promise<(party: string, market: string) => AddressTransfers> {
    const both = pairs.flatMap(({ party, market }) => [
      [party, market],
      [market, party],
    ]);
    const rows =
      both.length === 0
        ? []
        : await this.graph.read<DealingRow>(
            'exposure/dealings',
            { pairs: both, until, most: DEALINGS_MAX },
            { timeoutMs: this.timeLeftMs() },
          );
    const transfers = rows.flatMap(({ key, transfer }) => {
      const near = { key, chain: parseAddressKey(key).chain };
      return restOf(toTraced(transfer, near, 'sent', new Map(), this.options.labels), this.options.rounds) ?? [];
    });
    const byPair = groupBy(transfers, ({ from, to }) => `${from} ${to}`);
    return (party, market) => ({
      received: byPair.get(`${market} ${party}`) ?? [],
      sent: byPair.get(`${party} ${market}`) ?? [],
    });
  }

  private timeLeftMs(): number {
    return Math.max(1, this.deadline - performance.now());
  }
}

function nameOf(key: string, txHash: string): string {
  return `${parseAddressKey(key).chain} ${txHash}`;
}

/** Its transactions with markets that its own swap does not explain, the most valuable first. */
function oneSided(
  key: string,
  transfers: readonly TracedTransfer[],
  kindOf: TraderOf,
): [hash: string, transfers: TracedTransfer[]][] {
  const own = marketRank(key, kindOf);
  const isWithMarket = (transfer: TracedTransfer) => {
    const { from, to, bridge } = atIssuer(transfer, kindOf);
    return !bridge && marketRank(from === key ? to : from, kindOf) !== own;
  };
  const hashes = new Set(transfers.filter(isWithMarket).map(({ txHash }) => txHash));
  const candidates = transfers.filter(({ txHash }) => hashes.has(txHash));
  const usdOf = (some: readonly TracedTransfer[]) => some.reduce((sum, { usd }) => sum + usd, 0);
  return [...groupBy(candidates, ({ txHash }) => txHash)]
    .filter(([, some]) => isOneSided(key, some, kindOf))
    .sort(([, a], [, b]) => usdOf(b) - usdOf(a))
    .slice(0, TRANSACTIONS_MAX);
}
