import { addAmounts } from '../../domain/amount.ts';
import { compare } from '../../domain/compare.ts';
import type { Transfer } from '../../domain/transfers/transfer.ts';
import type { UnvaluedAmount } from '../assessment.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { isGenuine, type Movement } from '../ledger/movements.ts';
import { perLedger } from '../ledger/per-ledger.ts';
import { findPoisoning } from '../ledger/poisoning.ts';
import { serviceTraffic } from '../ledger/service-traffic.ts';
import { signedTakings } from './accomplice.ts';
import { isIllicit, isIllicitFact } from './exposed-movements.ts';
import { indirectFacts } from './share-of-flow.ts';

/**
 * Sums by asset what a level knows of adverse dealings but cannot weigh, since it has no price: with listed parties, directly and
 * behind others, and what was taken from others. Who serves thousands gets some of it by chance.
 */
export const unvalued = perLedger((ledger: Ledger): UnvaluedAmount[] => {
  if (ledger.isLawfulService || serviceTraffic(ledger) === 'service_like') return [];
  const poisoning = new Set(findPoisoning(ledger).map(({ transfer }) => transfer));
  const moved = new Set(
    ledger.movements.flatMap(({ direction, transfer }) => (direction === 'out' ? [transfer.token] : [])),
  );
  const direct = ledger.movements.filter(
    (one) =>
      one.usd === null && isIllicit(ledger, one) && !poisoning.has(one.transfer) && !isThrownAt(ledger, one, moved),
  );
  const facts = indirectFacts(ledger).filter(isIllicitFact);
  const sums = new Map<string, UnvaluedAmount>();
  for (const { asset, token, amount } of [
    ...direct.map(({ transfer }) => transfer),
    ...signedTakings(ledger).filter(({ usd }) => usd === null),
    ...facts.flatMap(({ unpriced = [] }) => unpriced),
  ]) {
    const key = token ?? '';
    const known = sums.get(key);
    sums.set(key, { asset, token, amount: known ? addAmounts(known.amount, amount) : amount });
  }
  return [...sums.values()].sort((a, b) => compare(a.asset, b.asset) || compare(a.token ?? '', b.token ?? ''));
});

/** True for an unknown token, or a collectible, of a deceiver's own sending that the subject never moved: spam of another kind. */
function isThrownAt(
  ledger: Ledger,
  { direction, transfer, counterparty }: Movement,
  moved: ReadonlySet<string | null>,
): boolean {
  if (direction === 'out' || isGenuine(transfer) || moved.has(transfer.token)) return false;
  return transfer.tokenId !== null || (ledger.categoryOf(counterparty) === 'scam' && isOwnSending(transfer));
}

function isOwnSending({ txSender, from }: Transfer): boolean {
  return txSender === from;
}
