import { addAmounts, compareAmounts } from '../amount.ts';
import { groupBy } from '../group-by.ts';
import { ADVERSE_CATEGORIES, type Category, LAWFUL_SERVICE_CATEGORIES, type Label } from '../label.ts';
import type { TracedTransfer } from '../tracing/traced-transfer.ts';

// In a CoinJoin several people spend together and get outputs of one value: nothing says which is whose. The
// transaction stands in the graph as an address of its own, which the payers pay and which pays the equal outputs.

const PREFIX = 'coinjoin:';

/** Returns the pseudo address of a CoinJoin transaction. */
export function coinJoinAddress(txHash: string): string {
  return `${PREFIX}${txHash}`;
}

/** True for a CoinJoin transaction, by its address or graph key. */
export function isCoinJoin(party: string): boolean {
  return party.startsWith(PREFIX) || party.startsWith(`bitcoin:${PREFIX}`);
}

/** Labels a CoinJoin transaction, by its shape alone. */
export function coinJoinLabel(address: string): Label {
  return {
    chain: 'bitcoin',
    address,
    category: 'mixer',
    label: 'CoinJoin',
    source: 'transaction',
    confidence: 100,
    entity: null,
    validFrom: null,
    validTo: null,
    maliciousContract: false,
  };
}

/** The transfers into a CoinJoin transaction, and out of it. */
interface CoinJoinHistory {
  received: readonly TracedTransfer[];
  sent: readonly TracedTransfer[];
}

/**
 * True where a CoinJoin hides its payers: as many owners as equal outputs, no service among them, less than half the money
 * adverse. `together`: payers who spent together elsewhere.
 */
export function hidesPayers(
  { received, sent }: CoinJoinHistory,
  categoryOf: (key: string) => Category | null,
  together: readonly (readonly string[])[],
): boolean {
  if (received.length === 0) return true;
  const isOf = (categories: readonly Category[]) => (key: string) => categories.includes(categoryOf(key) ?? 'unknown');
  const payers = new Set(received.map(({ from }) => from));
  if ([...payers].some(isOf(LAWFUL_SERVICE_CATEGORIES))) return false;
  const equal = [...groupBy(sent, ({ amount }) => amount).values()].reduce(
    (most, { length }) => Math.max(most, length),
    0,
  );
  if (ownersOf(payers, together) < equal) return false;
  const isAdverse = isOf(ADVERSE_CATEGORIES);
  const adverse = sumOf(received.filter(({ from }) => isAdverse(from)));
  return compareAmounts(addAmounts(adverse, adverse), sumOf(received)) < 0;
}

function ownersOf(payers: ReadonlySet<string>, together: readonly (readonly string[])[]): number {
  const ownerOf = new Map([...payers].map((payer) => [payer, payer]));
  for (const [first, ...others] of together) {
    const owner = ownerOf.get(first ?? '');
    for (const other of others) {
      const joined = ownerOf.get(other);
      if (owner === undefined || joined === undefined || joined === owner) continue;
      for (const [payer, one] of ownerOf) if (one === joined) ownerOf.set(payer, owner);
    }
  }
  return new Set(ownerOf.values()).size;
}

function sumOf(transfers: readonly TracedTransfer[]): string {
  return transfers.reduce((sum, { amount }) => addAmounts(sum, amount), '0');
}
