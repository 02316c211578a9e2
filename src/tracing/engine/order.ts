import { compare } from '../../domain/compare.ts';
import { groupBy } from '../../domain/group-by.ts';
import { ORDERED_KINDS, type TracedTransfer } from '../../domain/tracing/traced-transfer.ts';
import { placeKind } from '../../domain/transfers/transfer-id.ts';

/** Effect of one transaction on an address. */
export interface AddressTransaction {
  hash: string;
  at: number;
  block: number | null;
  position: number | null;
  received: readonly TracedTransfer[];
  sent: readonly TracedTransfer[];
}

/**
 * The transactions of an address by time, block and, where all have one, position, in runs: of those of one run the order is
 * not known. In a run payments come first, then mixed ones, then receipts.
 */
export function inOrder(
  received: readonly TracedTransfer[],
  sent: readonly TracedTransfer[],
): readonly AddressTransaction[][] {
  const single: AddressTransaction[] = [];
  for (const transfer of received) single.push(transactionOf(transfer, [transfer], NONE));
  for (const transfer of sent) single.push(transactionOf(transfer, NONE, [transfer]));
  single.sort((a, b) => a.at - b.at);
  return inRuns(single, ({ at }) => at, sameTimeInOrder);
}

const NONE: readonly TracedTransfer[] = [];

function sameTimeInOrder(sameTime: AddressTransaction[]): AddressTransaction[][] {
  const transactions = joined(sameTime);
  if (transactions.some(({ block }) => block === null)) return [transactions.sort(byDirection)];
  transactions.sort((a, b) => (a.block as number) - (b.block as number));
  return inRuns(transactions, ({ block }) => block, sameBlockInOrder);
}

function sameBlockInOrder(sameBlock: AddressTransaction[]): AddressTransaction[][] {
  const isPlaced = sameBlock.every(({ position }) => position !== null);
  if (!isPlaced) return [sameBlock.sort(byDirection)];
  sameBlock.sort((a, b) => (a.position as number) - (b.position as number));
  return inRuns(
    sameBlock,
    ({ position }) => position,
    (samePlace) => [samePlace.sort(byDirection)],
  );
}

function transactionOf(
  { txHash: hash, at, block, position }: TracedTransfer,
  received: readonly TracedTransfer[],
  sent: readonly TracedTransfer[],
): AddressTransaction {
  return { hash, at, block, position, received, sent };
}

/** One for each hash. */
function joined(transactions: readonly AddressTransaction[]): AddressTransaction[] {
  const ofOneHash = groupBy(transactions, ({ hash }) => hash);
  return [...ofOneHash.values()].map((parts) => {
    const [first] = parts as [AddressTransaction];
    if (parts.length === 1) return first;
    return {
      ...first,
      block: parts.find(({ block }) => block !== null)?.block ?? null,
      position: parts.find(({ position }) => position !== null)?.position ?? null,
      received: parts.flatMap(({ received }) => received),
      sent: parts.flatMap(({ sent }) => sent),
    };
  });
}

function byDirection(a: AddressTransaction, b: AddressTransaction): number {
  return rank(a) - rank(b) || compare(a.hash, b.hash);
}

function rank({ received, sent }: AddressTransaction): number {
  return received.length === 0 ? 0 : sent.length > 0 ? 1 : 2;
}

/** Divides each run of neighbours with the same key; most runs are of one. */
function inRuns<T>(sorted: T[], keyOf: (item: T) => unknown, divide: (run: T[]) => T[][]): T[][] {
  const ordered: T[][] = [];
  for (let start = 0; start < sorted.length; ) {
    const first = sorted[start] as T;
    let end = start + 1;
    while (end < sorted.length && keyOf(sorted[end] as T) === keyOf(first)) end += 1;
    if (end === start + 1) ordered.push([first]);
    else for (const run of divide(sorted.slice(start, end))) ordered.push(run);
    start = end;
  }
  return ordered;
}

/** Moves of a transaction at an address, in its order: by asset, payments and fees below zero. */
type Moves = readonly (readonly [asset: string, amount: bigint])[];

/** Rounds in which transactions that both give and take are tried. */
const ROUNDS_MAX = 50;

/**
 * The transactions of a run so that no payment needs more than was there, if there is such an order: as they are where that is
 * one, else receipts before those that also pay, and payments last. What is still not covered keeps its place.
 */
