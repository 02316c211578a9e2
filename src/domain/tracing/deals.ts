import { groupBy } from '../group-by.ts';
import type { AddressTransfers, TracedTransfer } from './traced-transfer.ts';

/** Payers that make a contract an escrow; one payer's is a wallet, where money mixes. */
const PAYERS_MIN = 2;
/** Largest part of a deposit that an escrow may keep as its fee. */
const FEE_MAX = 0.03;

/**
 * Names, by id of a deposit and of the later payment, the deals of a contract of several payers: a payment as large as one open deposit
 * alone, or else smaller by a fee, and the only one to be so, is that deposit paid out, as by an escrow. By quantity of an asset.
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
