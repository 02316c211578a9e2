import type { GraphContext } from '../../context.ts';
import { isCoinJoin } from '../../domain/coinjoin/transaction.ts';
import { type AddressLabel, isSure, isValidAt, type Label, SURE_CONFIDENCE } from '../../domain/label.ts';
import { SCAM_CATEGORIES } from '../../domain/scam.ts';
import type { Direction } from '../../domain/tracing/flow-portion.ts';
import type { Reading } from '../../domain/tracing/reading.ts';
import type { TracedTransfer } from '../../domain/tracing/traced-transfer.ts';
import { nullOnTimeout } from '../../fairness/deadline.ts';
import type { Graph } from '../../graph/port.ts';
import type { KnownHistories } from '../../graph/queries/histories.ts';
import { type LabelsOfParties, labelsByKey, type PartyLabelsContext } from '../../labels/node-labels.ts';
import type { OwnLabels } from '../../labels/own-labels.ts';
import { usdOf } from '../../risk/ledger/movements.ts';
import {
  type Accomplice,
  certaintyOf,
  findAccomplices,
  isSource,
  paidBeside,
  takerOf,
} from '../engine/accomplices/accomplices.ts';
import { signersOf } from '../engine/accomplices/ordered.ts';
import { sendersOfSold } from '../engine/accomplices/sold.ts';
import { netInTransactions, withoutRounds } from '../engine/net-in-transaction.ts';
import { type TraderOf, traderKind } from '../engine/swaps.ts';
import type { GraphAddress, OpenedAddress } from '../engine/walk/findings.ts';
import { knownHolders } from './by-entity.ts';
import { findRestitution } from './find-restitution.ts';
import type { Inquiry } from './inquiry.ts';
import {
  HUB_ADDRESS,
  isHub,
  openAddresses,
  openSubject,
  openTransparentCoinJoins,
  type Wanted,
} from './open-addresses.ts';
import { readPaidOut } from './payouts.ts';
import { Rounds } from './rounds.ts';
import { Reports } from './through-reports.ts';

/** Signers whose labels are looked up. */
const SIGNERS_MAX = 100;
/** Wallets one after the other that passed on what was sold. */
const SENDERS_IN_A_ROW = 3;
/** Most transfers read from the graph for one trace. */
const ROW_BUDGET = 400_000;

export interface ReadRequest {
  /** Histories that were read already; it takes those that are read now. */
  histories?: KnownHistories;
  rowBudget?: number;
  /** True: the label of an entity holds for its members that have none. */
  byEntity?: boolean;
  /** Epoch ms from which an address sends nothing, as if it had been frozen then; by key. */
  frozen?: ReadonlyMap<string, number>;
}

/** A subject as the graph holds it, and as the caller may know it. */
export interface OpenedSubject extends GraphAddress {
  isReadKnown: boolean;
}

type Answers = Record<Direction, ReadonlyMap<string, OpenedAddress>>;

/** Labels of addresses by key: those of their nodes, and of the caller itself. */
class PartyLabels extends Map<string, AddressLabel> {
  private readonly own: OwnLabels;

  constructor(own: OwnLabels) {
    super();
    this.own = own;
  }

  override set(key: string, label: AddressLabel): this {
    return super.set(key, this.own.onNode(key, label));
  }
}

/**
 * Opens each address once from the graph, until the time or transfer budget is used up. The steps, of which each needs what the ones
 * before it found:
 * 1. `load`: the transfers, the labels of their far ends, and whether the caller may know that the address was read;
 * 2. `withWholeTransactions`: what went round, who was paid out and who stands behind a router in the same transaction;
 * 3. `labelByHolders`: the labels of entities, where they were asked for;
 * 4. `keep`: the address is open, or known as a hub;
 * 5. `unmaskCoinJoins`, `linkRestitution`, `Reports.learn`: what the open histories say of labels and losses.
 */