export function inCoveredOrder<T extends { moves: Moves }>(run: readonly T[], heldOf: (asset: string) => bigint): T[] {
  const before = new Held(heldOf);
  if (run.every(({ moves }) => before.covers(moves))) return [...run];
  const held = new Held(heldOf);
  const kindOf = ({ moves }: T) => {
    const paid = moves.some(([, amount]) => amount < 0n);
    return !paid ? 'receipt' : moves.some(([, amount]) => amount > 0n) ? 'mixed' : 'payment';
  };
  const kinds = groupBy(run, kindOf);
  const ordered = [...(kinds.get('receipt') ?? [])];
  for (const { moves } of ordered) held.covers(moves);
  // Those that lose nothing cannot leave another one short.
  let mixed = [...(kinds.get('mixed') ?? [])].sort((a, b) => Number(losesAny(a.moves)) - Number(losesAny(b.moves)));
  for (let round = 0; round < ROUNDS_MAX && mixed.length > 0; round++) {
    const short = mixed.filter((one) => {
      const isCovered = held.covers(one.moves);
      if (isCovered) ordered.push(one);
      return !isCovered;
    });
    if (short.length === mixed.length) break;
    mixed = short;
  }
  return [...ordered, ...mixed, ...(kinds.get('payment') ?? [])];
}

function losesAny(moves: Moves): boolean {
  return [...netOf(moves).values()].some((net) => net < 0n);
}

/** Sums what a transaction adds, by asset. */
function netOf(moves: Moves): Map<string, bigint> {
  const nets = new Map<string, bigint>();
  for (const [asset, amount] of moves) nets.set(asset, (nets.get(asset) ?? 0n) + amount);
  return nets;
}

/** Receipts of less than this part of what was there change a payment little. */
const LEAST_RECEIVED = 0.02;

/**
 * Finds, by asset, the transactions of a run that may have paid before much of what the others brought, or after it: they could have
 * paid without it, and where it was there, it changes what they took. `heldOf` says what was held before the run.
 */
export function paidInDoubt<T extends { moves: Moves }>(
  run: readonly T[],
  heldOf: (asset: string) => bigint,
): Map<string, ReadonlySet<T>> {
  const nets = run.flatMap((one) => [...netOf(one.moves)].map(([asset, net]) => ({ one, asset, net })));
  const doubtful = new Map<string, ReadonlySet<T>>();
  for (const [asset, all] of groupBy(nets, (part) => part.asset)) {
    all.sort((a, b) => (a.net < b.net ? -1 : Number(a.net > b.net)));
    const came = all.map(({ net }) => net).filter((net) => net > 0n);
    const whole = came.reduce((sum, net) => sum + net, heldOf(asset));
    const paid = all.reduce((sum, { net }) => (net < 0n ? sum - net : sum), 0n);
    const found = new Set<T>();
    let [next, spared] = [0, 0n];
    // The largest payment needs the most: what it could do without, all after it could.
    for (const { one, net } of all.filter((part) => part.net < 0n)) {
      const spare = whole + net;
      for (; next < came.length && came[next]! <= spare; next++) spared += came[next]!;
      const later = Number(spared < spare ? spared : spare);
      // Other payments may have left no more than this one needs.
      const least = Math.max(Number(-net), Number(whole - paid - net) - later);
      if (later > 0 && later >= LEAST_RECEIVED * least) found.add(one);
    }
    doubtful.set(asset, found);
  }
  return doubtful;
}

/** Holdings of an address, by asset. */
class Held {
  private readonly byAsset = new Map<string, bigint>();
  private readonly heldOf: (asset: string) => bigint;

  constructor(heldOf: (asset: string) => bigint) {
    this.heldOf = heldOf;
  }

  /** Makes the moves where none of them needs more than is there; false otherwise. */
  covers(moves: Moves): boolean {
    const after = new Map<string, bigint>();
    for (const [asset, amount] of moves) {
      const left = (after.get(asset) ?? this.byAsset.get(asset) ?? this.heldOf(asset)) + amount;
      if (left < 0n) return false;
      after.set(asset, left);
    }
    for (const [asset, left] of after) this.byAsset.set(asset, left);
    return true;
  }
}

/**
 * The transfers of one asset inside one transaction: its own value first, then by place where all are of one kind,
 * otherwise receipts before payments, each by place.
 */
export function inPlace(received: readonly TracedTransfer[], sent: readonly TracedTransfer[]): TracedTransfer[] {
  const all = [...received, ...sent];
  if (all.length < 2) return all;
  const kinds = new Set(all.map(({ index }) => placeKind(index)).filter((kind) => kind !== 'native'));
  const isReceipt = new Set(received);
  const byDirection = (a: TracedTransfer, b: TracedTransfer) => Number(isReceipt.has(b)) - Number(isReceipt.has(a));
  const isOrdered = kinds.size === 0 || (kinds.size === 1 && [...kinds].every((kind) => ORDERED_KINDS.has(kind)));
  return all.sort(
    (a, b) =>
      Number(b.index === 'native') - Number(a.index === 'native') ||
      (isOrdered ? a.seq - b.seq : 0) ||
      byDirection(a, b) ||
      a.seq - b.seq ||
      compare(a.id, b.id),
  );
}
