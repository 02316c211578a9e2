import { z } from 'zod';
import type { Context } from '../../context.ts';
import { txHash } from '../../domain/fields.ts';
import { tenantOf } from '../../http/auth.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import { ProofsFileSchema, proofsFile } from '../../proofs/proofs-file.ts';
import { parseTxHash } from '../../questions/parse-address.ts';
import { proveTransactions } from '../../questions/prove-transactions.ts';
import { chainText } from '../scans/scan-schemas.ts';

const TRANSACTIONS_MAX = 50;
const BUDGET_MS = 25_000;

/** Serves proofs that the chains hold transactions, which anyone can check without this service. */
export async function proofRoutes(api: App, ctx: Context): Promise<void> {
  api.post(
    '/evidence/proofs',
    {
      config: { turn: 'waits', access: 'key', rights: ['read'] },
      schema: {
        operationId: 'proveTransactions',
        tags: ['Investigation'],
        summary: 'Proofs that blocks of the chains hold these transactions',
        description:
          'Asks the sources of the chains: three to four requests a transaction, at their pace, for at most 25 seconds. Each proof ' +
          'was checked before it is given, and anyone can check it again without this service.',
        body: z.object({
          transactions: z
            .array(z.object({ chain: chainText, tx_hash: txHash }))
            .min(1)
            .max(TRANSACTIONS_MAX)
            .describe('Transactions to prove'),
        }),
        response: { 200: ProofsFileSchema, ...refusals(400, 500) },
      },
    },
    async (request) => {
      const asked = request.body.transactions.map(({ chain, tx_hash }) => parseTxHash(tx_hash, chain));
      const account = tenantOf(request).accountId;
      const { proofs, notProvable } = await proveTransactions(ctx, asked, { account, budgetMs: BUDGET_MS });
      return proofsFile(proofs, notProvable);
    },
  );
}
