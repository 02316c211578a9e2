import { formatUnits } from '../../../domain/amount.ts';
import type { BridgeMessage, PartyBehind } from '../../../domain/bridges/message.ts';
import { NATIVE_COIN } from '../../../domain/chain.ts';
import { assetId, COIN, isNullAddress } from '../../../domain/tracing/asset-id.ts';
import { movedValue, type Transfer } from '../../../domain/transfers/transfer.ts';
import type { TransactionFacts } from './facts.ts';

/** The amount that a statement claims was moved: `token` is null for the coin; a wrapped coin counts as the coin. */
export interface Claim {
  token: string | null;
  raw: bigint;
  /** Index of the log that claims it. */
  position: number;
}

/** The asset of a claim as transfers of the transaction show it, with the transfers that the message replaces. */
export interface Moved extends Pick<BridgeMessage, 'asset' | 'token' | 'assetId' | 'amount' | 'explains'> {
  decimals: number;
  /** The payer, as far as transfers show. */
  from: string | null;
  /** The ends of its hops with their own transfers; null where no transfer shows them, and for parts of several senders. */
  giver: PartyBehind | null;
  taker: PartyBehind | null;
}

/**
 * The transfers before the statement that carry exactly the claimed amount, hop by hop; else the one that brought at
 * least as much to `into`, whose rest is a fee. Null where no transfer backs a claim on a token; the coin may have moved
 * without being visible.
 */
export function leaving(facts: TransactionFacts, claim: Claim, into: readonly string[] = []): Moved | null {
  if (claim.raw <= 0n) return null;
  const id = idOf(facts, claim.token);
  return (
    leavingBy(facts, claim.position, (one) => idOf(facts, one.token) === id && rawOf(one) === claim.raw) ??
    leavingBy(
      facts,
      claim.position,
      (one) => idOf(facts, one.token) === id && into.includes(one.to) && rawOf(one) > claim.raw,
    ) ??
    unseen(facts, claim)
  );
}

/** The transfer of exactly the claimed amount to the recipient, nearest to the statement, and the hops that led to it. */
export function arriving(facts: TransactionFacts, claim: Claim, recipient: string): Moved | null {
  if (claim.raw <= 0n) return null;
  const id = idOf(facts, claim.token);
  const fits = (one: Transfer) => idOf(facts, one.token) === id && rawOf(one) === claim.raw;
  return arrivingBy(facts, claim.position, recipient, fits) ?? unseen(facts, claim);
}

/** The nearest transfer before the statement that fits, with the hops of the same amount around it. */
export function leavingBy(
  facts: TransactionFacts,
  position: number,
  fits: (transfer: Transfer) => boolean,
): Moved | null {
  const nearest = unexplained(facts)
    .filter((transfer) => placeOf(transfer) < position)
    .toSorted((a, b) => placeOf(b) - placeOf(a) || (b.seq ?? 0) - (a.seq ?? 0));
  const found = nearest.find(fits);
  return found ? movedBy(facts, untilRepeated(nearest.filter((one) => carriesSame(facts, one, found)))) : null;
}

/** The transfer to the recipient that fits, nearest to the statement, and the hops of the same amount that led to it. */
export function arrivingBy(
  facts: TransactionFacts,
  position: number,
  recipient: string,
  fits: (transfer: Transfer) => boolean,
): Moved | null {
  const distance = (transfer: Transfer) => Math.abs(placeOf(transfer) - position);
  const nearest = unexplained(facts).toSorted((a, b) => distance(a) - distance(b) || (a.seq ?? 0) - (b.seq ?? 0));
  const last = nearest.find((one) => one.to === recipient && fits(one));
  if (!last) return null;
  const same = nearest.filter((one) => carriesSame(facts, one, last));
  const hops = [last];
  for (;;) {
    const before = same.find((one) => one.to === hops[0]!.from && !hops.includes(one));
    if (!before) return movedBy(facts, hops);
    hops.unshift(before);
  }
}

