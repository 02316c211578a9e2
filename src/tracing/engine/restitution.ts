import { addToGroup, groupBy } from '../../domain/group-by.ts';
import { RunningSum } from '../../domain/running-sum.ts';
import { firstAfter } from '../../domain/time.ts';
import { type ReadSpan, spanAt } from '../../domain/tracing/reading.ts';
import type { AddressTransfers, TracedTransfer } from '../../domain/tracing/traced-transfer.ts';
import type { AccountSide } from './accounts.ts';
import { memoized, type Replay, type ReplayHistory } from './replay.ts';
import type { ReplayStep, Swap } from './replay-step.ts';
import { convertedPart, swapShares } from './swaps.ts';

// What a thief pays back to those he took from is their own money, as far as he still held it: it goes on as the loss does.

/** Money that an address lost and got back. */
export interface Restitution {
  /** The other sides of a loss, or of a return, by transfer id. */
  sides: ReadonlyMap<string, readonly AccountSide[]>;
  /** Takers that were not read from the loss to the return. */
  unread: ReadonlySet<string>;
}

interface Victim extends AddressTransfers {
  key: string;
  /** Other addresses of its owner: what they lost may come back here. */
  kin: ReadonlySet<string>;
  /** Contracts and wallets that its money alone came to on the way to takers. */
  hands: ReadonlySet<string>;
}

type Helper = Pick<ReplayHistory, 'received' | 'reading'>;

export interface Taker {
  replay: Replay;
  /** Unlabelled addresses that the taker paid and that paid the victim, by key. */
  helpers: ReadonlyMap<string, Helper>;
}

/** Money of the victim at the taker in one asset. */
interface HeldLoss {
  quantity: number;
  /** Its part of the losses, in their dollars. */
  usd: number;
}

/** Finds what came back of an address's losses, by the replays of its takers: from them or over wallets of theirs. */
export function restitutionOf(victim: Victim, takers: ReadonlyMap<string, Taker>): Restitution {
  const bornePart = partsBorne(victim);
  const handed = handedOn(victim);
  const sides = new Map<string, AccountSide[]>();
  const unread = new Set<string>();
  const isVictims = (key: string) => key === victim.key || victim.kin.has(key);
  for (const [taker, { replay, helpers }] of takers) {
    const returns = returnsOf(taker, victim, helpers);
    if (returns.size === 0) continue;
    const losses = new Losses();
    const held = new Held();
    for (const step of replay.steps) {
      const { transfer, kind } = step;
      const own = kind === 'receipt' && transfer ? handed(transfer) : [];
      for (const { loss, part } of own) {
        const usd = loss.usd * part * bornePart(loss);
        if (usd > 0) losses.add(loss, usd);
        held.add(step.pool, Number(loss.amount) * part * bornePart(loss), usd);
      }
      if (own.length > 0) {
        held.pass(step);
        continue;
      }
      if (kind === 'receipt' && transfer && isVictims(transfer.from) && transfer.usd > 0) {
        const borne = transfer.from === victim.key ? bornePart(transfer) : 1;
        const usd = transfer.usd * borne;
        if (usd > 0) losses.add(transfer, usd);
        held.add(step.pool, Number(transfer.amount) * borne, usd);
        continue;
      }
      // What kin got back makes good their loss too, and is not owed here.
      const toKin = transfer && victim.kin.has(transfer.to) ? new Returns([asReturn(transfer)]) : undefined;
      const back = kind === 'payment' && transfer ? (returns.get(transfer.id) ?? toKin) : undefined;
      const { first } = losses;
      const isKnown = first !== undefined && isKnownSince(first.transfer.at, step.span);
      if (back && first && !isKnown) unread.add(taker);
      if (!back || !transfer || !isKnown) {
        held.pass(step);
        continue;
      }
      let open = Number(transfer.amount);
      const balance = open / step.part;
      for (const one of back.since(transfer.at)) {
        const taken = held.take([step.pool, step.asset], Math.min(one.left, open));
        if (taken.quantity <= 0) break;
        one.left -= taken.quantity;
        open -= taken.quantity;
        pair(back === toKin ? new Map() : sides, losses, one.transfer, { ...taken, of: Number(one.transfer.amount) });
      }
      const rest = balance - Number(transfer.amount) + open;
      if (open > 0 && rest > 0) held.leave(step.pool, Math.min(1, open / rest));
    }
  }
  return { sides, unread };
}

/**
 * Returns the part (0-1) of a payment that its payer bore, in dollars: not what others lent it in the transaction. What it had put in
 * with them before is its own.
 */
