import { CHAINS, EVM_CHAIN_IDS, type EvmChain, isEvmChain } from '../../../domain/chain.ts';
import { SourceError } from '../../../errors.ts';
import type { RequestOptions } from '../../port.ts';
import { checked } from '../../reply.ts';
import { smallQuantity } from '../format/fields.ts';
import { isMethodUnknown, type Rpc, type RpcOutcome, resultOf } from './rpc.ts';

/** SourceError where the node does not state its chain, or states another one. */
export function readChainId(rpc: Rpc, chain: EvmChain, outcome: RpcOutcome): number {
  const result = resultOf(rpc.endpoint, 'eth_chainId', outcome);
  const chainId = checked(rpc.endpoint, smallQuantity, result, 'eth_chainId');
  if (chainId !== EVM_CHAIN_IDS[chain]) {
    const other = CHAINS.find((one) => isEvmChain(one) && EVM_CHAIN_IDS[one] === chainId);
    const named = other ? `${other} (chain id ${chainId})` : `chain id ${chainId}`;
    const reason = `${rpc.endpoint.name}: it serves ${named}, not ${chain} (${EVM_CHAIN_IDS[chain]})`;
    throw new SourceError(chain, reason, { problem: 'other_network' });
  }
  return chainId;
}

/**
 * The same node, asked for its chain before anything else: nothing is taken of one that serves another chain, or does not
 * answer that. A gateway without the method cannot say; the operator's check shows it.
 */
export function confirmingChain(rpc: Rpc, chain: EvmChain): Rpc {
  let isConfirmed = false;
  const confirm = async (options?: RequestOptions) => {
    if (isConfirmed) return;
    const stated = await rpc.attempt('eth_chainId', [], options);
    if ('result' in stated || !isMethodUnknown(stated.error)) readChainId(rpc, chain, stated);
    isConfirmed = true;
  };
  return {
    ...rpc,
    call: async (method, params, options) => {
      await confirm(options);
      return rpc.call(method, params, options);
    },
    attempt: async (method, params, options) => {
      await confirm(options);
      return rpc.attempt(method, params, options);
    },
    attemptAll: async (calls, options) => {
      await confirm(options);
      return rpc.attemptAll(calls, options);
    },
  };
}
