import { chainOf } from '../../../domain/address/address-key.ts';
import { compare } from '../../../domain/compare.ts';
import { groupBy } from '../../../domain/group-by.ts';
import type { AddressLabel } from '../../../domain/label.ts';
import { verifiedToken } from '../../../domain/tokens/token.ts';
import { COIN, isNullAddress } from '../../../domain/tracing/asset-id.ts';
import { spanAt } from '../../../domain/tracing/reading.ts';
import { comparePlaces, type TracedTransfer } from '../../../domain/tracing/traced-transfer.ts';
import { usdOf } from '../../../risk/ledger/movements.ts';
import type { GraphAddress } from '../walk/findings.ts';

// A token without a price is worth, to who sold it, what he got for it. No other can set that: the tokens count where a taker himself
// sent them, or wallets that had little else of them passed them on, the sale where the seller signed it, and only units beyond all that he
// had of others.

/** Steps between a taker and the seller: wallets that pass tokens on, and changes into another token. */
const PASSED_MAX = 3;
/** Least part of a passing wallet's units that came of takers. */
const PASSED_SHARE = 0.9;
/** Most senders of sold tokens that are opened at once. */
const SENDERS_MAX = 3;

type Histories = ReadonlyMap<string, GraphAddress>;

interface Options {
  labels: ReadonlyMap<string, AddressLabel>;
  isTaker: (key: string) => boolean;
}

/** A wallet that sold tokens of takers. */
interface Seller {
  /** Payments to it, as far as they were for these tokens and did not go back to the takers. */
  received: TracedTransfer[];
  /** The tokens, as the takers sent them. */
  taken: TracedTransfer[];
  takers: Set<string>;
  /** Empty: from whom they were taken is not seen here. */
  victims: Set<string>;
  kind: 'seller';
  /** True where it is not known who signed for the tokens: a made-up token can name anybody as their sender. */
  isUnsure: boolean;
}

/** Finds wallets that sold what takers had sent them, by key. */
export function sellersAmong(opened: Histories, options: Options): Map<string, Seller> {
  const sellers = new Map<string, Seller>();
  const behind = (isUnsure: boolean): Behind => ({ ...options, opened, isUnsure, came: new Map(), gave: new Map() });
  const ways = { all: behind(true), sure: behind(false) };
  for (const [key, history] of opened) {
    const seller = isLabelled(key, options.labels) ? null : surestOf(key, history, ways);
    if (seller) sellers.set(key, seller);
  }
  return sellers;
}

/** Names wallets, not open, of which open ones had tokens without a price that they sold. */
export function sendersOfSold(opened: Histories, labels: Options['labels']): string[] {
  const isWallet = (key: string) =>
    labels.get(key)?.isContract !== true && !isNullAddress(key) && !isLabelled(key, labels);
  const senders = [...opened].flatMap(([key, { isContract, listed, unlisted }]) => {
    if (isContract || isLabelled(key, labels) || unlisted.received + unlisted.sent > 0) return [];
    const sent = new Set(listed.sent.flatMap(({ priced, assetId }) => (priced ? [] : [assetId])));
    const came = listed.received.filter((one) => !one.priced && sent.has(one.assetId) && Number(one.amount) > 0);
    return came.map(({ from }) => from).filter((from) => !opened.has(from) && isWallet(from));
  });
  return [...new Set(senders)].sort(compare).slice(0, SENDERS_MAX);
}

/** Leads back from sold tokens. Each wallet is worked out once for a step: transfer by transfer, each step would multiply the work. */
interface Behind extends Options {
  opened: Histories;
  /** True: an unknown signature serves. */
  isUnsure: boolean;
  came: Map<string, Came>;
  /** Transfers of each wallet to others, by transaction. */
  gave: Map<string, ReadonlyMap<string, readonly TracedTransfer[]>>;
}

/** Units of one token that came to a wallet, oldest first. */
interface Came {
  transfers: readonly TracedTransfer[];
  /** The units of each transfer and of those before it, and as many of takers. */
  until: { units: number; ofTakers: number }[];
  /** The first taker whose units they were. */
  taker: string | null;
}

