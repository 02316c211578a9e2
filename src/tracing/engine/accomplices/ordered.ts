import { compare } from '../../../domain/compare.ts';
import { groupBy } from '../../../domain/group-by.ts';
import type { AddressLabel } from '../../../domain/label.ts';
import type { TracedTransfer } from '../../../domain/tracing/traced-transfer.ts';
import { usdOf } from '../../../risk/ledger/movements.ts';
import { DUST_BELOW_USD, ORDERED, RULES } from '../../../risk/rules.ts';
import type { GraphAddress } from '../walk/findings.ts';

interface Options {
  labels: ReadonlyMap<string, AddressLabel>;
  isTaker: (key: string) => boolean;
}

/** A wallet into which takers had others pay. */
interface Sink {
  received: TracedTransfer[];
  /** Empty: they signed, and got nothing. */
  taken: TracedTransfer[];
  takers: Set<string>;
  victims: Set<string>;
  kind: 'ordered';
}

/** Receipts, and payments, of a contract that one person uses, or receipts of a wallet from others, at most. */
const RECEIPTS_MAX = 50;

/**
 * Names who signed what contracts of few dealings received and paid, and what wallets of few were paid by others, where nothing is known of
 * them yet: at most `most`.
 */
export function signersOf(
  opened: ReadonlyMap<string, GraphAddress>,
  labels: Options['labels'],
  most: number,
): string[] {
  const signers = new Set<string>();
  for (const [key, { isContract, received, sent }] of opened) {
    const others = received.filter(({ signer, from }) => signer !== from && signer !== key);
    const valued = (isContract ? [received, sent] : [others]).map((side) =>
      side.filter(({ usd }) => usd >= DUST_BELOW_USD),
    );
    if (valued.some(({ length }) => length > RECEIPTS_MAX)) continue;
    for (const { signer } of valued.flat()) if (signer && !labels.has(signer)) signers.add(signer);
  }
  return [...signers].sort(compare).slice(0, most);
}

/**
 * Finds wallets that several wallets paid in transactions which listed takers signed, by key: permits and approvals let a taker pay any
 * wallet. One call can be a raffle's, and a contract's payments can be due, so neither counts here; nor what was mostly paid for.
 */
export function orderedAmong(opened: ReadonlyMap<string, GraphAddress>, options: Options): Map<string, Sink> {
  const sinks = new Map<string, Sink>();
  for (const [key, history] of opened) {
    const sink = isLabelled(key, options) ? null : sinkOf(key, history, options);
    if (sink) sinks.set(key, sink);
  }
  return sinks;
}

function sinkOf(key: string, { received, sent, isContract }: GraphAddress, options: Options): Sink | null {
  if (isContract) return null;
  const fromWallets = received.filter(
    ({ from, usd }) => usd > 0 && options.labels.get(from)?.isContract !== true && !isLabelled(from, options),
  );
  const isOrdered = ({ signer, from }: TracedTransfer) =>
    signer !== undefined && signer !== from && signer !== key && options.isTaker(signer);
  const taken = [...groupBy(fromWallets, ({ from }) => from).values()].flatMap((part) => {
    const byOrder = part.filter(isOrdered);
    return usdOf(byOrder) < ORDERED.ordered_share * usdOf(part) ? [] : byOrder;
  });
  const victims = new Set(taken.map(({ from }) => from));
  if (victims.size < RULES.accomplice.sure_victims) return null;
  if (new Set(taken.map(({ txHash }) => txHash)).size < ORDERED.ordered_transactions) return null;
  const takers = new Set(taken.map(({ signer }) => signer as string));
  const paidFor = sent.filter(({ to }) => victims.has(to) || takers.has(to));
  if (usdOf(paidFor) >= (1 - ORDERED.unpaid_share) * usdOf(taken)) return null;
  return { received: taken, taken: [], takers, victims, kind: 'ordered' };
}

function isLabelled(key: string, { labels }: Options): boolean {
  return (labels.get(key)?.category ?? 'unknown') !== 'unknown';
}
