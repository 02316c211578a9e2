import { canonicalAddress } from '../../domain/address/address.ts';
import { parseAddressKey } from '../../domain/address/address-key.ts';
import type { Chain } from '../../domain/chain.ts';
import type { HistoryList } from '../../domain/chains.ts';
import { compare } from '../../domain/compare.ts';
import { groupBy } from '../../domain/group-by.ts';
import type { Direction, EndReason } from '../../domain/tracing/flow-portion.ts';
import { knowsBalance, type ReadSpan, spanAt } from '../../domain/tracing/reading.ts';
import type { TracedTransfer } from '../../domain/tracing/traced-transfer.ts';
import { usdOf } from '../../risk/ledger/movements.ts';
import { atTheParty } from '../engine/walk/evidence.ts';
import type { FrontierEntry, GraphAddress } from '../engine/walk/findings.ts';
import type { OpenedSubject } from './graph-reader.ts';
import type { MoneyTraces } from './trace-money.ts';

/** Returns where the trace ended or passed unread in any direction, the subject among it, largest first. */
export function frontierOf(
  asked: readonly string[],
  traces: MoneyTraces,
  directions: readonly Direction[],
): FrontierEntry[] {
  const own = asked.flatMap((address) => {
    const subject = traces.subjects.get(address);
    const reason = missingOfSubject(subject);
    if (reason === null) return [];
    return directions.map((direction): FrontierEntry => {
      const { totalUsd } = traces[direction];
      const usd = asked.length === 1 ? totalUsd : Math.min(totalUsd, subject?.totals[direction].usd ?? 0);
      return { address, direction, hop: 0, usd, reason, around: null, bridge: null };
    });
  });
  const behind = directions.flatMap((direction) => traces[direction].frontier);
  return [...own, ...behind].sort((a, b) => b.usd - a.usd || a.hop - b.hop || compare(a.address, b.address));
}

/** Returns what is missing of the subject's own history. */
export function missingOfSubject(subject: OpenedSubject | undefined): EndReason | null {
  if (isUnread(subject)) return 'not_read';
  return subject?.scannedAt !== null && subject?.isScanComplete ? null : 'partial_history';
}

/** True for a subject of which the caller may know nothing that was read: no scan, and no loaded file. */
export function isUnread(subject: OpenedSubject | undefined): boolean {
  return !subject?.isReadKnown || (subject.scannedAt === null && subject.loaded === null);
}

/** Limits of an expansion. */
export interface ExpansionBudget {
  directions: readonly Direction[];
  /** How far money is traced. */
  maxHops: number;
  /** No address further away is opened. */
  openHops: number;
  /** Addresses opened: in all, and on each side. */
  addresses: Record<Direction | 'total', number>;
  /** An address that holds less than this part of its direction's money is not opened, 0-1. */
  minShare: number;
  minUsd: number;
  /** Bridges whose other side is looked for; 0 leaves out what lies on other chains. */
  crossings: number;
  /** Transactions at markets and contracts that are read for who paid, or was paid. */
  transactions: number;
  /** Addresses, of both sides together, that only pass a part of the money on, which cost none of the others; default: none. */
  relays?: number;
}

/** How to read a history. */
interface ReadingPlan {
  /** The transfer from which reading begins; null: the history is read whole, as the subject's, and one that contradicts itself. */
  around: Pick<TracedTransfer, 'txHash' | 'block' | 'at' | 'assetId'> | null;
  /** True when the graph already holds what a reading would give, from another account's read. */
  served: boolean;
  /** True when what it held before the known part of its history is known too. */
  knowsBefore: boolean;
  /** True when the graph holds a part of its history that was read. */
  isReadInPart: boolean;
}

/** An address to open, and how. */
export interface NextAddress extends ReadingPlan {
  key: string;
  direction: Direction;
  hop: number;
  usd: number;
  share: number;
}

/** Senders of tokens that were sold, looked for at once, and the least part of the money that these brought. */
const SOLD_MAX = 3;
const SOLD_SHARE = 0.1;

/** Reasons for which opening the address may let the trace go on. */
const OPENABLE: readonly EndReason[] = ['not_read', 'partial_history', 'not_read_since', 'received_unseen'];

export interface ChooseOptions extends ExpansionBudget {
  /** The subject. */
  key: string;
  /** Also opens the subject's own history if it was not read. */
  withSubject: boolean;
  /** Entries that were tried, as nameOf gives them. */
  tried: ReadonlySet<string>;
  /** The lists that the source of a chain offers; empty without a source. */
  listsOf: (chain: Chain) => readonly HistoryList[];
  /** Epoch ms: an address read at this moment or later was read up to now. */
  readSince: number;
  /** True: what contradicts itself is read again, from its beginning; default: an earlier reading serves. */
  readsAgain?: boolean | undefined;
}

export function nextAddressName({ key, direction }: { key: string; direction: Direction }): string {
  return `${direction} ${key}`;
}

interface Chosen {
  /** The subject first, then by share of the money; each address once. */
  next: NextAddress[];
  /** Entries of the frontier that these readings are for, largest first; an address may be there in both directions. */
  entries: FrontierEntry[];
  /** Why others cannot be opened. */
  reasons: Set<string>;
}