function isLabelled(key: string, labels: Options['labels']): boolean {
  return (labels.get(key)?.category ?? 'unknown') !== 'unknown';
}

/** A wallet as the seller of what takers signed for; also of what came by an unknown signature, where that is most of it. */
function surestOf(key: string, history: GraphAddress, ways: { all: Behind; sure: Behind }): Seller | null {
  const all = sellerOf(key, history, ways.all);
  const sure = all && sellerOf(key, history, ways.sure);
  return sure && usdOf(sure.received) >= 0.5 * usdOf(all.received) ? sure : all;
}

/** Returns what a wallet got, in transactions that it signed, for tokens without a price that came of takers; null for nothing. */
function sellerOf(key: string, history: GraphAddress, options: Behind): Seller | null {
  const { isContract, isPool, isScanComplete, listed, unlisted } = history;
  if (isContract || isPool || unlisted.received + unlisted.sent > 0) return null;
  const moves = [...listed.received, ...listed.sent];
  const takerOf = new Map(
    moves.flatMap((one) => {
      const taker = one.to === key ? takerBehind(one, options) : null;
      return taker === null ? [] : [[one, taker] as const];
    }),
  );
  const given = [...takerOf.keys()];
  const isKnown = ({ assetId, at }: TracedTransfer) =>
    isScanComplete || spanAt(history.reading(assetId), at)?.from === Number.NEGATIVE_INFINITY;
  if (given.length === 0 || !given.every(isKnown)) return null;
  const takers = new Set(takerOf.values());
  const theirs = new Set([...takers, ...given.map(({ from }) => from)]);
  const inOrder = moves.toSorted((a, b) => comparePlaces(a, b) || a.seq - b.seq);
  const transactions = [...groupBy(inOrder, ({ txHash }) => txHash).values()];
  const sold = [...groupBy(given, ({ assetId }) => assetId)].flatMap(([asset, units]) =>
    saleParts(transactions, { key, asset, takers: theirs, given: new Set(units) }),
  );
  const [soldUsd, backUsd] = [usdOf(sold), usdOf(moves.filter(({ to }) => theirs.has(to)))];
  if (soldUsd <= backUsd) return null;
  const kept = 1 - backUsd / soldUsd;
  const received = sold.map((one) => ({ ...one, usd: kept * one.usd }));
  return { received, taken: given, takers, victims: new Set(), kind: 'seller', isUnsure: options.isUnsure };
}

/**
 * Returns the taker whose units without a price these were: he sent them himself, wallets that had nearly all of theirs of takers passed them on,
 * or their receiver had them of a contract for others of the kind. Who sends them signs, or their token's log is to be trusted. Null for
 * collectibles, and for a scam's, which makes its tokens: no victim lost those.
 */
function takerBehind(one: TracedTransfer, options: Behind, passed = 0): string | null {
  const { from, to, signer, priced, assetId, amount } = one;
  const { labels, isTaker, isUnsure, opened } = options;
  if (priced || assetId.includes('#') || !(Number(amount) > 0) || passed > PASSED_MAX) return null;
  const isGenuine = assetId === COIN || verifiedToken(chainOf(to), assetId) !== null;
  const isSignedBy = (isSender: boolean) => isGenuine || (signer === undefined ? isUnsure : isSender);
  if (isTaker(from)) return isSignedBy(isTaker(signer ?? from)) && labels.get(from)?.category !== 'scam' ? from : null;
  if (isLabelled(from, labels)) return null;
  const isOfContract = isNullAddress(from) || labels.get(from)?.isContract === true || signer === to;
  if (isOfContract) return isSignedBy(signer === to) ? takerOfChanged(one, options, passed) : null;
  const history = opened.get(from);
  if (!history || history.isContract || history.isPool || !isSignedBy(signer === from)) return null;
  return takerOfMost(one, options, { key: from, asset: assetId, except: to, passed });
}

