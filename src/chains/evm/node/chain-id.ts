import { CHAINS, EVM_CHAIN_IDS, type EvmChain, isEvmChain } from '../../../domain/chain.ts';
import { SourceError } from '../../../errors.ts';
import { checked } from '../../reply.ts';
import { smallQuantity } from '../format/fields.ts';
import type { Rpc, RpcOutcome } from './rpc.ts';

/** Null where the source does not state it. SourceError where it is another chain's. */
export function readChainId(rpc: Rpc, chain: EvmChain, outcome: RpcOutcome): number | null {
  if ('error' in outcome) return null;
  const chainId = checked(rpc.endpoint, smallQuantity, outcome.result, 'eth_chainId');
  if (chainId !== EVM_CHAIN_IDS[chain]) {
    const other = CHAINS.find((one) => isEvmChain(one) && EVM_CHAIN_IDS[one] === chainId);
    const named = other ? `${other} (chain id ${chainId})` : `chain id ${chainId}`;
    throw new SourceError(chain, `${rpc.endpoint.name}: it serves ${named}, not ${chain} (${EVM_CHAIN_IDS[chain]})`);
  }
  return chainId;
}
