import { z } from 'zod';
import { type BitcoinProof, writeHeader, writeTransaction } from '../../proofs/bitcoin.ts';
import { askSource, type Endpoint } from '../http.ts';
import type { BuiltProof, RequestOptions } from '../port.ts';
import { txHashShape, units, whole, wholeUpTo } from '../reply.ts';
import { read } from './esplora.ts';

const HASH = txHashShape('bitcoin');
const HEX = z.string().regex(/^(?:[0-9a-f]{2})*$/);
const uint32 = wholeUpTo(0xffffffff);
const int32 = z
  .int()
  .min(-(2 ** 31))
  .max(0xffffffff);
const TRANSACTION = z.object({
  txid: HASH,
  version: int32,
  locktime: uint32,
  vin: z.array(z.object({ txid: HASH, vout: uint32, scriptsig: HEX, sequence: uint32 })).min(1),
  vout: z.array(z.object({ scriptpubkey: HEX, value: units })).min(1),
  status: z.object({ block_hash: HASH.nullish(), block_height: whole.nullish() }),
});
const BRANCH = z.object({ block_height: whole, merkle: z.array(HASH).max(20), pos: whole });
const HEADER = z.object({
  id: HASH,
  version: int32,
  previousblockhash: HASH.nullish().transform((hash) => hash ?? null),
  merkle_root: HASH,
  timestamp: uint32,
  bits: uint32,
  nonce: uint32,
});

/**
 * Reads a transaction, its Merkle branch and the header of its block, and writes them as the chain digests them; three requests.
 * Null for a transaction that the source does not know.
 */
export async function proveBitcoin(
  endpoint: Endpoint,
  hash: string,
  options?: RequestOptions,
): Promise<BuiltProof<BitcoinProof> | null> {
  const ask = async <S extends z.ZodType>(schema: S, path: string): Promise<z.output<S> | null> => {
    const reply = await askSource(endpoint, { path, ...options });
    return reply.status === 404 ? null : read(endpoint, schema, reply);
  };
  const transaction = await ask(TRANSACTION, `/tx/${hash}`);
  if (transaction === null) return null;
  const { vin: inputs, vout: outputs, version, locktime, status } = transaction;
  if (!status.block_hash) return { reason: 'unconfirmed' };
  const branch = await ask(BRANCH, `/tx/${hash}/merkle-proof`);
  const header = await ask(HEADER, `/block/${status.block_hash}`);
  if (branch === null || header === null) return { reason: 'not_stated' };
  return {
    block_hash: status.block_hash,
    height: branch.block_height,
    kind: 'merkle_branch',
    data: {
      transaction: writeTransaction({ version, locktime, inputs, outputs }),
      branch: branch.merkle,
      position: branch.pos,
      header: writeHeader(header),
    },
  };
}