export class GraphReader {
  readonly labels: PartyLabels;
  readonly opened = new Map<string, GraphAddress>();
  readonly readAddresses = new Set<string>();
  readonly reports: Reports;
  /** Receivers beside listed takers, by key, as far as `learnAccomplices` looked. */
  accomplices: ReadonlyMap<string, Accomplice> = new Map();
  /** True once the time or the room ended before anything that a trace asked for was read: no trace after that is whole. */
  isLate = false;
  readonly rounds: Rounds;
  private readonly owners: { labels: LabelsOfParties; at: number };
  private readonly coinJoinsSeen = new Set<string>();
  private readonly holdersSought = new Set<string>();
  private readonly graph: Graph;
  private readonly inquiry: Inquiry;
  private readonly request: ReadRequest;
  private readonly kindOf: TraderOf;
  private readonly hubs: Record<Direction, Set<string>> = { received: new Set(), sent: new Set() };
  private readonly readByCaller = new Set<string>();
  private room: number;

  /** An address of which `tradesNot` is true cannot be a side of a swap, whatever its label. */
  constructor(
    ctx: GraphContext & PartyLabelsContext & Inquiry,
    request: ReadRequest,
    tradesNot: (key: string) => boolean,
  ) {
    this.graph = ctx.graph;
    this.labels = new PartyLabels(ctx.ownLabels);
    this.rounds = new Rounds(ctx.graph, this.labels);
    this.inquiry = ctx;
    const labels = ctx.ownLabels.over(ctx.labels);
    this.reports = new Reports({ now: ctx.now, labels }, this.labels);
    this.owners = { labels, at: ctx.now() };
    this.request = request;
    this.kindOf = (key) => (tradesNot(key) ? 'none' : traderKind(key, this.labels.get(key) ?? { category: null }));
    this.room = request.rowBudget ?? ROW_BUDGET;
  }

  async openSubjects(keys: ReadonlySet<string>): Promise<Map<string, OpenedSubject> | 'late'> {
    const found = new Map<string, OpenedSubject>();
    for (const key of keys) {
      const subject = await this.openSubject(key);
      if (subject === 'late') return 'late';
      if (subject !== null) found.set(key, subject);
    }
    return found;
  }

  private async openSubject(key: string): Promise<OpenedSubject | null | 'late'> {
    const subject = await this.loadSubject(key);
    if (subject === null || subject === 'late') return subject;
    this.labels.set(key, { category: subject.category, label: null });
    await this.labelByHolders();
    this.opened.set(key, subject);
    await this.interpret(new Map([[key, subject]]), this.owners);
    return this.asRead(key, this.opened.get(key) ?? subject);
  }

  /** Once no time is left, only those that are open already. */
  async open(waiting: { direction: Direction; keys: string[] }[]): Promise<Answers> {
    const wanted: Wanted = new Map();
    for (const { direction, keys } of waiting) {
      for (const key of keys) {
        if (this.opened.has(key) || this.hubs[direction].has(key)) continue;
        wanted.set(key, { ...(wanted.get(key) ?? { received: false, sent: false }), [direction]: true });
      }
    }
    const found = wanted.size > 0 && this.hasTime() ? await this.read(wanted) : null;
    // Only a subject's money ends as its own: what its owner lost elsewhere does not go on from here.
    if (found !== null) await this.interpret(found, null);
    const answers = { received: new Map<string, OpenedAddress>(), sent: new Map<string, OpenedAddress>() };
    for (const { direction, keys } of waiting) {
      for (const key of keys) {
        const opened = this.openedFor(key, direction);
        if (opened) answers[direction].set(key, opened);
        else this.isLate = true;
      }
    }
    return answers;
  }

  /** Reads addresses that were not opened yet; null where the time ended. */
  private async read(wanted: Wanted): Promise<ReadonlyMap<string, GraphAddress> | null> {
    const found = await this.load(wanted);
    if (found === null) return null;
    // What nobody knows is found empty: only the room leaves any out.
    if (found.size < wanted.size) this.isLate = true;
    await this.labelByHolders();
    this.keep(found, wanted);
    return found;
  }

