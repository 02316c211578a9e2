import { formatUnits, fractionDigits, parseUnits, plainDecimal } from '../../domain/amount.ts';
import { groupBy } from '../../domain/group-by.ts';
import type { Instruction } from './instructions.ts';
import type { SolanaTransaction } from './shapes.ts';

/** The smallest units of a mint in whole tokens as the reply shows them; null where the decimals alone decide. */
export type ShownAmount = (mint: string, amount: bigint) => string | null;

interface Stated {
  mint: string;
  amount: bigint;
  decimals: number;
  shown: string;
}

/** Relative difference up to which the shown amount is a rounded one. */
const ROUNDING_PARTS = 10n ** 9n;

/**
 * Reads what a transaction shows of mints whose issuer multiplies the shown amounts (scaled and interest-bearing ones): its
 * own words for an amount, else in proportion to the largest amount that it shows.
 */
export function shownAmounts({ meta }: SolanaTransaction, instructions: readonly Instruction[]): ShownAmount {
  const balances = [...(meta.preTokenBalances ?? []), ...(meta.postTokenBalances ?? [])];
  const stated = [
    ...instructions.flatMap(({ info: { mint, tokenAmount } }) => shownBy(mint, tokenAmount)),
    ...balances.flatMap(({ mint, uiTokenAmount }) => shownBy(mint, uiTokenAmount)),
  ];
  const multiplied = groupBy(stated.filter(isMultiplied), ({ mint }) => mint);
  return (mint, amount) => {
    const known = multiplied.get(mint);
    if (known === undefined) return null;
    const same = known.find((one) => one.amount === amount);
    if (same) return same.shown;
    const largest = known.reduce((most, one) => (one.amount > most.amount ? one : most));
    const digits = Math.max(largest.decimals, fractionDigits(largest.shown));
    return formatUnits((parseUnits(largest.shown, digits) * amount) / largest.amount, digits);
  };
}

/** An amount of a mint with the words of the node for it; empty where these cannot be read. */
export function shownBy(mint: string | undefined, given: Instruction['info']['tokenAmount']): Stated[] {
  const shown = plainDecimal(given?.uiAmountString ?? '');
  if (mint === undefined || given?.decimals === undefined || shown === null || shown.startsWith('-')) return [];
  return [{ mint, amount: given.amount, decimals: given.decimals, shown }];
}

/** True where the issuer multiplies what is shown: it is not the amount by the decimals. */
export function isMultiplied({ amount, decimals, shown }: Stated): boolean {
  const digits = Math.max(decimals, fractionDigits(shown));
  const plain = amount * 10n ** BigInt(digits - decimals);
  const difference = parseUnits(shown, digits) - plain;
  return (difference < 0n ? -difference : difference) * ROUNDING_PARTS > plain;
}
