import { chainOf } from '../../../domain/address/address-key.ts';
import { compare } from '../../../domain/compare.ts';
import { groupBy } from '../../../domain/group-by.ts';
import { type AddressLabel, SURE_CONFIDENCE } from '../../../domain/label.ts';
import { verifiedToken } from '../../../domain/tokens/token.ts';
import { COIN, isNullAddress } from '../../../domain/tracing/asset-id.ts';
import type { TracedTransfer } from '../../../domain/tracing/traced-transfer.ts';
import { collectedFrom } from '../../../risk/exposure/collected.ts';
import { gradeExposure } from '../../../risk/exposure/grade-exposure.ts';
import { movedWith } from '../../../risk/exposure/moved-with.ts';
import { usdOf } from '../../../risk/ledger/movements.ts';
import { ALIKE_SHARE_MIN, ROBBER, RULES } from '../../../risk/rules.ts';
import type { GraphAddress } from '../walk/findings.ts';
import { hasPutIn, lootOf } from './loot.ts';
import { orderedAmong } from './ordered.ts';
import { paidBy } from './payers.ts';
import { mostAlike, sameSplits } from './same-splits.ts';
import { sellersAmong } from './sold.ts';

/** An address that was paid in the transactions in which others lost money to a listed taker, collects for one, or is his contract. */
export interface Accomplice {
  /** Transfers to it in them. */
  received: TracedTransfer[];
  /** Transfers to the takers in them. */
  taken: TracedTransfer[];
  takers: Set<string>;
  /** Keys of who lost it. */
  victims: Set<string>;
  /**
   * Paid beside takers; collects and passes a part on in other transactions; takes out of pools for them; a contract of theirs; sold for
   * them; paid by others in what they signed.
   */
  kind: 'beside' | 'collector' | 'robber' | 'owned' | 'seller' | 'ordered';
  /** True where who made it take part is not known. */
  isUnsure?: boolean;
}

/** Confidence of a label that an address is an accomplice, where that is not sure. */
const REPORT_CONFIDENCE = 60;

type Histories = ReadonlyMap<string, GraphAddress>;

interface Known {
  opened: Histories;
  labels: ReadonlyMap<string, AddressLabel>;
}

interface Options {
  labels: ReadonlyMap<string, AddressLabel>;
  /** True for a listed taker of money: a thief, scam, drainer or ransomware of which a source is sure. */
  isTaker: (key: string) => boolean;
}

/**
 * Finds who else received where an opened address lost money to a taker, and who collects for one, by key; needs no more of the graph
 * than was opened.
 */
