import type { Chain } from '../../chain.ts';
import type { FundsFlow } from '../answers.ts';

/** Returns the chain of a flow's recipient. A crossing that was not followed ends at the bridge's address on the flow's own chain. */
export function chainReached({ chain, bridge }: FundsFlow): Chain {
  return bridge && bridge.reason === null ? ((bridge.destination.chain as Chain | null) ?? chain) : chain;
}
