import { addAmounts, compareAmounts } from '../amount.ts';
import { timesPart } from './match.ts';
import type { BridgeMessage } from './message.ts';

/** Part of the stated amount that must arrive: a router may take or leave the rest. */
const AT_LEAST = 0.95;
const AT_MOST = 1.05;

/**
 * Of a party's transfers in the transaction of a message, those that the message stands for: the ones it names. Where a
 * router stands between, it names none of them: then the one of the same asset and about the same amount, or all of
 * that asset together. Other payments of the same transaction are none of them: the trace goes on along them.
 */
export function explainedTransfers<T extends { id: string; assetId: string; amount: string }>(
  { explains, assetId, amount }: Pick<BridgeMessage, 'explains' | 'assetId' | 'amount'>,
  transfers: readonly T[],
): T[] {
  const named = transfers.filter(({ id }) => explains.includes(id));
  if (named.length > 0) return named;
  const fits = (given: string) =>
    compareAmounts(given, timesPart(amount, AT_LEAST)) >= 0 && compareAmounts(given, timesPart(amount, AT_MOST)) <= 0;
  const ofAsset = transfers.filter((one) => one.assetId === assetId);
  const single = ofAsset.find((one) => fits(one.amount));
  if (single) return [single];
  return fits(ofAsset.reduce((sum, one) => addAmounts(sum, one.amount), '0')) ? ofAsset : [];
}
