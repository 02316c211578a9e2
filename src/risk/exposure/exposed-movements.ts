import { isCoinJoin } from '../../domain/coinjoin/transaction.ts';
import type { Category } from '../../domain/label.ts';
import type { IndirectExposure } from '../assessment.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { isActivity, type Movement } from '../ledger/movements.ts';
import { perLedger } from '../ledger/per-ledger.ts';
import { settled } from '../ledger/restituted.ts';
import { categoryThen, sanctionStanding } from '../ledger/sanction-standing.ts';
import { serviceTraffic } from '../ledger/service-traffic.ts';
import { EXPOSURE_RULES } from '../rules.ts';
import { EXPOSURE_KIND, type ExposureSubject } from './grade-exposure.ts';

/** Returns what went to or came from a category, without what the sanctions rule already counts. */
export function exposedTo(ledger: Ledger, category: Category, direction: 'in' | 'out'): Movement[] {
  return ledger.movements.filter((movement) => movement.direction === direction && isWith(ledger, movement, category));
}

/** The same of what a token contract alone says that the subject sent. */
export function claimedTo(ledger: Ledger, category: Category): Movement[] {
  return ledger.claimed.filter((movement) => isWith(ledger, movement, category));
}

function isWith(ledger: Ledger, movement: Movement, category: Category): boolean {
  return categoryThen(ledger, movement) === category && sanctionStanding(ledger, movement) === null;
}

/** Movements that taint: with adverse parties, but not before a country's sanctions, through a CoinJoin or back from a loss. */
export function illicitMovements(ledger: Ledger, direction: 'in' | 'out'): Movement[] {
  return ledger.movements.filter((movement) => movement.direction === direction && isIllicit(ledger, movement));
}

export function isIllicit(ledger: Ledger, movement: Movement): boolean {
  const standing = sanctionStanding(ledger, movement);
  if (standing !== null) return standing !== 'before_country';
  if (isCoinJoin(movement.counterparty) || settled(ledger, movement) !== null) return false;
  if (isSharedTaking(ledger, movement)) return true;
  const category = categoryThen(ledger, movement);
  return category !== null && EXPOSURE_KIND[category] !== undefined;
}

/** True for what it got in the transactions in which others lost money to listed takers. */
export function isSharedTaking({ accomplice }: Ledger, { direction, transfer }: Movement): boolean {
  return direction === 'in' && accomplice !== null && accomplice.transactions.has(transfer.txHash);
}

/** The same of money that a trace found. */
export function isIllicitFact({ category, standing, ways }: IndirectExposure): boolean {
  const isMixed = ways.length > 0 && ways.every(({ address }) => isCoinJoin(address));
  return EXPOSURE_KIND[category] !== undefined && standing !== 'before_country' && !isMixed;
}

export function exposureSubject(ledger: Ledger): ExposureSubject {
  if (ledger.isLawfulService) return 'service';
  return serviceTraffic(ledger) === 'service_like' ? 'service_like' : 'address';
}

/** The first coins that the address ever received, where the beginning of its history is known. */
export const firstFunding = perLedger((ledger): Movement | null => {
  const until = ledger.knownUntil;
  if (until === null) return null;
  const receipts = ledger.movements.filter(({ direction, at }) => direction === 'in' && at < until);
  const first = receipts.find(({ transfer }) => transfer.token === null) ?? receipts.find(isActivity);
  return first && (first.usd ?? 0) >= EXPOSURE_RULES.first_funding_from_usd ? first : null;
});
