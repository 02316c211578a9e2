import { compare } from '../compare.ts';
import type { TracedTransfer } from './traced-transfer.ts';

/** What one transaction did to an address. */
export interface AddressTransaction {
  hash: string;
  at: number;
  block: number | null;
  position: number | null;
  received: TracedTransfer[];
  sent: TracedTransfer[];
}

/** Kinds of places whose numbers are the order of execution; of others only the transaction is known. */
const ORDERED_KINDS = new Set(['log', 'trace', 'ix', '']);

/**
 * The transactions of an address by time, block and, where all have one, position. Among equals come payments, then
 * mixed ones, then receipts: money never pays what cannot be shown to come after it.
 */
export function inOrder(received: readonly TracedTransfer[], sent: readonly TracedTransfer[]): AddressTransaction[] {
  const single = [
    ...received.map((transfer) => transactionOf(transfer, [transfer], [])),
    ...sent.map((transfer) => transactionOf(transfer, [], [transfer])),
  ].sort((a, b) => a.at - b.at);
  return runs(single, ({ at }) => at).flatMap((sameTime) => {
    const transactions = sameTime.length === 1 ? sameTime : joined(sameTime);
    if (transactions.length === 1) return transactions;
    if (transactions.some(({ block }) => block === null)) return transactions.sort(byDirection);
    const byBlock = transactions.sort((a, b) => (a.block as number) - (b.block as number));
    return runs(byBlock, ({ block }) => block).flatMap((sameBlock) =>
      sameBlock.every(({ position }) => position !== null)
        ? sameBlock.sort((a, b) => (a.position as number) - (b.position as number) || byDirection(a, b))
        : sameBlock.sort(byDirection),
    );
  });
}

function transactionOf(
  { txHash: hash, at, block, position }: TracedTransfer,
  received: TracedTransfer[],
  sent: TracedTransfer[],
): AddressTransaction {
  return { hash, at, block, position, received, sent };
}

/** One for each hash. */
function joined(transactions: readonly AddressTransaction[]): AddressTransaction[] {
  const byHash = new Map<string, AddressTransaction>();
  for (const transaction of transactions) {
    const known = byHash.get(transaction.hash);
    if (!known) byHash.set(transaction.hash, transaction);
    else {
      known.block ??= transaction.block;
      known.position ??= transaction.position;
      known.received.push(...transaction.received);
      known.sent.push(...transaction.sent);
    }
  }
  return [...byHash.values()];
}

function byDirection(a: AddressTransaction, b: AddressTransaction): number {
  return rank(a) - rank(b) || compare(a.hash, b.hash);
}

function rank({ received, sent }: AddressTransaction): number {
  return received.length === 0 ? 0 : sent.length > 0 ? 1 : 2;
}

/** Neighbours with the same key together. */
function runs<T>(sorted: T[], keyOf: (item: T) => unknown): T[][] {
  const found: T[][] = [];
  for (const item of sorted) {
    const last = found.at(-1);
    if (last && keyOf(last[0] as T) === keyOf(item)) last.push(item);
    else found.push([item]);
  }
  return found;
}

/**
 * The transfers of one asset inside one transaction: its own value first, then by place where all are of one kind,
 * otherwise receipts before payments.
 */
export function inPlace(received: readonly TracedTransfer[], sent: readonly TracedTransfer[]): TracedTransfer[] {
  const all = [...received, ...sent];
  if (all.length < 2) return all;
  const kinds = new Set(all.map(kindOf).filter((kind) => kind !== 'native'));
  const isReceipt = new Set(received);
  const byDirection = (a: TracedTransfer, b: TracedTransfer) => Number(isReceipt.has(b)) - Number(isReceipt.has(a));
  const isOrdered = kinds.size === 0 || (kinds.size === 1 && [...kinds].every((kind) => ORDERED_KINDS.has(kind)));
  return all.sort(
    (a, b) =>
      Number(kindOf(b) === 'native') - Number(kindOf(a) === 'native') ||
      (isOrdered ? a.seq - b.seq : 0) ||
      byDirection(a, b) ||
      compare(a.id, b.id),
  );
}

/** `log` of `log:12`, `native` of `native`; empty for the plain number of a file. */
function kindOf({ index }: TracedTransfer): string {
  const colon = index.indexOf(':');
  if (colon !== -1) return index.slice(0, colon);
  return /^\d+$/.test(index) ? '' : index;
}
