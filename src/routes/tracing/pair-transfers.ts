import { z } from 'zod';
import type { Context } from '../../context.ts';
import { CHAINS } from '../../domain/chain.ts';
import { address, asset, timestamp, txHash } from '../../domain/fields.ts';
import { PAIR_LIST } from '../../domain/scene/bounds.ts';
import { tagFields } from '../../domain/tracing/answers.ts';
import { EXPORT_FORMS, exportName } from '../../exports/forms.ts';
import { callerOf } from '../../http/access.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import { transfersTable } from '../../questions/exports/tables.ts';
import { listPairTransfers } from '../../questions/graph/list-pair-transfers.ts';
import { parseAddress, parseAddressPair } from '../../questions/parse-address.ts';
import { askGraph } from '../ask-graph.ts';
import { givenAddress } from '../fields.ts';
import { fileAnswer, sendFile } from '../file-answer.ts';
import { chainText } from '../scans/scan-schemas.ts';
import { knownAddress } from './tracing-fields.ts';

const TRUNCATED = {
  'X-Truncated': { enum: ['0', '1'], description: '`1` where older transfers are left out' },
} as const;

export const PairTransfersSchema = z
  .object({
    pairs: z
      .array(
        z
          .object({
            from: address.describe('Who gave'),
            to: address.describe('Who got'),
            chain: z.enum(CHAINS),
            transfers: z
              .array(
                z
                  .object({
                    tx_hash: txHash,
                    at: timestamp.describe('Time of the transfer'),
                    asset,
                    amount: z.string().describe('Exact decimal'),
                    usd: z.number().nullable().describe('US dollars at that time; null without a price'),
                    ...tagFields,
                  })
                  .meta({ id: 'PairTransfer' }),
              )
              .describe('The largest ones, in the order of time'),
            truncated: z.boolean().describe('True where there are more'),
          })
          .meta({ id: 'TransfersOfPair' }),
      )
      .describe('In the order of the request'),
    addresses: z.array(knownAddress.meta({ id: 'EndOfPair' })).describe('Every payer and payee, each once'),
  })
  .meta({ id: 'PairTransfers' });

/** The single transfers behind the sums of counterparties and paths. */
export async function pairTransferRoutes(api: App, ctx: Context): Promise<void> {
  api.post(
    '/graph/transfers',
    {
      config: { turn: 'waits', access: 'key', rights: ['read'] },
      schema: {
        operationId: 'listPairTransfers',
        tags: ['Investigation'],
        summary: 'The transfers from one address to another, as far as the graph knows, and who they are',
        body: z
          .object({
            pairs: z
              .array(z.object({ from: givenAddress, to: givenAddress, chain: chainText.nullish() }))
              .min(1)
              .max(PAIR_LIST.pairs)
              .describe('Each from payer to payee, on one chain'),
            limit: z.int().min(1).max(PAIR_LIST.ofEach).default(50).describe('Transfers of each pair at most'),
          })
          .refine(({ pairs, limit }) => pairs.length * limit <= PAIR_LIST.ofAll, {
            path: ['limit'],
            error: `Input should be at most ${PAIR_LIST.ofAll} for all pairs together`,
          }),
        response: { 200: PairTransfersSchema, ...refusals(400, 500) },
      },
    },
    async (request) => {
      const { limit } = request.body;
      const pairs = request.body.pairs.map(({ from, to, chain }) => {
        const { first, second } = parseAddressPair({ address: from, chain }, { address: to, chain });
        return { chain: first.chain, from: first.address, to: second.address };
      });
      return askGraph(ctx, request, {}, (inquiry) => listPairTransfers(inquiry, { pairs, limit }));
    },
  );

  const { path, type, ...form } = EXPORT_FORMS.transfers;
  api.get(
    path,
    {
      config: { turn: 'waits', access: 'key', rights: ['read'] },
      schema: {
        ...form,
        tags: ['Investigation'],
        description:
          'Oldest first, at most the 20,000 newest. Asks no chain. `traceflow load transfers` reads the file, here or elsewhere; ' +
          'amounts are exact, times UTC, and no cell is a formula.',
        querystring: z.object({ address: givenAddress, chain: chainText.optional() }),
        response: { 200: fileAnswer(type, TRUNCATED), ...refusals(400, 500) },
      },
    },
    async (request, reply) => {
      const parsed = parseAddress(request.query.address, request.query.chain);
      const { content, truncated } = await ctx.graphQuestions.ask(callerOf(request), (graph) =>
        transfersTable({ graph }, parsed),
      );
      reply.header('X-Truncated', truncated ? '1' : '0');
      return sendFile(reply, { name: exportName(EXPORT_FORMS.transfers, parsed.address), type, content });
    },
  );
}
