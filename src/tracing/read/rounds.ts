import { addToGroup, groupBy } from '../../domain/group-by.ts';
import type { AddressLabel } from '../../domain/label.ts';
import { changesForm, isNullAddress } from '../../domain/tracing/asset-id.ts';
import {
  type AddressTransfers,
  assetPartName,
  type TracedTransfer,
  transactionName,
} from '../../domain/tracing/traced-transfer.ts';
import { ARCS_MAX, large, withoutRounds } from '../../domain/transfers/round-trips.ts';
import type { Graph } from '../../graph/port.ts';
import { readTransactions, type TransactionParty } from '../../graph/queries/listed-transfers.ts';
import { behindOf } from '../engine/net-in-transaction.ts';

/** Transactions of an address that one statement names. */
const TRANSACTIONS_AT_ONCE = 1_000;
/** Transfers that are read for one answer, of the most valuable transactions first. */
const TRANSFERS_MAX = 50_000;
/** Parties of a transaction that are read: one with more is a batch. Dust makes no parties. */
const PARTIES_MAX = 100;
/** Times that the next parties are asked, from both ends of a way at once: as far as the parties go. */
const ROUNDS_MAX = PARTIES_MAX / 2;

/** Routers one after another that are looked behind. */
const PASSED_MAX = 3;

type Histories = ReadonlyMap<string, AddressTransfers>;

/** The transfers of one asset in a transaction, as far as they were read. */
interface Known {
  transfers: Map<string, TracedTransfer>;
  /** Addresses in whose histories it came in and went on. */
  passed: Set<string>;
  /** `passed`, and other parties that were read. */
  read: Set<string>;
}

/** Finds what went round inside transactions over other parties: a loan for one transaction that another address pays back. */
export class Rounds {
  /** Rests of transfers by id, as far as histories were looked at; null: nothing is left. */
  readonly left = new Map<string, TracedTransfer | null>();
  /** Names of transactions of which a limit left out parties over which more may have gone round. */
  readonly cut = new Set<string>();
  private readonly graph: Graph;
  private readonly labels: Map<string, AddressLabel>;
  private readonly seen = new Set<string>();
  private room: number;

  /** Adds the labels of the parties to `labels`. */
  constructor(graph: Graph, labels: Map<string, AddressLabel>, transfersMax = TRANSFERS_MAX) {
    this.graph = graph;
    this.labels = labels;
    this.room = transfersMax;
  }

  /** Reads the transactions in which an asset came to an address and went to another party. Throws GraphError. */
  async learn(histories: Histories, timeoutMs: number): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    const transactions = new Map<string, Known>();
    const asked = new Set<string>();
    for (const [key, history] of histories) {
      for (const transfers of twoWay(history)) {
        const name = assetPartName(transfers[0] as TracedTransfer);
        if (this.seen.has(name)) continue;
        const known = transactions.get(name) ?? { transfers: new Map(), passed: new Set(), read: new Set() };
        for (const one of transfers) known.transfers.set(one.id, one);
        for (const keys of [known.passed, known.read]) keys.add(key);
        transactions.set(name, known);
        asked.add(`${key} ${name}`);
      }
    }
    try {
      await this.complete(transactions, asked, deadline);
    } finally {
      for (const [name, known] of transactions) {
        this.seen.add(name);
        const transfers = [...known.transfers.values()].filter(isPlain);
        if (this.isOpen(transfers, known)) this.cut.add(transactionName(transfers[0] as TracedTransfer));
        for (const [{ id }, left] of withoutRounds(transfers, ({ assetId }) => assetId)) this.left.set(id, left);
      }
    }
  }

  /**
   * Maps the id of a transfer of contracts to who put it in, or took it out, over parties that only passed it on in the transaction. Throws
   * GraphError.
   */
  async behind(histories: Histories, timeoutMs: number): Promise<Map<string, string>> {
    const deadline = performance.now() + timeoutMs;
    const isPasser = (key: string) => {
      const { isContract, category = null } = this.labels.get(key) ?? {};
      return isContract !== false && category === null && !isNullAddress(key);
    };
    let open = [...histories].flatMap(([key, history]) => {
      const ends = this.labels.get(key)?.isContract === true ? endsAt(key, history) : [];
      return ends.filter(({ key: far }) => isPasser(far));
    });
    const found = new Map<string, string>();
    for (let passed = 0; passed < PASSED_MAX && open.length > 0; passed++) {
      const byParty = new Map<string, TracedTransfer[]>();
      for (let start = 0; start < open.length && this.room > 0; start += TRANSACTIONS_AT_ONCE) {
        const part = open.slice(start, start + TRANSACTIONS_AT_ONCE);
        for (const { key, one } of await this.read(part, deadline)) {
          addToGroup(byParty, `${key} ${transactionName(one)}`, one);
        }
      }
      open = open.flatMap(({ key, one, of }) => {
        const together = byParty.get(`${key} ${transactionName(one)}`) ?? [];
        const far = behindOf(key, one, together);
        if (far === null) return [];
        found.set(of, far);
        const isPayer = one.from === key;
        const next = together.find(({ from, to }) =>
          isPayer ? from === far && to === key : from === key && to === far,
        );
        return next && isPasser(far) ? [{ key: far, one: next, of }] : [];
      });
    }
    return found;
  }

  /** Reads the parties of transactions, and theirs. */
  private async complete(
    transactions: ReadonlyMap<string, Known>,
    asked: Set<string>,
    deadline: number,
  ): Promise<void> {
    for (let round = 0; round < ROUNDS_MAX; round++) {
      const wanted = wantedIn(transactions, asked);
      if (wanted.length === 0) return;
      for (let start = 0; start < wanted.length && this.room > 0; start += TRANSACTIONS_AT_ONCE) {
        const part = wanted.slice(start, start + TRANSACTIONS_AT_ONCE);
        for (const { key, one } of await this.read(part, deadline)) {
          const known = transactions.get(assetPartName(one));
          known?.transfers.set(one.id, one);
          known?.read.add(key);
        }
      }
    }
  }

  private async read(wanted: readonly TransactionParty[], deadline: number): Promise<TransactionParty[]> {
    const timeoutMs = Math.max(1, deadline - performance.now());
    const found = await readTransactions(this.graph, wanted, { labels: this.labels, timeoutMs });
    this.room -= found.length;
    return found;
  }

  /** True where a way may lead over parties that were not read, or over too many, from what an address paid to what it was paid. */
  private isOpen(transfers: readonly TracedTransfer[], { passed, read }: Known): boolean {
    const together = large(transfers);
    if (new Set(together.map(({ from, to }) => `${from} ${to}`)).size > ARCS_MAX) return true;
    // No exchange pays out what came in within the same transaction.
    const isRead = (key: string) =>
      read.has(key) || isNullAddress(key) || this.labels.get(key)?.category === 'exchange';
    return (['from', 'to'] as const).every((end) => {
      const onward = groupBy(together, (one) => (end === 'from' ? one.to : one.from));
      const reached = new Set(passed);
      for (const here of reached) for (const one of onward.get(here) ?? []) reached.add(one[end]);
      return [...reached].some((key) => !isRead(key));
    });
  }
}