export function findAccomplices(opened: Histories, listed: Options): Map<string, Accomplice> {
  const found = new Map<string, Accomplice>();
  const collectors = collectorsAmong(opened, listed);
  // Who takes part of each loot and passes most of it on to a listed taker takes it for him.
  const deputies = new Set(
    [...collectors].flatMap(([key, { taken }]) => {
      const paid = opened.get(key)?.totals.sent.usd ?? 0;
      return usdOf(taken) >= RULES.accomplice.deputy_share * paid ? [key] : [];
    }),
  );
  const options = { ...listed, isTaker: (key: string) => listed.isTaker(key) || deputies.has(key) };
  const unsure = new Set<string>();
  const shares = new Map<string, SharedLoss[]>();
  const add = (
    key: string,
    received: readonly TracedTransfer[],
    taken: readonly TracedTransfer[],
    victims: Iterable<string>,
  ) => {
    const one: Accomplice = found.get(key) ?? {
      ...{ received: [], taken: [], takers: new Set(), victims: new Set(), kind: 'beside' },
    };
    found.set(key, one);
    for (const transfer of received) one.received.push(transfer);
    for (const transfer of taken) one.taken.push(transfer);
    for (const { to } of taken) one.takers.add(to);
    for (const victim of victims) one.victims.add(victim);
  };
  for (const [payer, history] of opened) {
    const paid = history.sent.filter(({ usd, priced }) => usd > 0 || !priced);
    const taken = groupBy(
      paid.filter(({ to }) => options.isTaker(to)),
      ({ txHash }) => txHash,
    );
    const lost = [...taken.values()].flat();
    if (lost.length === 0 || isLabelled(payer, options) || !isLoss(history, lost)) continue;
    const byTransaction = groupBy(paid, ({ txHash }) => txHash);
    // What has no price anybody can write down.
    const valued = groupBy(
      paid.filter(({ priced }) => priced),
      ({ txHash }) => txHash,
    );
    const isBatchPayer = paysInBatches(valued, taken, options);
    for (const [txHash, part] of taken) {
      const together = byTransaction.get(txHash) ?? [];
      const split = splitFor(history, together, options);
      const isSplit = split.length > 0;
      // Of a contract that pools money it is not known whose was paid.
      if (!isSplit && (isBatchPayer || history.isPool)) continue;
      for (const received of othersIn(history, together, { ...options, isSplit })) {
        const isForCollector = part.every((one) => !listed.isTaker(one.to));
        const isUnsure = isSplit || isForCollector || isEven(together);
        const takenShare = quantityOf(part) / quantityOf([...received, ...part]);
        const shared = { received, taken: part, victims: isSplit ? split : [payer], takenShare };
        for (const [to, got] of passedTo(received, opened, options)) {
          const parts = shares.get(to) ?? [];
          parts.push({ ...shared, received: got });
          shares.set(to, parts);
          if (isUnsure || got !== received) unsure.add(to);
        }
      }
    }
  }
  for (const [key, parts] of shares) {
    for (const { received, taken, victims } of chainOf(key) === 'bitcoin' ? inProportion(parts) : parts)
      add(key, received, taken, victims);
  }
  const wallets = new Map([...opened].filter(([key, history]) => !isLabelled(key, options) && !history.isPool));
  for (const [key, splits] of sameSplits(wallets, opened, options.isTaker)) {
    if (isKnown(key, options)) continue;
    for (const { payer, victims, received, taken } of splits) {
      const strangers = victims.filter((victim) => !isLabelled(victim, options));
      add(key, received, taken, strangers.length > 0 ? strangers : [payer]);
    }
    unsure.add(key);
  }
  for (const [key, { received, taken, victims }] of found) {
    for (const part of [received, taken]) part.sort((a, b) => a.at - b.at || compare(a.id, b.id));
    // There the other output of a payment is mostly the payer's own change, and who only passes money on may trade.
    const isUnsure = chainOf(key) === 'bitcoin' || unsure.has(key);
    if (victims.size < (isUnsure ? RULES.accomplice.victims_where_unsure : 1)) found.delete(key);
  }
  const all = new Map([...collectors, ...found]);
  const ways = [robbersAmong, ownedAmong, sellersAmong, orderedAmong];
  for (const others of ways.map((among): ReadonlyMap<string, Accomplice> => among(opened, listed))) {
    for (const [key, one] of others) all.set(key, joined(all.get(key) ?? one, one));
  }
  return all;
}

/** One receiver's part of a payment, beside the part of takers. */
interface SharedLoss {
  received: readonly TracedTransfer[];
  taken: readonly TracedTransfer[];
  victims: readonly string[];
  /** The takers' part of both, 0-1. */
  takenShare: number;
}

/** Of bitcoin the other output may be the payer's own change: what takers leave is a fixed part, what a payer has left is not. */
function inProportion(parts: readonly SharedLoss[]): readonly SharedLoss[] {
  const { same_splits } = RULES.accomplice;
  const alike = mostAlike(parts);
  const sumOf = (some: readonly SharedLoss[]) => usdOf(some.flatMap(({ received }) => received));
  return alike.length >= same_splits && sumOf(alike) >= ALIKE_SHARE_MIN * sumOf(parts) ? alike : [];
}

/**
 * Names who received it, and who has it now where wallets of one use passed all of it on, with what each received of it. Needs no more
 * of the graph than was opened.
 */