function partsBorne({ received, sent }: Victim): (payment: TracedTransfer) => number {
  const [got, given] = [received, sent].map((side) => groupBy(side, ({ txHash }) => txHash)) as [
    Map<string, TracedTransfer[]>,
    Map<string, TracedTransfer[]>,
  ];
  const usdOf = (transfers: readonly TracedTransfer[]) => transfers.reduce((sum, { usd }) => sum + usd, 0);
  /** Deposits that were not taken out, by party. */
  const owed = new Map<string, RunningSum>();
  const isSent = new Set(sent);
  for (const one of [...received, ...sent].sort((a, b) => a.at - b.at)) {
    const party = isSent.has(one) ? one.to : one.from;
    const known = owed.get(party) ?? new RunningSum();
    owed.set(party, known);
    known.add(one.at, isSent.has(one) ? one.usd : -one.usd);
  }
  return ({ txHash, at, to }) => {
    let lent = 0;
    for (const [payer, part] of groupBy(got.get(txHash) ?? [], ({ from }) => from)) {
      lent += Math.max(0, usdOf(part) - Math.max(0, owed.get(payer)?.before(at) ?? 0));
    }
    const own = given.get(txHash) ?? [];
    const paid = usdOf(own.filter((one) => one.to === to));
    return paid > 0 ? Math.min(1, Math.max(0, usdOf(own) - lent) / paid) : 1;
  };
}

/**
 * Finds the victim's own payments that a wallet or contract handed on to a taker in the same transaction, or such hands did then or
 * later, in the same asset, and which part (0-1) of each arrived; none where they are handed out already. Later calls must not ask for an
 * earlier receipt.
 */
function handedOn({
  key,
  kin,
  hands,
  sent,
}: Victim): (receipt: TracedTransfer) => { loss: TracedTransfer; part: number }[] {
  const nameOf = (hand: string, { txHash, assetId }: TracedTransfer) =>
    hands.has(hand) ? assetId : `${txHash} ${assetId} ${hand}`;
  const losses = sent.filter(({ usd }) => usd > 0).sort((a, b) => a.at - b.at);
  const paid = groupBy(losses, (loss) => nameOf(loss.to, loss));
  const left = new Map(losses.map((loss) => [loss, Number(loss.amount)]));
  const nexts = new Map<string, number>();
  return (receipt) => {
    if (receipt.from === key || kin.has(receipt.from)) return [];
    const name = nameOf(receipt.from, receipt);
    const legs = paid.get(name) ?? [];
    const found: { loss: TracedTransfer; part: number }[] = [];
    let open = Number(receipt.amount);
    let next = nexts.get(name) ?? 0;
    for (let loss = legs[next]; loss && open > 0 && loss.at <= receipt.at; loss = legs[next]) {
      const quantity = Math.min(left.get(loss)!, open);
      if (quantity > 0) found.push({ loss, part: quantity / Number(loss.amount) });
      left.set(loss, left.get(loss)! - quantity);
      open -= quantity;
      if (left.get(loss)! <= 0) next += 1;
    }
    nexts.set(name, next);
    return found;
  };
}

/** A transfer to the victim, and how much of it may still be matched. */
interface Return {
  /** Epoch ms. */
  at: number;
  transfer: TracedTransfer;
  left: number;
}

function asReturn(transfer: TracedTransfer): Return {
  return { at: transfer.at, transfer, left: Number(transfer.amount) };
}

/** Transfers by which money of a taker can have reached the victim, oldest first. */
class Returns {
  private readonly all: readonly Return[];
  private readonly isKnown: (from: number, to: number) => boolean;
  /** The first that may still be matched. */
  private next = 0;

  /** `isKnown` is true where what the wallet between did from one moment to the other was read. */
  constructor(all: readonly Return[], isKnown: (from: number, to: number) => boolean = () => true) {
    this.all = all;
    this.isKnown = isKnown;
  }

  has(since: number): boolean {
    const first = this.all[firstAfter(this.all, since - 1)];
    return first !== undefined && this.isKnown(since, first.transfer.at);
  }

  /** Lists those not matched whole, from a moment on; later calls must not ask for an earlier moment. */
  *since(at: number): Generator<Return> {
    for (let one = this.all[this.next]; one && (one.transfer.at < at || one.left <= 0); one = this.all[this.next])
      this.next += 1;
    for (let place = this.next; place < this.all.length; place++) {
      const one = this.all[place] as Return;
      // What was not read stays so for all later ones.
      if (!this.isKnown(at, one.transfer.at)) return;
      if (one.left > 0) yield one;
    }
  }
}

/** Returns the transfers by which a taker's payment can have reached the victim, by id of the payment. */
function returnsOf(taker: string, { key, received }: Victim, helpers: Taker['helpers']): Map<string, Returns> {
  const returns = new Map<string, Returns>();
  const byPayer = groupBy(received, ({ from }) => from);
  for (const transfer of byPayer.get(taker) ?? []) returns.set(transfer.id, new Returns([asReturn(transfer)]));
  for (const [helper, history] of helpers) {
    // Who passes on other money too is not the taker's wallet; coins for its fees are none of what it passes on.
    const mixed = new Set(
      history.received.flatMap(({ from, assetId }) => (from === taker || from === key ? [] : [assetId])),
    );
    const passed = (byPayer.get(helper) ?? []).filter(({ assetId }) => !mixed.has(assetId));
    const reading = memoized(history.reading);
    const byAsset = groupBy(passed, ({ assetId }) => assetId);
    const passedOn = new Map(
      [...byAsset].map(([asset, transfers]) => [
        asset,
        new Returns(transfers.sort((a, b) => a.at - b.at).map(asReturn), (from, to) =>
          isKnownSince(from, spanAt(reading(asset), to)),
        ),
      ]),
    );
    for (const paid of history.received) {
      const later = paid.from === taker ? passedOn.get(paid.assetId) : undefined;
      if (later?.has(paid.at)) returns.set(paid.id, later);
    }
  }
  return returns;
}

