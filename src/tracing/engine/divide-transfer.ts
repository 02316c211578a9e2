import { formatUnits, fractionDigits, parseUnits } from '../../domain/amount.ts';
import type { TracedTransfer } from '../../domain/tracing/traced-transfer.ts';

/** Decimals of the whole in which parts are counted. */
const PART_DIGITS = 15;
const WHOLE = 10n ** BigInt(PART_DIGITS);

/** Divides the amount of a transfer by shares (0-1) and returns the rest, null where they are all of it; the sum is exact. */
export function divideTransfer(
  transfer: TracedTransfer,
  shares: readonly number[],
): { parts: TracedTransfer[]; rest: TracedTransfer | null } {
  const decimals = fractionDigits(transfer.amount) + PART_DIGITS;
  const all = parseUnits(transfer.amount, decimals);
  const isWhole = 1 - shares.reduce((sum, share) => sum + share, 0) < 1e-12;
  let [units, usd] = [all, transfer.usd];
  const parts = shares.map((share, i): TracedTransfer => {
    const isLast = isWhole && i === shares.length - 1;
    const taken = isLast ? units : (all * BigInt(Math.round(share * Number(WHOLE)))) / WHOLE;
    const takenUsd = isLast ? usd : transfer.usd * share;
    units -= taken;
    usd -= takenUsd;
    return { ...transfer, amount: formatUnits(taken, decimals), usd: takenUsd };
  });
  return { parts, rest: units > 0n ? { ...transfer, amount: formatUnits(units, decimals), usd } : null };
}
