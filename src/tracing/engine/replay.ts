import { chainOf } from '../../domain/address/address-key.ts';
import { fractionDigits, parseUnits } from '../../domain/amount.ts';
import { compare } from '../../domain/compare.ts';
import { groupBy } from '../../domain/group-by.ts';
import { COIN, changesForm } from '../../domain/tracing/asset-id.ts';
import type { Reading, ReadSpan } from '../../domain/tracing/reading.ts';
import { type AddressTransfers, assetPartName, type TracedTransfer } from '../../domain/tracing/traced-transfer.ts';
import { Balance, type Withdrawals } from './balance.ts';
import { firstInFirstOut, isPaidFor, usdByTransaction, withAccounts } from './contract-account.ts';
import { divideTransfer } from './divide-transfer.ts';
import { type AddressTransaction, inCoveredOrder, inOrder, inPlace, paidInDoubt } from './order.ts';
import { type ExactStep, newStep, type ReplayStep, type Swap } from './replay-step.ts';
import { markReturned, markTrades, netOf, type TraderOf, traderOf } from './swaps.ts';

/** The transfers that the graph holds of an address, without those to itself. */
export interface ReplayHistory extends AddressTransfers {
  /** Fees that the address paid in the chain's coin, decimal string, by transaction. */
  fees: ReadonlyMap<string, string>;
  reading: Reading;
  /** Names of transactions and assets of which a part went round and is not listed (net-in-transaction.ts). */
  netted?: ReadonlySet<string>;
  /** The depositor or taker behind a party that only passed a transfer on, by id of the transfer. */
  behind?: ReadonlyMap<string, string>;
}

/** The transfers of one address, replayed in order. */
export interface Replay {
  steps: ReplayStep[];
  /** The place of each transfer among the steps, by id. */
  places: ReadonlyMap<string, number>;
  reading: Reading;
  /** Payments of much that never came in, though the history counts as known from the beginning (`overspentOf`). */
  overspent: ReadonlySet<ReplayStep>;
  /** Ids of payments of which it is not known whether they came before much of what came in at the same moment, or after it. */
  unordered: ReadonlySet<string>;
}

/**
 * Replays an address in all assets at once: its steps in order, with the part of the balance that each one moved. What
 * depositors take out again is their own, as far as the address still had it.
 */
