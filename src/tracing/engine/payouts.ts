import { chainOf } from '../../domain/address/address-key.ts';
import { compare } from '../../domain/compare.ts';
import { addToGroup, groupBy } from '../../domain/group-by.ts';
import { isNullAddress, isWrapper } from '../../domain/tracing/asset-id.ts';
import { type AddressTransfers, comparePlaces, type TracedTransfer } from '../../domain/tracing/traced-transfer.ts';
import { divideTransfer } from './divide-transfer.ts';
import { type TraderOf, VALUE_RATIO_MAX } from './swaps.ts';

// A swap may be paid out to another party: its recipient is one argument of every router call. The net positions of all
// parties of the transaction show it: one only gave, another only got.

/** Part of a transfer to a market, and the part of a transfer from one that was paid out for it. */
export interface Payout {
  given: TracedTransfer;
  /** 0-1; the rest is an ordinary payment to the market. */
  givenPart: number;
  got: TracedTransfer;
  gotPart: number;
}

/** Transactions with more of them, between parties, are batches for many, in which each has its own swap. */
const PAYOUTS_MAX = 400;

/** A transfer of one party, as far as it changed its position. */
interface Leg {
  /** False for what counts for the position alone. */
  isAtMarket: boolean;
  transfer: TracedTransfer;
  /** The part of it, 0-1, that did not come back in the same asset. */
  part: number;
}

interface Position {
  given: Leg[];
  got: Leg[];
}

/**
 * The swaps that the parties of one transaction paid out to each other by way of its markets (labelled exchanges, contracts). Each
 * party's own swap comes first, as far as its values agree; what it gave beyond that went to those who got more than they
 * gave. Without prices on a side, one asset goes on as one other at labelled exchanges alone.
 */
function payoutsOf(
  transfers: readonly TracedTransfer[],
  kindOf: TraderOf,
  /** Parts (0-1) of transfers, by id, that bring back what their receiver had put in. */
  own: ReadonlyMap<string, number>,
): Payout[] {
  const others = transfers.flatMap((transfer) => {
    const part = own.get(transfer.id);
    return part === undefined ? [transfer] : (divideTransfer(transfer, [part]).rest ?? []);
  });
  const payouts = payoutsAmong(others, kindOf);
  const all = payouts.length > 0 ? payouts : sharePayouts(others, kindOf);
  if (own.size === 0) return all;
  const listed = new Map(transfers.map((transfer) => [transfer.id, transfer]));
  return all.map(({ got, gotPart, ...payout }) => ({
    ...payout,
    got: listed.get(got.id) as TracedTransfer,
    gotPart: gotPart * (1 - (own.get(got.id) ?? 0)),
  }));
}

/**
 * The payouts of several transactions, by the state of what their parties have in its markets: a receipt is first what the
 * party itself put in there before, so that a stranger who pays in the same transaction is not who paid it.
 */
export function payoutsInOrder(
  transactions: readonly (readonly TracedTransfer[])[],
  kindOf: TraderOf,
  /** Other receipts from the markets, of which the rest of their transactions is not known. */
  alone: readonly TracedTransfer[] = [],
): Payout[] {
  const deposits = new Deposits();
  const all: Payout[] = [];
  const inOrder = [
    ...transactions.map((transfers) => ({ transfers, isWhole: true })),
    ...alone.map((transfer) => ({ transfers: [transfer], isWhole: false })),
  ].sort(({ transfers: [a] }, { transfers: [b] }) => (a && b ? comparePlaces(a, b) || compare(a.txHash, b.txHash) : 0));
  for (const { transfers, isWhole } of inOrder) {
    const positions = positionsOf(transfers.filter(isDealing), kindOf);
    const own = new Map<string, number>();
    for (const { given, got } of positions) {
      const rest = given.length > 0 ? restPart(got, given) : 1;
      for (const { isAtMarket, transfer, part } of got) {
        const taken = isAtMarket ? deposits.take(transfer, part * rest) : 0;
        if (taken > 0) own.set(transfer.id, taken);
      }
    }
    if (!isWhole) continue;
    const payouts = payoutsOf(transfers, kindOf, own);
    for (const payout of payouts) all.push(payout);
    const paidOut = new Map<string, number>();
    for (const { given, givenPart } of payouts) paidOut.set(given.id, (paidOut.get(given.id) ?? 0) + givenPart);
    for (const { given, got } of positions) {
      // Where a market gave something for it, it was a purchase.
      if (got.some(({ isAtMarket }) => isAtMarket)) continue;
      for (const { isAtMarket, transfer, part } of given) {
        if (isAtMarket) deposits.add(transfer, part - (paidOut.get(transfer.id) ?? 0));
      }
    }
  }
  return all;
}

