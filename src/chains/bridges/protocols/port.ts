import type { BridgeMessage, NoOtherSide } from '../../../domain/bridges/message.ts';
import type { Chain } from '../../../domain/chain.ts';
import type { Registry, TransactionFacts } from '../decoding/facts.ts';

/** How the other side of a message is asked for. */
export type OtherSideSearch =
  /** One search for logs of one contract by indexed arguments. */
  | { by: 'logs'; chain: Chain; contract: string; events: string[]; topics: (string | null)[] }
  /** The transaction itself, whose hash follows from the message, on the first chain that knows it. */
  | { by: 'transaction'; chains: Chain[]; hash: string }
  /** The transactions of a party around the time. */
  | { by: 'history'; chain: Chain; address: string }
  | { by: 'nothing'; reason: NoOtherSide };

/** One bridge protocol. Both functions are pure. */
export interface ProtocolReader {
  /** The messages of one transaction, of both sides, in the order of their statements. */
  recognise(facts: TransactionFacts): BridgeMessage[];
  /** Searches to make in turn until one gives the other side. */
  lookUp(message: BridgeMessage, registry: Registry): OtherSideSearch[];
  /** True where messages of the same content share one id, so that both sides must be counted. */
  sharesIds?: true;
  /** For a message whose id a later transaction of its own chain sets: where that stands, and the id in it. */
  completion?: {
    lookUp(message: BridgeMessage, registry: Registry): OtherSideSearch;
    idIn(message: BridgeMessage, facts: TransactionFacts): string | null;
  };
}

/** The search where the other chain has no registered contract, or is not scanned. */
export function nowhere(chain: Chain | null): OtherSideSearch[] {
  return [{ by: 'nothing', reason: chain === null ? 'bridge_chain_unsupported' : 'bridge_no_link' }];
}

/** The chain of the side that is looked for; null for one that is not served. */
export function otherChain({ side, route }: BridgeMessage): Chain | null {
  return (side === 'source' ? route.to : route.from!).chain;
}

/** The search in the history of a party, where chain and party are known. */
export function inHistory(chain: Chain | null, address: string | null): OtherSideSearch[] {
  return chain === null || address === null ? nowhere(chain) : [{ by: 'history', chain, address }];
}
