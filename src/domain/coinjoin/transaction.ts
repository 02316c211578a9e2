import type { Label } from '../label.ts';

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
