import { type Crossing, isOpen, madeBy } from '../../../domain/bridges/crossing.ts';
import { ADVERSE_CATEGORIES } from '../../../domain/label.ts';
import { isNullAddress } from '../../../domain/tracing/asset-id.ts';
import {
  type Arrivals,
  addArrival,
  CUT_SHORT,
  type Direction,
  type EndReason,
  endedBridge,
  type FlowPortion,
  farEnd,
  type HowReturned,
  isAllReturned,
  isPathOnly,
  largestFirst,
  type MoneyEnd,
  nearEnd,
} from '../../../domain/tracing/flow-portion.ts';
import type { Rule } from '../../../domain/tracing/rule.ts';
import type { AddressTransfers, TracedTransfer } from '../../../domain/tracing/traced-transfer.ts';
import { type AccountSide, Accounts, isStake } from '../accounts.ts';
import type { Replay, ReplayHistory } from '../replay.ts';
import type { ReplayStep } from '../replay-step.ts';
import { setOff } from '../set-off.ts';
import { exchangedParts, loopedParts } from '../swaps.ts';
import { AddressRoles, type RolesOptions } from './address-roles.ts';
import { Distances, isPassing, isRelay, passesChain } from './distances.ts';
import { atTheParty } from './evidence.ts';
import { type BridgedTransfer, Findings, type OpenedAddress, type Trace } from './findings.ts';
import { HaircutReplay, type Move, type StepBudget } from './haircut-replay.ts';
import { type Split, splitBridgeFee, splitLooped, splitOwn } from './split.ts';
import { Visits } from './visits.ts';

// What an address received is traced back through unlabelled addresses to labelled ones; the sent side is the mirror
// image. Money that reaches one transfer by several ways is added up. Money is conserved: the attributed money and the
// unattributed money, by reason, add up to the total.
//
// All steps of all open addresses are visited in the order of time, so that an address that money passes a thousand times
// is passed once. What reaches an address that is not open waits; when it is, it goes on from there by itself, since
// shares of several sums add up.

export interface TraceOptions extends RolesOptions {
  direction: Direction;
  /** Epoch ms: an address read then or later is taken to still hold what it has not paid on. */
  heldSince: number;
  /** Also finds labelled addresses that a path in time order reaches, even if none of the money does. */
  withPaths: boolean;
  /** Most steps to a labelled party that counts; an address is opened where it lies nearer. */
  hopsMax: number;
  /** Addresses opened at once, those with the largest sums first. */
  limit: number;
  /** Epoch ms: what the subject moved since then is recent. */
  recentSince: number;
  /**
   * True for the account of the money: what the subject exchanged itself inside one transaction neither came nor went;
   * left out, it is listed with who took and gave it.
   */
  leavesOutExchanges?: boolean;
  /** Which of a wallet's mixed money goes on; default: pro rata. */
  rule?: Rule;
  /** Steps of opened addresses that are visited, those of passes under way apart; default: STEPS_MAX. */
  stepsMax?: number;
}

/** Five for each of the transfers that one answer may read. */
const STEPS_MAX = 2_000_000;

/** An address that less than this part of the total reached is not opened. */
const SMALLEST_SHARE = 1e-6;
/** A transfer that carries less than this part of the total to an open address is not followed. */
const SMALLEST_PART = 1e-8;
/** How often money may come to steps of one moment that were passed already. */
const PASSES_MAX = 50;

/** An address that money passes, the subject itself included. */
type PassedAddress = AddressTransfers & Pick<OpenedAddress, 'restitution'>;

export type TracedSubject = PassedAddress & ReplayHistory;

interface OpenPass extends Pick<OpenedAddress, 'replaced'> {
  pass: HaircutReplay;
  /** Pass for the money that the subject itself paid to the address; another one where some of it came back. */
  ownPass: HaircutReplay;
}

/**
 * A trace under way of one side of an address, or of several that are one party: all their transfers, and those of `own` to be
 * followed. Its caller reads the addresses, so that one query can open those of several traces.
 */
