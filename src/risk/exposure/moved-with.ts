import { groupBy } from '../../domain/group-by.ts';
import { HOUR_MS } from '../../domain/time.ts';
import { usdOf } from '../ledger/movements.ts';
import { ROBBER } from '../rules.ts';

/** A transfer and who signed its transaction, where that is known. */
interface Signed {
  txHash: string;
  from: string;
  to: string;
  at: number;
  usd: number | null;
  signer?: string | null;
}

/** Names the signer of the greatest part. */
function mainSigner(loot: readonly Signed[]): string | undefined {
  const bySigner = [...groupBy(loot, ({ signer }) => signer ?? undefined)];
  return bySigner.sort(([, a], [, b]) => usdOf(b) - usdOf(a))[0]?.[0];
}

/**
 * Returns whether who moved loot to an address moved a payment of it, too: within a week, where the address signed both; else in the same
 * transaction, or where one signer of both is a taker, or was paid a part by it. A contract of which others sign what else it moves is a
 * strategy or a router, and a signer whom it does not pay relays for many: what these do is not theirs.
 */
export function movedWith(
  key: string,
  { loot, moves }: { loot: readonly Signed[]; moves: readonly Signed[] },
  isTaker: (party: string) => boolean,
): (payment: Signed) => boolean {
  const calls = new Set(loot.map(({ txHash }) => txHash));
  const signers = new Set(loot.flatMap(({ signer }) => signer ?? []));
  const lootUsd = usdOf(loot);
  const paidTo = (signer: string) => usdOf(moves.filter(({ from, to }) => from === key && to === signer));
  const own = new Set([...signers].filter((one) => isTaker(one) || paidTo(one) >= ROBBER.robbed_part * lootUsd));
  const robber = mainSigner(loot);
  const isStrangers = ({ signer }: Signed) => signer && signer !== robber && !isTaker(signer);
  const isOfOthers = robber !== key && usdOf(moves.filter(isStrangers)) > ROBBER.robbed_strangers * lootUsd;
  if (isOfOthers) return () => false;
  own.add(key);
  const signed = loot.filter(({ signer }) => signer && own.has(signer));
  return (payment) =>
    calls.has(payment.txHash) ||
    signed.some(
      ({ at, signer }) =>
        (signer === key || signer === payment.signer) &&
        payment.at >= at &&
        payment.at <= at + ROBBER.robbed_hours * HOUR_MS,
    );
}
