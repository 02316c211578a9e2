import { canonicalAddress } from '../../domain/address/address.ts';
import { AmountSum } from '../../domain/amount.ts';
import type { Chain } from '../../domain/chain.ts';
import { isCoinJoin } from '../../domain/coinjoin/transaction.ts';
import { compare } from '../../domain/compare.ts';
import { groupBy } from '../../domain/group-by.ts';
import type { TransferDirection, TransferReason } from '../../domain/screened-transfer.ts';
import { trimEndOf } from '../../domain/text/trim-end.ts';
import { movedValue, type Transfer } from '../../domain/transfers/transfer.ts';

/** Names the transfer that an account means. */
export interface MeantTransfer {
  direction: TransferDirection;
  /** Symbol, contract or `native`. */
  asset: string | null;
  /** Decimal string. */
  amount: string | null;
  /** Canonical: either end. */
  address: string | null;
}

export interface MatchedTransfer {
  /** Amounts that moved, one entry an asset. */
  moved: { asset: string; token: string | null; amount: string; usd: number | null }[];
  /** The other side, the largest giver first: addresses, and a CoinJoin transaction. */
  parties: string[];
  /** True where the payers are one owner, or only one pays. */
  isOneOwner: boolean;
}

/** All that came to one place of a transaction: an output, a transfer of a token. */
interface Payment {
  to: string;
  amount: string;
  transfers: Transfer[];
}

/**
 * Finds the transfer that is meant among those of a confirmed transaction, and who is on its other side. Where several
 * receivers fit, the other side must be the same for all: nothing is guessed.
 */
export function matchTransfer(
  chain: Chain,
  transfers: readonly Transfer[],
  meant: MeantTransfer,
): MatchedTransfer | TransferReason {
  const payers = new Set(transfers.filter(movedValue).map(({ from }) => from));
  const moving = transfers.filter((one) => movedValue(one) && one.from !== one.to && isAsset(one, meant.asset));
  const ended = atAddress(moving, meant.address);
  // What comes back to a payer is change, unless the account asks for it.
  const given = ended.filter(({ to }) => to === meant.address || !payers.has(to));
  const fitting = ofAmount(given.length > 0 ? given : ended, meant.amount);
  if (fitting.length === 0) return 'no_such_transfer';
  const receivers = new Set(fitting.map(({ to }) => to));
  const otherSides = new Set(fitting.map((payment) => otherSide(payment.transfers, meant.direction).join()));
  if (receivers.size > 1 && otherSides.size > 1) return 'ambiguous';
  const found = fitting.flatMap((payment) => payment.transfers);
  const parties = otherSide(found, meant.direction).filter((one) => isNamed(chain, one));
  if (parties.length === 0) return 'no_counterparty';
  return {
    moved: sums(found),
    parties: bySize(parties, found, meant.direction),
    isOneOwner: parties.length === 1 || found.every(({ joint }) => joint === true),
  };
}

function isAsset({ asset, token }: Transfer, wanted: string | null): boolean {
  if (wanted === null) return true;
  const text = wanted.toLowerCase();
  return token === null
    ? text === 'native' || text === asset.toLowerCase()
    : text === token.toLowerCase() || text === asset.toLowerCase();
}

/** Returns the transfers that pay the address; where none does, those that it pays. */
function atAddress(transfers: Transfer[], address: string | null): Transfer[] {
  if (address === null) return transfers;
  const received = transfers.filter(({ to }) => to === address);
  return received.length > 0 ? received : transfers.filter(({ from }) => from === address);
}

/** Payments of exactly the amount: single outputs or transfers, else all of an asset that one address got. */
function ofAmount(transfers: Transfer[], amount: string | null): Payment[] {
  const at = (place: (transfer: Transfer) => string): Payment[] =>
    [...groupBy(transfers, place).values()].map((same) => ({
      to: same[0]!.to,
      amount: sumOf(same),
      transfers: same,
    }));
  const assetAt = ({ to, token, asset }: Transfer) => JSON.stringify([to, token, asset]);
  const single = at((one) => `${assetAt(one)} ${one.index?.startsWith('out:') ? one.index : one.id}`);
  if (amount === null) return single;
  const wanted = plain(amount);
  const exact = single.filter((payment) => plain(payment.amount) === wanted);
  return exact.length > 0 ? exact : at(assetAt).filter((payment) => plain(payment.amount) === wanted);
}

/** `1.50` and `01.5` are one amount. */
function plain(amount: string): string {
  const [whole = '', fraction = ''] = amount.split('.');
  return `${whole.replace(/^0+(?=\d)/, '')}.${trimEndOf(fraction, '0')}`;
}

function otherSide(transfers: readonly Transfer[], direction: TransferDirection): string[] {
  return [...new Set(transfers.map((one) => endOf(one, direction)))].sort(compare);
}

function endOf({ from, to }: Transfer, direction: TransferDirection): string {
  return direction === 'deposit' ? from : to;
}

function isNamed(chain: Chain, party: string): boolean {
  return isCoinJoin(party) || canonicalAddress(chain, party) !== null;
}

function sumOf(transfers: readonly Transfer[]): string {
  const sum = new AmountSum();
  for (const { amount } of transfers) sum.add(amount);
  return sum.toString();
}

function sums(transfers: readonly Transfer[]): MatchedTransfer['moved'] {
  const byAsset = groupBy(transfers, ({ token, asset }) => JSON.stringify([token, asset]));
  return [...byAsset.values()].map((same) => {
    const usd = same.every((one) => one.usd !== null) ? same.reduce((sum, one) => sum + one.usd!, 0) : null;
    return { asset: same[0]!.asset, token: same[0]!.token, amount: sumOf(same), usd };
  });
}

function bySize(parties: string[], transfers: readonly Transfer[], direction: TransferDirection): string[] {
  const sizes = new Map<string, number>();
  for (const one of transfers) {
    const party = endOf(one, direction);
    sizes.set(party, (sizes.get(party) ?? 0) + Number(one.amount));
  }
  return parties.toSorted((a, b) => sizes.get(b)! - sizes.get(a)! || compare(a, b));
}
