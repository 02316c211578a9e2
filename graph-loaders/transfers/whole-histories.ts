import { type Chain, isEvmChain, listsOfChain } from '../../src/domain/chain.ts';
import type { HistoryList } from '../../src/domain/chains.ts';
import { groupBy } from '../../src/domain/group-by.ts';
import { assetIdOf, isNullAddress } from '../../src/domain/tracing/asset-id.ts';
import { LOADED_FILE } from '../../src/domain/tracing/reading.ts';
import { movedValue, type Transfer } from '../../src/domain/transfers/transfer.ts';
import { placeKind } from '../../src/domain/transfers/transfer-id.ts';
import { markAllRead } from '../../src/graph/ingest/mark-read.ts';
import type { Graph } from '../../src/graph/port.ts';
import { POOL } from '../../src/risk/rules.ts';

interface Span {
  from: number;
  to: number;
  addresses: Set<string>;
  lists: Set<HistoryList>;
  contracts: Set<string>;
  /** Signers, which are wallets. */
  signers: Set<string>;
  /** Parties whom an address served within transactions that others signed. */
  served: Map<string, Set<string>>;
  /** Parties that paid an address in transactions of their own, with the dollars. */
  payers: Map<string, Map<string, number>>;
  /** Signers of the transactions of others that moved an address's tokens, with the dollars, and receivers of the first of each. */
  pulled: Map<string, { signers: Map<string, number>; receivers: Set<string> }>;
  /** Parties that an address paid a token for another one of theirs, in transactions that it did not sign. */
  traded: Map<string, Set<string>>;
}

/** The addresses of a file that holds every transfer of each between its first and its last one, for each chain. */
export class WholeHistories {
  private readonly spans = new Map<Chain, Span>();
  private readonly hasInternal: boolean;

  constructor(hasInternal: boolean) {
    this.hasInternal = hasInternal;
  }

  add(transfers: readonly Transfer[]): void {
    for (const { chain, at, from, to, token, kind } of transfers) {
      let span = this.spans.get(chain);
      if (!span) {
        const sets = { addresses: new Set<string>(), contracts: new Set<string>(), signers: new Set<string>() };
        const parties = { served: new Map(), payers: new Map(), pulled: new Map(), traded: new Map() };
        span = { from: at, to: at, ...sets, ...parties, lists: new Set() };
        this.spans.set(chain, span);
      }
      span.from = Math.min(span.from, at);
      span.to = Math.max(span.to, at);
      span.addresses.add(from).add(to);
      span.lists.add(kind === 'internal' ? 'internal' : token === null ? 'coin' : 'tokens');
    }
    for (const inTransaction of groupBy(transfers, ({ chain, txHash }) => `${chain} ${txHash}`).values()) {
      const { chain } = inTransaction[0] as Transfer;
      if (isEvmChain(chain) || chain === 'tron') learnContracts(inTransaction, this.spans.get(chain)!);
    }
  }

  /** Makes the addresses count as read over the span; returns how many. */
  async mark(graph: Graph, { fromStart, at }: { fromStart: boolean; at: number }): Promise<number> {
    let count = 0;
    for (const [chain, span] of this.spans) {
      const { from, to, addresses, lists, contracts, signers, served, payers, pulled, traded } = span;
      const read = this.hasInternal ? listsOfChain(chain) : listsOfChain(chain).filter((list) => lists.has(list));
      const intervals = read.map((list) => ({ list, from: fromStart ? 0 : from, to, source: LOADED_FILE, at }));
      const of = (parties: ReadonlyMap<string, { size: number }>, min: number) =>
        [...parties].filter(([, { size }]) => size >= min).map(([address]) => address);
      const filled = new Set(of(payers, PAYERS_MIN));
      const isOpen = (address: string) => {
        const { signers: by, receivers } = pulled.get(address)!;
        if (Math.max(by.size, receivers.size) >= SERVED_MIN) return true;
        // Who took a loan brought more before; a few dollars sent ahead of an allowance say nothing.
        return [...by].some(([signer, usd]) => (payers.get(address)?.get(signer) ?? 0) >= usd);
      };
      const opened = [...pulled.keys()].filter((address) => filled.has(address) && isOpen(address));
      const known = [...contracts, ...of(served, SERVED_MIN), ...of(traded, PAYERS_MIN), ...opened].filter(
        (address) => !signers.has(address),
      );
      await markAllRead(graph, chain, [...addresses], intervals, new Set(known));
      count += addresses.size;
    }
    return count;
  }
}

/** An allowance moves a wallet's tokens too, within a transaction of another: seldom for two. */
const SERVED_MIN = 2;
/** A wallet that lost its tokens to an allowance, or trades by what others sign, seldom deals so with so many and never acts. */
const PAYERS_MIN = 5;

