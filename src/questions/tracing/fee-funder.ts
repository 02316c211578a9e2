import { addressOf } from '../../domain/address/address-key.ts';
import { COIN } from '../../domain/tracing/asset-id.ts';
import type { TracedTransfer } from '../../domain/tracing/traced-transfer.ts';
import { transferName } from '../../domain/transfers/transfer.ts';
import type { GraphAddress } from '../../graph/queries/exposure.ts';
import type { PaidFees } from '../../risk/assessment.ts';
import { usdOf } from '../../risk/ledger/movements.ts';
import { DUST_BELOW_USD, FIRST_COINS, RULES } from '../../risk/rules.ts';
import type { MoneyTraces } from './trace-money.ts';

/** A wallet whose first coins the subject paid. */
interface Funded {
  coins: TracedTransfer;
  /** Payments of takers to it, or of wallets that live on them; empty where that is less than half of its money. */
  fed: readonly TracedTransfer[];
  takers: ReadonlySet<string>;
}

/**
 * Finds wallets that live on listed takers and got their first coins for fees of an address; nothing where these are a few of many, as those
 * of a faucet. Needs no more than the trace opened.
 */
export function paidFees(subject: string, traces: MoneyTraces): PaidFees | undefined {
  const { fees_wallets, fees_share, fees_unread_max, signed_from_usd } = RULES.accomplice;
  const own = traces.opened.get(subject);
  if (!own || own.isPool) return undefined;
  const receivers = new Set(own.sent.flatMap((one) => (isCoins(one) ? [one.to] : [])));
  const known = new Map<string, Living>();
  const funded = [...receivers].flatMap((key) => fundedBy(own, key, traces, known) ?? []);
  const living = funded.filter(({ fed }) => fed.length > 0);
  const coinsOf = (some: readonly Funded[]) => usdOf(some.map(({ coins }) => coins));
  const isMost = coinsOf(living) >= fees_share * coinsOf(funded);
  // Most of many were not read.
  const isSeen = receivers.size <= fees_unread_max || living.length >= fees_share * receivers.size;
  const fed = living.flatMap((one) => one.fed);
  if (living.length < fees_wallets || !isMost || !isSeen || usdOf(fed) < signed_from_usd) return undefined;
  const coins = living.map((one) => one.coins).sort((a, b) => a.at - b.at);
  return {
    usd: coinsOf(living),
    fedUsd: usdOf(fed),
    wallets: coins.map(({ to }) => addressOf(to)),
    takers: [...new Set(living.flatMap(({ takers }) => [...takers]))].map(addressOf).sort(),
    evidence: [...new Set([...coins, ...fed].map(transferName))],
    span: { from: coins[0]!.at, to: coins.at(-1)!.at },
  };
}

/** Returns null for a wallet that bought them, had coins before, or was not read. */
function fundedBy(own: GraphAddress, key: string, traces: MoneyTraces, known: Map<string, Living>): Funded | null {
  const wallet = traces.opened.get(key);
  if (!wallet || !isWallet(key, traces)) return null;
  const [coins] = wallet.received.filter(({ assetId }) => assetId === COIN).sort((a, b) => a.at - b.at);
  if (!coins || !isCoins(coins) || !own.sent.some(({ id }) => id === coins.id)) return null;
  const feesMost = Math.max(FIRST_COINS.below_usd, FIRST_COINS.below_share_of_others * usdOf(wallet.received));
  if (coins.usd >= feesMost) return null;
  const price = usdOf(own.received.filter(({ from, at }) => from === key && at <= coins.at));
  return price >= FIRST_COINS.below_share_of_others * coins.usd ? null : { coins, ...livingOf(key, traces, known) };
}

function isCoins({ assetId, usd }: TracedTransfer): boolean {
  return assetId === COIN && usd >= DUST_BELOW_USD;
}

function isWallet(key: string, { opened, labels }: MoneyTraces): boolean {
  const { category, isContract } = labels.get(key) ?? {};
  return !isContract && (category ?? 'unknown') === 'unknown' && !opened.get(key)?.isPool;
}

type Living = Omit<Funded, 'coins'>;

const NOTHING: Living = { fed: [], takers: new Set() };

/** Lists what takers paid a wallet, themselves or over wallets that live on them, where that is half of its money or more. */
function livingOf(key: string, traces: MoneyTraces, known: Map<string, Living>): Living {
  const before = known.get(key);
  if (before) return before;
  // Its own money, which comes back to it.
  known.set(key, NOTHING);
  const { received = [] } = traces.opened.get(key) ?? {};
  const takers = new Set<string>();
  const fed = received.filter(({ from }) => {
    const behind = traces.isTaker(from) ? [from] : isWallet(from, traces) ? livingOf(from, traces, known).takers : [];
    const found = [...behind];
    for (const taker of found) takers.add(taker);
    return found.length > 0;
  });
  const living = usdOf(fed) >= RULES.accomplice.fees_share * usdOf(received) ? { fed, takers } : NOTHING;
  known.set(key, living);
  return living;
}