export class Search {
  private readonly subjects: ReadonlyMap<string, PassedAddress>;
  private readonly accounts: Accounts;
  private readonly options: TraceOptions;
  private readonly roles: AddressRoles;
  private readonly found: Findings;
  private readonly totalUsd: number;
  /** US dollars of own transfers that are left out as exchanges. */
  readonly exchangedUsd: number;
  private readonly uncoveredUsd: number;
  private recentUsd = 0;
  private readonly relays = new Set<string>();
  /** Wallets that only pass money on, relays among them. */
  private readonly passing = new Set<string>();
  private readonly moneyDistances: Distances;
  /** Also over transfers that a path leads along, but none of the money. */
  private readonly pathDistances: Distances;
  private readonly opened = new Map<string, PassedAddress & OpenPass>();
  private readonly refused = new Map<string, EndReason>();
  private readonly waiting: Waiting;
  private readonly visits: Visits;
  private readonly passes: Move[][] = [];
  private moves: Move[] = [];
  private readonly budget: StepBudget;
  private passesLeft = PASSES_MAX;
  private chosen: Arrivals[] = [];
  private likelyUsd = 0;
  private openUsd = 0;
  private claimedUsd = 0;
  private readonly unpricedBridged: readonly BridgedTransfer[];

  constructor(subjects: ReadonlyMap<string, TracedSubject>, own: readonly TracedTransfer[], options: TraceOptions) {
    this.subjects = subjects;
    this.options = options;
    this.budget = { left: options.stepsMax ?? STEPS_MAX };
    this.roles = new AddressRoles(new Set(subjects.keys()), options);
    this.found = new Findings(options.direction, this.roles);
    const newDistances = () => new Distances(subjects.keys(), options.hopsMax, this.relays);
    this.moneyDistances = newDistances();
    this.pathDistances = options.withPaths ? newDistances() : this.moneyDistances;
    this.visits = new Visits(options.direction);
    this.accounts = new Accounts(
      (address) => this.historyOf(address),
      (key) => this.roles.traderOf(key),
    );
    this.waiting = new Waiting(options.direction);
    const { leavesOutExchanges = false } = options;
    const steps = leavesOutExchanges
      ? [...subjects].flatMap(([key, subject]) => this.roles.replayOf(key, subject).steps)
      : [];
    const exchanged = exchangedParts(steps);
    const looped = leavesOutExchanges
      ? new Map<string, number>()
      : loopedParts([...subjects.values()].flatMap((subject) => this.roles.tradesOf(subject)));
    this.uncoveredUsd = leavesOutExchanges && options.direction === 'sent' ? uncoveredUsd(steps) : 0;
    const followed = own
      .filter(({ priced }) => priced || options.withPaths)
      .map((transfer) => ({ transfer, part: 1 - (exchanged.get(transfer.id) ?? 0) }));
    const fromSubject = { hops: 1, unreadUsd: 0, onto: null };
    this.unpricedBridged = own.flatMap((transfer) => {
      const portion = { ...fromSubject, transfer, usd: 0, recentUsd: 0, fraction: 1, conversions: [] };
      return this.unpricedBridge(portion) ?? [];
    });
    this.totalUsd = followed.reduce((sum, { transfer, part }) => sum + transfer.usd * part, 0);
    this.exchangedUsd = followed.reduce((sum, { transfer, part }) => sum + transfer.usd * (1 - part), 0);
    for (const { transfer, part: fraction } of followed) {
      if (fraction === 0) continue;
      const usd = transfer.usd * fraction;
      const recentUsd = transfer.at >= options.recentSince ? usd : 0;
      this.recentUsd += recentUsd;
      const portion = { ...fromSubject, transfer, usd, recentUsd, fraction, conversions: [] };
      const address = this.farOf(portion);
      // A labelled party is the end of it anyway.
      const part = this.roles.isEnd(address) ? 0 : (looped.get(transfer.id) ?? 0);
      if (part > 0) this.settle(portion, splitLooped(portion, address, part));
      if (part < 1 || options.withPaths) this.enter(portion);
    }
    this.choose();
  }