/**
 * Learns from a transaction which addresses are contracts, for a file says of none what it is: tokens, who paid coin in a transaction
 * that it did not begin, and who served several: paid a token on to another than its payer, paid one to who signed, or was paid by him for
 * what was issued to him; also who was paid by many and whose tokens two others moved or got, or one who had paid as much, and who
 * trades with many. A wallet acts once, by its signature; its tokens, never its coin, may go by an allowance too. Who signs anything is none.
 */
function learnContracts(transfers: readonly Transfer[], span: Span): void {
  const { contracts, signers, served, payers, pulled, traded } = span;
  const isShared = transfers.some(({ from }) => from !== transfers[0]!.from);
  for (const { token, txSender, from, index } of transfers) {
    const isCalled = isShared && placeKind(index) === 'trace';
    if (token !== null) contracts.add(token);
    else if (txSender === null ? isCalled : txSender !== from) contracts.add(from);
    if (txSender !== null) signers.add(txSender);
    else if (token === null && placeKind(index) === 'native') signers.add(from);
  }
  const moved = transfers.filter((one) => movedValue(one) && one.tokenId === null && one.from !== one.to);
  const tokens = moved.filter(({ token, txSender }) => token !== null && txSender !== null);
  const addTo = (parties: Map<string, Set<string>>, address: string, party: string) =>
    parties.set(address, (parties.get(address) ?? new Set()).add(party));
  const serve = (address: string, party: string) => addTo(served, address, party);
  for (const { from, to, txSender, usd } of tokens) {
    if (from !== txSender || (usd ?? 0) < POOL.payer_from_usd) continue;
    const paid = payers.get(to) ?? new Map();
    payers.set(to, paid.set(from, (paid.get(from) ?? 0) + usd!));
  }
  // Who takes by an allowance may divide it among two at once.
  for (const [from, sent] of groupBy(tokens, (one) => one.from)) {
    const { to, txSender } = sent[0]!;
    if (from === txSender) continue;
    const by = pulled.get(from) ?? { signers: new Map(), receivers: new Set() };
    const usd = sent.reduce((sum, one) => sum + (one.usd ?? 0), by.signers.get(txSender!) ?? 0);
    by.signers.set(txSender!, usd);
    by.receivers.add(to);
    pulled.set(from, by);
  }
  const isIssued = tokens.some(({ chain, from, to, txSender }) => isNullAddress(`${chain}:${from}`) && to === txSender);
  for (const { chain, from, to, txSender } of tokens) {
    if (to === txSender && !isNullAddress(`${chain}:${from}`)) serve(from, to);
    else if (from === txSender && isIssued) serve(to, from);
  }
  // Anybody can log transfers of a token of his own between any two.
  const valued = tokens.filter(({ usd }) => (usd ?? 0) >= POOL.payer_from_usd);
  const moves = new Map<string, Set<string | null>>();
  for (const { from, to, token } of valued) {
    const pair = `${from} ${to}`;
    moves.set(pair, (moves.get(pair) ?? new Set()).add(token));
  }
  for (const { from, to, token, txSender } of valued) {
    const paid = moves.get(`${to} ${from}`);
    const isPaid = paid !== undefined && paid.size > (paid.has(token) ? 1 : 0);
    if (from !== txSender && isPaid) addTo(traded, from, to);
  }
  for (const ofAsset of groupBy(tokens, assetIdOf).values()) {
    const receipts = groupBy(ofAsset, ({ to }) => to);
    const byOthers = ofAsset.filter(({ from, txSender }) => from !== txSender);
    for (const [payer, paid] of groupBy(byOthers, ({ from }) => from)) {
      const last = lastOf(paid);
      for (const came of receipts.get(payer) ?? []) {
        if (last.some((one) => one.to !== came.from && isBefore(came, one))) serve(payer, came.from);
      }
    }
  }
}

/** Returns the last payment of each kind of place, and the last to another than that one's receiver: if any is after a receipt, one of these is. */
function lastOf(paid: readonly Transfer[]): Transfer[] {
  const later = (one: Transfer, other: Transfer) => ((one.seq ?? 0) > (other.seq ?? 0) ? one : other);
  return [...groupBy(paid, ({ index }) => placeKind(index)).values()].flatMap((ofKind) => {
    const last = ofKind.reduce(later);
    const others = ofKind.filter(({ to }) => to !== last.to);
    return others.length > 0 ? [last, others.reduce(later)] : [last];
  });
}

/** The value of the transaction itself moves before all that it calls; other places compare among their kind. */
function isBefore(one: Transfer, other: Transfer): boolean {
  const [first, second] = [placeKind(one.index), placeKind(other.index)];
  if (first === null || second === null) return false;
  return first === 'native' ? second !== 'native' : first === second && (one.seq ?? 0) < (other.seq ?? 0);
}