/**
 * The parties of the transactions that were not asked yet. Of a batch for many only who paid the addresses that it passed: where
 * nobody paid them in it, nothing went round.
 */
function wantedIn(transactions: ReadonlyMap<string, Known>, asked: Set<string>): TransactionParty[] {
  const wanted: TransactionParty[] = [];
  for (const [name, { transfers, passed }] of transactions) {
    const listed = large([...transfers.values()].filter(isPlain));
    const all = new Map(listed.flatMap((one) => [one.from, one.to].map((key) => [key, one] as const)));
    const payers = () => new Map(listed.flatMap((one) => (passed.has(one.to) ? [[one.from, one] as const] : [])));
    const parties = all.size > PARTIES_MAX ? payers() : all;
    if (parties.size > PARTIES_MAX) continue;
    for (const [key, one] of parties) {
      if (isNullAddress(key) || asked.has(`${key} ${name}`)) continue;
      asked.add(`${key} ${name}`);
      wanted.push({ key, one });
    }
  }
  return wanted;
}

/** Groups by transaction, most valuable first, the transfers of assets that came and went on to another party. */
function twoWay({ received, sent }: AddressTransfers): TracedTransfer[][] {
  const came = groupBy(received.filter(isPlain), assetPartName);
  if (came.size === 0) return [];
  const both = [...groupBy(sent.filter(isPlain), assetPartName)].flatMap(([name, paid]) => {
    const got = came.get(name) ?? [];
    const payers = new Set(got.map(({ from }) => from));
    // With one party alone both ends see it by themselves.
    const isRound = got.length > 0 && (payers.size > 1 || paid.some(({ to }) => !payers.has(to)));
    return isRound ? [[...got, ...paid]] : [];
  });
  const worthOf = (transfers: readonly TracedTransfer[]) => transfers.reduce((sum, { usd }) => sum + usd, 0);
  return both.sort((a, b) => worthOf(b) - worthOf(a));
}

/** False for crossings, what swaps paid out, and wrapping. */
function isPlain(one: TracedTransfer): boolean {
  return !one.bridge && !one.paidOut && !changesForm(one, one.from) && !changesForm(one, one.to);
}

/** Less than this many US dollars moves no account. */
const LEAST_USD = 10;

/** The far ends of what an address received and paid of the same assets. */
function endsAt(key: string, { received, sent }: AddressTransfers) {
  const sides = [received, sent].map((side) => side.filter(isPlain));
  const assets = sides.map((side) => new Set(side.map(({ assetId }) => assetId)));
  return sides
    .flat()
    .filter(({ assetId, priced, usd }) => assets.every((side) => side.has(assetId)) && (!priced || usd >= LEAST_USD))
    .map((one) => ({ key: one.from === key ? one.to : one.from, one, of: one.id }));
}
