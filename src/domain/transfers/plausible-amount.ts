import { parseUnits } from '../amount.ts';
import { NATIVE_COIN } from '../chain.ts';
import { verifiedToken } from '../tokens/token.ts';
import type { Transfer } from './transfer.ts';

/** Contracts count in 256 bits; amounts of the upper half are overflows or lies. */
const RAW_MAX = 2n ** 255n;
/** Whole units: more than any stablecoin, and any other token that is priced, has ever issued. */
const STABLE_UNITS_MAX = 10n ** 12n;
const PRICED_UNITS_MAX = 10n ** 16n;

/**
 * Can this amount have moved? `impossible`: it is negative or not a number, or the coin or the well-known token does not
 * exist in this amount, so the source is wrong. `overflow`: a contract that anyone may have written claims an amount of
 * 2^255 or more.
 */
export function amountPlausibility(
  transfer: Pick<Transfer, 'chain' | 'token' | 'amount' | 'amountRaw' | 'failed'>,
): 'plausible' | 'impossible' | 'overflow' {
  const { chain, token, amount, amountRaw, failed } = transfer;
  if (!/^\d+(?:\.\d+)?$/.test(amount) || !/^\d+$/.test(amountRaw ?? '0')) return 'impossible';
  if (failed) return 'plausible';
  const isOverflow = amountRaw !== null && BigInt(amountRaw) >= RAW_MAX;
  const verified = verifiedToken(chain, token);
  if (token !== null && !verified) return isOverflow ? 'overflow' : 'plausible';
  const unitsMax = verified ? (verified.stable ? STABLE_UNITS_MAX : PRICED_UNITS_MAX) : NATIVE_COIN[chain].supplyMax;
  return isOverflow || parseUnits(amount, 0) > unitsMax ? 'impossible' : 'plausible';
}