function passedTo(
  first: readonly TracedTransfer[],
  opened: Histories,
  options: Options,
): Map<string, readonly TracedTransfer[]> {
  const { split_share } = RULES.accomplice;
  const found = new Map<string, readonly TracedTransfer[]>();
  let received = first;
  for (;;) {
    const [{ to, from }] = received as [TracedTransfer];
    if (found.has(to) || from === to || isKnown(to, options)) return found;
    found.set(to, received);
    const history = opened.get(to);
    const usd = usdOf(received);
    if (!history || usd <= 0 || usd < split_share * history.totals.received.usd) return found;
    const sent = history.sent.filter((one) => one.usd > 0);
    const [[, largest = []] = []] = [...groupBy(sent, (one) => one.to)].sort(([, a], [, b]) => usdOf(b) - usdOf(a));
    if (usdOf(largest) < split_share * usd) return found;
    received = largest;
  }
}

/** Adds what an address did in another way to what is known of it, which names it. */
function joined(known: Accomplice, other: Accomplice): Accomplice {
  const union = (side: 'received' | 'taken') => [
    ...new Map([...other[side], ...known[side]].map((one) => [one.id, one])).values(),
  ];
  return {
    ...{ ...known, received: union('received'), taken: union('taken') },
    takers: new Set([...known.takers, ...other.takers]),
    victims: new Set([...known.victims, ...other.victims]),
  };
}

/** Most addresses that are opened for what others of their transactions show. */
const BESIDE_MAX = 3;

/** Names the addresses, not open, that several open ones paid in the same transaction as an open one; those of most payers first. */
export function paidBeside(opened: Histories, options: Options): string[] {
  const payers = new Map<string, Set<string>>();
  for (const [payer, { sent, isPool }] of opened) {
    if (isPool || isLabelled(payer, options)) continue;
    for (const paid of groupBy(sent, ({ txHash }) => txHash).values()) {
      const receivers = new Set(paid.map(({ to }) => to));
      if (receivers.size < 2 || receivers.size > RULES.accomplice.receivers_max + 1) continue;
      const others = [...receivers].filter((key) => !opened.has(key) && !isKnown(key, options));
      if (others.length === receivers.size) continue;
      for (const other of others) payers.set(other, (payers.get(other) ?? new Set()).add(payer));
    }
  }
  const often = [...payers].filter(([, { size }]) => size >= RULES.accomplice.same_splits);
  return often
    .sort(([a, one], [b, other]) => other.size - one.size || compare(a, b))
    .slice(0, BESIDE_MAX)
    .map(([key]) => key);
}

/** Finds who collects for a listed taker. */
function collectorsAmong(opened: Histories, options: Options): Map<string, Accomplice> {
  const collectors = new Map<string, Accomplice>();
  for (const [payer, history] of opened) {
    const lost = history.sent.filter(({ usd, priced, to }) => (usd > 0 || !priced) && options.isTaker(to));
    if (lost.length === 0 || isLabelled(payer, options) || !isLoss(history, lost)) continue;
    const collector = collectorFor(history, lost, options);
    if (collector) collectors.set(payer, collector);
  }
  return collectors;
}

/** Returns what strangers paid an address that passed a good part of it on to takers time after time; null where it did not. */
function collectorFor(history: GraphAddress, taken: TracedTransfer[], { labels, isTaker }: Options): Accomplice | null {
  const { collector_share, collector_senders } = RULES.accomplice;
  if (history.isPool || usdOf(taken) < collector_share * history.totals.sent.usd) return null;
  const isUnlabelled = ({ from }: TracedTransfer) => !isTaker(from) && !isLabelled(from, { labels });
  const receipts = history.received.filter((one) => one.usd > 0 && isUnlabelled(one)).sort((a, b) => a.at - b.at);
  const paid = taken.toSorted((a, b) => a.at - b.at);
  const strangers = collectedFrom(
    receipts.map((transfer) => ({ owner: transfer.from, at: transfer.at, usd: transfer.usd, transfer })),
    paid,
  );
  const victims = new Set(strangers.map(({ owner }) => owner));
  if (victims.size < collector_senders) return null;
  const takers = new Set(paid.map(({ to }) => to));
  return { received: strangers.map(({ transfer }) => transfer), taken: paid, takers, victims, kind: 'collector' };
}