  private async loadSubject(key: string): Promise<GraphAddress | null | 'late'> {
    const { policy } = this.inquiry;
    const { histories } = this.request;
    const options = { labels: this.labels, timeoutMs: this.timeLeftMs(), policy, histories };
    const [subject] = await Promise.all([
      openSubject(this.graph, key, options)
        .then(async (found) => found && ((await this.withWholeTransactions(new Map([[key, found]]))).get(key) ?? null))
        .catch((error) => nullOnTimeout(error) ?? ('late' as const)),
      this.learnReading([key]),
    ]);
    return subject;
  }

  private async load(wanted: Wanted): Promise<ReadonlyMap<string, GraphAddress> | null> {
    const { policy } = this.inquiry;
    const { histories } = this.request;
    const options = { labels: this.labels, timeoutMs: this.timeLeftMs(), room: this.room, policy, histories };
    const [found] = await Promise.all([
      this.inTime(openAddresses(this.graph, wanted, options).then((opened) => this.withWholeTransactions(opened))),
      this.learnReading([...wanted.keys()]),
    ]);
    return found;
  }

  private keep(found: ReadonlyMap<string, GraphAddress>, wanted: Wanted): void {
    for (const [key, address] of found) {
      if (address.wasRead && this.isReadKnown(key)) this.readAddresses.add(key);
      this.room -= address.received.length + address.sent.length;
      const directions = (['received', 'sent'] as const).filter((direction) => wanted.get(key)?.[direction]);
      if (address.isHub) for (const direction of directions) this.hubs[direction].add(key);
      else this.opened.set(key, address);
    }
  }

  /** Labels the far ends that have no label by the entities that they belong to. */
  private async labelByHolders(): Promise<void> {
    if (!this.request.byEntity) return;
    const unnamed = [...this.labels].filter(([key, { category }]) => category === null && !this.holdersSought.has(key));
    const keys = unnamed.map(([key]) => key);
    for (const key of keys) this.holdersSought.add(key);
    const holders = await this.inTime(knownHolders(this.graph, keys, this.timeLeftMs()));
    for (const [key, { category, name }] of holders ?? []) {
      if (category !== null) this.labels.set(key, { ...this.labels.get(key), label: name, category });
    }
  }

  /** Finds out of new histories which CoinJoins hide their payers, what came back of losses, and which labels are reports. */
  private async interpret(
    found: ReadonlyMap<string, GraphAddress>,
    owners: GraphReader['owners'] | null,
  ): Promise<void> {
    await this.unmaskCoinJoins(found.values());
    await this.linkRestitution(found, owners);
    await this.reports.learn();
  }

  /** Links the losses of open addresses with what came back of them, to their owners too where these are given. */
  private async linkRestitution(
    found: ReadonlyMap<string, GraphAddress>,
    owners: GraphReader['owners'] | null,
  ): Promise<void> {
    const histories = new Map([...found].filter(([key]) => this.opened.has(key)));
    const { labels, kindOf } = this;
    const open = (keys: readonly string[]) => this.openBoth(keys);
    const options = { labels, kindOf, timeoutMs: this.timeLeftMs(), owners, open };
    const restitutions = await this.inTime(findRestitution(this.graph, histories, options));
    for (const [key, restitution] of restitutions ?? []) {
      const history = histories.get(key) ?? this.opened.get(key);
      if (history) this.opened.set(key, { ...history, restitution });
    }
  }

  /** True for a listed taker of money of which a source is sure. */
  isTaker(key: string): boolean {
    return SCAM_CATEGORIES.includes(this.labels.get(key)?.category ?? 'unknown') && !this.reports.has(key);
  }

  /** Opens who was paid by several in the same transactions as an open address: it may pass its part on to a listed taker. */
  async openPaidBeside(): Promise<void> {
    const most = paidBeside(this.opened, { labels: this.labels, isTaker: (key) => this.isTaker(key) });
    if (most.length > 0 && this.hasTime()) await this.openBoth(most);
  }