/** True where the span that was read began by then. */
function isKnownSince(at: number, span: ReadSpan | undefined): boolean {
  return span !== undefined && span.from !== null && span.from <= at;
}

/** Losses of the victim in US dollars that are not made good yet, the oldest first. */
class Losses {
  private readonly all: { transfer: TracedTransfer; usd: number }[] = [];
  private next = 0;

  get first(): { transfer: TracedTransfer; usd: number } | undefined {
    return this.all[this.next];
  }

  add(transfer: TracedTransfer, usd: number): void {
    this.all.push({ transfer, usd });
  }

  pass(): void {
    this.next += 1;
  }
}

/** Links a return with the losses that it makes good, the oldest first. */
function pair(
  sides: Map<string, AccountSide[]>,
  losses: Losses,
  back: TracedTransfer,
  { quantity, usd, of }: HeldLoss & { of: number },
): void {
  let left = usd;
  for (let loss = losses.first; loss && left > 1e-9 * usd; loss = losses.first) {
    const taken = Math.min(left, loss.usd);
    const [part, otherPart] = [((quantity / of) * taken) / usd, taken / loss.transfer.usd];
    addToGroup(sides, back.id, { transfer: loss.transfer, part, otherPart });
    addToGroup(sides, loss.transfer.id, { transfer: back, part: otherPart, otherPart: part });
    left -= taken;
    loss.usd -= taken;
    if (loss.usd <= 1e-9 * loss.transfer.usd) losses.pass();
  }
}

/** The victim's money at the taker by pool, replayed with his balance: other payments take it in proportion, swaps change its form. */
class Held {
  private readonly byPool = new Map<string, HeldLoss>();
  private readonly given = new Map<Swap, { part: number; usd: number }>();

  add(pool: string, quantity: number, usd: number): void {
    const known = this.byPool.get(pool) ?? { quantity: 0, usd: 0 };
    this.byPool.set(pool, { quantity: known.quantity + quantity, usd: known.usd + usd });
  }

  /** Takes as much as there is, from the first of the pools before the others. */
  take(pools: readonly string[], most: number): HeldLoss {
    const all = { quantity: 0, usd: 0 };
    for (const pool of new Set(pools)) {
      const { quantity, usd } = this.byPool.get(pool) ?? { quantity: 0, usd: 0 };
      const taken = Math.min(quantity, most - all.quantity);
      const part = quantity > 0 ? taken / quantity : 0;
      this.byPool.set(pool, { quantity: quantity - taken, usd: usd * (1 - part) });
      all.quantity += taken;
      all.usd += usd * part;
    }
    return all;
  }

  /** A step that brings nothing back. */
  pass(step: ReplayStep): void {
    const { kind, pool, into, part, transfer, swap } = step;
    if (kind === 'receipt') {
      if (swap?.got.includes(step)) this.getFrom(swap, step);
      return;
    }
    if (kind === 'gap') {
      this.byPool.delete(pool);
      return;
    }
    const held = this.byPool.get(pool);
    if (held && transfer && swap?.given.includes(step)) this.giveTo(swap, step, held);
    if (held && into !== null) this.add(into, held.quantity * part, held.usd * part);
    this.leave(pool, part);
  }

  /** A part of the balance is gone. */
  leave(pool: string, part: number): void {
    const held = this.byPool.get(pool);
    if (held) this.byPool.set(pool, { quantity: held.quantity * (1 - part), usd: held.usd * (1 - part) });
  }

  private giveTo(swap: Swap, step: ReplayStep, { quantity, usd }: HeldLoss): void {
    const share = swapShares(swap.given)?.[swap.given.indexOf(step)] ?? 0;
    const own = Math.min(1, (quantity * step.part) / Number(step.transfer?.amount));
    const known = this.given.get(swap) ?? { part: 0, usd: 0 };
    const converted = usd * step.part * convertedPart(step);
    this.given.set(swap, { part: known.part + share * own, usd: known.usd + converted });
  }

  private getFrom(swap: Swap, step: ReplayStep): void {
    const given = this.given.get(swap);
    const share = swapShares(swap.got)?.[swap.got.indexOf(step)] ?? 0;
    if (given) this.add(step.pool, given.part * Number(step.transfer?.amount) * swap.gotPart, given.usd * share);
  }
}
