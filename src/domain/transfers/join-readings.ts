import { agreeingAmounts } from '../amount.ts';
import { compare } from '../compare.ts';
import { addToGroup, groupBy } from '../group-by.ts';
import type { Transfer } from './transfer.ts';

/**
 * The transfers that other readings of an address add to one of them. A transfer that several know counts once, by its id, or by its
 * content where one of them does not number it; equal ones count as often as the fullest single reading has them.
 */
export function addedByReadings(own: readonly Transfer[], others: readonly Transfer[]): Transfer[] {
  const ids = new Set(own.map(({ id }) => id));
  const unknown = others.filter(({ id }) => !ids.has(id));
  const transactions = new Set(unknown.map(({ txHash }) => txHash));
  const known = groupBy(
    own.filter(({ txHash }) => transactions.has(txHash)),
    placeOf,
  );
  const readings = [...groupBy(unknown, readingOf)];
  readings.sort(([a, x], [b, y]) => y.length - x.length || compare(a, b));
  return readings.flatMap(([, reading]) => {
    const taken = new Set<Transfer>();
    const added = reading.filter((transfer) => {
      if (ids.has(transfer.id)) return false;
      const there = (known.get(placeOf(transfer)) ?? []).filter((one) => !taken.has(one) && isSame(one, transfer));
      const same = there.find(({ amount }) => amount === transfer.amount) ?? there[0];
      if (same) taken.add(same);
      return !same;
    });
    for (const transfer of added) {
      addToGroup(known, placeOf(transfer), transfer);
      ids.add(transfer.id);
    }
    return added;
  });
}

function placeOf({ txHash, from, to }: Transfer): string {
  return `${txHash} ${from} ${to}`;
}

function readingOf({ source, index }: Transfer): string {
  return `${source ?? ''} ${isNumbered(index)}`;
}

/** True for a place as chains number it; a file that does not know it counts its own rows. */
function isNumbered(index: string | null): boolean {
  return index !== null && !/^\d*$/.test(index);
}

/** Of two transfers with other ids, in one transaction and between the same parties. */
function isSame(a: Transfer, b: Transfer): boolean {
  if ((isNumbered(a.index) && isNumbered(b.index)) || areEquals(a, b)) return false;
  const isOneToken = a.token === b.token || isNameOnly(a) || isNameOnly(b);
  const isOneId = a.tokenId === b.tokenId || a.tokenId === null || b.tokenId === null;
  return isOneToken && isOneId && agreeingAmounts(a.amount, b.amount);
}

/** True where the ids say the same but for the number among equals: then they are two. */
function areEquals(a: Transfer, b: Transfer): boolean {
  const moved = ({ token, tokenId, amountRaw, amount }: Transfer) =>
    [token, tokenId, amountRaw ?? `=${amount}`].join(' ');
  return moved(a) === moved(b);
}

/** A file named a token that no contract is known for. */
function isNameOnly({ token, asset }: Transfer): boolean {
  return token !== null && token === asset;
}
