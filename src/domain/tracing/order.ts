import { compare } from '../compare.ts';
import { groupBy } from '../group-by.ts';
import { placeKind } from '../transfers/place.ts';
import { ORDERED_KINDS, type TracedTransfer } from './traced-transfer.ts';

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
 * The transactions of an address by time, block and, where all have one, position. Among equals come payments, then
 * mixed ones, then receipts: money never pays what cannot be shown to come after it.
 */
export function inOrder(received: readonly TracedTransfer[], sent: readonly TracedTransfer[]): AddressTransaction[] {
  const single: AddressTransaction[] = [];
  for (const transfer of received) single.push(transactionOf(transfer, [transfer], NONE));
  for (const transfer of sent) single.push(transactionOf(transfer, NONE, [transfer]));
  single.sort((a, b) => a.at - b.at);
  return inRuns(single, ({ at }) => at, sameTimeInOrder);
}

const NONE: readonly TracedTransfer[] = [];

function sameTimeInOrder(sameTime: AddressTransaction[]): AddressTransaction[] {
  const transactions = joined(sameTime);
  if (transactions.some(({ block }) => block === null)) return transactions.sort(byDirection);
  transactions.sort((a, b) => (a.block as number) - (b.block as number));
  return inRuns(transactions, ({ block }) => block, sameBlockInOrder);
}

function sameBlockInOrder(sameBlock: AddressTransaction[]): AddressTransaction[] {
  return sameBlock.every(({ position }) => position !== null)
    ? sameBlock.sort((a, b) => (a.position as number) - (b.position as number) || byDirection(a, b))
    : sameBlock.sort(byDirection);
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

/** Puts each run of neighbours with the same key in order; most runs are of one. */
function inRuns<T>(sorted: T[], keyOf: (item: T) => unknown, order: (run: T[]) => T[]): T[] {
  const ordered: T[] = [];
  for (let start = 0; start < sorted.length; ) {
    const first = sorted[start] as T;
    let end = start + 1;
    while (end < sorted.length && keyOf(sorted[end] as T) === keyOf(first)) end += 1;
    if (end === start + 1) ordered.push(first);
    else for (const item of order(sorted.slice(start, end))) ordered.push(item);
    start = end;
  }
  return ordered;
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