function payoutsAmong(transfers: readonly TracedTransfer[], kindOf: TraderOf): Payout[] {
  const positions = positionsOf(transfers.filter(isDealing), kindOf);
  return byValue(positions) ?? byUnits(positions, kindOf);
}

/**
 * Shares that a party gave back to their vault, which paid another, or that a vault issued to another than who paid. Only the
 * party of the shares shows it: no list of the other one has them. So it counts where it explains the other's transfer whole.
 */
function sharePayouts(transfers: readonly TracedTransfer[], kindOf: TraderOf): Payout[] {
  const known = new Map(transfers.map((transfer) => [transfer.id, transfer]));
  const payouts = payoutsAmong(
    transfers.map((transfer) => atIssuer(transfer, kindOf)),
    kindOf,
  );
  return payouts
    .map((payout) => ({
      ...payout,
      given: known.get(payout.given.id) as TracedTransfer,
      got: known.get(payout.got.id) as TracedTransfer,
    }))
    .filter((payout) => {
      const side = shareSide(payout);
      if (side === null) return false;
      const [market, part] = side === 'given' ? [payout.got.from, payout.gotPart] : [payout.given.to, payout.givenPart];
      return kindOf(market) === 'trader' && part > 1 - 1e-9;
    });
}

/** The side of a payout that is shares of a vault, destroyed or newly issued; null for none, and for both. */
function shareSide({ given, got }: Record<'given' | 'got', TracedTransfer>): 'given' | 'got' | null {
  if (isNullAddress(given.to) === isNullAddress(got.from)) return null;
  return isNullAddress(given.to) ? 'given' : 'got';
}

/** Puts the issuing contract in place of the zero address where it is labelled as a market: there its shares are bought and given back. */
export function atIssuer(transfer: TracedTransfer, kindOf: TraderOf): TracedTransfer {
  const { from, to, assetId } = transfer;
  if (isNullAddress(from) === isNullAddress(to)) return transfer;
  const issuer = `${chainOf(from)}:${assetId}`;
  if (kindOf(issuer) !== 'trader') return transfer;
  return isNullAddress(to) ? { ...transfer, to: issuer } : { ...transfer, from: issuer };
}

/** False for what is a bridge's, and for minting, burning and wrapping: these change the form of one party's money. */
function isDealing({ bridge, from, to }: TracedTransfer): boolean {
  return bridge === undefined && from !== to && ![from, to].some((key) => isNullAddress(key) || isWrapper(key));
}

/** How far an address is a market to those of lower rank. */
export function marketRank(key: string, kindOf: TraderOf): 0 | 1 | 2 {
  const kind = kindOf(key);
  return kind === 'trader' ? 2 : kind === 'contract' ? 1 : 0;
}

/** True where an address dealt with markets in a transaction and its own swap there does not explain it all. */
export function isOneSided(key: string, transfers: readonly TracedTransfer[], kindOf: TraderOf): boolean {
  const withShares = transfers.map((transfer) => atIssuer(transfer, kindOf));
  return [transfers, withShares].some((all) => {
    const { given, got } = positionOf(key, all.filter(isDealing), kindOf);
    if (given.length === 0 || got.length === 0) return given.length + got.length > 0;
    return restPart(given, got) > 0 || restPart(got, given) > 0;
  });
}

function positionsOf(dealings: readonly TracedTransfer[], kindOf: TraderOf): Position[] {
  const byParty = new Map<string, TracedTransfer[]>();
  for (const transfer of dealings) {
    addToGroup(byParty, transfer.from, transfer);
    addToGroup(byParty, transfer.to, transfer);
  }
  return [...byParty].map(([party, own]) => positionOf(party, own, kindOf));
}

/**
 * Sums by asset what it dealt with markets. In other assets what it dealt with its equals counts too: a pool that is not
 * known as one gives as much as it gets.
 */