/** Returns the taker of what an address gave for units in the same transaction, all of one other token without a price. */
function takerOfChanged(one: TracedTransfer, options: Behind, passed: number): string | null {
  const { to: key, assetId, txHash } = one;
  const given = options.gave.get(key) ?? groupBy(options.opened.get(key)?.listed.sent ?? [], (gave) => gave.txHash);
  options.gave.set(key, given);
  const gave = (given.get(txHash) ?? []).filter((other) => other.assetId !== assetId && Number(other.amount) > 0);
  const [first, ...others] = new Set(gave.map((other) => other.assetId));
  if (first === undefined || others.length > 0 || gave.some(({ priced }) => priced)) return null;
  return takerOfMost(one, options, { key, asset: first, except: null, passed });
}

/** The tokens that an address (key) had, but for those of one payer, so many steps before the sale. */
interface Stock {
  key: string;
  asset: string;
  except: string | null;
  passed: number;
}

/** Returns the taker whose units nearly all of a stock were, as far as they came before a transfer. */
function takerOfMost(one: TracedTransfer, options: Behind, stock: Stock): string | null {
  const { key, asset, except, passed } = stock;
  const name = `${passed} ${key} ${asset} ${except}`;
  const known = options.came.get(name) ?? cameTo(stock, options);
  options.came.set(name, known);
  const { units, ofTakers } = known.until[countBefore(known.transfers, one) - 1] ?? { units: 0, ofTakers: 0 };
  return ofTakers > 0 && ofTakers >= PASSED_SHARE * units ? known.taker : null;
}

function cameTo({ key, asset, except, passed }: Stock, options: Behind): Came {
  const received = options.opened.get(key)?.listed.received ?? [];
  const transfers = received
    .filter(({ assetId, from }) => assetId === asset && from !== except)
    .sort((a, b) => comparePlaces(a, b));
  let [units, ofTakers] = [0, 0];
  let first: string | null = null;
  const until = transfers.map((before) => {
    const taker = takerBehind(before, options, passed + 1);
    first ??= taker;
    units += Number(before.amount);
    if (taker !== null) ofTakers += Number(before.amount);
    return { units, ofTakers };
  });
  return { transfers, until, taker: first };
}

/** Counts those of transfers in order that came before one. */
function countBefore(transfers: readonly TracedTransfer[], one: TracedTransfer): number {
  let [low, high] = [0, transfers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (comparePlaces(transfers[middle]!, one) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Lists what was paid for the units of takers in each sale. What others sent is sold first; what was sent on without a sale may come
 * back, and is then no more of others than it was.
 */
function saleParts(
  transactions: readonly (readonly TracedTransfer[])[],
  {
    key,
    asset,
    takers,
    given,
  }: { key: string; asset: string; takers: ReadonlySet<string>; given: ReadonlySet<TracedTransfer> },
): TracedTransfer[] {
  let [ofTakers, ofOthers] = [0, 0];
  return transactions.flatMap((moves) => {
    let gone = 0;
    for (const one of moves) {
      if (one.assetId !== asset) continue;
      const units = Number(one.amount);
      if (given.has(one)) ofTakers += units;
      // What they took before, or get back, is set off.
      else if (takers.has(one.to)) ofTakers -= units;
      else gone += one.to === key ? -units : units;
    }
    const sale = gone > 0 ? saleOf(moves, key) : null;
    const units = sale ? Math.max(0, Math.min(ofTakers, gone - Math.max(0, ofOthers))) : 0;
    ofOthers -= gone - units;
    ofTakers -= units;
    if (!sale || units === 0) return [];
    const part = (sale.usd / usdOf(sale.got)) * (units / gone);
    return sale.got.map((one) => ({ ...one, usd: part * one.usd }));
  });
}

/**
 * Returns what an address got in a transaction beyond what it gave, and all that it got, where it signed for that and gave one asset
 * without a price: of several it is not known which was paid for.
 */
function saleOf(moves: readonly TracedTransfer[], key: string): { usd: number; got: TracedTransfer[] } | null {
  const [got, gave] = [moves.filter(({ to }) => to === key), moves.filter(({ from }) => from === key)];
  const unpriced = new Set(gave.filter(({ priced }) => !priced).map(({ assetId }) => assetId));
  const usd = usdOf(got) - usdOf(gave);
  const isOwn = moves.every(({ signer }) => signer === key);
  return isOwn && unpriced.size === 1 && usd > 0 ? { usd, got: got.filter((one) => one.usd > 0) } : null;
}
