import { type KeyRight, keyRights, lacksRight, RIGHTS, type Right } from '../../domain/account/rights.ts';
import { iso } from '../../domain/time.ts';
import { ForbiddenError, InvalidInputError } from '../../errors.ts';
import { isWithin } from '../../outbound/networks.ts';
import type { LimitColumns } from '../database/tables/accounts.ts';

/** The rights of a key, its end, and the networks that it may be used from. */
export interface KeyLimits {
  scopes: readonly KeyRight[];
  /** Null: never. */
  expiresAt: number | null;
  /** Empty: from anywhere. */
  allowedIps: readonly string[];
}

/** The limits of a key that the operator makes. */
export const WIDEST: KeyLimits = { scopes: RIGHTS, expiresAt: null, allowedIps: [] };

/**
 * The limits of a new key: what is left out is as the asking key has it, and nothing goes beyond that. Throws
 * ForbiddenError for a right that the asking key lacks, InvalidInputError.
 */
export function narrowLimits(asking: KeyLimits, wanted: Partial<KeyLimits>, now: number): KeyLimits {
  const { scopes = asking.scopes, expiresAt = asking.expiresAt, allowedIps = asking.allowedIps } = wanted;
  refuseRights(asking.scopes, scopes);
  if (expiresAt !== null && expiresAt <= now) throw new InvalidInputError('expires_at must lie in the future');
  if (asking.expiresAt !== null && (expiresAt === null || expiresAt > asking.expiresAt)) {
    throw new InvalidInputError(`expires_at must not be later than that of this key, ${iso(asking.expiresAt)}`);
  }
  const isLimited = asking.allowedIps.length > 0;
  const outside = allowedIps.find((network) => isLimited && !isWithin(network, asking.allowedIps));
  if (outside !== undefined || (isLimited && allowedIps.length === 0)) {
    throw new InvalidInputError(`allowed_ips must lie within those of this key, ${asking.allowedIps.join(', ')}`);
  }
  return { scopes: keyRights(scopes), expiresAt, allowedIps: [...new Set(allowedIps)] };
}

/** Throws ForbiddenError naming the first of the rights that the key lacks, or another holder. */
export function refuseRights(held: readonly Right[], needed: readonly Right[], holder?: string): void {
  const lacking = needed.find((right) => !held.includes(right));
  if (lacking) throw new ForbiddenError(lacksRight(lacking, holder));
}

export function limitsOf({ scopes, expires_at, allowed_ips }: LimitColumns): KeyLimits {
  return { scopes: listOf(scopes) as KeyRight[], expiresAt: expires_at, allowedIps: listOf(allowed_ips) };
}

export function limitColumns({ scopes, expiresAt, allowedIps }: KeyLimits): LimitColumns {
  return { scopes: scopes.join(' '), expires_at: expiresAt, allowed_ips: allowedIps.join(' ') };
}

function listOf(text: string): string[] {
  return text.split(' ').filter(Boolean);
}
