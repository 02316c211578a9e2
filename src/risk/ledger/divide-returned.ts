import { formatUnits, fractionDigits, parseUnits } from '../../domain/amount.ts';
import type { Transfer } from '../../domain/transfers/transfer.ts';

/** A part is counted in so many decimals of the amount. */
const PART_DIGITS = 12;

/** The transfers with what came back of a loss apart from the rest, each its own: `returned` are the former. */
export function divideReturned(
  transfers: readonly Transfer[],
  parts: ReadonlyMap<string, number>,
): { transfers: Transfer[]; returned: ReadonlySet<Transfer> } {
  const returned = new Set<Transfer>();
  const divided = transfers.flatMap((transfer) => {
    const part = parts.get(transfer.id);
    if (part === undefined) return [transfer];
    const pieces = part > 1 - 1e-9 ? [transfer] : [partOf(transfer, part), partOf(transfer, 1 - part)];
    returned.add(pieces[0] as Transfer);
    return pieces;
  });
  return { transfers: divided, returned };
}

function partOf(transfer: Transfer, part: number): Transfer {
  const decimals = fractionDigits(transfer.amount) + PART_DIGITS;
  const units = parseUnits(transfer.amount, decimals) * BigInt(Math.round(part * 10 ** PART_DIGITS));
  const amount = formatUnits(units / 10n ** BigInt(PART_DIGITS), decimals);
  return { ...transfer, amount, usd: transfer.usd === null ? null : transfer.usd * part };
}