  /** Opens wallets of which open ones had tokens without a price that they sold, one after the other. */
  async openSendersOfSold(): Promise<void> {
    for (let passed = 0; passed < SENDERS_IN_A_ROW; passed++) {
      const senders = sendersOfSold(this.opened, this.labels);
      if (senders.length === 0 || !this.hasTime()) return;
      await this.openBoth(senders);
    }
  }

  /** Labels listed takers who signed for contracts, or for payments of others: who only signs stands at no end of a transfer. */
  async learnSigners(): Promise<void> {
    const { labels, at } = this.owners;
    const signers = new Set(signersOf(this.opened, this.labels, SIGNERS_MAX));
    for (const [key, known] of signers.size > 0 ? await labelsByKey(labels, signers) : []) {
      const isListed = (label: Label) =>
        SCAM_CATEGORIES.includes(label.category) && isSure(label) && isValidAt(label, at);
      const listed = known.find(isListed);
      if (listed) this.labels.set(key, { category: listed.category, label: listed.entity ?? listed.label });
    }
  }

  /** Finds accomplices among all that is open, and labels those behind the subjects as takers; true where any is new. */
  async learnAccomplices(subjects: ReadonlySet<string>): Promise<boolean> {
    const { labels, opened, reports } = this;
    this.accomplices = new Map([
      ...this.accomplices,
      ...findAccomplices(opened, { labels, isTaker: (key) => this.isTaker(key) }),
    ]);
    const learned = new Set<string>();
    for (const [key, accomplice] of this.accomplices) {
      const history = opened.get(key);
      if (subjects.has(key) || reports.has(key) || !history || !isSource(accomplice, history)) continue;
      const category = labels.get(takerOf(accomplice))?.category ?? null;
      labels.set(key, { ...labels.get(key), label: null, category });
      reports.add(key, certaintyOf(accomplice, history) >= SURE_CONFIDENCE);
      learned.add(key);
    }
    // What they give back is restitution, as what listed takers do.
    const paid = [...opened].filter(([key, { sent }]) => !subjects.has(key) && sent.some(({ to }) => learned.has(to)));
    if (paid.length > 0) await this.linkRestitution(new Map(paid), null);
    return learned.size > 0;
  }

  private async openBoth(keys: readonly string[]): Promise<Map<string, OpenedAddress>> {
    const missing = keys.filter((key) => !this.opened.has(key));
    if (missing.length > 0) await this.read(new Map(missing.map((key) => [key, { received: true, sent: true }])));
    return new Map(
      keys.flatMap((key) => {
        const opened = this.opened.get(key);
        return opened ? [[key, this.asRead(key, opened)] as const] : [];
      }),
    );
  }

  /** Takes the label of a mixer from CoinJoins that do not hide their payers; without time to look they keep it. */
  private async unmaskCoinJoins(histories: Iterable<GraphAddress>): Promise<void> {
    const coinJoins = new Set<string>();
    for (const { received, sent } of histories) {
      for (const { from } of received) if (isCoinJoin(from)) coinJoins.add(from);
      for (const { to } of sent) if (isCoinJoin(to)) coinJoins.add(to);
    }
    const unseen = [...coinJoins].filter((key) => !this.coinJoinsSeen.has(key));
    if (unseen.length === 0) return;
    for (const key of unseen) this.coinJoinsSeen.add(key);
    const options = { labels: this.labels, timeoutMs: this.timeLeftMs(), room: this.room };
    const transparent = await this.inTime(openTransparentCoinJoins(this.graph, unseen, options));
    for (const [key, coinJoin] of transparent ?? []) {
      this.room -= coinJoin.received.length + coinJoin.sent.length;
      this.labels.set(key, { label: null, ...this.labels.get(key), category: null });
      this.opened.set(key, coinJoin);
    }
  }