export function replayOf(
  history: ReplayHistory,
  kindOf: TraderOf,
  /** True for exchanges at which money ends. */
  isExchange: (key: string) => boolean,
  {
    isDepositor = () => false,
    isOwnContract = () => false,
    isContract = false,
  }: {
    /** True for parties whose deposits at this address are kept apart; default: none. */
    isDepositor?: (key: string) => boolean;
    /** True for contracts to which it may lend what its depositors put in; default: none. */
    isOwnContract?: (key: string) => boolean;
    /** True where it is known as a contract, whose payments may each be of one deposit. */
    isContract?: boolean;
  } = {},
): Replay {
  const listed = {
    received: history.received.filter((transfer) => !changesForm(transfer, transfer.from)),
    sent: history.sent.filter((transfer) => !changesForm(transfer, transfer.to)),
  };
  const { received, sent, returned } = withAccounts(withoutLent(listed, isOwnContract), kindOf, isExchange);
  const spansOf = memoized(history.reading);
  const units = unitsOf(received, sent, history.fees, spansOf);
  const depositors = accountsOfDepositors(
    { received, sent, behind: history.behind },
    { isDepositor, isContract, units },
  );
  const unordered = new Set<string>();
  const balances = new Map<string, Balance>();
  const steps: ReplayStep[] = [];
  const balanceAt = (asset: string, at: number) => {
    const withdrawals = depositors.withdrawals.get(asset) ?? new Map<string, bigint>();
    const options = { asset, spans: spansOf(asset), units: (amount: string) => units(asset, amount), withdrawals };
    const balance = balances.get(asset) ?? new Balance(options, steps);
    balances.set(asset, balance);
    balance.passEdges(at);
    return balance;
  };
  // What went round was there between: a payment may come before the receipt that pays for it in the end.
  const covers = ({ at }: AddressTransaction, asset: string, parts: readonly ExactStep[]) => {
    const [first] = parts;
    if (!first?.[0].transfer || !history.netted?.has(assetPartName(first[0].transfer))) return true;
    let held = balanceAt(asset, at).holds;
    return parts.every(([{ kind }, exact]) => {
      held += kind === 'receipt' ? exact : -exact;
      return held >= 0n;
    });
  };
  const partsOf = (transaction: AddressTransaction) => {
    const { hash, at } = transaction;
    const parts = transactionSteps(transaction, { units, kindOf, covers });
    const fee = history.fees.get(hash);
    const moves = parts.map(([{ asset, kind }, exact]) => [asset, kind === 'receipt' ? exact : -exact] as const);
    if (fee === undefined) return { hash, at, parts, fee: null, moves };
    const step = newStep('fee', null, COIN, units(COIN, fee));
    return { hash, at, parts, fee: step, moves: [...moves, [COIN, -step[1]] as const] };
  };
  for (const run of inOrder(received, sent)) {
    const all = run.map(partsOf);
    const { at } = all[0] as (typeof all)[number];
    const heldOf = (asset: string) => balanceAt(asset, at).holds;
    const ordered = all.length > 1 ? inCoveredOrder(all, heldOf) : all;
    const doubtful = all.length > 1 ? paidInDoubt(all, heldOf) : null;
    for (const transaction of ordered) {
      const { hash, parts, fee } = transaction;
      const passing = passingAssets(parts);
      for (const asset of passing) balanceAt(asset, at).begin(hash);
      for (const exact of parts) {
        const [step] = exact;
        const { kind, asset } = step;
        step.at = at;
        const party = depositors.partyOf(step);
        if (kind === 'receipt') balanceAt(asset, at).receive(exact, party);
        else {
          if (doubtful?.get(asset)?.has(transaction)) unordered.add(step.transfer?.id ?? '');
          balanceAt(asset, at).pay(exact, party);
        }
      }
      for (const asset of passing) balanceAt(asset, at).end(at);
      if (fee) {
        fee[0].at = at;
        balanceAt(COIN, at).pay(fee, null);
      }
    }
  }
  for (const balance of balances.values()) balance.passEdges(Number.POSITIVE_INFINITY);
  const places = new Map<string, number>();
  for (const [place, { transfer }] of steps.entries()) if (transfer) places.set(transfer.id, place);
  const stepOf = (id: string) => steps[places.get(id) as number] as ReplayStep;
  for (const [deposit, receipt] of returned) markReturned(stepOf(deposit), stepOf(receipt));
  return { steps, places, reading: history.reading, overspent: overspentOf(steps).steps, unordered };
}

/** The assets of which a transaction brings in and then pays out. The outputs of Bitcoin pay none of its inputs. */
function passingAssets(parts: readonly ExactStep[]): Set<string> {
  const came = new Set<string>();
  const passing = new Set<string>();
  for (const [{ kind, asset, transfer }] of parts) {
    if (kind === 'receipt') came.add(asset);
    else if (came.has(asset) && transfer && chainOf(transfer.from) !== 'bitcoin') passing.add(asset);
  }
  return passing;
}

/**
 * Sums by asset what each depositor takes out of the address, itself or over who only passes it on. Trades, crossings and what was paid
 * out for another do not count.
 */