  /** Returns an own transfer without a price over a known bridge, or null. A receipt needs a crossing: anybody can send. */
  private unpricedBridge(portion: FlowPortion): BridgedTransfer | null {
    const address = this.farOf(portion);
    const { bridge, priced } = portion.transfer;
    const { category, label } = this.options.labelOf(address);
    const protocol = bridge?.crossing.protocol ?? this.options.bridgeOf(address);
    const isKnown = this.options.direction === 'sent' && (protocol !== null || category === 'bridge');
    if (priced || !(bridge ? !bridge.goesBehind : isKnown)) return null;
    return { address, label: label ?? protocol, portion };
  }

  /** The addresses needed to go on, largest sums first; empty at the end. */
  wanted(): string[] {
    return [...new Set(this.chosen.map(({ address }) => address))];
  }

  /** Hands in the wanted addresses, for `visit` to go on. One that is missing stays unopened. */
  advance(found: ReadonlyMap<string, OpenedAddress>): void {
    for (const { address, portions } of this.chosen) {
      const pass = this.passOf({ address, portions }, found);
      if (typeof pass === 'string') this.stop(address, portions, pass);
      else for (const one of portions) this.deliver(pass, one);
    }
    this.passesLeft = PASSES_MAX;
  }

  /** Visits `most` steps of open addresses; false once nothing is left, and `wanted` has the next ones. */
  visit(most: number): boolean {
    for (let count = 0; count < most; count++) {
      const pass = this.visits.next();
      if (!pass) return this.endPass();
      const move = pass.visit();
      if (move) this.moves.push(move);
      if (move?.gone) this.enter(move.gone);
      this.visits.add(pass);
    }
    return true;
  }

  result(): Trace {
    for (const { address, portions } of this.waiting.take(() => true)) {
      if (portions.some((one) => !isPathOnly(one))) this.found.stop(address, portions, 'max_hops');
    }
    for (const { gone } of this.passes.flat()) if (gone) gone.hops = this.distancesOf(gone).of(this.nearOf(gone)) + 1;
    const { totalUsd, exchangedUsd, uncoveredUsd, recentUsd, passes } = this;
    const summary = this.found.summary((address) => this.distanceOf(address));
    const { recentSince } = this.options;
    const { claimedUsd, unpricedBridged } = this;
    const suspectUsd = this.suspectUsd(summary.ends);
    const [likelyUsd, openUsd] = [Math.min(totalUsd, this.likelyUsd), Math.min(totalUsd, this.openUsd)];
    const own = { totalUsd, exchangedUsd, uncoveredUsd, recentUsd, recentSince };
    return { ...own, likelyUsd, openUsd, claimedUsd, suspectUsd, passes, unpricedBridged, ...summary };
  }

  /** Money that moved with one transfer away from the subject: it ends, waits, or goes on at once. */
  private enter(portion: FlowPortion): void {
    const { transfer } = portion;
    const address = this.farOf(portion);
    this.pathDistances.add(this.nearOf(portion), address);
    if (!isPathOnly(portion)) this.moneyDistances.add(this.nearOf(portion), address);
    const { bridge } = transfer;
    if (bridge && bridge.end !== null && this.isClaim(bridge.crossing)) this.claimedUsd += portion.usd;
    const ended = endedBridge(portion, this.options.direction);
    if (ended) {
      this.found.endAtBridge(address, portion, ended);
      return;
    }
    if (bridge?.goesBehind && bridge.end !== null)
      this.found.noteClaim(address, portion, { ...bridge, end: bridge.end });
    const doubt = doubtOf(portion);
    if (doubt && !hasDoubt(portion.onto, doubt)) this[doubt] += portion.usd;
    const fee = splitBridgeFee(portion, this.options.direction);
    if (fee) this.settle(portion, fee);
    const refusal = this.refused.get(address);
    const open = this.opened.get(address);
    if (this.subjects.has(address)) this.found.end(address, portion, 'own_money');
    else if (isStake(transfer)) this.endStake(address, portion);
    else if (isNullAddress(address)) this.found.endNowhere(address, portion);
    else if (this.takeRestitution(address, portion)) return;
    else if (this.classify(address, portion)) return;
    else if (refusal) this.stop(address, [portion], refusal);
    else if (!open || !this.isNear(address, portion)) this.waiting.add(address, portion);
    else if (portion.usd > 0 && portion.usd < SMALLEST_PART * this.totalUsd)
      this.found.end(address, portion, 'small_share');
    else this.deliver(open.pass, portion);
  }