  /**
   * Returns the histories with what swaps paid out to others, and without what goes to and fro inside a transaction. Where the time ends
   * without payouts: a trace goes as far as it would without them.
   */
  private async withWholeTransactions(
    opened: ReadonlyMap<string, GraphAddress>,
  ): Promise<ReadonlyMap<string, GraphAddress>> {
    const { graph, labels, kindOf, rounds } = this;
    await this.inTime(rounds.learn(opened, this.timeLeftMs()));
    const moved = new Map(
      [...opened].map(([key, address]) => [key, counted(address, withoutRounds(address, rounds.left))]),
    );
    const options = { labels, kindOf, timeoutMs: this.timeLeftMs(), rounds: rounds.left };
    const paid = await this.inTime(readPaidOut(graph, moved, options));
    const behind = (await this.inTime(rounds.behind(moved, this.timeLeftMs()))) ?? undefined;
    const { frozen } = this.request;
    return new Map(
      [...(paid ?? moved)].map(([key, address]) => [
        key,
        { ...stoppedAt(frozen?.get(key) ?? Infinity, counted(address, netInTransactions(address))), behind },
      ]),
    );
  }

  private openedFor(key: string, direction: Direction): OpenedAddress | null {
    const opened = this.opened.get(key);
    if (opened) return { ...this.asRead(key, opened), isHub: isHub(opened, direction) };
    return this.hubs[direction].has(key) ? { ...HUB_ADDRESS, isReadKnown: this.isReadKnown(key) } : null;
  }

  /** Records which of the addresses the caller may know to have been read. */
  private async learnReading(keys: string[]): Promise<void> {
    for (const key of await this.inquiry.readBy(keys)) this.readByCaller.add(key);
  }

  /** The address as the caller may know it: what others have read is hidden, what a file holds is not. */
  private asRead(key: string, address: GraphAddress): OpenedSubject {
    if (this.isReadKnown(key)) return { ...address, isReadKnown: true };
    if (address.loaded === null) return { ...address, isReadKnown: false };
    return { ...address, reading: address.loaded, scannedAt: null, isScanComplete: false, isReadKnown: true };
  }

  private isReadKnown(key: string): boolean {
    return this.readByCaller.has(key);
  }

  private hasTime(): boolean {
    const hasTime = this.inquiry.remainingMs() > 0;
    if (!hasTime) this.isLate = true;
    return hasTime;
  }

  /** Returns what was asked for; null where the time ended before. */
  private async inTime<T>(asked: Promise<T>): Promise<T | null> {
    const found = await asked.catch(nullOnTimeout);
    if (found === null) this.isLate = true;
    return found;
  }

  private timeLeftMs(): number {
    return Math.max(1, this.inquiry.remainingMs());
  }
}

/** The address with what is left of its transfers, and totals that count no more. */
function counted(address: GraphAddress, { received, sent, netted }: GraphAddress): GraphAddress {
  if (received === address.received && sent === address.sent) return address;
  const totalOf = (direction: Direction, left: readonly TracedTransfer[]) => {
    const { usd, ...counted } = address.totals[direction];
    return { ...counted, usd: usd - usdOf(address[direction]) + usdOf(left) };
  };
  return {
    ...address,
    received,
    sent,
    netted,
    totals: { received: totalOf('received', received), sent: totalOf('sent', sent) },
  };
}

/** The address as if it had sent nothing from a moment on; the chain then states no balance that would fit. */
function stoppedAt(stop: number, address: GraphAddress): GraphAddress {
  const sent = address.sent.filter(({ at }) => at < stop);
  if (sent.length === address.sent.length) return address;
  const reading: Reading = (assetId) =>
    address.reading(assetId).map((span) => ({
      ...span,
      opening: span.from !== null && span.from >= stop ? null : span.opening,
      closing: span.to >= stop ? null : span.closing,
    }));
  return { ...counted(address, { ...address, sent }), reading };
}
