import { groupBy } from '../../domain/group-by.ts';
import { HOUR_MS } from '../../domain/time.ts';
import type { TracedTransfer } from '../../domain/tracing/traced-transfer.ts';
import { usdOf } from '../../risk/ledger/movements.ts';
import { DUST_BELOW_USD, RULES, VICTIM } from '../../risk/rules.ts';

interface History {
  received: readonly TracedTransfer[];
  sent: readonly TracedTransfer[];
}

/** Receipts of a wallet of one use, and how it divided them between a receiver and takers. */
interface Split {
  got: readonly TracedTransfer[];
  received: readonly TracedTransfer[];
  taken: readonly TracedTransfer[];
  /** 0-1 of all that it paid. */
  takenShare: number;
}

/**
 * Finds wallets of one use that pay the same receiver and the same takers in the same proportion, in transactions of their own: who rents
 * out a drainer takes a fixed part of each loot. By key of the receiver; a few of one proportion are needed, since two may agree by chance.
 */
export function sameSplits(histories: Iterable<History>, isTaker: (key: string) => boolean): Map<string, Split[]> {
  const bySides = new Map<string, { receiver: string; splits: Split[] }>();
  for (const history of histories) {
    for (const [receiver, split] of splitsOf(history, isTaker)) {
      const name = [receiver, ...new Set(split.taken.map(({ to }) => to))].sort().join(' ');
      const known = bySides.get(name) ?? { receiver, splits: [] };
      bySides.set(name, known);
      known.splits.push(split);
    }
  }
  const found = new Map<string, Split[]>();
  for (const { receiver, splits } of bySides.values()) {
    const alike = mostAlike(splits);
    if (alike.length >= RULES.accomplice.same_splits) found.set(receiver, [...(found.get(receiver) ?? []), ...alike]);
  }
  return found;
}

/** The split of a wallet that paid all it had got to a few parties within a day, takers among them, for each other receiver. */
function splitsOf(history: History, isTaker: (key: string) => boolean): [string, Split][] {
  const { split_share, receivers_max, fee_share_max } = RULES.accomplice;
  const { sent } = history;
  // Anybody can send dust or an unknown token, at any time.
  const received = history.received.filter(({ priced, usd }) => priced && usd >= DUST_BELOW_USD);
  const taken = sent.filter(({ to }) => isTaker(to));
  const all = [...received, ...sent];
  if (taken.length === 0 || received.length === 0 || !all.every(({ priced }) => priced)) return [];
  const times = all.map(({ at }) => at);
  if (Math.max(...times) - Math.min(...times) > VICTIM.passed_on_hours * HOUR_MS) return [];
  const paidUsd = usdOf(sent);
  const takenShare = usdOf(taken) / paidUsd;
  if (paidUsd < split_share * usdOf(received) || takenShare <= fee_share_max) return [];
  const takings = new Set(taken.map(({ txHash }) => txHash));
  const others = groupBy(
    sent.filter(({ to, txHash }) => !isTaker(to) && !takings.has(txHash)),
    ({ to }) => to,
  );
  if (others.size > receivers_max) return [];
  return [...others].flatMap(([to, part]): [string, Split][] =>
    usdOf(part) > fee_share_max * paidUsd ? [[to, { got: received, received: part, taken, takenShare }]] : [],
  );
}

/** The most splits of about one proportion. */
export function mostAlike<Divided extends { takenShare: number }>(splits: readonly Divided[]): Divided[] {
  const sorted = splits.toSorted((a, b) => a.takenShare - b.takenShare);
  let most: Divided[] = [];
  let start = 0;
  for (const [end, { takenShare }] of sorted.entries()) {
    while (takenShare - sorted[start]!.takenShare > RULES.accomplice.same_split_apart_max) start += 1;
    if (end + 1 - start > most.length) most = sorted.slice(start, end + 1);
  }
  return most;
}