  /** Takes out what the near end lost and got back; true where nothing else is left. */
  private takeRestitution(address: string, portion: FlowPortion): boolean {
    const { restitution } = this.historyOf(this.nearOf(portion)) ?? {};
    if (!restitution) return false;
    if (this.options.direction === 'received' && restitution.unread.has(address)) this.found.toRead(address, portion);
    this.takeOwn(address, portion, restitution.sides.get(portion.transfer.id) ?? [], { isAccount: false });
    return isAllReturned(portion);
  }

  /** Takes out what the near end took out of the contract again, or had put in. */
  private takeAccount(address: string, portion: FlowPortion, replay: Replay | null): void {
    if (portion.returned || isPathOnly(portion)) return;
    const sides = this.accounts.otherSides(this.nearOf(portion), address, portion.transfer.id, replay);
    this.takeOwn(address, portion, sides, { isAccount: true });
  }

  private takeOwn(address: string, portion: FlowPortion, sides: readonly AccountSide[], how: HowReturned): void {
    if (sides.length === 0 || isPathOnly(portion)) return;
    const replay = this.opened.get(this.nearOf(portion))?.pass.replay;
    this.settle(portion, splitOwn(portion, this.options.direction, { address, sides, how, replay }));
  }

  /** Writes down what ended of a portion and sends on what came back: the portion keeps the rest. */
  private settle(portion: FlowPortion, { onward, returned, ended }: Split): void {
    for (const one of ended) this.found.add(one);
    const pass = this.opened.get(this.nearOf(portion))?.pass;
    for (const { onward: back } of returned) if (back) pass?.goOn(back);
    if (pass && returned.length > 0) this.visits.add(pass);
    Object.assign(portion, onward);
  }

  private suspectUsd(ends: readonly MoneyEnd[]): number {
    const beyond = ends.flatMap(({ reason, arrivals }) => (CUT_SHORT.includes(reason) ? arrivals : []));
    return beyond.reduce((sum, portion) => (this.isSuspect(portion) ? sum + portion.usd : sum), 0);
  }

  /** True where a chain of relays, or an address that is reported as adverse, lies on its way. */
  private isSuspect(portion: FlowPortion): boolean {
    const way: string[] = [];
    for (let one: FlowPortion | null = portion; one; one = one.onto) way.push(this.nearOf(one));
    const { labelOf } = this.options;
    const isAdverse = (address: string) => ADVERSE_CATEGORIES.some((one) => one === labelOf(address).category);
    return passesChain(way, this.passing) || way.some((one) => !this.subjects.has(one) && isAdverse(one));
  }

  /** True where anybody could state what the money's own side of the bridge says. */
  private isClaim({ protocol }: Crossing): boolean {
    return madeBy(protocol, this.options.direction === 'sent' ? 'source' : 'destination') === 'open';
  }

  private classify(address: string, portion: FlowPortion): boolean {
    // At an address behind the subject such deposits are part of its replay.
    if (portion.onto === null && this.roles.isExchange(address)) this.takeAccount(address, portion, null);
    if (isAllReturned(portion)) return true;
    return this.found.classify(address, portion, () =>
      this.accounts.isOneSided(this.nearOf(portion), portion.transfer),
    );
  }

  /** Ends stake that its receiver did not put in itself, or its payer does not take back: its owner is not known. */
  private endStake(address: string, portion: FlowPortion): void {
    if (!portion.returned) {
      const sides = this.accounts.stakeSides(this.nearOf(portion), portion.transfer.id);
      this.takeOwn(address, portion, sides, { isAccount: true, isStake: true });
    }
    if (!isAllReturned(portion)) this.found.end(address, portion, 'contract');
  }

