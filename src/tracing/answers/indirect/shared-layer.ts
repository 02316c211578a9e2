import { addressOf } from '../../../domain/address/address-key.ts';
import type { FlowPortion } from '../../../domain/tracing/flow-portion.ts';
import type { TracedTransfer } from '../../../domain/tracing/traced-transfer.ts';
import { transferName } from '../../../domain/transfers/transfer.ts';
import type { SharedLayer } from '../../../risk/assessment.ts';
import { usdOf } from '../../../risk/ledger/movements.ts';
import { RULES } from '../../../risk/rules.ts';
import type { GraphAddress } from '../../engine/walk/findings.ts';
import type { MoneyTraces } from '../../read/trace-money.ts';

/** Finds wallets a few steps behind an address that listed takers of money feed too; needs no more than the trace opened. */
export function sharedLayer(subject: string, { sent, opened, labels, isTaker }: MoneyTraces): SharedLayer | undefined {
  const fed = new Map<string, TracedTransfer[]>();
  for (const [key, history] of opened) {
    const { category, isContract } = labels.get(key) ?? {};
    if (key === subject || (category ?? 'unknown') !== 'unknown' || isContract) continue;
    const taken = history.received.filter(({ from }) => from !== subject && isTaker(from));
    if (isFed(history, taken)) fed.set(key, taken);
  }
  const own = new Map<string, TracedTransfer>();
  const wallets = new Set<string>();
  let usd = 0;
  for (const { address, arrived } of fed.size > 0 ? sent.passes.flat() : []) {
    if (!fed.has(address)) continue;
    for (const portion of arrived) {
      const way = wayOf(portion);
      // What goes on from one of them to the next counts once.
      if (
        portion.usd <= 0 ||
        way.length > RULES.shared_layer.steps_max ||
        way.some(({ to }) => to !== address && fed.has(to))
      )
        continue;
      usd += portion.usd;
      wallets.add(address);
      const first = way.at(-1)!;
      own.set(first.id, first);
    }
  }
  if (usd === 0) return undefined;
  const taken = [...wallets].flatMap((wallet) => fed.get(wallet) ?? []);
  return {
    usd,
    wallets: [...wallets].map(addressOf).sort(),
    takers: [...new Set(taken.map(({ from }) => addressOf(from)))].sort(),
    evidence: [...new Set([...own.values(), ...taken].map(transferName))],
    span: spanOf([...own.values(), ...taken]),
  };
}

/** True where takers gave a good part of what a few payers brought: many pay what many share, as an exchange. */
function isFed({ received, totals, isPool }: GraphAddress, taken: readonly TracedTransfer[]): boolean {
  const { taker_share, payers_max, payer_from_usd } = RULES.shared_layer;
  if (isPool || taken.length === 0 || usdOf(taken) < taker_share * totals.received.usd) return false;
  const paid = new Map<string, number>();
  for (const { from, usd } of received) paid.set(from, (paid.get(from) ?? 0) + usd);
  return [...paid.values()].filter((sum) => sum >= payer_from_usd).length <= payers_max;
}

/** The transfers from an address back to the subject. */
function wayOf(portion: FlowPortion): TracedTransfer[] {
  const way: TracedTransfer[] = [];
  for (let one: FlowPortion | null = portion; one; one = one.onto) way.push(one.transfer);
  return way;
}

function spanOf(transfers: readonly TracedTransfer[]): { from: number; to: number } {
  const times = transfers.map(({ at }) => at);
  return { from: times.reduce((a, b) => Math.min(a, b)), to: times.reduce((a, b) => Math.max(a, b)) };
}
