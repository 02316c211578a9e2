import { fractionDigits, parseUnits } from '../amount.ts';
import { compare } from '../compare.ts';
import { COIN, changesForm } from './asset-id.ts';
import { withAccounts } from './contract-account.ts';
import { type AddressTransaction, inCoveredOrder, inOrder, inPlace } from './order.ts';
import { overspentOf } from './overspent.ts';
import { knowsBalance, type Reading, type ReadSpan, spanAt } from './reading.ts';
import { type ExactStep, newStep, type ReplayStep, type Swap } from './replay-step.ts';
import { markReturned, type TraderOf, traderOf } from './swaps.ts';
import type { TracedTransfer } from './traced-transfer.ts';
import { markTrades, netOf } from './trades.ts';

/** The transfers that the graph holds of an address, without those to itself. */
export interface ReplayHistory {
  received: readonly TracedTransfer[];
  sent: readonly TracedTransfer[];
  /** What the address paid as fees in the chain's coin, decimal string, by transaction. */
  fees: ReadonlyMap<string, string>;
  reading: Reading;
}

/** The transfers of one address, replayed in order. */
export interface Replay {
  steps: ReplayStep[];
  /** The place of each transfer among the steps, by id. */
  places: ReadonlyMap<string, number>;
  reading: Reading;
  /** Payments of much that never came in, though the history counts as known from the beginning (overspent.ts). */
  overspent: ReadonlySet<ReplayStep>;
}

/** A balance that is short by less than this part (1/n) of all that came in: fees that no source lists. */
const UNLISTED_FEES = 100n;

/** Replays an address in all assets at once: its steps in order, with the part of the balance that each one moved. */
export function replayOf(
  history: ReplayHistory,
  kindOf: TraderOf,
  /** True for exchanges at which money ends. */
  isExchange: (key: string) => boolean,
): Replay {
  const listed = {
    received: history.received.filter((transfer) => !changesForm(transfer, transfer.from)),
    sent: history.sent.filter((transfer) => !changesForm(transfer, transfer.to)),
  };
  const { received, sent, returned } = withAccounts(listed, kindOf, isExchange);
  const spansOf = memoized(history.reading);
  const units = unitsOf(received, sent, history.fees, spansOf);
  const balances = new Map<string, Balance>();
  const steps: ReplayStep[] = [];
  const balanceAt = (asset: string, at: number) => {
    const balance = balances.get(asset) ?? new Balance(spansOf(asset), asset, units);
    balances.set(asset, balance);
    balance.passEdges(at, steps);
    return balance;
  };
  const partsOf = (transaction: AddressTransaction) => {
    const parts = transactionSteps(transaction, units, kindOf);
    const fee = history.fees.get(transaction.hash);
    if (fee !== undefined) parts.push(newStep('fee', null, COIN, units(COIN, fee)));
    const moves = parts.map(([{ asset, kind }, exact]) => [asset, kind === 'receipt' ? exact : -exact] as const);
    return { at: transaction.at, parts, moves };
  };
  for (const run of inOrder(received, sent)) {
    const all = run.map(partsOf);
    const { at } = all[0] as (typeof all)[number];
    const ordered = all.length > 1 ? inCoveredOrder(all, (asset) => balanceAt(asset, at).holds) : all;
    for (const [step, exact] of ordered.flatMap(({ parts }) => parts)) {
      balanceAt(step.asset, at).apply(step, exact, at);
      step.at = at;
      steps.push(step);
    }
  }
  for (const balance of balances.values()) balance.passEdges(Number.POSITIVE_INFINITY, steps);
  const places = new Map<string, number>();
  for (const [place, { transfer }] of steps.entries()) if (transfer) places.set(transfer.id, place);
  const stepOf = (id: string) => steps[places.get(id) as number] as ReplayStep;
  for (const [deposit, receipt] of returned) markReturned(stepOf(deposit), stepOf(receipt));
  return { steps, places, reading: history.reading, overspent: overspentOf(steps).steps };
}

class Balance {
  private readonly spans: readonly ReadSpan[];
  private readonly asset: string;
  private readonly units: UnitsOf;
  private held = 0n;
  /** All that came in since the balance was last known. */
  private cameIn = 0n;
  private next = 0;
  private isInside = false;

  constructor(spans: readonly ReadSpan[], asset: string, units: UnitsOf) {
    this.spans = spans;
    this.asset = asset;
    this.units = units;
  }

  get holds(): bigint {
    return this.held;
  }

  /** Adds the steps for the beginnings and ends of spans that the replay passes on its way to the moment. */
  passEdges(at: number, steps: ReplayStep[]): void {
    for (let span = this.spans[this.next]; span !== undefined; span = this.spans[this.next]) {
      if (!this.isInside) {
        if (span.from !== null && span.from > at) return;
        this.isInside = true;
        if (span.from !== null && span.from !== Number.NEGATIVE_INFINITY) steps.push(this.open(span));
      }
      if (span.to >= at) return;
      const unseen = this.close(span);
      if (unseen) steps.push(unseen);
      this.isInside = false;
      this.next += 1;
    }
  }

  private open(span: ReadSpan): ReplayStep {
    const before = this.held;
    const { opening } = span;
    if (opening !== null) this.held = this.units(this.asset, opening);
    this.cameIn = this.held;
    const [gap] = newStep('gap', null, this.asset, this.held);
    gap.at = span.from as number;
    gap.part = before > this.held ? Number(this.held) / Number(before) : 1;
    return gap;
  }