/**
 * A condition that holds for nothing where it fits transfers of several assets: a statement that names no token says
 * nothing of two, and whoever calls the bridge can add one.
 */
export function ofOneAsset(facts: TransactionFacts, fits: (transfer: Transfer) => boolean) {
  const assets = new Set(
    unexplained(facts)
      .filter(fits)
      .map(({ token }) => idOf(facts, token)),
  );
  return assets.size > 1 ? () => false : fits;
}

/** Smallest units. */
export function rawOf({ amountRaw }: Transfer): bigint {
  return BigInt(amountRaw ?? 0);
}

/** Transfers that moved an amount and that no message explains yet. */
export function unexplained(facts: TransactionFacts): Transfer[] {
  return facts.evidence.transaction.transfers.filter(
    (transfer) =>
      movedValue(transfer) &&
      transfer.tokenId === null &&
      transfer.amountRaw !== null &&
      !facts.claimed.has(transfer.id),
  );
}

function carriesSame(facts: TransactionFacts, a: Transfer, b: Transfer): boolean {
  return idOf(facts, a.token) === idOf(facts, b.token) && a.amountRaw === b.amountRaw;
}

/** Marks hops of one amount as explained and describes what they moved. */
function movedBy(facts: TransactionFacts, hops: readonly Transfer[]): Moved {
  for (const { id } of hops) facts.claimed.add(id);
  const one = hops[0]!;
  // Minting (a wrapped coin, a bridged token) is not where the money came from.
  const starts = hops.filter(({ from }) => !hops.some(({ to }) => to === from));
  const first = starts.find(({ from }) => !isNullAddress(`${facts.chain}:${from}`)) ?? starts[0] ?? one;
  const last = hops.find(({ to }) => !hops.some(({ from }) => from === to)) ?? one;
  return {
    asset: first.asset,
    token: first.token,
    assetId: idOf(facts, first.token),
    amount: first.amount,
    decimals: first.decimals ?? 0,
    explains: hops.map(({ id }) => id),
    from: first.from,
    giver: { party: first.from, transfer: first.id },
    taker: { party: last.to, transfer: last.id },
  };
}

/** Parts of one payment as one amount; the giver of the largest part counts as its sender. */
export function together(facts: TransactionFacts, parts: readonly Transfer[]): Moved {
  const largest = parts.toSorted((a, b) => (rawOf(a) < rawOf(b) ? 1 : -1))[0]!;
  const raw = parts.reduce((total, one) => total + rawOf(one), 0n);
  const moved = movedBy(facts, [largest]);
  for (const { id } of parts) facts.claimed.add(id);
  const explains = parts.map(({ id }) => id);
  return { ...moved, amount: formatUnits(raw, moved.decimals), explains, giver: null, taker: null };
}

/** The coin of an inner call that the source does not list; null for tokens, whose every move is logged. */
function unseen(facts: TransactionFacts, { token, raw }: Claim): Moved | null {
  if (idOf(facts, token) !== COIN) return null;
  const { symbol, decimals } = NATIVE_COIN[facts.chain];
  const amount = formatUnits(raw, decimals);
  return {
    asset: symbol,
    token: null,
    assetId: COIN,
    amount,
    decimals,
    explains: [],
    from: null,
    giver: null,
    taker: null,
  };
}

function untilRepeated(transfers: readonly Transfer[]): Transfer[] {
  const hops: Transfer[] = [];
  for (const transfer of transfers) {
    if (hops.some(({ from, to }) => from === transfer.from && to === transfer.to)) break;
    hops.push(transfer);
  }
  return hops;
}

export function idOf({ chain }: TransactionFacts, token: string | null): string {
  return assetId(chain, { token, tokenId: null, symbol: token === null ? NATIVE_COIN[chain].symbol : '' });
}

/** Index of the log; the value of the transaction and of its calls comes before all logs. */
function placeOf({ index }: Transfer): number {
  const log = /^log:(\d+)/.exec(index ?? '');
  return log ? Number(log[1]) : -1;
}
