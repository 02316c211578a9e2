import { formatUnits, fractionDigits, parseUnits } from '../../domain/amount.ts';
import type { TracedTransfer } from '../../domain/tracing/traced-transfer.ts';

/** Decimals of the whole in which parts are counted. */
const PART_DIGITS = 15;
const WHOLE = 10n ** BigInt(PART_DIGITS);

/** The transfer in parts (0-1), and its rest; null where the parts are all of it. Together they are exactly its amount. */
export function divide(
  transfer: TracedTransfer,
  parts: readonly number[],
): { parts: TracedTransfer[]; rest: TracedTransfer | null } {
  const decimals = fractionDigits(transfer.amount) + PART_DIGITS;
  const all = parseUnits(transfer.amount, decimals);
  const isWhole = 1 - parts.reduce((sum, part) => sum + part, 0) < 1e-12;
  let [units, usd] = [all, transfer.usd];
  const divided = parts.map((part, i): TracedTransfer => {
    const isLast = isWhole && i === parts.length - 1;
    const taken = isLast ? units : (all * BigInt(Math.round(part * Number(WHOLE)))) / WHOLE;
    const takenUsd = isLast ? usd : transfer.usd * part;
    units -= taken;
    usd -= takenUsd;
    return { ...transfer, amount: formatUnits(taken, decimals), usd: takenUsd };
  });
  return { parts: divided, rest: units > 0n ? { ...transfer, amount: formatUnits(units, decimals), usd } : null };
}