function accountsOfDepositors(
  { received, sent, behind }: AddressTransfers & { behind?: ReplayHistory['behind'] },
  { isDepositor, isContract, units }: { isDepositor: (key: string) => boolean; isContract: boolean; units: UnitsOf },
): { withdrawals: ReadonlyMap<string, Withdrawals>; partyOf: (step: ReplayStep) => string | null } {
  const came = groupBy(received, ({ txHash }) => txHash);
  const isTrade = (one: TracedTransfer) =>
    isPaidFor(one, usdByTransaction((came.get(one.txHash) ?? []).filter(({ assetId }) => assetId !== one.assetId)));
  const traded = new Set(sent.filter(isTrade).map(({ txHash }) => txHash));
  const withdrawals = new Map<string, Withdrawals>();
  const isPlain = ({ bridge, paidOut, txHash, from }: TracedTransfer) =>
    !bridge && !paidOut && !traded.has(txHash) && chainOf(from) !== 'bitcoin';
  const endsOf = (near: string, id: string) => [behind?.get(id) ?? near, near];
  const put = new Set(received.flatMap(({ from, id, assetId }) => endsOf(from, id).map((key) => `${key} ${assetId}`)));
  const takers = new Map<string, string>();
  for (const one of sent) {
    const { to, id, assetId, amount } = one;
    const taker = endsOf(to, id).find((key) => put.has(`${key} ${assetId}`) && isDepositor(key));
    if (taker === undefined || !isPlain(one)) continue;
    takers.set(id, taker);
    const known = withdrawals.get(assetId) ?? new Map<string, bigint>();
    known.set(taker, (known.get(taker) ?? 0n) + units(assetId, amount));
    withdrawals.set(assetId, known);
  }
  const ownerOf = ({ id, from, assetId }: TracedTransfer) =>
    endsOf(from, id).find((key) => withdrawals.get(assetId)?.has(key));
  const deals = isContract
    ? dealsAmong({
        received: received.filter((one) => isPlain(one) && ownerOf(one) === undefined),
        sent: sent.filter((one) => isPlain(one) && !takers.has(one.id)),
      })
    : new Map<string, string>();
  for (const { id, assetId, amount } of sent) {
    const deal = deals.get(id);
    if (deal === undefined) continue;
    const known = withdrawals.get(assetId) ?? new Map<string, bigint>();
    withdrawals.set(assetId, known.set(deal, units(assetId, amount)));
  }
  const partyOf = ({ kind, transfer }: ReplayStep) => {
    if (transfer === null || !isPlain(transfer)) return null;
    const { id, from, to } = transfer;
    return deals.get(id) ?? (kind === 'receipt' ? (ownerOf(transfer) ?? from) : (takers.get(id) ?? to));
  };
  return { withdrawals, partyOf };
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

/**
 * The steps of one transaction. Assets that a swap gives come before those that it gets; receipts of an asset before its payments
 * where the order of places does not cover them.
 */
function transactionSteps(
  transaction: AddressTransaction,
  {
    units,
    kindOf,
    covers,
  }: {
    units: UnitsOf;
    kindOf: TraderOf;
    covers: (transaction: AddressTransaction, asset: string, parts: readonly ExactStep[]) => boolean;
  },
): ExactStep[] {
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
    const parts = inPlace(received.filter(ofAsset), sent.filter(ofAsset)).map(exact);
    const isReceived = ([{ kind }]: ExactStep) => Number(kind === 'receipt');
    return covers(transaction, asset, parts) ? parts : parts.sort((a, b) => isReceived(b) - isReceived(a));
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

/** Depositors who take out what they put in, from which a contract keeps the money of each apart. */
const DEPOSITORS = 3;

interface Transfers {
  received: readonly TracedTransfer[];
  sent: readonly TracedTransfer[];
}

/**
 * The transfers of a contract that keeps the money of its depositors, without what it lent to contracts of its own and took back, as a
 * vault does with its strategies: the money stays its depositors', first in first out by quantity. What did not come back was paid,
 * and what came back beyond that is a receipt.
 */
function withoutLent({ received, sent }: Transfers, isOwnContract: (key: string) => boolean): Transfers {
  const paid = groupBy(
    sent.filter((one) => isPlain(one) && isOwnContract(one.to)),
    ({ to, assetId }) => `${to} ${assetId}`,
  );
  if (paid.size === 0) return { received, sent };
  const came = groupBy(received.filter(isPlain), ({ from, assetId }) => `${from} ${assetId}`);
  const gone = groupBy(sent.filter(isPlain), ({ to, assetId }) => `${to} ${assetId}`);
  const startsWith = (first: readonly TracedTransfer[] = [], later: readonly TracedTransfer[] = []) =>
    first.length > 0 && later.length > 0 && earliest(first) < earliest(later);
  const depositors = [...came].filter(([key, put]) => startsWith(put, gone.get(key)));
  if (new Set(depositors.map(([, [put]]) => put?.from)).size < DEPOSITORS) return { received, sent };
  const parts = new Map<string, number>();
  const byTime = (a: TracedTransfer, b: TracedTransfer) => a.at - b.at || a.seq - b.seq;
  for (const [key, lent] of paid) {
    const back = came.get(key) ?? [];
    if (!startsWith(lent, back)) continue;
    const pairs = firstInFirstOut(lent.toSorted(byTime), back.toSorted(byTime), ({ amount }) => Number(amount));
    for (const [loan, receipt, units] of pairs) {
      for (const one of [loan, receipt]) parts.set(one.id, (parts.get(one.id) ?? 0) + units / Number(one.amount));
    }
  }
  const rest = (transfers: readonly TracedTransfer[]) =>
    transfers.flatMap((one) => {
      const part = parts.get(one.id);
      return part === undefined ? [one] : (divideTransfer(one, [part]).rest ?? []);
    });
  return { received: rest(received), sent: rest(sent) };
}

function earliest(transfers: readonly TracedTransfer[]): number {
  return transfers.reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY);
}

function isPlain({ bridge, paidOut, amount }: TracedTransfer): boolean {
  return !bridge && !paidOut && Number(amount) > 0;
}

/** Payments of one asset beyond all that ever came in, of a history that counts as known from the beginning. */
export interface Overspent {
  /** Symbol. */
  asset: string;
  /** Amount in whole coins. */
  amount: number;
  usd: number;
}

/** Most US dollars, or part of all that was paid of the asset, that a source may lack. */
const LEAST_USD = 10;
const LEAST_PART = 0.01;

/**
 * Returns by asset what was paid beyond all that came in: the history lacks receipts, whatever its source says. Tokens without
 * a price do not count, since anybody can write down that an address paid them. `steps` are the payments up to which that holds,
 * with what filled the pools that they draw on.
 */
export function overspentOf(steps: readonly ReplayStep[]): {
  assets: ReadonlyMap<string, Overspent>;
  steps: ReadonlySet<ReplayStep>;
} {
  const paid = new Map<string, Overspent & { paidUsd: number }>();
  const isMuch = ({ usd, paidUsd }: Overspent & { paidUsd: number }) => usd > LEAST_USD && usd > LEAST_PART * paidUsd;
  const found = new Set<ReplayStep>();
  for (const [place, step] of steps.entries()) {
    const { kind, asset: id, transfer, uncovered, units, span } = step;
    if (kind !== 'payment' || !transfer?.priced || span?.from !== Number.NEGATIVE_INFINITY) continue;
    const known = paid.get(id) ?? { asset: transfer.asset, amount: 0, usd: 0, paidUsd: 0 };
    const part = units > 0 ? uncovered / units : 0;
    known.amount += part * Number(transfer.amount);
    known.usd += part * transfer.usd;
    known.paidUsd += transfer.usd;
    paid.set(id, known);
    if (part === 0 || !isMuch(known)) continue;
    // What draws on a pool of its own lacks what the balance did not have to fill it with.
    const filling = steps[place - 1];
    for (const one of filling?.into === step.pool ? [step, filling] : [step]) found.add(one);
  }
  const assets = new Map<string, Overspent>();
  for (const [id, { paidUsd, ...one }] of paid) if (isMuch({ ...one, paidUsd })) assets.set(id, one);
  return { assets, steps: found };
}

/** Payers that make a contract an escrow; one payer's is a wallet, where money mixes. */
const PAYERS_MIN = 2;
/** Largest part of a deposit that an escrow may keep as its fee. */
const FEE_MAX = 0.03;

/**
 * Names, by id of a deposit and of the later payment, the deals of a contract of several payers: a payment as large as one open deposit
 * alone, or else smaller by a fee, and the only one to be so, is that deposit paid out, as by an escrow. By quantity of an asset.
 *
 * @internal
 */
export function dealsAmong({ received, sent }: AddressTransfers): ReadonlyMap<string, string> {
  const deals = new Map<string, string>();
  const openOf = (transfers: readonly TracedTransfer[]): Sized[] =>
    transfers
      .filter(({ id }) => !deals.has(id))
      .map((transfer) => ({ transfer, size: Number(transfer.amount) }))
      .sort((a, b) => a.size - b.size);
  const paid = groupBy(sent, ({ assetId }) => assetId);
  for (const [asset, all] of groupBy(received, ({ assetId }) => assetId)) {
    if (new Set(all.map(({ from }) => from)).size < PAYERS_MIN) continue;
    for (const fee of [0, FEE_MAX]) {
      const [deposits, payments] = [openOf(all), openOf(paid.get(asset) ?? [])];
      for (const payment of payments) {
        const deposit = onlyOne(deposits, payment.size, ({ size }) => size * (1 - fee) <= payment.size);
        const back = deposit && onlyOne(payments, deposit.size * (1 - fee), ({ size }) => size <= deposit.size);
        if (!deposit || back !== payment || deposit.transfer.at >= payment.transfer.at) continue;
        for (const { transfer } of [deposit, payment]) deals.set(transfer.id, `deal ${deposit.transfer.id}`);
      }
    }
  }
  return deals;
}

interface Sized {
  transfer: TracedTransfer;
  size: number;
}

/** The one, in ascending sizes, that is as large as `least` or larger and fits; undefined for none and for several. */
function onlyOne(sorted: readonly Sized[], least: number, fits: (one: Sized) => boolean): Sized | undefined {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as Sized).size < least) low = middle + 1;
    else high = middle;
  }
  const [one, another] = [sorted[low], sorted[low + 1]];
  return one && fits(one) && !(another && fits(another)) ? one : undefined;
}
