import { groupBy } from '../group-by.ts';
import type { TracedTransfer } from './traced-transfer.ts';

/** Of one payer it is a wallet, where money mixes. */
const PAYERS_MIN = 2;
/** What an escrow may keep of a deposit as its fee. */
const FEE_MAX = 0.03;

/**
 * Names, by id of a deposit and of the later payment, the deals of a contract of several payers: a payment as large as one open deposit
 * alone, or else smaller by a fee, is that deposit paid out, as by an escrow. By quantity of an asset.
 */
export function dealsAmong({
  received,
  sent,
}: Record<'received' | 'sent', readonly TracedTransfer[]>): ReadonlyMap<string, string> {
  const deals = new Map<string, string>();
  const isOpen = ({ id }: TracedTransfer) => !deals.has(id);
  const paid = groupBy(sent, ({ assetId }) => assetId);
  for (const [asset, deposits] of groupBy(received, ({ assetId }) => assetId)) {
    if (new Set(deposits.map(({ from }) => from)).size < PAYERS_MIN) continue;
    for (const fee of [0, FEE_MAX]) {
      const open = deposits.filter(isOpen).sort(bySize);
      const payments = (paid.get(asset) ?? []).filter(isOpen).sort(bySize);
      const of = new Map<TracedTransfer, TracedTransfer[]>();
      for (const payment of payments) {
        const fitting = fittingIn(open, payment, fee);
        for (const deposit of fitting) of.set(deposit, [...(of.get(deposit) ?? []), payment]);
        if (fitting.length !== 1) for (const deposit of fitting) of.set(deposit, [payment, payment]);
      }
      for (const [deposit, [payment, another]] of of) {
        if (!payment || another) continue;
        for (const { id } of [deposit, payment]) deals.set(id, `deal ${deposit.id}`);
      }
    }
  }
  return deals;
}

function bySize(a: TracedTransfer, b: TracedTransfer): number {
  return Number(a.amount) - Number(b.amount);
}

/** At most two of the deposits before a payment that are as large as it, or larger by a fee. */
function fittingIn(deposits: readonly TracedTransfer[], payment: TracedTransfer, fee: number): TracedTransfer[] {
  const size = Number(payment.amount);
  let [low, high] = [0, deposits.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (Number(deposits[middle]?.amount) < size) low = middle + 1;
    else high = middle;
  }
  const fitting: TracedTransfer[] = [];
  for (let i = low; i < deposits.length && fitting.length < 2; i++) {
    const deposit = deposits[i] as TracedTransfer;
    if (Number(deposit.amount) * (1 - fee) > size) break;
    if (deposit.at < payment.at) fitting.push(deposit);
  }
  return fitting;
}