function positionOf(party: string, transfers: readonly TracedTransfer[], kindOf: TraderOf): Position {
  const rank = marketRank(party, kindOf);
  const beyond = ({ from, to }: TracedTransfer) => (from === party ? to : from);
  const isUneven = (transfer: TracedTransfer) => marketRank(beyond(transfer), kindOf) !== rank;
  const position: Position = { given: [], got: [] };
  const traded = transfers.filter((transfer) => kindOf(beyond(transfer)) !== 'none' || isUneven(transfer));
  for (const ofAsset of groupBy(traded, ({ assetId }) => assetId).values()) {
    const dealings = ofAsset.some(isUneven) ? ofAsset.filter(isUneven) : ofAsset;
    const paid = dealings.filter(({ from }) => from === party);
    const received = dealings.filter(({ to }) => to === party);
    const net = quantityOf(received) - quantityOf(paid);
    const [side, changed] = net < 0 ? (['given', paid] as const) : (['got', received] as const);
    const part = Math.abs(net) / quantityOf(changed);
    if (!(part > 0)) continue;
    for (const transfer of changed) {
      position[side].push({ isAtMarket: marketRank(beyond(transfer), kindOf) > rank, transfer, part });
    }
  }
  return position;
}

/** The part, 0-1, of what has a price on one side of a position that the other side does not explain. */
function restPart(mine: readonly Leg[], other: readonly Leg[]): number {
  const usd = sum(mine.map(usdOf));
  return usd > 0 ? Math.max(0, 1 - (VALUE_RATIO_MAX * sum(other.map(usdOf))) / usd) : 0;
}

function quantityOf(transfers: readonly TracedTransfer[]): number {
  return transfers.reduce((sum, { amount }) => sum + Number(amount), 0);
}