  private stop(address: string, arrived: readonly FlowPortion[], reason: EndReason): void {
    for (const portion of arrived) this.takeAccount(address, portion, null);
    for (const portion of arrived) {
      if (isAllReturned(portion)) continue;
      if (this.accounts.endsUnpriced(reason, this.nearOf(portion), portion.transfer))
        this.found.end(address, portion, 'unpriced');
      else this.found.stop(address, [portion], reason);
    }
  }

  /** The addresses that are opened next; what lies too far away may come nearer yet. */
  private choose(): void {
    const next: Arrivals[] = [];
    for (const arrivals of this.waiting.take((address, portion) => this.isNear(address, portion))) {
      const { address, portions, usd } = arrivals;
      const isSmall = usd > 0 && usd < SMALLEST_SHARE * this.totalUsd;
      if (isSmall) for (const one of portions) this.found.end(address, one, 'small_share');
      else next.push(arrivals);
    }
    next.sort(largestFirst);
    const limit = this.budget.left > 0 ? this.options.limit : 0;
    for (const { address, portions } of next.slice(limit)) this.found.stop(address, portions, 'limit');
    this.chosen = next.slice(0, limit);
  }

  /** The pass through an address, or why it is not followed. */
  private passOf(
    { address, portions }: Pick<Arrivals, 'address' | 'portions'>,
    found: ReadonlyMap<string, OpenedAddress>,
  ): HaircutReplay | EndReason {
    const known = this.refused.get(address) ?? this.opened.get(address)?.pass;
    if (known) return known;
    const opening = found.get(address);
    if (!opening) return this.refuse(address, 'time_budget');
    const refusal = stopReasonOf(opening, this.options.direction);
    if (refusal !== null) return this.refuse(address, refusal);
    const { direction, heldSince, withPaths } = this.options;
    const { isReadKnown, replaced, received, sent, restitution } = opening;
    const replay = this.roles.replayOf(address, opening);
    const smallestUsd = SMALLEST_PART * this.totalUsd;
    const { budget } = this;
    const isOwn = (key: string) => this.subjects.has(key);
    const { rule = 'pro_rata' } = this.options;
    const endsWithBalance = rule === 'poison';
    const layers = rule === 'pro_rata' || rule === 'poison' ? undefined : { rule, isOwn };
    const options = { direction, heldSince, withPaths, isReadKnown, smallestUsd, budget, layers, endsWithBalance };
    const repaid = direction === 'sent' && !layers ? setOff(replay, isOwn) : null;
    const pass = new HaircutReplay(address, repaid?.others ?? replay, options);
    const ownPass = repaid ? new HaircutReplay(address, repaid.own, options) : pass;
    this.opened.set(address, { pass, ownPass, replaced, received, sent, restitution });
    const [most] = portions.toSorted((a, b) => b.usd - a.usd);
    const passed = most && atTheParty(most.transfer, direction).assetId;
    if (passed !== undefined && isRelay(opening, passed)) this.relays.add(address);
    if (passed !== undefined && (this.relays.has(address) || isPassing(opening, passed))) this.passing.add(address);
    return pass;
  }

  private refuse(address: string, reason: EndReason): EndReason {
    this.refused.set(address, reason);
    return reason;
  }

  private deliver(pass: HaircutReplay, portion: FlowPortion): void {
    // What a pool or a solver paid out for a crossing goes no further: it is the money of who sent it on the other chain.
    const { id, bridge } = portion.transfer;
    if (bridge?.end !== null && this.opened.get(pass.address)?.replaced?.has(id)) {
      this.found.end(pass.address, portion, 'bridge_liquidity');
      return;
    }
    const entered = (portion.onto === null && this.opened.get(pass.address)?.ownPass) || pass;
    this.takeAccount(pass.address, portion, entered.replay);
    if (isAllReturned(portion)) return;
    if (entered.arrive(portion)) this.visits.add(entered);
    else this.found.stop(pass.address, [portion], 'not_read');
  }

