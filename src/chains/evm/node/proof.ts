import { z } from 'zod';
import type { EvmProof } from '../../../proofs/evm.ts';
import { proveEvm, UnprovableError } from '../../../proofs/evm-block.ts';
import { ProofError } from '../../../proofs/proof.ts';
import type { ReplyBounds } from '../../http.ts';
import type { BuiltProof } from '../../port.ts';
import { checked } from '../../reply.ts';
import { transactionOf } from './chain-data.ts';
import type { Rpc, RpcOptions } from './rpc.ts';

/** Whole blocks with all their logs: of the fullest, 30 MB and a million values. */
const BOUNDS: Partial<ReplyBounds> = { bytesMax: 64 * 1024 * 1024, valuesMax: 2_000_000 };
/** Transactions of a block whose bytes are asked for one by one, since their JSON leads to another hash. */
const RAW_MAX = 50;

const object = z.record(z.string(), z.unknown());
const block = object.and(z.object({ transactions: z.array(object) }));
const receipts = z.array(object);

/**
 * Reads the block of a transaction with all its receipts, and builds both tries; three requests, and one for each transaction of
 * a form that is not known. Null for an unknown hash.
 */
export async function proveByNode(rpc: Rpc, hash: string, options?: RpcOptions): Promise<BuiltProof<EvmProof> | null> {
  const transaction = await transactionOf(rpc, hash, options);
  if (transaction === null) return null;
  if (!transaction.blockHash) return { reason: 'unconfirmed' };
  const large = { ...options, bounds: BOUNDS };
  const whole = checked(
    rpc.endpoint,
    block.nullable(),
    await rpc.call('eth_getBlockByHash', [transaction.blockHash, true], large),
    'the block',
  );
  const outcome = await rpc.attempt('eth_getBlockReceipts', [transaction.blockHash], large);
  if (whole === null || 'error' in outcome || outcome.result === null) return { reason: 'not_stated' };
  const stated = checked(rpc.endpoint, receipts, outcome.result, 'the receipts of the block');
  let asked = 0;
  const rawOf = async (one: string) => {
    if (++asked > RAW_MAX) return null;
    const raw = await rpc.attempt('eth_getRawTransactionByHash', [one], options);
    return 'result' in raw && typeof raw.result === 'string' ? raw.result : null;
  };
  try {
    return { kind: 'tries', ...(await proveEvm(whole, stated, { hash, rawOf })) };
  } catch (error) {
    if (error instanceof UnprovableError) return { reason: error.reason };
    if (error instanceof ProofError) return { reason: 'other_transaction_form' };
    throw error;
  }
}
