import type { Label } from '../label.ts';

// In a CoinJoin several people spend together and get outputs of one value: nothing says which is whose. The
// transaction stands in the graph as a pot of its own, which the payers pay and which pays the equal outputs.

const PREFIX = 'coinjoin:';

/** The pseudo address of the pot. */
export function coinJoinAddress(txHash: string): string {
  return `${PREFIX}${txHash}`;
}

/** True for the pot of a CoinJoin, an address or a graph key. */
export function isCoinJoin(party: string): boolean {
  return party.startsWith(PREFIX) || party.startsWith(`bitcoin:${PREFIX}`);
}

/** The label of every pot, by the shape of its transaction alone. */
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
