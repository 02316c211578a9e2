import { groupBy } from '../../../domain/group-by.ts';
import { DAY_MS, HOUR_MS } from '../../../domain/time.ts';
import type { TracedTransfer } from '../../../domain/tracing/traced-transfer.ts';
import { usdOf } from '../../../risk/ledger/movements.ts';
import { DUST_BELOW_USD, RULES, VICTIM } from '../../../risk/rules.ts';

interface History {
  received: readonly TracedTransfer[];
  sent: readonly TracedTransfer[];
}

type Histories = ReadonlyMap<string, History>;

/** How a payer divided money between a receiver and takers. */
interface Split {
  payer: string;
  /** Keys of whose money it was. */
  victims: readonly string[];
  received: readonly TracedTransfer[];
  taken: readonly TracedTransfer[];
  /** 0-1 of both. */
  takenShare: number;
}

/**
 * Finds payers who pay the same receiver and the same takers in the same proportion, in transactions of their own: who rents out a
 * drainer takes a fixed part of each loot. By key of the receiver. Of wallets of one use a few of one proportion are needed,
 * since two may agree by chance; of others several, who paid the receiver most of what it got.
 */
export function sameSplits(
  wallets: Histories,
  opened: Histories,
  isTaker: (key: string) => boolean,
): Map<string, Split[]> {
  const found = new Map<string, Split[]>();
  const add = (receiver: string, splits: Split[]) => found.set(receiver, [...(found.get(receiver) ?? []), ...splits]);
  for (const { receiver, splits } of bySides(wallets, isTaker, splitsOfOneUse)) {
    const alike = mostAlike(splits);
    if (alike.length >= RULES.accomplice.same_splits) add(receiver, alike);
  }
  for (const { receiver, splits } of bySides(wallets, isTaker, splitsWithinDays)) {
    const alike = mostAlike(splits);
    if (!found.has(receiver) && isMostOf(opened.get(receiver), alike)) add(receiver, alike);
  }
  return found;
}

type SplitsOf = (
  payer: string,
  history: History,
  isTaker: (key: string) => boolean,
) => [receiver: string, split: Split][];

/** Gathers the splits of all wallets by the receiver and takers that they name. */
function bySides(wallets: Histories, isTaker: (key: string) => boolean, splitsOf: SplitsOf) {
  const sides = new Map<string, { receiver: string; splits: Split[] }>();
  for (const [payer, history] of wallets) {
    for (const [receiver, split] of splitsOf(payer, history, isTaker)) {
      const name = [receiver, ...new Set(split.taken.map(({ to }) => to))].sort().join(' ');
      const known = sides.get(name) ?? { receiver, splits: [] };
      sides.set(name, known);
      known.splits.push(split);
    }
  }
  return sides.values();
}

/** Tells whether several payers divided so, who are most of its payers and brought most of its money: a shop has others, too. */
function isMostOf(history: History | undefined, alike: readonly Split[]): boolean {
  const { split_payers, split_payers_share } = RULES.accomplice;
  if (!history || alike.length < split_payers) return false;
  const got = history.received.filter(isOfWorth);
  const payers = new Set(got.map(({ from }) => from));
  const paidUsd = usdOf(alike.flatMap(({ received }) => received));
  return alike.length >= split_payers_share * payers.size && paidUsd >= split_payers_share * usdOf(got);
}

/** Finds the split of a wallet that paid all it had got to a few parties within a day, takers among them, for each other receiver. */
function splitsOfOneUse(payer: string, history: History, isTaker: (key: string) => boolean): [string, Split][] {
  const { split_share, receivers_max, fee_share_max } = RULES.accomplice;
  const { sent } = history;
  const received = history.received.filter(isOfWorth);
  const taken = sent.filter(({ to }) => isTaker(to));
  const all = [...received, ...sent];
  if (taken.length === 0 || received.length === 0 || !all.every(({ priced }) => priced)) return [];
  const times = all.map(({ at }) => at);
  if (Math.max(...times) - Math.min(...times) > VICTIM.passed_on_hours * HOUR_MS) return [];
  const paidUsd = usdOf(sent);
  const takenShare = usdOf(taken) / paidUsd;
  if (paidUsd < split_share * usdOf(received) || takenShare <= fee_share_max) return [];
  const others = groupBy(besides(sent, taken, isTaker), ({ to }) => to);
  if (others.size > receivers_max) return [];
  const victims = [...new Set(received.map(({ from }) => from))];
  return [...others].flatMap(([to, part]): [string, Split][] =>
    usdOf(part) > fee_share_max * paidUsd ? [[to, { payer, victims, received: part, taken, takenShare }]] : [],
  );
}

/** Finds how a wallet divided what it paid to takers and to each other receiver on the same days, or the days beside. */
function splitsWithinDays(payer: string, history: History, isTaker: (key: string) => boolean): [string, Split][] {
  const { fee_share_max } = RULES.accomplice;
  const sent = history.sent.filter(isOfWorth);
  const taken = sent.filter(({ to }) => isTaker(to));
  if (taken.length === 0) return [];
  return [...groupBy(besides(sent, taken, isTaker), ({ to }) => to)].flatMap(([to, part]): [string, Split][] => {
    const received = near(part, taken);
    const beside = near(taken, part);
    const takenShare = usdOf(beside) / usdOf([...received, ...beside]);
    if (received.length === 0 || takenShare <= fee_share_max || 1 - takenShare <= fee_share_max) return [];
    return [[to, { payer, victims: [payer], received, taken: beside, takenShare }]];
  });
}

/** Picks what was paid to others than takers, in other transactions than what takers got. */
function besides(
  sent: readonly TracedTransfer[],
  taken: readonly TracedTransfer[],
  isTaker: (key: string) => boolean,
): TracedTransfer[] {
  const takings = new Set(taken.map(({ txHash }) => txHash));
  return sent.filter(({ to, txHash }) => !isTaker(to) && !takings.has(txHash));
}

/** Picks those on the days of others, or on the day before or after. */
function near(some: readonly TracedTransfer[], others: readonly TracedTransfer[]): TracedTransfer[] {
  const days = new Set(others.map(({ at }) => dayOf(at)));
  return some.filter(({ at }) => [-1, 0, 1].some((apart) => days.has(dayOf(at) + apart)));
}

function dayOf(at: number): number {
  return Math.floor(at / DAY_MS);
}

/** Leaves out dust and unknown tokens, which anybody can send at any time. */
function isOfWorth({ priced, usd }: TracedTransfer): boolean {
  return priced && usd >= DUST_BELOW_USD;
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
