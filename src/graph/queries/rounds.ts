import { parseAddressKey } from '../../domain/address/address-key.ts';
import { addToGroup, groupBy } from '../../domain/group-by.ts';
import { changesForm, isNobody } from '../../domain/tracing/asset-id.ts';
import type { TracedTransfer } from '../../domain/tracing/traced-transfer.ts';
import type { AddressLabel } from '../../domain/tracing/walk/findings.ts';
import { large, withoutRounds } from '../../domain/transfers/round-trips.ts';
import type { Graph, Row } from '../port.ts';
import { type ListedTransfer, toTraced } from './histories/listed-transfers.ts';

/** Transactions of one address that are looked at, the most valuable first. */
const TRANSACTIONS_MAX = 100;
/** Parties of a transaction that are read: one with more is a batch. Dust makes no parties. */
const PARTIES_MAX = 100;
/** An address with more counterparties is not asked: it would take as long as all the rest. */
const COUNTERPARTIES_MAX = 5_000;
/** Times that the next parties are asked, from both ends of a way at once: as far as the parties go. */
const ROUNDS_MAX = PARTIES_MAX / 2;

type Histories = ReadonlyMap<string, Record<'received' | 'sent', readonly TracedTransfer[]>>;

interface TransactionRow extends Row {
  key: string;
  received: boolean;
  transfer: ListedTransfer;
}

/** Finds what went round inside transactions over other parties: a loan for one transaction that another address pays back. */
export class Rounds {
  /** Rests of transfers by id, as far as histories were looked at; null: nothing is left. */
  readonly left = new Map<string, TracedTransfer | null>();
  private readonly graph: Graph;
  private readonly labels: Map<string, AddressLabel>;
  private readonly seen = new Set<string>();

  /** Adds the labels of the parties to `labels`. */
  constructor(graph: Graph, labels: Map<string, AddressLabel>) {
    this.graph = graph;
    this.labels = labels;
  }

  /** Reads the transactions in which an asset came to an address and went to another party. Throws GraphError. */
  async learn(histories: Histories, timeoutMs: number): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    const transactions = new Map<string, Map<string, TracedTransfer>>();
    const asked = new Set<string>();
    for (const [key, history] of histories) {
      for (const transfers of twoWay(history)) {
        const name = nameOf(transfers[0] as TracedTransfer);
        if (this.seen.has(name)) continue;
        const known = transactions.get(name) ?? new Map<string, TracedTransfer>();
        for (const one of transfers) known.set(one.id, one);
        transactions.set(name, known);
        asked.add(`${key} ${name}`);
      }
    }
    for (let round = 0; round < ROUNDS_MAX && transactions.size > 0; round++) {
      const wanted = wantedIn(transactions, asked);
      if (wanted.size === 0) break;
      for (const one of await this.read(wanted, Math.max(1, deadline - performance.now()))) {
        transactions.get(nameOf(one))?.set(one.id, one);
      }
    }
    for (const [name, known] of transactions) {
      this.seen.add(name);
      const transfers = [...known.values()].filter(isPlain);
      for (const [{ id }, left] of withoutRounds(transfers, ({ assetId }) => assetId)) this.left.set(id, left);
    }
  }

  private async read(wanted: ReadonlyMap<string, TracedTransfer[]>, timeoutMs: number): Promise<TracedTransfer[]> {
    const items = [...wanted].map(([key, transfers]) => {
      const times = transfers.map(({ at }) => at).sort((a, b) => a - b);
      const named = Object.fromEntries(transfers.map(({ txHash }) => [txHash, true]));
      return { key, from: times[0] as number, to: times.at(-1) as number, named };
    });
    const params = { items, most: COUNTERPARTIES_MAX };
    const rows = await this.graph.read<TransactionRow>('exposure/transactions', params, { timeoutMs });
    return rows.map(({ key, received, transfer }) => {
      const near = { key, chain: parseAddressKey(key).chain };
      return toTraced(transfer, near, received ? 'received' : 'sent', new Map(), this.labels);
    });
  }
}

/** The parties of the transactions that were not asked yet. */
function wantedIn(
  transactions: ReadonlyMap<string, ReadonlyMap<string, TracedTransfer>>,
  asked: Set<string>,
): Map<string, TracedTransfer[]> {
  const wanted = new Map<string, TracedTransfer[]>();
  for (const [name, known] of transactions) {
    const parties = new Map<string, TracedTransfer>();
    for (const one of large([...known.values()])) for (const key of [one.from, one.to]) parties.set(key, one);
    if (parties.size > PARTIES_MAX) continue;
    for (const [key, one] of parties) {
      if (isNobody(key) || asked.has(`${key} ${name}`)) continue;
      asked.add(`${key} ${name}`);
      addToGroup(wanted, key, one);
    }
  }
  return wanted;
}

/** By transaction, the most valuable first, what came in an asset and went on in it to another party. */
function twoWay({ received, sent }: Record<'received' | 'sent', readonly TracedTransfer[]>): TracedTransfer[][] {
  const nameIn = (one: TracedTransfer) => `${one.txHash} ${one.assetId}`;
  const came = groupBy(received.filter(isPlain), nameIn);
  if (came.size === 0) return [];
  const both = [...groupBy(sent.filter(isPlain), nameIn)].flatMap(([name, paid]) => {
    const got = came.get(name) ?? [];
    const payers = new Set(got.map(({ from }) => from));
    // With one party alone both ends see it by themselves.
    const isRound = got.length > 0 && (payers.size > 1 || paid.some(({ to }) => !payers.has(to)));
    return isRound ? [[...got, ...paid]] : [];
  });
  const worthOf = (transfers: readonly TracedTransfer[]) => transfers.reduce((sum, { usd }) => sum + usd, 0);
  return both.sort((a, b) => worthOf(b) - worthOf(a)).slice(0, TRANSACTIONS_MAX);
}

/** False for crossings, what swaps paid out, and wrapping. */
function isPlain(one: TracedTransfer): boolean {
  return !one.bridge && !one.paidOut && !changesForm(one, one.from) && !changesForm(one, one.to);
}

function nameOf({ from, txHash }: TracedTransfer): string {
  return `${parseAddressKey(from).chain} ${txHash}`;
}