function usdOf({ transfer, part }: Leg): number {
  return transfer.usd * part;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

/** Pairs by US dollars; null where one side has no price. */
function byValue(positions: readonly Position[]): Payout[] | null {
  const rests = (mine: 'given' | 'got', other: 'given' | 'got') =>
    positions.flatMap((position) => {
      const rest = restPart(position[mine], position[other]);
      return position[mine]
        .filter(({ isAtMarket, transfer }) => isAtMarket && transfer.priced && rest > 0)
        .map((leg) => ({ ...leg, part: leg.part * rest }));
    });
  const [given, got] = [rests('given', 'got'), rests('got', 'given')];
  const [paidUsd, cameUsd] = [sum(given.map(usdOf)), sum(got.map(usdOf))];
  if (paidUsd === 0 || cameUsd === 0) return null;
  const givenPart = Math.min(1, (VALUE_RATIO_MAX * cameUsd) / paidUsd);
  const gotPart = Math.min(1, (VALUE_RATIO_MAX * paidUsd) / cameUsd);
  return pairsOf(given, got, usdOf, (paid, came) => ({
    given: paid.transfer,
    givenPart: (paid.part * givenPart * usdOf(came)) / cameUsd,
    got: came.transfer,
    gotPart: (came.part * gotPart * usdOf(paid)) / paidUsd,
  }));
}

/** Pairs by quantity those who only gave, to labelled exchanges, with those who only got. */
function byUnits(positions: readonly Position[], kindOf: TraderOf): Payout[] {
  const legsOf = (mine: 'given' | 'got', other: 'given' | 'got') =>
    positions.flatMap((position) =>
      position[other].length > 0 ? [] : position[mine].filter(({ isAtMarket }) => isAtMarket),
    );
  const [given, got] = [legsOf('given', 'got'), legsOf('got', 'given')];
  const isOneAsset = (legs: readonly Leg[]) => new Set(legs.map(({ transfer }) => transfer.assetId)).size === 1;
  if (!isOneAsset(given) || !isOneAsset(got)) return [];
  if (!given.every(({ transfer }) => kindOf(transfer.to) === 'trader')) return [];
  const quantity = ({ transfer, part }: Leg) => Number(transfer.amount) * part;
  const [paidUnits, cameUnits] = [sum(given.map(quantity)), sum(got.map(quantity))];
  return pairsOf(given, got, quantity, (paid, came) => ({
    given: paid.transfer,
    givenPart: (paid.part * quantity(came)) / cameUnits,
    got: came.transfer,
    gotPart: (came.part * quantity(paid)) / paidUnits,
  }));
}

/** Pairs of legs in one transaction at most. */
const PAIRS_MAX = 20_000;

/**
 * Pairs each with each. Where those are too many, legs of one asset between the same two are taken as one, whose parts go on in their
 * order: anybody can pay in many. None where even so there are too many, as in batches for many parties.
 */
function pairsOf(
  given: readonly Leg[],
  got: readonly Leg[],
  worthOf: (leg: Leg) => number,
  payoutOf: (paid: Leg, came: Leg) => Payout,
): Payout[] {
  if (given.length * got.length <= PAYOUTS_MAX) {
    return given.flatMap((paid) => got.map((came) => payoutOf(paid, came)));
  }
  const merged = (legs: readonly Leg[]) =>
    [...groupBy(legs, ({ transfer: { from, to, assetId } }) => `${from} ${to} ${assetId}`).values()].map((part) =>
      spansOf(part, worthOf),
    );
  const [gave, took] = [merged(given), merged(got)];
  if (gave.length * took.length > PAYOUTS_MAX) return [];
  const pairs: Payout[] = [];
  for (const paid of gave) {
    for (const came of took) {
      for (let [i, j] = [0, 0]; i < paid.length && j < came.length; ) {
        const [here, there] = [paid[i], came[j]] as [Span, Span];
        const common = Math.min(here.to, there.to) - Math.max(here.from, there.from);
        const part = common / ((here.to - here.from) * (there.to - there.from));
        if (common > 0) {
          const { givenPart, gotPart, ...both } = payoutOf(here.leg, there.leg);
          pairs.push({ ...both, givenPart: part * givenPart, gotPart: part * gotPart });
        }
        if (here.to <= there.to) i += 1;
        else j += 1;
      }
      if (pairs.length > PAIRS_MAX) return [];
    }
  }
  return pairs;
}

/** A leg as a part, from 0 to 1, of several that are taken as one. */
interface Span {
  leg: Leg;
  from: number;
  to: number;
}

function spansOf(legs: readonly Leg[], worthOf: (leg: Leg) => number): Span[] {
  const whole = sum(legs.map(worthOf));
  let before = 0;
  return legs.map((leg, i) => {
    const from = before;
    before = i === legs.length - 1 ? 1 : before + worthOf(leg) / whole;
    return { leg, from, to: before };
  });
}

interface Deposit {
  transfer: TracedTransfer;
  /** The part of it, 0-1, that its market still has. */
  left: number;
}

const PRICED = 'US dollars';
/** Less of a deposit than this part is nothing. */
const LEAST_PART = 1e-9;

/** Deposits of a party at a market, oldest first. */
class Queue {
  private readonly all: Deposit[] = [];
  private next = 0;

  add(deposit: Deposit): void {
    this.all.push(deposit);
  }

  /** The first that its market still has and that is known to come before a receipt. */
  firstBefore(receipt: TracedTransfer): Deposit | undefined {
    for (let one = this.all[this.next]; one && one.left <= LEAST_PART; one = this.all[this.next]) this.next += 1;
    const first = this.all[this.next];
    return first && comparePlaces(first.transfer, receipt) < 0 ? first : undefined;
  }
}

/** Keeps what parties put into markets and neither took out nor had paid out to others. */
class Deposits {
  /** Deposits by party and market, and asset or `PRICED`. */
  private readonly open = new Map<string, Queue>();

  /** Adds a deposit, no earlier than the last one. */
  add(transfer: TracedTransfer, part: number): void {
    const { from, to, assetId, amount, usd, priced } = transfer;
    if (part <= LEAST_PART) return;
    const deposit = { transfer, left: part };
    const addTo = (kind: string) => {
      const name = `${from} ${to} ${kind}`;
      const queue = this.open.get(name) ?? new Queue();
      this.open.set(name, queue);
      queue.add(deposit);
    };
    if (Number(amount) > 0) addTo(assetId);
    if (priced && usd > 0) addTo(PRICED);
  }

  /**
   * Takes what a part (0-1) of a receipt from a market brings back of its receiver's earlier deposits there, the oldest first: in
   * the same asset by quantity, then by US dollars. Returns the part of the receipt that it is, with a little gain.
   */
  take(transfer: TracedTransfer, part: number): number {
    const { from, to, assetId, priced } = transfer;
    let missing = part;
    const takeFrom = (kind: string, worthOf: (one: TracedTransfer) => number) => {
      const queue = this.open.get(`${to} ${from} ${kind}`);
      const whole = worthOf(transfer);
      for (
        let deposit = queue?.firstBefore(transfer);
        deposit && whole * missing > 0;
        deposit = queue?.firstBefore(transfer)
      ) {
        const [has, wanted] = [worthOf(deposit.transfer) * deposit.left, whole * missing];
        const taken = Math.min(has, wanted);
        deposit.left = taken === has ? 0 : deposit.left * (1 - taken / has);
        missing = taken === wanted ? 0 : missing * (1 - taken / wanted);
      }
    };
    if (part > 0) takeFrom(assetId, ({ amount }) => Number(amount));
    if (part > 0 && priced) takeFrom(PRICED, ({ usd }) => usd);
    return Math.min(part, VALUE_RATIO_MAX * (part - missing));
  }
}

/** The parts that stand in the histories of both parties for a transfer with the market, by its id. */
type PaidOutParts = ReadonlyMap<string, Record<'given' | 'got', readonly TracedTransfer[]>>;

/** The parts into which the payouts of a transaction divide its transfers, what was not paid out as the last of them. */
export function partsOf(payouts: readonly Payout[]): PaidOutParts {
  const portions = { given: portionsOf(payouts, 'given'), got: portionsOf(payouts, 'got') };
  const parts = new Map<string, { given: TracedTransfer[]; got: TracedTransfer[] }>();
  const add = (id: string, side: 'given' | 'got', part: TracedTransfer) => {
    const sides = parts.get(id) ?? { given: [], got: [] };
    sides[side].push(part);
    parts.set(id, sides);
  };
  for (const [i, { given, got }] of payouts.entries()) {
    const there = { given: portions.given.of[i] as TracedTransfer, got: portions.got.of[i] as TracedTransfer };
    const shares = shareSide({ given, got });
    // The other party's history keeps its own transfer, whose id is then the payout's.
    const id = shares === null ? `${given.id}>${got.id}` : shares === 'given' ? got.id : given.id;
    for (const side of ['given', 'got'] as const) {
      if (shares !== null && shares !== side) continue;
      const { id: replaces } = there[side];
      add(replaces, side, { ...there[side], id, from: given.from, to: got.to, paidOut: { ...there, replaces } });
    }
  }
  for (const side of ['given', 'got'] as const) {
    for (const rest of portions[side].rests) if (parts.has(rest.id)) add(rest.id, side, rest);
  }
  return parts;
}

/**
 * The history of an address in which one transfer, from who gave to who got, stands for each swap that was paid out to
 * another party. It has one id and on each side that side's asset and quantity, so a share of what was given is the same
 * share of what was got. The market's own transfers stay: they are its swap.
 */
export function withPaidOut<T extends AddressTransfers>(history: T, parts: PaidOutParts): T {
  if (parts.size === 0) return history;
  const replaced = (transfers: readonly TracedTransfer[], side: 'given' | 'got') =>
    transfers.flatMap((transfer) => {
      const those = parts.get(transfer.id)?.[side] ?? [];
      // What a crossing explains is the bridge's.
      return those.length === 0 || transfer.bridge ? [transfer] : those;
    });
  return { ...history, received: replaced(history.received, 'got'), sent: replaced(history.sent, 'given') };
}

/** The portion of a transfer that each payout takes, and what is left of the transfers. */
function portionsOf(payouts: readonly Payout[], side: 'given' | 'got') {
  const of: TracedTransfer[] = [];
  const rests: TracedTransfer[] = [];
  const byTransfer = new Map<string, number[]>();
  for (const [i, payout] of payouts.entries()) addToGroup(byTransfer, payout[side].id, i);
  for (const places of byTransfer.values()) {
    const transfer = (payouts[places[0] as number] as Payout)[side];
    const { parts, rest } = divideTransfer(
      transfer,
      places.map((place) => (payouts[place] as Payout)[`${side}Part`]),
    );
    for (const [i, place] of places.entries()) of[place] = parts[i] as TracedTransfer;
    if (rest) rests.push(rest);
  }
  return { of, rests };
}
