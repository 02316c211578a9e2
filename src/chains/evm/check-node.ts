import { z } from 'zod';
import type { EvmChain } from '../../domain/chain.ts';
import type { RequestOptions, SourceFacts, SourceLack } from '../port.ts';
import { checked } from '../reply.ts';
import { blockTime, hashField, smallQuantity } from './format/fields.ts';
import { readChainId } from './node/chain-id.ts';
import { isMethodUnknown, type Rpc, type RpcOutcome, resultOf } from './node/rpc.ts';

/** A block as nodes and explorers that speak like one show it. */
export const blockHead = z.object({
  number: smallQuantity,
  hash: hashField,
  timestamp: blockTime,
  transactions: z.array(z.unknown()).default([]),
});

const ADDRESS = `0x${'0'.repeat(40)}`;
const HASH = `0x${'0'.repeat(64)}`;

/** Newest block and chain of a node, and if it takes batches, knows old states and traces transactions. */
export async function checkNode(rpc: Rpc, chain: EvmChain, options?: RequestOptions): Promise<SourceFacts> {
  const asked = [
    { method: 'eth_chainId', params: [] },
    { method: 'eth_getBlockByNumber', params: ['latest', false] },
    { method: 'eth_getBalance', params: [ADDRESS, '0x1'] },
  ];
  const [chainIdReply, blockReply, oldReply] = (await rpc.attemptAll(asked, options)) as [
    RpcOutcome,
    RpcOutcome,
    RpcOutcome,
  ];
  const chainId = readChainId(rpc, chain, chainIdReply);
  const block = checked(
    rpc.endpoint,
    blockHead,
    resultOf(rpc.endpoint, 'eth_getBlockByNumber', blockReply),
    'eth_getBlockByNumber',
  );
  const hash = z.string().catch(HASH).parse(block.transactions[0]);
  const lacks: SourceLack[] = [];
  if (!(await tracesTransaction(rpc, hash, options))) lacks.push('traces');
  if ('error' in oldReply) lacks.push('archive');
  if (!rpc.takesBatches()) lacks.push('batches');
  return { height: block.number, heightAt: block.timestamp, chainId, lacks };
}

async function tracesTransaction(rpc: Rpc, hash: string, options?: RequestOptions): Promise<boolean> {
  const calls: [string, unknown[]][] = [
    ['debug_traceTransaction', [hash, { tracer: 'callTracer' }]],
    ['trace_transaction', [hash]],
  ];
  for (const [method, params] of calls) {
    const outcome = await rpc.attempt(method, params, options);
    // An unknown transaction is complained about by a tracer.
    if ('result' in outcome || /transaction.{0,20}not found/i.test(outcome.error.message)) return true;
    if (!isMethodUnknown(outcome.error)) return false;
  }
  return false;
}
