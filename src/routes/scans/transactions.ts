import { z } from 'zod';
import type { Context } from '../../context.ts';
import { CHAINS } from '../../domain/chain.ts';
import { address, asset, timestamp, txHash } from '../../domain/fields.ts';
import { tenantOf } from '../../http/auth.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import { parseTxHash } from '../../questions/parse-address.ts';
import { locateTransaction, TRANSACTION_PLACES } from '../../questions/scans/locate-transaction.ts';
import { scanTransaction } from '../../questions/scans/scan-transaction.ts';
import { success } from '../fields.ts';
import { Lang, ScanResponseSchema } from './scan-schemas.ts';

const Participant = z
  .object({
    address,
    role: z.enum(['from', 'to']).describe('`from` gave, `to` got'),
    asset: asset.nullable().describe('What was moved; null where nothing was'),
    amount: z.string().nullable().describe('Exact decimal; null where nothing was moved'),
  })
  .meta({ id: 'TransactionParticipant' });

export const TransactionScanSchema = z
  .object({
    success,
    chain: z.enum(CHAINS),
    tx_hash: txHash,
    block_number: z.int().nullable().describe('Null while it waits for a block'),
    timestamp: timestamp.nullable().describe('Time of the block; null without one'),
    status: z.enum(['success', 'failed', 'pending']).describe('What the chain says of it'),
    asset: asset.nullable().describe('Of the main transfer; null where none was made'),
    amount: z.string().nullable().meta({ description: 'Exact decimal; of an XRP payment, what was delivered' }),
    sender: ScanResponseSchema.nullable().describe('Scan of the payer; null without an address that is known'),
    receiver: ScanResponseSchema.nullable().describe('Scan of the payee; null without an address that is known'),
    participants: z.array(Participant).describe('Everybody who gave or got something in it'),
    note: z.string().nullable().describe('What the answer cannot say, such as a kind of transaction that pays nobody'),
  })
  .meta({ id: 'TransactionScan' });

export const LocatedTransactionSchema = z
  .object({
    tx_hash: txHash,
    found_on: z.array(z.enum(CHAINS)).describe('Chains whose source knows it'),
    chains: z
      .array(z.object({ chain: z.enum(CHAINS), state: z.enum(TRANSACTION_PLACES).describe('What its source says') }))
      .describe('Every chain whose transactions have such a hash; `not_answered`: the source failed or was late'),
  })
  .meta({ id: 'LocatedTransaction' });

export async function transactionRoutes(api: App, ctx: Context): Promise<void> {
  api.post(
    '/scan/tx',
    {
      config: {
        turn: 'waits',
        access: 'key',
        rights: ['scan'],
        feature: 'transactionScan',
        cost: 'one scan per side',
        idempotent: true,
      },
      schema: {
        operationId: 'scanTransaction',
        tags: ['Investigation'],
        summary: 'Scan both sides of a transaction by its hash',
        description:
          'A side whose answer comes from the cache is free. Both are reserved first: a quota too small for both refuses ' +
          'the request and bills nothing. A side without an address of its own, such as newly mined coins, is null.',
        body: z.object({
          tx_hash: z.string().meta({
            description: '`0x` + 64 hex on EVM chains; 64 hex on Bitcoin, TRON, XRP; base58 on Solana',
          }),
          chain: z.string().meta({ enum: [...CHAINS], description: 'Chain of the transaction' }),
          lang: Lang.nullish(),
        }),
        response: { 200: TransactionScanSchema, ...refusals(400, 404, 500) },
      },
    },
    async (request) => {
      const { chain, hash } = parseTxHash(request.body.tx_hash, request.body.chain);
      return scanTransaction(ctx, tenantOf(request), { chain, hash, lang: request.body.lang ?? 'en' });
    },
  );

  api.get(
    '/graph/transaction/:tx_hash',
    {
      config: { turn: 'waits', access: 'key', rights: ['read'] },
      schema: {
        operationId: 'locateTransaction',
        tags: ['Investigation'],
        summary: 'On which chains a transaction is known',
        description:
          'A hash does not name its chain: the sources of all chains that it can be on are asked at once, for 5 seconds at ' +
          'most. Costs no scan.',
        params: z.object({ tx_hash: z.string().max(128).describe('Hash or signature, as the chain writes it') }),
        response: { 200: LocatedTransactionSchema, ...refusals(400, 500) },
      },
    },
    async (request) => locateTransaction(ctx, tenantOf(request).accountId, request.params.tx_hash),
  );
}
