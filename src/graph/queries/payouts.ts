import { addToGroup, groupBy } from '../../domain/group-by.ts';
import type { CrossedHistory } from '../../domain/tracing/cross-chains.ts';
import { type PaidOutParts, partsOf, withPaidOut } from '../../domain/tracing/paid-out/parts.ts';
import { atIssuer, isOneSided, marketRank, payoutsOf } from '../../domain/tracing/paid-out/payouts.ts';
import type { TraderOf } from '../../domain/tracing/swaps.ts';
import type { TracedTransfer } from '../../domain/tracing/traced-transfer.ts';
import type { AddressLabel } from '../../domain/tracing/walk/findings.ts';
import { parseAddressKey } from '../address-key.ts';
import type { Graph, Row } from '../port.ts';
import { type ListedTransfer, toTraced } from './histories/listed-transfers.ts';

/** Transactions of one address that are looked at, the most valuable first. */
const TRANSACTIONS_MAX = 100;
/** An address with more counterparties is not asked: it would take as long as all the rest. */
const COUNTERPARTIES_MAX = 5_000;
/** From a wallet to its market, to those the market dealt with, to their other markets. */
const ROUNDS = 3;

type Histories = ReadonlyMap<string, Pick<CrossedHistory, 'received' | 'sent'>>;

/** The known transfers of one transaction, by id. */
type Transaction = Map<string, TracedTransfer>;

interface TransactionRow extends Row {
  key: string;
  received: boolean;
  transfer: ListedTransfer;
}

/**
 * The histories with what swaps paid out to other parties in place (domain/tracing/paid-out), as far as the graph knows
 * those transactions. Adds the labels of their ends to `labels`. Throws GraphError.
 */
export async function readPaidOut<T extends Pick<CrossedHistory, 'received' | 'sent'>>(
  graph: Graph,
  histories: ReadonlyMap<string, T>,
  options: { labels: Map<string, AddressLabel>; kindOf: TraderOf; timeoutMs: number },
): Promise<Map<string, T>> {
  const transactions = await readTransactions(graph, histories, options);
  const parts: PaidOutParts = new Map(
    [...transactions.values()].flatMap((transfers) => [...partsOf(payoutsOf([...transfers.values()], options.kindOf))]),
  );
  return new Map([...histories].map(([key, history]) => [key, withPaidOut(history, parts)]));
}

/** The transactions in which one of the addresses dealt with a market on one side alone, by chain and hash. */
async function readTransactions(
  graph: Graph,
  histories: Histories,
  { labels, kindOf, timeoutMs }: { labels: Map<string, AddressLabel>; kindOf: TraderOf; timeoutMs: number },
): Promise<Map<string, Transaction>> {
  const deadline = performance.now() + timeoutMs;
  const transactions = new Map<string, Transaction>();
  const asked = new Set<string>();
  for (const [key, { received, sent }] of histories) {
    for (const [hash, transfers] of oneSided(key, [...received, ...sent], kindOf)) {
      const name = nameOf(key, hash);
      const known = transactions.get(name) ?? new Map();
      for (const transfer of transfers) known.set(transfer.id, transfer);
      transactions.set(name, known);
      asked.add(`${key} ${hash}`);
    }
  }
  for (let round = 0; round < ROUNDS; round++) {
    const wanted = new Map<string, TracedTransfer[]>();
    for (const transfers of transactions.values()) {
      for (const transfer of transfers.values()) {
        const { from, to } = atIssuer(transfer, kindOf);
        for (const key of [from, to]) {
          const kind = kindOf(key);
          const isWanted = round === 0 ? marketRank(key, kindOf) > 0 : kind !== 'none' && kind !== 'issuer';
          if (!isWanted || asked.has(`${key} ${transfer.txHash}`)) continue;
          asked.add(`${key} ${transfer.txHash}`);
          addToGroup(wanted, key, transfer);
        }
      }
    }
    if (wanted.size === 0) break;
    const items = [...wanted].map(([key, transfers]) => {
      const times = transfers.map(({ at }) => at).sort((a, b) => a - b);
      // A map: in a list an engine compares every transfer with every hash.
      const named = Object.fromEntries(transfers.map(({ txHash }) => [txHash, true]));
      return { key, from: times[0] as number, to: times.at(-1) as number, named };
    });
    const rows = await graph.read<TransactionRow>(
      'exposure/transactions',
      { items, most: COUNTERPARTIES_MAX },
      { timeoutMs: Math.max(1, deadline - performance.now()) },
    );
    for (const { key, received, transfer: listed } of rows) {
      const near = { key, chain: parseAddressKey(key).chain };
      const transfer = toTraced(listed, near, received ? 'received' : 'sent', new Map(), labels);
      const known = transactions.get(nameOf(key, transfer.txHash));
      // What is listed may be a side of a bridge.
      if (known && !known.has(transfer.id)) known.set(transfer.id, transfer);
    }
  }
  return transactions;
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
