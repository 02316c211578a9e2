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
  for (const [key, history] of opened) {
    const seller = isLabelled(key, options.labels) ? null : surestOf(key, history, { ...options, opened });
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

interface SellerOptions extends Options {
  opened: Histories;
}

function isLabelled(key: string, labels: Options['labels']): boolean {
  return (labels.get(key)?.category ?? 'unknown') !== 'unknown';
}

/** A wallet as the seller of what takers signed for; also of what came by an unknown signature, where that is most of it. */
function surestOf(key: string, history: GraphAddress, options: SellerOptions): Seller | null {
  const all = sellerOf(key, history, { ...options, isUnsure: true });
  const sure = all && sellerOf(key, history, { ...options, isUnsure: false });
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

type Behind = SellerOptions & { isUnsure: boolean };

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
  const had = history.listed.received.filter((before) => before.assetId === assetId && before.from !== to);
  return takerOfMost(had, one, options, passed);
}

/** Returns the taker of what an address gave for units in the same transaction, all of one other token without a price. */
function takerOfChanged(one: TracedTransfer, options: Behind, passed: number): string | null {
  const { received = [], sent = [] } = options.opened.get(one.to)?.listed ?? {};
  const gave = sent.filter(({ txHash, assetId, amount }) => {
    return txHash === one.txHash && assetId !== one.assetId && Number(amount) > 0;
  });
  const [first, ...others] = new Set(gave.map(({ assetId }) => assetId));
  if (first === undefined || others.length > 0 || gave.some(({ priced }) => priced)) return null;
  const had = received.filter(({ assetId }) => assetId === first);
  return takerOfMost(had, one, options, passed);
}

/** Returns the taker whose units nearly all of these were, as far as they came before a transfer. */
function takerOfMost(
  had: readonly TracedTransfer[],
  one: TracedTransfer,
  options: Behind,
  passed: number,
): string | null {
  const came = had
    .filter((before) => comparePlaces(before, one) < 0)
    .map((before) => ({ units: Number(before.amount), taker: takerBehind(before, options, passed + 1) }));
  const unitsOf = (part: typeof came) => part.reduce((sum, { units }) => sum + units, 0);
  const ofTakers = came.filter(({ taker }) => taker !== null);
  return ofTakers.length > 0 && unitsOf(ofTakers) >= PASSED_SHARE * unitsOf(came) ? ofTakers[0]!.taker : null;
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