  /** Begins another pass for money that came too late for this one; false without any. */
  private endPass(): boolean {
    this.passesLeft -= 1;
    const goesOn = this.passesLeft > 0 && this.budget.left > 0;
    const ended = this.visits.finish();
    for (const pass of ended) this.found.passed(pass.address, pass.finish(goesOn));
    this.passes.push(this.moves);
    this.moves = [];
    const active = ended.filter(({ isActive }) => isActive);
    for (const pass of active) this.visits.add(pass);
    if (active.length > 0) return true;
    this.choose();
    return false;
  }

  private historyOf(address: string): PassedAddress | undefined {
    return this.subjects.get(address) ?? this.opened.get(address);
  }

  private isNear(address: string, portion: FlowPortion): boolean {
    return this.distancesOf(portion).isWithin(address);
  }

  /** Along the money where any came there. */
  private distanceOf(address: string): number {
    const distance = this.moneyDistances.of(address);
    return Number.isFinite(distance) ? distance : this.pathDistances.of(address);
  }

  private distancesOf(portion: FlowPortion): Distances {
    return isPathOnly(portion) ? this.pathDistances : this.moneyDistances;
  }

  private farOf({ transfer }: FlowPortion): string {
    return farEnd(transfer, this.options.direction);
  }

  private nearOf({ transfer }: FlowPortion): string {
    return nearEnd(transfer, this.options.direction);
  }
}

/** Returns why an address is not followed; null for all others. */
function stopReasonOf({ isHub, isPool }: OpenedAddress, direction: Direction): EndReason | null {
  if (isHub) return 'hub_not_expanded';
  if (!isPool) return null;
  return direction === 'sent' ? 'contract' : 'contract_not_expanded';
}

/** Names what is doubtful of the crossing over which money went on; null for none. */
function doubtOf({ transfer: { bridge } }: FlowPortion): 'likelyUsd' | 'openUsd' | null {
  if (bridge?.end !== null) return null;
  if (bridge.crossing.match === 'likely') return 'likelyUsd';
  return isOpen(bridge.crossing) ? 'openUsd' : null;
}

/** Returns true where its money, or most of it, went over such a crossing before: what crosses two is counted once. */
function hasDoubt(portion: FlowPortion | null, doubt: ReturnType<typeof doubtOf>): boolean {
  for (let one = portion; one; one = one.onto) if (doubtOf(one) === doubt) return true;
  return false;
}

/** US dollars of payments that nothing covers which came in, though the history is known from its beginning. */
function uncoveredUsd(steps: readonly ReplayStep[]): number {
  let sum = 0;
  for (const { kind, uncovered, units, transfer, span } of steps) {
    if (kind !== 'payment' || uncovered <= 0 || span?.from !== Number.NEGATIVE_INFINITY) continue;
    sum += ((transfer?.usd ?? 0) * uncovered) / units;
  }
  return sum;
}

/** Money at addresses that are not open; paths without money wait by asset. */
class Waiting {
  private readonly direction: Direction;
  private readonly byName = new Map<string, Arrivals>();

  constructor(direction: Direction) {
    this.direction = direction;
  }

  add(address: string, portion: FlowPortion): void {
    const name = isPathOnly(portion) ? `${address} ${portion.transfer.assetId}` : address;
    const arrivals = this.byName.get(name) ?? { address, usd: 0, portions: [] };
    this.byName.set(name, arrivals);
    if (addArrival(arrivals.portions, portion, this.direction)) arrivals.usd += portion.usd;
  }

  /** Takes out what waits at addresses that are near enough. */
  take(isNear: (address: string, portion: FlowPortion) => boolean): Arrivals[] {
    const near = [...this.byName].filter(([, { address, portions }]) => isNear(address, portions[0] as FlowPortion));
    for (const [name] of near) this.byName.delete(name);
    return near.map(([, arrivals]) => arrivals);
  }
}
