import { groupBy } from '../group-by.ts';

/** A transfer of one address, as prices of collectibles are read from it. */
export interface DealLeg {
  txHash: string;
  /** Epoch ms. */
  at: number;
  isReceipt: boolean;
  /** The other end. */
  party: string;
  /** The contract of a collectible; null for money. */
  collection: string | null;
  /** US dollars of money, pieces of a collectible. */
  quantity: number;
}

interface Deal {
  at: number;
  collection: string;
  /** Those that gave or took the collectible. */
  parties: ReadonlySet<string>;
  /** US dollars for each piece. */
  price: number;
  isSale: boolean;
}

/**
 * Returns the hashes of transactions in which the address sold a collectible at a price that an earlier deal of its own with another party
 * shows: `ratioMax` times of what it paid, or was paid, for one of the same contract. What a piece is worth its two traders alone can make up.
 */
export function fairSales(legs: readonly DealLeg[], ratioMax: number): ReadonlySet<string> {
  const traded = new Set(legs.flatMap(({ collection, txHash }) => (collection === null ? [] : [txHash])));
  const deals = [...groupBy(legs, ({ txHash }) => txHash)].flatMap(([txHash, ofTransaction]) => {
    const deal = traded.has(txHash) ? dealOf(ofTransaction) : null;
    return deal ? [{ txHash, ...deal }] : [];
  });
  const byCollection = groupBy(deals, ({ collection }) => collection);
  const isFair = ({ at, collection, parties, price }: Deal) =>
    byCollection.get(collection)!.some((earlier) => {
      const isOther = [...earlier.parties].every((party) => !parties.has(party));
      return earlier.at < at && isOther && price <= ratioMax * earlier.price;
    });
  return new Set(deals.flatMap((deal) => (deal.isSale && isFair(deal) ? [deal.txHash] : [])));
}

/** Null where pieces went both ways or of several contracts, or no money the other way. */
function dealOf(legs: readonly DealLeg[]): Deal | null {
  const pieces = legs.filter(({ collection }) => collection !== null);
  const [first] = pieces;
  const isSale = first?.isReceipt === false;
  const isOneWay = pieces.every((one) => one.collection === first?.collection && one.isReceipt === first?.isReceipt);
  const sum = (part: readonly DealLeg[]) => part.reduce((total, { quantity }) => total + quantity, 0);
  const money = legs.filter(({ collection }) => collection === null);
  const paid =
    sum(money.filter(({ isReceipt }) => isReceipt === isSale)) -
    sum(money.filter(({ isReceipt }) => isReceipt !== isSale));
  if (!first || !isOneWay || paid <= 0) return null;
  const parties = new Set(pieces.map(({ party }) => party));
  return { at: first.at, collection: first.collection!, parties, price: paid / (sum(pieces) || 1), isSale };
}