/** Finds who took out of pools most of what others had there, together with listed takers. */
function robbersAmong(opened: Histories, options: Options): Map<string, Accomplice> {
  const robbers = new Map<string, Accomplice>();
  const traces = { opened, labels: options.labels };
  for (const [key, history] of opened) {
    if (isLabelled(key, options)) continue;
    const loot = lootOf(key, traces);
    const received = history.received.filter(({ id }) => loot.has(id));
    const shared = sharedBy(key, history, received, options);
    if (shared === null) continue;
    // What a taker had put in he takes out again, over whatever contract.
    if (shared.taken.length > 0 && hasPutIn(shared.takers, loot.values(), shared.taken, traces)) continue;
    const victims = new Set([...loot.values()].flatMap((pool) => [...paidBy(pool, traces).keys()]));
    victims.delete(key);
    robbers.set(key, { received, ...shared, victims, kind: 'robber' });
  }
  return robbers;
}

/**
 * Finds contracts for which listed takers alone sign, but for grains that anybody can send, and by whose calls one paid out most of what it
 * got: anybody may sign what pays a stranger's wallet. Of one that was not read whole it is not known who else uses it.
 */
function ownedAmong(opened: Histories, options: Options): Map<string, Accomplice> {
  const owned = new Map<string, Accomplice>();
  for (const [key, history] of opened) {
    const { isContract, isScanComplete, unlisted } = history;
    const isKnownWhole = isScanComplete && unlisted.received + unlisted.sent === 0;
    if (!isContract || !isKnownWhole || isLabelled(key, options)) continue;
    const received = history.received.filter(({ usd, from }) => usd > 0 && !options.isTaker(from));
    const isOwn = isSignedByTakers([...history.received, ...history.sent], received, options);
    const paid = usdOf(history.sent.filter(({ to }) => to !== key));
    const isSteered = isOwn && paid >= ROBBER.robbed_passed_share * usdOf(received);
    if (usdOf(received) < ROBBER.robbed_from_usd || !isSteered) continue;
    const victims = new Set(received.map(({ from }) => from));
    owned.set(key, { received, taken: [], takers: signersAmong(received, options), victims, kind: 'owned' });
  }
  return owned;
}

/** True where takers sign for all of it, but for grains beside the loot. */
function isSignedByTakers(
  moves: readonly TracedTransfer[],
  loot: readonly TracedTransfer[],
  { isTaker }: Options,
): boolean {
  const byOthers = moves.filter(({ signer }) => !signer || !isTaker(signer));
  return usdOf(byOthers) <= ROBBER.robbed_strangers * usdOf(loot);
}

function signersAmong(loot: readonly TracedTransfer[], { isTaker }: Options): Set<string> {
  return new Set(loot.flatMap(({ signer }) => (signer && isTaker(signer) ? [signer] : [])));
}

/**
 * Returns what an address shared of loot with takers and who they are: by its own doing half of it went to them within a week; or they alone
 * sign what a contract gets and pays, but for grains that anybody can send. Null where they have no part in it.
 */
function sharedBy(
  key: string,
  { received, sent, isContract }: GraphAddress,
  loot: readonly TracedTransfer[],
  options: Options,
): { taken: TracedTransfer[]; takers: Set<string> } | null {
  if (loot.length === 0) return null;
  const { isTaker } = options;
  const moves = [...received, ...sent];
  const isShared = movedWith(key, { loot, moves }, isTaker);
  const taken = sent.filter((one) => isTaker(one.to) && isShared(one));
  if (usdOf(taken) >= ROBBER.robbed_passed_share * usdOf(loot))
    return { taken, takers: new Set(taken.map(({ to }) => to)) };
  if (!isContract || !isSignedByTakers(moves, loot, options)) return null;
  return { taken: [], takers: signersAmong(loot, options) };
}

/** Names the first listed taker of an accomplice. */
export function takerOf({ takers }: Accomplice): string {
  const [first] = takers;
  return first as string;
}

/**
 * Returns how sure it is that an address takes part, as the confidence of a label: sure where several lost to it and half of what it
 * received is theirs, and of a taker's own contract. One transaction can be staged by who pays in it, but not what a taker signs.
 */
