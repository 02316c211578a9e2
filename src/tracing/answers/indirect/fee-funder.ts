import { addressOf, chainOf } from '../../../domain/address/address-key.ts';
import { compare } from '../../../domain/compare.ts';
import { groupBy } from '../../../domain/group-by.ts';
import { COIN } from '../../../domain/tracing/asset-id.ts';
import type { TracedTransfer } from '../../../domain/tracing/traced-transfer.ts';
import { transferName } from '../../../domain/transfers/transfer.ts';
import type { PaidFees } from '../../../risk/assessment.ts';
import { usdOf } from '../../../risk/ledger/movements.ts';
import { DUST_BELOW_USD, FIRST_COINS, RULES } from '../../../risk/rules.ts';
import type { GraphAddress } from '../../engine/walk/findings.ts';
import type { MoneyTraces } from '../../read/trace-money.ts';

/**
 * Finds wallets that live on listed takers and got their first coins for fees of an address; nothing where these are a few of many, as those
 * of a faucet, nor on a chain whose payments are all of coins. Needs no more than the trace opened.
 */
export function paidFees(subject: string, traces: MoneyTraces): PaidFees | undefined {
  const { fees_wallets, fees_share, fees_unread_max, signed_from_usd } = RULES.accomplice;
  const own = traces.opened.get(subject);
  if (!own || own.isPool || chainOf(subject) === 'bitcoin') return undefined;
  const given = new Set(own.sent.flatMap((one) => (isCoins(one) ? [one.id] : [])));
  const receivers = new Set(own.sent.flatMap((one) => (isCoins(one) ? [one.to] : [])));
  if (receivers.size < fees_wallets) return undefined;
  const prices = groupBy(own.received, ({ from }) => from);
  const funded = [...receivers].flatMap((key) => {
    const wallet = traces.opened.get(key);
    const coins = wallet && isWallet(key, traces) ? firstCoins(wallet) : null;
    if (!coins || !given.has(coins.id)) return [];
    const priceUsd = usdOf((prices.get(key) ?? []).filter(({ at }) => at <= coins.at));
    return priceUsd < FIRST_COINS.below_share_of_others * coins.usd ? [coins] : [];
  });
  const fed = fedByTakers(traces, new Set(funded.map(({ to }) => to)));
  const living = inOrder(funded.filter(({ to }) => fed.has(to)));
  // In number or in dollars, so that one decoy outweighs nothing.
  const isMost = living.length >= fees_share * funded.length || usdOf(living) >= fees_share * usdOf(funded);
  // Most of many were not read.
  const isSeen = receivers.size <= fees_unread_max || living.length >= fees_share * receivers.size;
  if (living.length < fees_wallets || !isMost || !isSeen) return undefined;
  const wallets = new Set(living.map(({ to }) => to));
  const ways = inOrder([...wallets].flatMap((key) => fed.get(key)!));
  // Money that they pass to each other came in once.
  const fedUsd = usdOf(ways.filter(({ from }) => !wallets.has(from)));
  if (fedUsd < signed_from_usd) return undefined;
  return {
    usd: usdOf(living),
    fedUsd,
    wallets: [...wallets].map(addressOf),
    takers: takersBehind(wallets, fed).filter(traces.isTaker).map(addressOf).sort(),
    evidence: [...new Set([...living, ...ways].map(transferName))],
    span: { from: living[0]!.at, to: living.at(-1)!.at },
  };
}

/** Returns the first coins of a wallet where they are no more than fees cost; null otherwise. */
function firstCoins({ received }: GraphAddress): TracedTransfer | null {
  const [coins] = inOrder(received.filter(isCoins));
  const feesMost = Math.max(FIRST_COINS.below_usd, FIRST_COINS.below_share_of_others * usdOf(received));
  return coins && coins.usd < feesMost ? coins : null;
}

/** Sorts by time; of one time each engine has its own order. */
function inOrder(transfers: readonly TracedTransfer[]): TracedTransfer[] {
  return transfers.toSorted((a, b) => a.at - b.at || compare(a.id, b.id));
}

function isCoins({ assetId, usd }: TracedTransfer): boolean {
  return assetId === COIN && usd >= DUST_BELOW_USD;
}

function isWallet(key: string, { opened, labels }: MoneyTraces): boolean {
  const { category, isContract } = labels.get(key) ?? {};
  return !isContract && (category ?? 'unknown') === 'unknown' && !opened.get(key)?.isPool;
}

/**
 * Lists, of each wallet that lives on takers, what these or others that live on them paid it: half of its money or more, without what
 * those of one ring pay each other. Follows the money from the takers on, so that no wallet lives on its own money that came back to it.
 */
function fedByTakers(traces: MoneyTraces, ring: ReadonlySet<string>): ReadonlyMap<string, readonly TracedTransfer[]> {
  const wallets = [...traces.opened].filter(([key]) => isWallet(key, traces));
  const payments = groupBy(
    wallets.flatMap(([, { received }]) => received),
    ({ from }) => from,
  );
  const fromOutside = ({ from }: TracedTransfer) => !ring.has(from);
  const totals = new Map(
    wallets.map(([key, { received }]) => [
      key,
      usdOf(inOrder(ring.has(key) ? received.filter(fromOutside) : received)),
    ]),
  );
  const sums = new Map<string, number>();
  const feeders = [...payments.keys()].filter(traces.isTaker);
  const feeding = new Set(feeders);
  for (let feeder = feeders.pop(); feeder !== undefined; feeder = feeders.pop()) {
    for (const { to, usd } of payments.get(feeder) ?? []) {
      const sum = (sums.get(to) ?? 0) + usd;
      sums.set(to, sum);
      if (feeding.has(to) || sum === 0 || sum < RULES.accomplice.fees_share * totals.get(to)!) continue;
      feeding.add(to);
      feeders.push(to);
    }
  }
  return new Map(
    wallets.flatMap(([key, { received }]) =>
      feeding.has(key) ? [[key, received.filter(({ from }) => feeding.has(from))] as const] : [],
    ),
  );
}

/** Lists those from whom the money of some wallets came, over any others that live on takers. */
function takersBehind(wallets: ReadonlySet<string>, fed: ReadonlyMap<string, readonly TracedTransfer[]>): string[] {
  const behind = new Set(wallets);
  // A set goes through what is added meanwhile, too.
  for (const key of behind) for (const { from } of fed.get(key) ?? []) behind.add(from);
  return [...behind];
}