  private close(span: ReadSpan): ReplayStep | null {
    if (span.closing === null || !knowsBalance(span)) return null;
    const missing = this.held - this.units(this.asset, span.closing);
    if (missing <= 0n || missing * UNLISTED_FEES < this.cameIn) return null;
    const [unseen] = newStep('unseen', null, this.asset, missing);
    unseen.part = Number(missing) / Number(this.held);
    unseen.at = span.to;
    unseen.span = span;
    this.held -= missing;
    return unseen;
  }

  apply(step: ReplayStep, exact: bigint, at: number): void {
    if (step.kind === 'receipt') {
      this.held += exact;
      this.cameIn += exact;
      return;
    }
    step.span = spanAt(this.spans, at);
    if (exact > this.held) {
      step.uncovered = Number(exact - this.held);
      this.held = exact;
    }
    step.part = this.held === 0n ? 0 : Number(exact) / Number(this.held);
    this.held -= exact;
  }
}

/** A reading that works out the spans of an asset once. */
export function memoized(reading: Reading): Reading {
  const spans = new Map<string, readonly ReadSpan[]>();
  return (asset) => {
    const known = spans.get(asset) ?? reading(asset);
    spans.set(asset, known);
    return known;
  };
}

type UnitsOf = (asset: string, amount: string) => bigint;

/** Converts amounts to integers, with as many decimals as the most precise amount of the asset here. */
function unitsOf(
  received: readonly TracedTransfer[],
  sent: readonly TracedTransfer[],
  fees: ReadonlyMap<string, string>,
  spansOf: Reading,
): UnitsOf {
  const decimals = new Map<string, number>();
  const widen = (asset: string, amount: string) => {
    const digits = fractionDigits(amount);
    if (digits > (decimals.get(asset) ?? -1)) decimals.set(asset, digits);
  };
  for (const { assetId, amount } of received) widen(assetId, amount);
  for (const { assetId, amount } of sent) widen(assetId, amount);
  for (const fee of fees.values()) widen(COIN, fee);
  for (const asset of [...decimals.keys()]) {
    for (const { opening, closing } of spansOf(asset))
      for (const stated of [opening, closing]) widen(asset, stated ?? '0');
  }
  return (asset, amount) => {
    const digits = decimals.get(asset) ?? 0;
    return digits === 0 && !amount.includes('.') ? BigInt(amount) : parseUnits(amount, digits);
  };
}

/** The steps of one transaction. Assets that a swap gives come before those that it gets. */
function transactionSteps(transaction: AddressTransaction, units: UnitsOf, kindOf: TraderOf): ExactStep[] {
  const { received, sent } = transaction;
  const stepOf = (transfer: TracedTransfer, kind: 'receipt' | 'payment') =>
    newStep(kind, transfer, transfer.assetId, units(transfer.assetId, transfer.amount));
  const [receipt] = received;
  if (receipt && received.length + sent.length === 1) return [stepOf(receipt, 'receipt')];
  const [payment] = sent;
  if (payment && received.length + sent.length === 1) return [stepOf(payment, 'payment')];
  const isReceipt = new Set(received);
  const exact = (transfer: TracedTransfer) => stepOf(transfer, isReceipt.has(transfer) ? 'receipt' : 'payment');
  const assets = new Set([...sent, ...received].map(({ assetId }) => assetId));
  const byAsset = [...assets].map((asset) => {
    const ofAsset = ({ assetId }: TracedTransfer) => assetId === asset;
    return inPlace(received.filter(ofAsset), sent.filter(ofAsset)).map(exact);
  });
  if (received.length === 0 || sent.length === 0 || assets.size < 2) return byAsset.flat();
  const legs = byAsset.map((steps) => steps.filter(([step]) => traderOf(step, kindOf) !== 'none'));
  markTrades(transaction.hash, legs, kindOf);
  const sorted = byAsset
    .map((steps, i) => ({ steps, net: netOf(legs[i] as ExactStep[]) }))
    .sort((a, b) => compare(a.net, b.net));
  return givenFirst(sorted.map(({ steps }) => steps));
}

/** Puts what a swap gives before what it gets, as far as the order of each asset allows. */
function givenFirst(byAsset: readonly ExactStep[][]): ExactStep[] {
  const waiting = new Map<Swap, number>();
  for (const [{ swap, kind }] of byAsset.flat()) {
    if (swap && kind === 'payment') waiting.set(swap, (waiting.get(swap) ?? 0) + 1);
  }
  const ordered: ExactStep[] = [];
  const next = byAsset.map(() => 0);
  const isFree = ({ kind, swap }: ReplayStep) => kind !== 'receipt' || swap === null || !waiting.get(swap);
  const take = (asset: number, mayWait: boolean): boolean => {
    const exact = byAsset[asset]?.[next[asset] as number];
    if (!exact || !(mayWait || isFree(exact[0]))) return false;
    const [{ swap, kind }] = exact;
    if (swap && kind === 'payment') waiting.set(swap, (waiting.get(swap) as number) - 1);
    ordered.push(exact);
    next[asset] = (next[asset] as number) + 1;
    return true;
  };
  const all = byAsset.flat().length;
  while (ordered.length < all) {
    const before = ordered.length;
    for (const asset of next.keys()) while (take(asset, false));
    // Assets that wait for each other: the first goes on.
    if (ordered.length === before) [...next.keys()].find((asset) => take(asset, true));
  }
  return ordered;
}