export function certaintyOf(accomplice: Accomplice, history: GraphAddress): number {
  if (accomplice.kind === 'owned') return SURE_CONFIDENCE;
  const { sure_share, sure_victims } = RULES.accomplice;
  const { share, unpricedShare } = partOf(accomplice, history);
  const isShown = accomplice.kind === 'seller' ? !accomplice.isUnsure : accomplice.victims.size >= sure_victims;
  const isSure = isShown && Math.max(share, unpricedShare ?? 0) >= sure_share;
  return isSure ? SURE_CONFIDENCE : REPORT_CONFIDENCE;
}

/** True of an unsure one that may be sure once all who paid it are read. */
export function mayBeSure(accomplice: Accomplice, history: GraphAddress, { opened, labels }: Known): boolean {
  if (certaintyOf(accomplice, history) === SURE_CONFIDENCE) return false;
  const taken = new Set(accomplice.received.map(({ id }) => id));
  const isRead = (key: string) => opened.get(key)?.wasRead || opened.get(key)?.loaded || isLabelled(key, { labels });
  const unread = history.received.filter(({ id, from }) => !taken.has(id) && !isRead(from));
  if (unread.length === 0) return false;
  return usdOf([...accomplice.received, ...unread]) >= RULES.accomplice.sure_share * history.totals.received.usd;
}

/** True where its part in the money of victims is enough to taint what it passes on, so that dust frames no one. */
export function isSource(accomplice: Accomplice, history: GraphAddress): boolean {
  const flow = { ...partOf(accomplice, history), recentUsd: 0, recentShare: 0, hasUnpriced: false };
  return ['HIGH', 'CRITICAL'].includes(gradeExposure(flow, { kind: 'illicit', direction: 'in', subject: 'address' }));
}

/** Measures its takings as a part of all that it received; of coins and well-known tokens without a price by quantity. */
function partOf(
  { received }: Accomplice,
  history: GraphAddress,
): { usd: number; share: number; unpricedShare: number | null } {
  const usd = usdOf(received);
  const whole = history.totals.received.usd;
  const unpriced = groupBy(
    received.filter(({ priced, to, assetId }) => {
      return !priced && (assetId === COIN || verifiedToken(chainOf(to), assetId) !== null);
    }),
    ({ assetId }) => assetId,
  );
  const shares = [...unpriced].map(([assetId, part]) => {
    return quantityOf(part) / quantityOf(history.received.filter((one) => !one.priced && one.assetId === assetId));
  });
  return {
    usd,
    share: whole > 0 ? Math.min(1, usd / whole) : 0,
    unpricedShare: shares.length > 0 ? Math.min(1, Math.max(...shares)) : null,
  };
}

function quantityOf(transfers: readonly TracedTransfer[]): number {
  return transfers.reduce((sum, { amount }) => sum + Number(amount), 0);
}

/** True for three equal payments or more: wages, where a thief's share is a part. */
function isEven(paid: readonly TracedTransfer[]): boolean {
  const worthOf = worthIn(paid);
  const sums = [...groupBy(paid, ({ to }) => to).values()].map((part) => worthOf(part) ?? 0);
  const [least, most] = [Math.min(...sums), Math.max(...sums)];
  return sums.length >= RULES.accomplice.even_receivers && most <= RULES.accomplice.even_ratio * least;
}

/** Not where the takers gave more back than a little: then they are customers or partners. */
function isLoss({ received }: GraphAddress, taken: readonly TracedTransfer[]): boolean {
  const takers = new Set(taken.map(({ to }) => to));
  const back = received.filter(({ from }) => takers.has(from));
  return usdOf(back) <= RULES.accomplice.returned_share_max * usdOf(taken);
}

/** True for who pays several parties at once elsewhere too, as services do. Change of bitcoin is the payer's own. */
function paysInBatches(
  byTransaction: ReadonlyMap<string, readonly TracedTransfer[]>,
  taken: ReadonlyMap<string, unknown>,
  options: Options,
): boolean {
  let batches = 0;
  for (const [txHash, part] of byTransaction) {
    if (taken.has(txHash)) continue;
    const receivers = new Set(part.filter(({ to }) => !isKnown(to, options)).map(({ to }) => to));
    const most = chainOf(part[0]!.from) === 'bitcoin' ? 2 : 1;
    if (receivers.size > most) batches += 1;
  }
  return batches >= RULES.accomplice.batches;
}

