import { chainOf } from '../../../domain/address/address-key.ts';
import { groupBy } from '../../../domain/group-by.ts';
import type { AddressLabel } from '../../../domain/label.ts';
import { verifiedToken } from '../../../domain/tokens/token.ts';
import { COIN } from '../../../domain/tracing/asset-id.ts';
import { spanAt } from '../../../domain/tracing/reading.ts';
import { comparePlaces, type TracedTransfer } from '../../../domain/tracing/traced-transfer.ts';
import { usdOf } from '../../../risk/ledger/movements.ts';
import type { GraphAddress } from '../walk/findings.ts';

// A token without a price is worth, to who sold it, what he got for it. No other can set that: the tokens count where a taker himself
// sent them, the sale where the seller signed it, and only units beyond all that he had of others.

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
export function sellersAmong(opened: ReadonlyMap<string, GraphAddress>, options: Options): Map<string, Seller> {
  const sellers = new Map<string, Seller>();
  for (const [key, history] of opened) {
    const category = options.labels.get(key)?.category ?? 'unknown';
    const seller = category === 'unknown' ? surestOf(key, history, options) : null;
    if (seller) sellers.set(key, seller);
  }
  return sellers;
}

/** A wallet as the seller of what takers signed for; also of what came by an unknown signature, where that is most of it. */
function surestOf(key: string, history: GraphAddress, options: Options): Seller | null {
  const all = sellerOf(key, history, { ...options, isUnsure: true });
  const sure = all && sellerOf(key, history, { ...options, isUnsure: false });
  return sure && usdOf(sure.received) >= 0.5 * usdOf(all.received) ? sure : all;
}

/** Returns what a wallet got, in transactions that it signed, for tokens without a price that takers had sent it; null for nothing. */
function sellerOf(key: string, history: GraphAddress, options: Options & { isUnsure: boolean }): Seller | null {
  const { isContract, isPool, isScanComplete, listed, unlisted } = history;
  if (isContract || isPool || unlisted.received + unlisted.sent > 0) return null;
  const moves = [...listed.received, ...listed.sent];
  const given = moves.filter((one) => one.to === key && isOfTaker(one, options));
  const isKnown = ({ assetId, at }: TracedTransfer) =>
    isScanComplete || spanAt(history.reading(assetId), at)?.from === Number.NEGATIVE_INFINITY;
  if (given.length === 0 || !given.every(isKnown)) return null;
  const takers = new Set(given.map(({ from }) => from));
  const inOrder = moves.toSorted((a, b) => comparePlaces(a, b) || a.seq - b.seq);
  const transactions = [...groupBy(inOrder, ({ txHash }) => txHash).values()];
  const sold = [...groupBy(given, ({ assetId }) => assetId)].flatMap(([asset, units]) =>
    saleParts(transactions, { key, asset, takers, given: new Set(units) }),
  );
  const [soldUsd, backUsd] = [usdOf(sold), usdOf(moves.filter(({ to }) => takers.has(to)))];
  if (soldUsd <= backUsd) return null;
  const kept = 1 - backUsd / soldUsd;
  const received = sold.map((one) => ({ ...one, usd: kept * one.usd }));
  return { received, taken: given, takers, victims: new Set(), kind: 'seller', isUnsure: options.isUnsure };
}

/**
 * True for units that a taker sent in a transaction of his own, or of a token whose log is to be trusted. Not of collectibles, nor of a
 * scam, which makes its tokens: no victim lost those.
 */
function isOfTaker(
  { from, to, signer, priced, assetId, amount }: TracedTransfer,
  { labels, isTaker, isUnsure }: Options & { isUnsure: boolean },
): boolean {
  if (priced || assetId.includes('#') || !(Number(amount) > 0)) return false;
  if (!isTaker(from) || labels.get(from)?.category === 'scam') return false;
  const isGenuine = assetId === COIN || verifiedToken(chainOf(to), assetId) !== null;
  return isGenuine || (signer === undefined ? isUnsure : isTaker(signer));
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