/** The addresses worth opening: readings of them would attribute more money. */
export function chooseNext(traces: MoneyTraces, options: ChooseOptions): Chosen {
  const { key: subject, withSubject, directions, tried, listsOf, minShare, minUsd, openHops } = options;
  const reasons = new Set<string>();
  const next: NextAddress[] = [];
  const entries: FrontierEntry[] = [];
  const unpriced = directions.includes('received') ? soldFrontier(subject, traces) : [];
  for (const entry of [...unpriced, ...frontierOf([subject], traces, directions)]) {
    const { address: key, direction, hop, usd } = entry;
    const { totalUsd } = traces[direction];
    const share = totalUsd > 0 && !unpriced.includes(entry) ? usd / totalUsd : 1;
    // Addresses without known money are not opened, except the subject.
    const isDust = hop > 0 && (usd <= 0 || share < minShare || usd < minUsd);
    const isOpenable = hop === 0 ? withSubject && needsReading(entry, traces) : OPENABLE.includes(entry.reason);
    if (!isOpenable || hop > openHops || isDust) continue;
    const { chain, address } = parseAddressKey(key);
    if (tried.has(nextAddressName({ key, direction })) || canonicalAddress(chain, address)?.address !== address)
      continue;
    if (!isListed(entry, listsOf(chain))) {
      reasons.add('not_readable');
      continue;
    }
    const place = { key, direction, hop, usd, share };
    const isDoubted = options.readsAgain && entry.reason === 'received_unseen';
    const where = isDoubted ? FROM_BEGINNING : whereToRead(entry, traces.opened.get(key), options.readSince);
    // The caller has read it already, as far as one reading reaches.
    if (where.served && entry.reason !== 'not_read') continue;
    next.push({ ...place, ...where });
    entries.push(entry);
  }
  // The subject has no share of its own: without it there is nothing to trace.
  next.sort((a, b) => (a.hop === 0 ? 0 : 1) - (b.hop === 0 ? 0 : 1) || b.share - a.share || compare(a.key, b.key));
  return { next: onePerAddress(next), entries, reasons };
}

/**
 * Returns where tokens without a price lead back to that the subject gave in transactions that brought it a tenth of its money or more: whose
 * they were decides what that money is.
 */
function soldFrontier(subject: string, { subjects, unpriced, labels }: MoneyTraces): FrontierEntry[] {
  const { received = [], sent = [], totals } = subjects.get(subject) ?? {};
  const paid = groupBy(
    received.filter(({ usd }) => usd > 0),
    ({ txHash }) => txHash,
  );
  const sales = groupBy(
    sent.filter(({ priced, txHash }) => !priced && paid.has(txHash)),
    ({ assetId }) => assetId,
  );
  const isMuch = (assetId: string) => {
    const hashes = new Set(sales.get(assetId)?.map(({ txHash }) => txHash));
    return usdOf([...hashes].flatMap((hash) => paid.get(hash) ?? [])) >= SOLD_SHARE * (totals?.received.usd ?? 0);
  };
  return unpriced.received.frontier
    .filter(({ address, around }) => around && sales.has(around.assetId) && labels.get(address)?.isContract !== true)
    .filter(({ around }) => isMuch(around!.assetId))
    .slice(0, SOLD_MAX);
}

/** A subject that was only loaded from a file is read from its chain too. */
function needsReading({ reason, address }: FrontierEntry, { subjects }: MoneyTraces): boolean {
  return reason === 'not_read' || (reason === 'partial_history' && subjects.get(address)?.scannedAt === null);
}

/** True where the source offers the list that has this transfer: `coin` for the chain's coin, else `tokens`. */
function isListed({ around, direction }: FrontierEntry, lists: readonly HistoryList[]): boolean {
  if (around === null) return true;
  return lists.includes(atTheParty(around, direction).assetId === 'coin' ? 'coin' : 'tokens');
}

const FROM_BEGINNING: ReadingPlan = { around: null, served: false, knowsBefore: false, isReadInPart: true };

/** Continues from the edge of the span that was read, so that nothing is read twice. */
function whereToRead(
  { direction, around: widest }: FrontierEntry,
  opened: GraphAddress | undefined,
  readSince: number,
): ReadingPlan {
  if (widest === null) return { around: null, served: false, knowsBefore: false, isReadInPart: false };
  const around = atTheParty(widest, direction);
  const spans = opened?.reading(around.assetId) ?? [];
  const isReadInPart = spans.length > 0;
  const span = spanAt(spans, around.at);
  if (!opened || span === undefined) return { around, served: false, knowsBefore: false, isReadInPart };
  const knowsBefore = knowsBalance(span);
  const known = [...opened.received, ...opened.sent];
  if (direction === 'received') {
    if (span.from === Number.NEGATIVE_INFINITY) return { around, served: true, knowsBefore, isReadInPart };
    return { around: edgeOf(known, span, 'oldest') ?? around, served: false, knowsBefore, isReadInPart };
  }
  if (span.to >= readSince) return { around, served: true, knowsBefore, isReadInPart };
  return { around: edgeOf(known, span, 'newest') ?? around, served: false, knowsBefore, isReadInPart };
}

/** The outermost known transfer of a span. */
function edgeOf(known: readonly TracedTransfer[], { from, to }: ReadSpan, end: 'oldest' | 'newest') {
  const inside = known.filter(({ at }) => at <= to && (from === null || at >= from));
  const later = (a: TracedTransfer, b: TracedTransfer) => (a.at >= b.at ? a : b);
  const earlier = (a: TracedTransfer, b: TracedTransfer) => (a.at <= b.at ? a : b);
  return inside.length === 0 ? null : inside.reduce(end === 'newest' ? later : earlier);
}

/** Two directions of one address are opened one after the other, since one reading may serve both. */
function onePerAddress(next: readonly NextAddress[]): NextAddress[] {
  const first = new Map<string, NextAddress>();
  for (const one of next) if (!first.has(one.key)) first.set(one.key, one);
  return [...first.values()];
}