/** Returns the payers whose money an address only split in a transaction; empty where it did more. */
function splitFor({ received }: GraphAddress, paid: readonly TracedTransfer[], { isTaker }: Options): string[] {
  const { txHash } = paid[0]!;
  const got = received.filter(({ usd, priced, ...one }) => one.txHash === txHash && (usd > 0 || !priced));
  const worthOf = worthIn([...got, ...paid]);
  const [gotWorth, paidWorth] = [worthOf(got), worthOf(paid)];
  if (!gotWorth || !paidWorth) return [];
  const receivers = new Set(paid.map(({ to }) => to));
  const { split_share } = RULES.accomplice;
  const isSplit = paidWorth >= split_share * gotWorth && gotWorth >= split_share * paidWorth;
  return isSplit && got.every(({ from }) => !isTaker(from) && !receivers.has(from)) ? got.map(({ from }) => from) : [];
}

/** Returns the transfers to other receivers of a transaction that may be accomplices, one list each. */
function othersIn(
  history: GraphAddress,
  paid: readonly TracedTransfer[],
  { isSplit, ...options }: Options & { isSplit: boolean },
): TracedTransfer[][] {
  const { receivers_max, fee_share_max, sale_fee_share_max } = RULES.accomplice;
  const { txHash } = paid[0]!;
  const got = history.received.filter((transfer) => transfer.txHash === txHash);
  const worthOf = worthIn([...got, ...paid]);
  const [gotWorth, whole] = [worthOf(got), worthOf(paid)];
  // Who got half of the value back in the transaction traded; a collectible has no price.
  if (!isSplit && got.length > 0 && (gotWorth ?? usdOf(got)) >= RULES.accomplice.traded_share * (whole ?? usdOf(paid)))
    return [];
  const others = groupBy(
    paid.filter(({ to }) => !options.isTaker(to)),
    ({ to }) => to,
  );
  if (others.size > receivers_max) return [];
  const feeShare = got.length > 0 && !isSplit ? sale_fee_share_max : fee_share_max;
  // Of several assets without a price nothing says that a part is a fee.
  const isPart = (part: readonly TracedTransfer[]) => {
    const worth = worthOf(part);
    return worth === null || whole === null || worth > feeShare * whole;
  };
  return [...others.values()].filter(
    (part) => !isKnown(part[0]!.to, options) && isPart(part) && (isSplit || !isOwn(history, part)),
  );
}

/** Measures the transfers of one transaction: in US dollars, or by quantity where they are of one asset; null where neither is known. */
function worthIn(moved: readonly TracedTransfer[]): (part: readonly TracedTransfer[]) => number | null {
  if (moved.every(({ priced }) => priced)) return usdOf;
  const isOneAsset = new Set(moved.map(({ assetId }) => assetId)).size === 1;
  if (isOneAsset) return quantityOf;
  return (part) => (part.every(({ priced }) => priced) ? usdOf(part) : null);
}

/** True for a party that the payer had paid before, or that pays it: its own wallet, or one it deals with. */
function isOwn({ received, sent }: GraphAddress, part: readonly TracedTransfer[]): boolean {
  const { to, at, txHash } = part[0]!;
  if (sent.some((one) => one.to === to && one.usd > 0 && one.at < at && one.txHash !== txHash)) return true;
  const back = received.filter(({ from }) => from === to);
  return back.length > 0 && usdOf(back) >= RULES.accomplice.own_share * usdOf(part);
}

/** True for contracts, labelled parties, and addresses behind which there is no party. */
function isKnown(key: string, options: Options): boolean {
  return options.labels.get(key)?.isContract === true || isNullAddress(key) || isLabelled(key, options);
}

function isLabelled(key: string, { labels }: Pick<Options, 'labels'>): boolean {
  const category = labels.get(key)?.category ?? 'unknown';
  return category !== 'unknown';
}
