import { z } from 'zod';
import type { Context } from '../../context.ts';
import { CHAINS } from '../../domain/chain.ts';
import { tenantOf } from '../../http/auth.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import { parseTxHash } from '../../questions/parse-address.ts';
import { scanTransaction } from '../../questions/scans/scan-transaction.ts';
import { timestamp } from '../schemas.ts';
import { Lang, ScanResponse } from './scan-schemas.ts';

const TransactionScan = z
  .object({
    success: z.literal(true),
    chain: z.enum(CHAINS),
    tx_hash: z.string(),
    block_number: z.int().nullable(),
    timestamp: timestamp.nullable(),
    status: z.enum(['success', 'failed', 'pending']),
    asset: z.string().nullable().meta({ description: 'Of the main transfer; null where none was made' }),
    amount: z.string().nullable().meta({ description: 'Exact decimal; of an XRP payment, what was delivered' }),
    sender: ScanResponse.nullable(),
    receiver: ScanResponse.nullable(),
    participants: z.array(
      z.object({
        address: z.string(),
        role: z.enum(['from', 'to']),
        asset: z.string().nullable(),
        amount: z.string().nullable(),
      }),
    ),
    note: z.string().nullable(),
  })
  .meta({ id: 'TransactionScan' });

export async function transactionRoutes(api: App, ctx: Context): Promise<void> {
  api.post(
    '/scan/tx',
    {
      config: {
        access: 'key',
        feature: 'transactionScan',
        cost: 'one scan per side',
        idempotent: true,
        example: {
          body: { tx_hash: '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060', chain: 'ethereum' },
        },
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
          chain: z.string().meta({ enum: [...CHAINS] }),
          lang: Lang.nullish(),
        }),
        response: { 200: TransactionScan, ...refusals(400, 404, 500) },
      },
    },
    async (request) => {
      const { chain, hash } = parseTxHash(request.body.tx_hash, request.body.chain);
      return scanTransaction(ctx, tenantOf(request), { chain, hash, lang: request.body.lang ?? 'en' });
    },
  );
}
